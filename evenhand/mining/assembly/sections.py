"""Sections of the resume from the labels of its lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evenhand.mining.assembly.mentions import Mention
from evenhand.mining.segmenter import HEADING, INLINE, LineLabel
from evenhand.mining.sheet import Sheet
from evenhand.records.profile import Section

_BLANKS = re.compile(r"\s+")
_BULLET = re.compile(r"^[\s•·▪*►➢❖✓-]+")


def find_sections(sheet: Sheet, labels: Sequence[LineLabel], mentions: Sequence[Mention]) -> list[Section]:
    """A section runs from its heading, or from where the type changes, to the next."""
    starts: list[tuple[int, str | None]] = []
    for place, label in enumerate(labels):
        before = labels[place - 1] if place else None
        if label.role == HEADING:
            if (
                before is not None
                and before.role == HEADING
                and before.type == label.type
                and _goes_on(sheet, place)
            ):
                line, heading = starts[-1]
                starts[-1] = (line, f"{heading} {_heading(sheet.lines[place].text)}")
                continue
            starts.append((place, _heading(sheet.lines[place].text)))
        elif label.role == INLINE:
            starts.append((place, _inline_heading(sheet, place, mentions)))
        elif before is None or before.type != label.type:
            starts.append((place, None))
    return _sections(sheet, labels, starts)


def _sections(
    sheet: Sheet, labels: Sequence[LineLabel], starts: list[tuple[int, str | None]]
) -> list[Section]:
    ends = [line for line, _ in starts[1:]] + [len(labels)]
    return [
        Section(labels[line].type, heading, sheet.lines[line].start, sheet.lines[end - 1].end)
        for (line, heading), end in zip(starts, ends, strict=True)
    ]


def _goes_on(sheet: Sheet, place: int) -> bool:
    """Whether a second heading line in a row is the rest of the first: it looks the same and follows closely."""
    line, before = sheet.lines[place], sheet.lines[place - 1]
    return line.look == before.look and not line.gap_before and line.line.box is not None


def _heading(text: str) -> str:
    """Without the bullet before and the rule of underscores behind."""
    return _BLANKS.sub(" ", _BULLET.sub("", text)).strip(" _=~")


def _inline_heading(sheet: Sheet, place: int, mentions: Sequence[Mention]) -> str | None:
    for mention in mentions:
        if mention.label == "heading" and mention.line == place:
            return _heading(sheet.document.text[mention.start : mention.end])
    before, colon, _ = sheet.lines[place].text.partition(":")
    return _heading(before) if colon and len(before) < 40 else None
