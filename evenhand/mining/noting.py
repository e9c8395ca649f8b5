"""Fills in the notes of a sheet: dates, contact data, what lexicons know, possible section titles, keys and tables."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.mining.contact import Contacts
from evenhand.mining.dates import DateSpan
from evenhand.mining.lexicon.phrases import Text
from evenhand.mining.notes import Notes, blank_marks, find_keys, put_mark, words_in
from evenhand.mining.sheet import Sheet, SheetLine
from evenhand.mining.tables import TableAnalysis
from evenhand.mining.vocabulary import Vocabulary

TITLE_WORDS = 7  # a longer line is no section title


def take_notes(
    sheet: Sheet,
    vocabulary: Vocabulary,
    *,
    dates: Sequence[DateSpan],
    contacts: Contacts,
    tables: TableAnalysis | None = None,
) -> Notes:
    notes = Notes(sheet, blank_marks(sheet))
    mark_phrases(notes, vocabulary, sheet.lines)
    _mark_dates(notes, dates)
    _note_contacts(notes, contacts)
    _note_titles(notes, vocabulary)
    notes.keys = find_keys(sheet)
    _note_tables(notes, tables)
    return notes


def mark_phrases(notes: Notes, vocabulary: Vocabulary, lines: Sequence[SheetLine]) -> None:
    """All these lines in one go, with a word between them that no phrase holds."""
    sheet = notes.sheet
    lower = Text(known=vocabulary.openings)
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


def _mark_dates(notes: Notes, dates: Sequence[DateSpan]) -> None:
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


def _note_contacts(notes: Notes, contacts: Contacts) -> None:
    lines = notes.sheet.lines
    notes.contacts = [()] * len(lines)
    for kind, facts in (("email", contacts.emails), ("phone", contacts.phones), ("link", contacts.links)):
        for fact in facts:
            for place, line in enumerate(lines):
                if line.start < fact.evidence.end and fact.evidence.start < line.end:
                    notes.contacts[place] = (*notes.contacts[place], kind)


def _note_titles(notes: Notes, vocabulary: Vocabulary) -> None:
    for line in notes.sheet.lines:
        found = None
        if line.last - line.first <= TITLE_WORDS:
            found = vocabulary.section_title(
                line.text, fuzzy=line.line.bold or line.is_caps or line.size_ratio > 1.05
            )
        notes.titles.append(found[0] if found else None)
        notes.fuzzy.append(found[1] if found else False)


def _note_tables(notes: Notes, tables: TableAnalysis | None) -> None:
    lines = notes.sheet.lines
    if tables is None or not notes.sheet.document.tables:
        notes.table_types = [None] * len(lines)
        notes.column_types = [None] * len(lines)
        return
    places = {id(line): place for place, line in enumerate(notes.sheet.document.lines)}
    notes.table_types = [tables.table_types[places[id(line.line)]] for line in lines]
    notes.column_types = [tables.column_types[places[id(line.line)]] for line in lines]
