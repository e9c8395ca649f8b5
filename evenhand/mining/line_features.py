"""What a line is like, in a few words: length, look, what it holds and where in it a date stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from evenhand.mining.annotations import KINDS, Annotations, kind_bits, over
from evenhand.mining.layout import CAPITAL, LONG

HELD = ("title", "degree", "field", "university", "company", "certificate", "school", "firm", "place")
RARE_LOOK = 0.25  # of the lines: a look that fewer share may be that of headings


@dataclass(frozen=True, slots=True)
class LineFacts:
    sort: str  # bullet, cell, caps, sentence, phrase
    length: str
    stands_out: str  # plain, bold, large, as a heading elsewhere
    title_type: str | None  # of the section whose heading it could be
    is_alone: bool  # the heading words are the whole line
    date: str | None  # start, end, alone, inside
    holds: tuple[str, ...]
    flags: tuple[str, ...]


def line_facts(notes: Annotations) -> list[LineFacts]:
    heading_looks = _heading_looks(notes)
    held = _held(notes)
    capitals = _capital_shares(notes)
    return [
        _facts(notes, place, heading_looks, holds, share)
        for place, (holds, share) in enumerate(zip(held, capitals, strict=True))
    ]


def _heading_looks(notes: Annotations) -> set[tuple[object, ...]]:
    """How lines look that are section titles by their words, unless most of the resume looks so."""
    sheet = notes.sheet
    limit = RARE_LOOK * len(sheet.lines)
    return {
        line.look
        for line, title, fuzzy in zip(sheet.lines, notes.titles, notes.fuzzy, strict=True)
        if title and not fuzzy and sheet.looks[line.look] <= limit
    }


def _facts(
    notes: Annotations, place: int, heading_looks: set[tuple[object, ...]], holds: tuple[str, ...], capitals: str
) -> LineFacts:
    line = notes.sheet.lines[place]
    count = line.last - line.first
    text = line.text.strip()
    return LineFacts(
        sort=_sort(notes, place, count),
        length=_length(count),
        stands_out=_look(notes, place, heading_looks),
        title_type=notes.titles[place],
        is_alone=notes.titles[place] is not None,
        date=_date_place(notes, place),
        holds=holds,
        flags=_flags(
            notes.contacts[place],
            tuple(sorted(set(notes.date_kinds[place]))),
            text[-1] if text and not text[-1].isalnum() else "word",
            "upper" if text[:1].isupper() else "lower" if text[:1].islower() else text[:1],
            min(4, text.count(",")),
            ":" in text,
            "|" in text,
            bool(line.line.furniture),
            line.new_block,
            line.line.italic,
            line.odd_color,
            _size(line.size_ratio),
            capitals,
        ),
    )


@lru_cache(maxsize=20_000)
def _flags(
    contacts: tuple[str, ...],
    dates: tuple[str, ...],
    ends: str,
    starts: str,
    commas: int,
    colon: bool,
    pipe: bool,
    furniture: bool,
    new_block: bool,
    italic: bool,
    color: bool,
    size: str,
    capitals: str,
) -> tuple[str, ...]:
    """Most lines have the flags of one that was seen before."""
    return (
        *(f"has={kind}" for kind in contacts),
        *(f"dates={kind}" for kind in dates),
        f"ends={ends}",
        f"starts={starts}",
        f"commas={commas}",
        *(("colon",) if colon else ()),
        *(("pipe",) if pipe else ()),
        *(("furniture",) if furniture else ()),
        *(("new block",) if new_block else ()),
        *(("italic",) if italic else ()),
        *(("color",) if color else ()),
        f"size={size}",
        f"caps={capitals}",
    )


def _sort(notes: Annotations, place: int, count: int) -> str:
    line = notes.sheet.lines[place]
    if line.line.table:
        return "cell"
    if line.line.list:
        return "bullet"
    if line.is_caps:
        return "caps"
    if line.text.rstrip().endswith(".") and count > 6:
        return "sentence"
    return "phrase" if line.text[:1].isupper() or count < 8 else "running"


def _length(count: int) -> str:
    for limit in (1, 2, 3, 5, 8, 12, 20):
        if count <= limit:
            return str(limit)
    return "more"


def _size(ratio: float) -> str:
    for limit, name in ((0.9, "small"), (1.05, "usual"), (1.25, "larger"), (1.6, "large")):
        if ratio < limit:
            return name
    return "huge"


def _look(notes: Annotations, place: int, heading_looks: set[tuple[object, ...]]) -> str:
    line = notes.sheet.lines[place]
    if line.look in heading_looks:
        return "heading"
    if line.size_ratio >= 1.15:
        return "large"
    if line.line.bold:
        return "bold"
    return "color" if line.odd_color else "plain"


def _capital_shares(notes: Annotations) -> list[str]:
    """How many of the longer words of each line are written with a capital."""
    lines = notes.sheet.lines
    firsts, lasts = [line.first for line in lines], [line.last for line in lines]
    traits = np.frombuffer(notes.sheet.traits, np.uint8)
    longs = over(np.add, (traits & LONG > 0).astype(np.int64), firsts, lasts)
    capitals = over(np.add, (traits & CAPITAL > 0).astype(np.int64), firsts, lasts)
    return [_share(some, all_) for some, all_ in zip(capitals, longs, strict=True)]


def _share(some: int, all_: int) -> str:
    if not all_:
        return "none"
    share = some / all_
    return "all" if share == 1 else "most" if share >= 0.6 else "some" if share > 0.2 else "few"


def _date_place(notes: Annotations, place: int) -> str | None:
    line = notes.sheet.lines[place]
    marks = notes.marks["date"][line.first : line.last]
    if not any(marks):
        return None
    rest = [mark for mark in marks if not mark]
    if len(rest) <= 2:
        return "alone"
    if marks[0] or (len(marks) > 1 and marks[1]):
        return "start"
    return "end" if marks[-1] or marks[-2] else "inside"


def _held(notes: Annotations) -> list[tuple[str, ...]]:
    lines = notes.sheet.lines
    firsts, lasts = [line.first for line in lines], [line.last for line in lines]
    bits = over(np.bitwise_or, kind_bits(notes), firsts, lasts)
    skills = np.frombuffer(notes.marks["skill"], np.uint8) > 0
    counts = over(np.add, skills.astype(np.int64), firsts, lasts)
    return [
        _holds(
            kinds,
            bool(count) and count * 3 >= line.last - line.first,
            "email" in contacts,
            "phone" in contacts,
        )
        for kinds, count, line, contacts in zip(bits, counts, lines, notes.contacts, strict=True)
    ]


@lru_cache(maxsize=20_000)
def _holds(kinds: int, is_skilled: bool, email: bool, phone: bool) -> tuple[str, ...]:
    held = [f"+{kind}" for kind in HELD if kinds >> KINDS.index(kind) & 1]
    if kinds >> KINDS.index("skill") & 1:
        held.append("+skills" if is_skilled else "+skill")
    if email:
        held.append("+email")
    if phone:
        held.append("+phone")
    return tuple(held)
