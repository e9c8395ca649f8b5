"""What is noted on a sheet before a model looks at it: dates, contact data, words of lexicons, keys, tables."""

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
KINDS = (
    "skill",
    "title",
    "degree",
    "field",
    "university",
    "company",
    "certificate",
    "school",
    "firm",
    "place",
    "date",
)
KEY_WORDS = 4  # "Project name:" is a key; a longer stretch before a colon is a sentence
_KEY = re.compile(r"^[\s•·▪*-]*([^\W\d_][^:\n]{1,40}?)\s*:(?!/)")


@dataclass(slots=True)
class Annotations:
    """Per word: whether a phrase of each kind begins (1) or goes on (2) there. Per line: what its whole tells."""

    sheet: ResumeLayout
    marks: dict[str, bytearray]
    sure_skills: list[tuple[int, int, str]] = field(default_factory=list)  # words that only this skill can be
    titles: list[str | None] = field(default_factory=list)  # type that the line would have as a section heading
    fuzzy: list[bool] = field(default_factory=list)  # whether that was only a similar title
    keys: list[str | None] = field(default_factory=list)
    date_kinds: list[tuple[str, ...]] = field(default_factory=list)  # range, point, duration, birth
    contacts: list[tuple[str, ...]] = field(default_factory=list)  # email, phone, link
    table_types: list[str | None] = field(default_factory=list)
    column_types: list[str | None] = field(default_factory=list)


def find_keys(sheet: ResumeLayout) -> list[str | None]:
    """The key of each line that is a value: "Client: Foo" has its own, ": Foo" that of the line or cell before it."""
    keys: list[str | None] = []
    for place, line in enumerate(sheet.lines):
        own = own_key(line.text)
        keys.append(own or _key_before(sheet, place))
    return keys


def own_key(text: str) -> str | None:
    match = _KEY.match(text)
    return short_key(match.group(1)) if match else None


def _key_before(sheet: ResumeLayout, place: int) -> str | None:
    if not place:
        return None
    line, before = sheet.lines[place], sheet.lines[place - 1]
    same_row = bool(line.line.table and before.line.table and line.line.table[:2] == before.line.table[:2])
    text = before.text.strip()
    if line.text.lstrip().startswith(":") or (text.endswith(":") and len(text) < 40) or (same_row and len(text) < 40):
        return short_key(text.rstrip(": "))
    return None


def short_key(text: str) -> str | None:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return " ".join(words[:3]) if 0 < len(words) <= KEY_WORDS else None


def blank_marks(sheet: ResumeLayout) -> dict[str, bytearray]:
    return {kind: bytearray(len(sheet.tokens)) for kind in KINDS}


def put_mark(marks: bytearray, first: int, last: int) -> None:
    marks[first] = BEGIN
    for place in range(first + 1, last):
        marks[place] = INSIDE


def words_in(sheet: ResumeLayout, start: int, end: int, line: LayoutLine) -> tuple[int, int]:
    """The words of a line that lie within a stretch of text."""
    first = bisect_right(sheet.tokens.ends, start, line.first, line.last)
    return first, bisect_left(sheet.tokens.starts, end, first, line.last)


def kind_bits(notes: Annotations) -> Bits:
    """For each word the kinds of phrases it belongs to: bit k for KINDS[k]."""
    bits = np.zeros(len(notes.sheet.tokens), np.int64)
    for number, kind in enumerate(KINDS):
        bits |= (np.frombuffer(notes.marks[kind], np.uint8) > 0).astype(np.int64) << number
    return bits


def over(ufunc: np.ufunc, values: Bits, firsts: Sequence[int], lasts: Sequence[int]) -> list[int]:
    """The values of each stretch from `first` up to `last` put together; 0 where a stretch is empty."""
    bounds = np.column_stack([firsts, lasts])
    if not bounds.size:
        return []
    result = ufunc.reduceat(np.append(values, 0), bounds.ravel())[::2]
    result[bounds[:, 0] >= bounds[:, 1]] = 0
    found: list[int] = result.tolist()
    return found


