"""Annotations of a layout, made before a model sees it: dates, contact data, phrases of lexicons, keys, tables."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.mining.layout import LayoutLine, ResumeLayout
from evenhand.mining.lexicon.phrases import LexiconText
from evenhand.mining.tables.analysis import TableAnalysis
from evenhand.mining.vocabulary import Vocabulary
from evenhand.text.contacts import Contacts
from evenhand.text.date_values import DateSpan

Bits = NDArray[np.int64]

BEGIN, INSIDE = 1, 2
KINDS = ("skill", "title", "degree", "field", "university", "company", "certificate", "school", "firm", "place", "date")
KEY_WORDS = 4  # "Project name:" is a key; a longer stretch before a colon is a sentence
_KEY = re.compile(r"^[\s•·▪*-]*([^\W\d_][^:\n]{1,40}?)\s*:(?!/)")


@dataclass(slots=True)
class Annotations:
    """Per word: whether a phrase of each kind begins (1) or goes on (2) there. Per line: what its whole tells."""

    layout: ResumeLayout
    marks: dict[str, bytearray]
    sure_skills: list[tuple[int, int, str]] = field(default_factory=list)  # words that only this skill can be
    titles: list[str | None] = field(default_factory=list)  # type that the line would have as a section heading
    fuzzy: list[bool] = field(default_factory=list)  # whether that was only a similar title
    keys: list[str | None] = field(default_factory=list)
    date_kinds: list[tuple[str, ...]] = field(default_factory=list)  # range, point, duration, birth
    contacts: list[tuple[str, ...]] = field(default_factory=list)  # email, phone, link
    table_types: list[str | None] = field(default_factory=list)
    column_types: list[str | None] = field(default_factory=list)


def find_keys(layout: ResumeLayout) -> list[str | None]:
    """The key of each line that is a value: "Client: Foo" has its own, ": Foo" that of the line or cell before it."""
    keys: list[str | None] = []
    before: LayoutLine | None = None
    for line in layout.lines:
        key = own_key(line.text)
        if key is None and before is not None:
            same_row = bool(line.line.table and before.line.table and line.line.table[:2] == before.line.table[:2])
            text = before.text.strip()
            is_key = (text.endswith(":") or same_row) and len(text) < 40
            key = short_key(text.rstrip(": ")) if is_key or line.text.lstrip().startswith(":") else None
        keys.append(key)
        before = line
    return keys


def own_key(text: str) -> str | None:
    match = _KEY.match(text)
    return short_key(match.group(1)) if match else None


def short_key(text: str) -> str | None:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return " ".join(words[:3]) if 0 < len(words) <= KEY_WORDS else None


def put_mark(marks: bytearray, first: int, last: int) -> None:
    marks[first] = BEGIN
    for place in range(first + 1, last):
        marks[place] = INSIDE


def words_in(layout: ResumeLayout, start: int, end: int, line: LayoutLine) -> tuple[int, int]:
    """The words of a line that lie within a stretch of text."""
    first = bisect_right(layout.tokens.ends, start, line.first, line.last)
    return first, bisect_left(layout.tokens.starts, end, first, line.last)


def kind_bits(annotations: Annotations) -> Bits:
    """For each word the kinds of phrases it belongs to: bit k for KINDS[k]."""
    bits = np.zeros(len(annotations.layout.tokens), np.int64)
    for number, kind in enumerate(KINDS):
        bits |= (np.frombuffer(annotations.marks[kind], np.uint8) > 0).astype(np.int64) << number
    return bits


def over(ufunc: np.ufunc, values: Bits, firsts: Sequence[int], lasts: Sequence[int]) -> list[int]:
    """The values of each stretch from `first` up to `last` put together; 0 where a stretch is empty."""
    bounds = np.column_stack([firsts, lasts])
    if not bounds.size:
        return []
    result = ufunc.reduceat(np.append(values, 0), bounds.ravel())[::2]
    result[bounds[:, 0] >= bounds[:, 1]] = 0
    totals: list[int] = result.tolist()
    return totals


TITLE_WORDS = 7  # a longer line is no section title


def annotate(
    layout: ResumeLayout,
    vocabulary: Vocabulary,
    *,
    dates: Sequence[DateSpan],
    contacts: Contacts,
    tables: TableAnalysis | None = None,
) -> Annotations:
    annotations = Annotations(layout, {kind: bytearray(len(layout.tokens)) for kind in KINDS})
    mark_phrases(annotations, vocabulary, layout.lines)
    _annotate_dates(annotations, dates)
    annotations.contacts = [_contacts_in(line, contacts) for line in layout.lines]
    for line in layout.lines:
        title = None
        if line.last - line.first <= TITLE_WORDS:
            title = vocabulary.section_title(line.text, fuzzy=line.line.bold or line.is_caps or line.size_ratio > 1.05)
        annotations.titles.append(title[0] if title else None)
        annotations.fuzzy.append(title[1] if title else False)
    annotations.keys = find_keys(layout)
    places = {id(line): place for place, line in enumerate(layout.document.lines)} if tables else {}
    annotations.table_types = [tables.table_types[places[id(line.line)]] if tables else None for line in layout.lines]
    annotations.column_types = [tables.column_types[places[id(line.line)]] if tables else None for line in layout.lines]
    return annotations


def mark_phrases(annotations: Annotations, vocabulary: Vocabulary, lines: Sequence[LayoutLine]) -> None:
    """All these lines in one go, with a word between them that no phrase holds."""
    layout = annotations.layout
    lower = LexiconText(known=vocabulary.openings)
    words: list[str] = []
    places: list[int] = []  # of each word here its place in the layout
    for line in lines:
        lower += layout.lower[line.first : line.last]
        words += layout.tokens.words[line.first : line.last]
        places += range(line.first, line.last)
        lower.append("\n")
        words.append("\n")
        places.append(-1)
    for kind, find in vocabulary.finders:
        marks = annotations.marks[kind]
        for first, last in find(lower, words):
            put_mark(marks, places[first], places[last - 1] + 1)
    for match in vocabulary.skills.find(lower):
        first, last = places[match.first], places[match.last - 1] + 1
        put_mark(annotations.marks["skill"], first, last)
        if not match.ambiguous:
            annotations.sure_skills.append((first, last, match.name))


def _annotate_dates(annotations: Annotations, dates: Sequence[DateSpan]) -> None:
    lines = annotations.layout.lines
    annotations.date_kinds = [()] * len(lines)
    place = 0
    for span in sorted(dates, key=lambda span: span.start):
        while place < len(lines) and lines[place].end <= span.start:
            place += 1
        at = place
        while at < len(lines) and lines[at].start < span.end:
            first, last = words_in(annotations.layout, span.start, span.end, lines[at])
            if first < last:
                if span.kind != "duration":
                    put_mark(annotations.marks["date"], first, last)
                annotations.date_kinds[at] = (*annotations.date_kinds[at], span.kind)
            at += 1


def _contacts_in(line: LayoutLine, contacts: Contacts) -> tuple[str, ...]:
    facts = (("email", contacts.emails), ("phone", contacts.phones), ("link", contacts.links))
    return tuple(
        kind
        for kind, some in facts
        for fact in some
        if line.start < fact.evidence.end and fact.evidence.start < line.end
    )
