"""Entities as stretches of text, the two parts of a broken one put together, placeholders left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from evenhand.mining.recognizer import Entity
from evenhand.mining.sheet import Sheet
from evenhand.records.profile import Evidence, Fact

_PLACEHOLDER = re.compile(
    r"(?:company|employer|client|organi[sz]ation|project|school|university|college|city|state|country|job title|your"
    r"|first|last|name|[\s,/*()x-])*",
    re.IGNORECASE,
)
_TRIM = " \t\n,;:|–—-•·*/\\\"'“”_"
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Mention:
    """text[start:end] is a `label`; it begins in line `line` and ends in line `last_line`."""

    label: str
    start: int
    end: int
    line: int
    last_line: int
    confidence: float
    method: str = "crf"


def find_mentions(sheet: Sheet, entities: Iterable[Entity], *, method: str = "crf") -> list[Mention]:
    found: list[Mention] = []
    for entity in entities:
        start, end = trimmed(sheet, sheet.tokens.starts[entity.first], sheet.tokens.ends[entity.last - 1])
        if start >= end:
            continue
        before = found[-1] if found else None
        last_line = sheet.line_of[entity.last - 1]
        if entity.is_rest and before and _goes_on(sheet, before, entity.label, start):
            confidence = min(before.confidence, entity.confidence)
            found[-1] = Mention(entity.label, before.start, end, before.line, last_line, confidence, method)
            continue
        found.append(Mention(entity.label, start, end, entity.line, last_line, entity.confidence, method))
    return found


def _goes_on(sheet: Sheet, before: Mention, label: str, start: int) -> bool:
    """Whether what begins at `start` is the rest of the mention before: only the end of a line lies between."""
    return before.label == label and sheet.document.text[before.end : start].strip(" \t\n-") == ""


def trimmed(sheet: Sheet, start: int, end: int) -> tuple[int, int]:
    """Without separators at its ends and without an unpaired bracket."""
    text = sheet.document.text
    rule = text.find("__", start, end)  # a name with a line drawn behind it
    if rule > start:
        end = rule
    while start < end and (text[start] in _TRIM or (text[start] in "([" and not _closes(text[start:end]))):
        start += 1
    while start < end and (text[end - 1] in _TRIM or (text[end - 1] in ")]" and not _opens(text[start:end]))):
        end -= 1
    return start, end


def _closes(stretch: str) -> bool:
    return ")" in stretch or "]" in stretch


def _opens(stretch: str) -> bool:
    return "(" in stretch or "[" in stretch


def labels_of_lines(mentions: Iterable[Mention]) -> dict[int, set[str]]:
    labels: dict[int, set[str]] = {}
    for mention in mentions:
        labels.setdefault(mention.line, set()).add(mention.label)
    return labels


def is_placeholder(text: str) -> bool:
    """ "Company Name", "City , State": a form that was never filled in, or masked."""
    return _PLACEHOLDER.fullmatch(text) is not None


def to_fact(sheet: Sheet, mention: Mention | None) -> Fact | None:
    """The mention as a fact; a placeholder is nobody's."""
    if mention is None:
        return None
    surface = sheet.document.text[mention.start : mention.end]
    if is_placeholder(surface):
        return None
    return Fact(_BLANKS.sub(" ", surface), surface, evidence_of(sheet, mention))


def evidence_of(sheet: Sheet, mention: Mention) -> Evidence:
    return Evidence(
        mention.start, mention.end, sheet.page_at(mention.start), mention.method, round(mention.confidence, 3)
    )