# Fills in the notes of a sheet: dates, contact data, what lexicons know, possible section titles, keys and
# tables.

TITLE_WORDS = 7  # a longer line is no section title


def annotate(
    sheet: ResumeLayout,
    vocabulary: Vocabulary,
    *,
    dates: Sequence[DateSpan],
    contacts: Contacts,
    tables: TableAnalysis | None = None,
) -> Annotations:
    notes = Annotations(sheet, blank_marks(sheet))
    mark_phrases(notes, vocabulary, sheet.lines)
    _mark_dates(notes, dates)
    _note_contacts(notes, contacts)
    _note_titles(notes, vocabulary)
    notes.keys = find_keys(sheet)
    _note_tables(notes, tables)
    return notes


def mark_phrases(notes: Annotations, vocabulary: Vocabulary, lines: Sequence[LayoutLine]) -> None:
    """All these lines in one go, with a word between them that no phrase holds."""
    sheet = notes.sheet
    lower = LexiconText(known=vocabulary.openings)
    words: list[str] = []
    places: list[int] = []  # of each word here its place on the sheet
    for line in lines:
        lower += sheet.lower[line.first : line.last]
        words += sheet.tokens.words[line.first : line.last]
        places += range(line.first, line.last)
        lower.append("\n")
        words.append("\n")
        places.append(-1)
    for kind, find in vocabulary.finders:
        marks = notes.marks[kind]
        for first, last in find(lower, words):
            put_mark(marks, places[first], places[last - 1] + 1)
    for match in vocabulary.skills.find(lower):
        first, last = places[match.first], places[match.last - 1] + 1
        put_mark(notes.marks["skill"], first, last)
        if not match.ambiguous:
            notes.sure_skills.append((first, last, match.name))


def _mark_dates(notes: Annotations, dates: Sequence[DateSpan]) -> None:
    lines = notes.sheet.lines
    notes.date_kinds = [()] * len(lines)
    place = 0
    for span in sorted(dates, key=lambda span: span.start):
        while place < len(lines) and lines[place].end <= span.start:
            place += 1
        at = place
        while at < len(lines) and lines[at].start < span.end:
            first, last = words_in(notes.sheet, span.start, span.end, lines[at])
            if first < last:
                if span.kind != "duration":
                    put_mark(notes.marks["date"], first, last)
                notes.date_kinds[at] = (*notes.date_kinds[at], span.kind)
            at += 1


def _note_contacts(notes: Annotations, contacts: Contacts) -> None:
    lines = notes.sheet.lines
    notes.contacts = [()] * len(lines)
    for kind, facts in (("email", contacts.emails), ("phone", contacts.phones), ("link", contacts.links)):
        for fact in facts:
            for place, line in enumerate(lines):
                if line.start < fact.evidence.end and fact.evidence.start < line.end:
                    notes.contacts[place] = (*notes.contacts[place], kind)


def _note_titles(notes: Annotations, vocabulary: Vocabulary) -> None:
    for line in notes.sheet.lines:
        found = None
        if line.last - line.first <= TITLE_WORDS:
            found = vocabulary.section_title(line.text, fuzzy=line.line.bold or line.is_caps or line.size_ratio > 1.05)
        notes.titles.append(found[0] if found else None)
        notes.fuzzy.append(found[1] if found else False)


def _note_tables(notes: Annotations, tables: TableAnalysis | None) -> None:
    lines = notes.sheet.lines
    if tables is None or not notes.sheet.document.tables:
        notes.table_types = [None] * len(lines)
        notes.column_types = [None] * len(lines)
        return
    places = {id(line): place for place, line in enumerate(notes.sheet.document.lines)}
    notes.table_types = [tables.table_types[places[id(line.line)]] for line in lines]
    notes.column_types = [tables.column_types[places[id(line.line)]] for line in lines]
