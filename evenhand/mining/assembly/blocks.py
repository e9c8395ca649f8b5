"""Blocks and mentions: which lines make up one job, project or degree, and which words of them name what."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evenhand.mining.layout import LayoutLine, ResumeLayout
from evenhand.mining.recognizer import Entity
from evenhand.mining.segmenter import ABOUT, ENTRY, HEAD, HEADING, INLINE, PROJECT, LineLabel
from evenhand.records.profile import Evidence, Fact
from evenhand.text.date_values import DateSpan

JOB, STUDY, TASK = "job", "study", "project"


@dataclass(slots=True)
class Block:
    """Lines `first` up to but not including `last`; `head` are those that name employer, title, dates..."""

    kind: str
    type: str  # of the section it stands in
    first: int
    last: int
    head: list[int] = field(default_factory=list)
    parent: int | None = None  # number of the job that a project is part of
    places: list[int] = field(default_factory=list)  # lines of the head that tell when and where, not for whom

    def holds(self, line: int) -> bool:
        return self.first <= line < self.last


def find_blocks(labels: Sequence[LineLabel]) -> list[Block]:
    blocks: list[Block] = []
    job: int | None = None
    current: Block | None = None
    for place, label in enumerate(labels):
        before = labels[place - 1] if place else None
        if label.role in (HEADING, INLINE) or (before is not None and before.type != label.type):
            _close(blocks, current, job, place)
            current, job = None, None
        if label.role == HEADING:
            continue
        opens = _opens(label, before, current)
        if opens == TASK:
            _close(blocks, current, job, place, keep=job)
            current = Block(TASK, label.type, place, place + 1, [place], job)
            blocks.append(current)
        elif opens:
            _close(blocks, current, job, place)
            kind = STUDY if label.type == "education" else JOB
            current = Block(kind, label.type, place, place + 1, [place])
            blocks.append(current)
            job = len(blocks) - 1 if kind == JOB else None
        elif current is not None and label.role in (HEAD, ABOUT) and place - current.head[-1] <= 3:
            current.head.append(place)  # a line or two may lie between: a description of the company
    _close(blocks, current, job, len(labels))
    return blocks


def _opens(label: LineLabel, before: LineLabel | None, current: Block | None) -> str | None:
    if label.role == PROJECT:
        return TASK
    if label.role == ENTRY:
        return JOB
    is_near_head = before is not None and before.role in (ENTRY, HEAD, PROJECT, ABOUT)
    if label.role == HEAD and (current is None or (current.kind == JOB and not is_near_head)):
        return JOB  # a head without a first line: the first line was taken for something else
    if label.role == ABOUT and current is None:
        return TASK
    return None


def _close(blocks: list[Block], current: Block | None, job: int | None, place: int, *, keep: int | None = None) -> None:
    if current is not None:
        current.last = place
    if job is not None and keep is None:
        blocks[job].last = place


def joined_blocks(blocks: Sequence[Block], labels: Mapping[int, set[str]]) -> list[Block]:
    """Two blocks that are one: title and employer above, dates right below; a degree above, its school below.

    `labels` has for each line what was recognised in it.
    """
    result: list[Block] = []
    numbers: dict[int, int] = {}  # of the old list to the new one
    for place, block in enumerate(blocks):
        before = result[-1] if result else None
        if before is not None and _is_rest(before, block, labels):
            before.head += block.head
            before.last = block.last
            before.places += block.head
        else:
            result.append(block)
        numbers[place] = len(result) - 1
        if block.parent is not None:
            block.parent = numbers[block.parent]
    return result


def _is_rest(before: Block, block: Block, labels: Mapping[int, set[str]]) -> bool:
    if before.kind != block.kind or before.kind == TASK or block.first != before.last:
        return False
    if len(before.head) < before.last - before.first:  # its description lies between
        return False
    above = {label for line in before.head for label in labels.get(line, ())}
    below = {label for line in block.head for label in labels.get(line, ())}
    if before.kind == STUDY:
        named = {"degree", "university"}
        if not below & named:
            return "dates" in below - above
        return len(above & named) == len(below & named) == 1 and not above & below & {*named, "dates"}
    if "dates" not in below - above or "title" in below or not above & {"title", "employer"}:
        return False
    return "employer" not in below & above or "title" in above


# Entities as stretches of text, the two parts of a broken one put together, placeholders left out.

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


def find_mentions(layout: ResumeLayout, entities: Iterable[Entity], *, method: str = "crf") -> list[Mention]:
    result: list[Mention] = []
    for entity in entities:
        start, end = trimmed_words(layout, entity.first, entity.last)
        if start >= end:
            continue
        before = result[-1] if result else None
        last_line = layout.line_of[entity.last - 1]
        if entity.is_rest and before and _goes_on(layout, before, entity.label, start):
            confidence = min(before.confidence, entity.confidence)
            result[-1] = Mention(entity.label, before.start, end, before.line, last_line, confidence, method)
            continue
        result.append(Mention(entity.label, start, end, entity.line, last_line, entity.confidence, method))
    return result


def _goes_on(layout: ResumeLayout, before: Mention, label: str, start: int) -> bool:
    """Whether what begins at `start` is the rest of the mention before: only the end of a line lies between."""
    return before.label == label and layout.document.text[before.end : start].strip(" \t\n-") == ""


def trimmed_words(layout: ResumeLayout, first: int, last: int) -> tuple[int, int]:
    """The place of words `first` up to `last`, trimmed."""
    return trimmed(layout, layout.tokens.starts[first], layout.tokens.ends[last - 1])


def trimmed(layout: ResumeLayout, start: int, end: int) -> tuple[int, int]:
    """Without separators at its ends and without an unpaired bracket."""
    text = layout.document.text
    rule = text.find("__", start, end)  # a name with a line drawn behind it
    if rule > start:
        end = rule
    while start < end and (text[start] in _TRIM or (text[start] in "([" and not {*text[start:end]} & {*")]"})):
        start += 1
    while start < end and (text[end - 1] in _TRIM or (text[end - 1] in ")]" and not {*text[start:end]} & {*"(["})):
        end -= 1
    return start, end


def mentions_by_line(mentions: Iterable[Mention]) -> dict[int, list[Mention]]:
    """By the line in which each begins."""
    by_line: dict[int, list[Mention]] = {}
    for mention in mentions:
        by_line.setdefault(mention.line, []).append(mention)
    return by_line


def labels_of_lines(mentions: Iterable[Mention]) -> dict[int, set[str]]:
    return {line: {mention.label for mention in own} for line, own in mentions_by_line(mentions).items()}


def to_fact(layout: ResumeLayout, mention: Mention | None) -> Fact | None:
    """The mention as a fact; a placeholder ("Company Name", "City , State") is a form that was never filled in."""
    surface = layout.document.text[mention.start : mention.end] if mention else ""
    if mention is None or _PLACEHOLDER.fullmatch(surface):
        return None
    return Fact(_BLANKS.sub(" ", surface), surface, evidence_of(layout, mention))


def evidence_of(layout: ResumeLayout, mention: Mention) -> Evidence:
    page, confidence = layout.page_at(mention.start), round(mention.confidence, 3)
    return Evidence(mention.start, mention.end, page, mention.method, confidence)


# Stretches of text that can be asked what they touch without looking at each.


class Stretches:
    """Half-open and without overlaps among themselves, as mentions of a text are."""

    def __init__(self, places: Iterable[tuple[int, int]]) -> None:
        self._places = sorted(places)
        self._ends = [end for _, end in self._places]

    def overlaps(self, start: int, end: int) -> bool:
        at = bisect_left(self._ends, start + 1)  # the first that ends behind `start`
        return at < len(self._places) and self._places[at][0] < end


class DatesByPlace:
    """The date expressions of a text, found by where they stand."""

    def __init__(self, spans: Iterable[DateSpan]) -> None:
        self._spans = sorted(spans, key=lambda span: span.start)
        self._starts = [span.start for span in self._spans]
        self._ends = [span.end for span in self._spans]

    def in_line(self, line: LayoutLine) -> list[DateSpan]:
        """Those that begin in the line."""
        return self._spans[bisect_left(self._starts, line.start) : bisect_left(self._starts, line.end)]

    def touching(self, start: int, end: int) -> list[DateSpan]:
        """Those that share a letter with text[start:end]."""
        return self._spans[bisect_left(self._ends, start + 1) : bisect_left(self._starts, end)]


# The mentions in the head of a block, sorted into one record or, where everything comes twice, into several.

KEYS = ("employer", "title", "dates")
STUDY_KEYS = ("university", "degree", "dates")


@dataclass(slots=True)
class EntryMentions:
    """One job, project or degree: per label its mentions in the order of the text."""

    block: Block
    fields: dict[str, list[Mention]] = field(default_factory=dict)

    def add(self, mention: Mention) -> None:
        self.fields.setdefault(mention.label, []).append(mention)

    @property
    def lines(self) -> list[int]:
        return [mention.line for mentions in self.fields.values() for mention in mentions]

    def first(self, label: str) -> Mention | None:
        mentions = self.fields.get(label)
        return mentions[0] if mentions else None


def split_records(block: Block, mentions: Sequence[Mention], keys: tuple[str, ...]) -> list[EntryMentions]:
    """A second title is a second job only if the first has its dates, or if nothing here has any."""
    records = [EntryMentions(block)]
    dated = any(mention.label == "dates" for mention in mentions)
    for place, mention in enumerate(mentions):
        current = records[-1]
        complete = not dated or "dates" in current.fields
        if mention.label in keys and mention.label in current.fields and complete:
            coming = {other.label for other in mentions[place:] if other.label in keys}
            if len(coming) >= 2 and sum(key in current.fields for key in keys) >= 2:
                current = EntryMentions(block)
                records.append(current)
        current.add(mention)
    return records
