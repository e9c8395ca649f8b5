"""What a line is like, in a few words: length, look, what it holds and where in it a date stands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from evenhand.mining.annotations import KINDS, Annotations, kind_bits, over
from evenhand.mining.layout import CAPITAL, LONG

HELD = ("title", "degree", "field", "university", "company", "certificate", "school", "firm", "place")
SIZES = ((0.9, "small"), (1.05, "usual"), (1.25, "larger"), (1.6, "large"))
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


def line_facts(annotations: Annotations) -> list[LineFacts]:
    layout = annotations.layout
    # How lines look that are section titles by their words, unless most of the resume looks so.
    limit = RARE_LOOK * len(layout.lines)
    heading_looks = {
        line.look
        for line, title, fuzzy in zip(layout.lines, annotations.titles, annotations.fuzzy, strict=True)
        if title and not fuzzy and layout.looks[line.look] <= limit
    }
    held = _held(annotations)
    capitals = _capital_shares(annotations)
    return [
        _facts(annotations, place, heading_looks, holds, share)
        for place, (holds, share) in enumerate(zip(held, capitals, strict=True))
    ]


def _facts(
    annotations: Annotations, place: int, heading_looks: set[tuple[object, ...]], holds: tuple[str, ...], capitals: str
) -> LineFacts:
    line = annotations.layout.lines[place]
    count = line.last - line.first
    text = line.text.strip()
    return LineFacts(
        sort=_sort(annotations, place, count),
        length=next((str(limit) for limit in (1, 2, 3, 5, 8, 12, 20) if count <= limit), "more"),
        stands_out=_look(annotations, place, heading_looks),
        title_type=annotations.titles[place],
        is_alone=annotations.titles[place] is not None,
        date=_date_place(annotations, place),
        holds=holds,
        flags=_flags(
            annotations.contacts[place],
            tuple(sorted(set(annotations.date_kinds[place]))),
            text[-1] if text and not text[-1].isalnum() else "word",
            "upper" if text[:1].isupper() else "lower" if text[:1].islower() else text[:1],
            min(4, text.count(",")),
            ":" in text,
            "|" in text,
            bool(line.line.furniture),
            line.new_block,
            line.line.italic,
            line.odd_color,
            next((name for limit, name in SIZES if line.size_ratio < limit), "huge"),
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
    named = {"colon": colon, "pipe": pipe, "furniture": furniture, "new block": new_block}
    named |= {"italic": italic, "color": color}
    return (
        *(f"has={kind}" for kind in contacts),
        *(f"dates={kind}" for kind in dates),
        *(f"ends={ends}", f"starts={starts}", f"commas={commas}"),
        *(name for name, is_set in named.items() if is_set),
        *(f"size={size}", f"caps={capitals}"),
    )


def _sort(annotations: Annotations, place: int, count: int) -> str:
    line = annotations.layout.lines[place]
    if line.line.table:
        return "cell"
    if line.line.list:
        return "bullet"
    if line.is_caps:
        return "caps"
    if line.text.rstrip().endswith(".") and count > 6:
        return "sentence"
    return "phrase" if line.text[:1].isupper() or count < 8 else "running"


def _look(annotations: Annotations, place: int, heading_looks: set[tuple[object, ...]]) -> str:
    line = annotations.layout.lines[place]
    if line.look in heading_looks:
        return "heading"
    if line.size_ratio >= 1.15:
        return "large"
    if line.line.bold:
        return "bold"
    return "color" if line.odd_color else "plain"


def _capital_shares(annotations: Annotations) -> list[str]:
    """How many of the longer words of each line are written with a capital."""
    lines = annotations.layout.lines
    firsts, lasts = [line.first for line in lines], [line.last for line in lines]
    traits = np.frombuffer(annotations.layout.traits, np.uint8)
    longs = over(np.add, (traits & LONG > 0).astype(np.int64), firsts, lasts)
    capitals = over(np.add, (traits & CAPITAL > 0).astype(np.int64), firsts, lasts)
    return [_share(some, all_) for some, all_ in zip(capitals, longs, strict=True)]


def _share(some: int, all_: int) -> str:
    if not all_:
        return "none"
    share = some / all_
    return "all" if share == 1 else "most" if share >= 0.6 else "some" if share > 0.2 else "few"


def _date_place(annotations: Annotations, place: int) -> str | None:
    line = annotations.layout.lines[place]
    marks = annotations.marks["date"][line.first : line.last]
    if not any(marks):
        return None
    rest = [mark for mark in marks if not mark]
    if len(rest) <= 2:
        return "alone"
    if marks[0] or (len(marks) > 1 and marks[1]):
        return "start"
    return "end" if marks[-1] or marks[-2] else "inside"


def _held(annotations: Annotations) -> list[tuple[str, ...]]:
    lines = annotations.layout.lines
    firsts, lasts = [line.first for line in lines], [line.last for line in lines]
    bits = over(np.bitwise_or, kind_bits(annotations), firsts, lasts)
    skills = np.frombuffer(annotations.marks["skill"], np.uint8) > 0
    counts = over(np.add, skills.astype(np.int64), firsts, lasts)
    return [
        _holds(kinds, bool(count) and count * 3 >= line.last - line.first, "email" in contacts, "phone" in contacts)
        for kinds, count, line, contacts in zip(bits, counts, lines, annotations.contacts, strict=True)
    ]


@lru_cache(maxsize=20_000)
def _holds(kinds: int, is_skilled: bool, email: bool, phone: bool) -> tuple[str, ...]:
    held = [f"+{kind}" for kind in HELD if kinds >> KINDS.index(kind) & 1]
    if kinds >> KINDS.index("skill") & 1:
        held.append("+skills" if is_skilled else "+skill")
    return (*held, *(["+email"] if email else []), *(["+phone"] if phone else []))
