"""Our own view of a word for the recognizer: the word and its neighbours, the stretch between commas, the line."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from evenhand.mining.annotations import BEGIN, KINDS, Annotations, Bits, kind_bits, over
from evenhand.mining.crf import Piece
from evenhand.mining.layout import BREAK, LOW, SMALL
from evenhand.mining.line_features import LineFacts

NEAR = (-2, -1, 0, 1, 2)
EDGE = "\n"  # stands for the place before the first and after the last word of a line
_SHAPE = ((re.compile(r"[A-Z]+"), "X"), (re.compile(r"[a-z]+"), "x"), (re.compile(r"[0-9]+"), "9"))
MARKS = 3  # a word may have none, a first or a further one of each kind
PATTERN = 4  # a line of more segments is told by each alone
SEGMENT_KINDS = (
    *("title", "degree", "field", "university", "company", "certificate"),
    *("school", "firm", "place", "date", "skill"),
)

Lexical = Callable[[str], tuple[str, ...]]
"""Names of the word lists that hold a word in lower case: legal suffixes, words of institutions, months..."""


def shape(word: str) -> str:
    for pattern, letter in _SHAPE:
        word = pattern.sub(letter, word)
    return word[:6]


@lru_cache(maxsize=50_000)
def word_attributes(word: str, lexical: Lexical) -> tuple[tuple[str, ...], ...]:
    """What a word adds at itself and at its neighbours, in the order of NEAR: it depends on the word alone."""
    if word == EDGE:
        return tuple((f"{-step}edge",) for step in NEAR)
    low = word.lower()
    form = shape(word)
    lists = lexical(low)
    own = [f"0w={low}", f"0f={form}", f"0s3={low[-3:]}", f"0s2={low[-2:]}", f"0p3={low[:3]}", f"0n={min(len(word), 8)}"]
    own += [f"0l={name}" for name in lists]
    result = []
    for step in NEAR:
        # The attribute is seen from the neighbour: a word two places on is its "+2".
        if step == 0:
            result.append(tuple(own))
        elif abs(step) == 1:
            result.append((f"{-step}w={low}", f"{-step}f={form}", *(f"{-step}l={name}" for name in lists)))
        else:
            result.append((f"{-step}w={low}", *(f"{-step}l={name}" for name in lists)))
    return tuple(result)


class WordSegment(NamedTuple):
    """Words between two breaks of a line: commas, bars, dashes, brackets, wide gaps."""

    first: int
    last: int


Flags = tuple[str, ...]
"""What a segment holds, and how it is written."""


def segments(annotations: Annotations, first: int, last: int) -> list[WordSegment]:
    cuts = annotations.layout.cuts
    kinds = annotations.layout.cut_kinds
    result = []
    begin = first
    for number in range(bisect_left(cuts, first), bisect_left(cuts, last)):
        place = cuts[number]
        if place > begin:
            result.append(WordSegment(begin, place))
        begin = place + 1 if kinds[number] & BREAK else place
    if begin < last:
        result.append(WordSegment(begin, last))
    return result


def flags_of_segments(annotations: Annotations, parts: Sequence[WordSegment]) -> list[Flags]:
    bits = kind_bits(annotations)
    bits |= (np.frombuffer(annotations.layout.traits, np.uint8) & SMALL > 0).astype(np.int64) << len(KINDS)
    bits_of_parts = over(np.bitwise_or, bits, [part.first for part in parts], [part.last for part in parts])
    traits = annotations.layout.traits
    return [_flags(held, bool(traits[part.first] & LOW)) for held, part in zip(bits_of_parts, parts, strict=True)]


@lru_cache(maxsize=20_000)
def _flags(held: int, is_low: bool) -> Flags:
    """`held` has a bit for each kind, and one for words that are not all capitals."""
    flags = [kind for kind in SEGMENT_KINDS if held >> KINDS.index(kind) & 1]
    if not held >> len(KINDS):
        flags.append("caps")
    elif is_low:
        flags.append("low")
    return tuple(flags)


def segment_pieces(parts: Sequence[WordSegment], flags: Sequence[Flags], number: int) -> list[Piece]:
    """What one segment of a line and its neighbours hold, and its number from both sides."""
    from_end = len(parts) - 1 - number
    length = parts[number].last - parts[number].first
    pieces = [
        _numbered(min(number, 4), min(from_end, 4), min(len(parts), 6), min(length, 7)),
        _holding(flags[number]),
        _patterned(tuple(flags) if len(parts) <= PATTERN else None, number),
    ]
    if number and flags[number - 1]:
        pieces.append(_each("seg<", flags[number - 1]))
    if from_end and flags[number + 1]:
        pieces.append(_each("seg>", flags[number + 1]))
    return pieces


@lru_cache(maxsize=2000)
def _numbered(number: int, from_end: int, count: int, length: int) -> Piece:
    return (f"seg={number}", f"seg-={from_end}", f"segs={count}", f"seglen={length}")


@lru_cache(maxsize=5000)
def _holding(flags: Flags) -> Piece:
    return (*(f"seg+{flag}" for flag in flags), f"seg:{','.join(flags)}")


@lru_cache(maxsize=20_000)
def _patterned(flags: tuple[Flags, ...] | None, number: int) -> Piece:
    pattern = "many" if flags is None else "|".join(map("+".join, flags))
    return (f"line:{pattern}#{number}",)


@lru_cache(maxsize=5000)
def _each(prefix: str, flags: Flags) -> Piece:
    return tuple(prefix + flag for flag in flags)


@lru_cache(maxsize=20_000)
def edge_pieces(own: Flags, before: Flags | None, label: str) -> tuple[Piece, ...]:
    """Of the first word of a segment: there something new may begin, even where only a wide gap tells."""
    behind = "start" if before is None else ",".join(before)
    return ("first", f"first:{','.join(own)}"), (f"first<{behind}",), (f"first rs={label}",)


def mark_codes(annotations: Annotations) -> Bits:
    """The marks of all kinds at each word as one number, which `mark_piece` spells out."""
    codes = np.zeros(len(annotations.layout.tokens), np.int64)
    for number, kind in enumerate(SEGMENT_KINDS):
        codes += np.frombuffer(annotations.marks[kind], np.uint8) * np.int64(MARKS**number)
    return codes


@lru_cache(maxsize=20_000)
def mark_piece(code: int) -> Piece:
    """What lexicons and dates say about one word: a mark for each of the kinds."""
    marks = [code // MARKS**number % MARKS for number in range(len(SEGMENT_KINDS))]
    return tuple(
        f"{kind}{'B' if mark == BEGIN else 'I'}" for kind, mark in zip(SEGMENT_KINDS, marks, strict=True) if mark
    )


def line_pieces(annotations: Annotations, facts: list[LineFacts], labels: list[str], place: int) -> list[Piece]:
    """What all words of a line share: the segmenter's label of it and of its neighbours, look, key, table."""
    fact = facts[place]
    label = labels[place]
    pieces = [
        *_own(label, fact.date, fact.sort, fact.length, fact.stands_out, fact.holds),
        _ROWS[min(place, len(_ROWS) - 1)],
    ]
    if contacts := annotations.contacts[place]:
        pieces.append(tuple(f"has={kind}" for kind in contacts))
    if key := annotations.keys[place]:
        pieces.append((f"key={key}", f"key={key}+rs={label.partition('.')[0]}"))
    if table := annotations.table_types[place]:
        pieces.append((f"table={table}", f"column={annotations.column_types[place]}"))
    for step in (-2, 2):
        if 0 <= place + step < len(facts):
            pieces.append((f"{step}rs={labels[place + step]}",))
    for step in (-1, 1):
        if 0 <= place + step < len(facts):
            other = facts[place + step]
            pieces += _beside(
                step, labels[place + step], label, other.date, other.stands_out, other.length, other.holds
            )
    return pieces


_ROWS: tuple[Piece, ...] = tuple((f"row={row}",) for row in range(6))


@lru_cache(maxsize=20_000)
def _own(
    label: str, date: str | None, sort: str, length: str, look: str, holds: tuple[str, ...]
) -> tuple[Piece, Piece]:
    type_ = label.partition(".")[0]
    own = (f"rs={label}", f"rs={type_}", f"rs={type_}+date={date}", f"rs={label}+sort={sort}")
    return (*own, f"rs={label}+long={length}", f"look={look}", f"sort={sort}"), (f"rs={type_}+{''.join(holds)}",)


@lru_cache(maxsize=20_000)
def _beside(
    step: int, label: str, own_label: str, date: str | None, look: str, length: str, holds: tuple[str, ...]
) -> tuple[Piece, Piece]:
    held = f"{step}rs={label}+rs={own_label}+holds={''.join(holds)}"
    return (
        (f"{step}rs={label}", f"{step}date={date}", f"{step}look={look}", f"{step}long={length}"),
        (*(f"{step}{kind}" for kind in holds), held),
    )
