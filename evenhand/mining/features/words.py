"""Our own view of a word for the recognizer: the word and its neighbours, the stretch between commas, the line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from evenhand.mining.features.facts import LineFacts
from evenhand.mining.notes import Notes

NEAR = (-2, -1, 0, 1, 2)
EDGE = "\n"  # stands for the place before the first and after the last word of a line
_BREAKS = frozenset(",|;:()[]–—•·/\\→>")
_SHAPE = ((re.compile(r"[A-Z]+"), "X"), (re.compile(r"[a-z]+"), "x"), (re.compile(r"[0-9]+"), "9"))
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
    own = [
        f"0w={low}",
        f"0f={form}",
        f"0s3={low[-3:]}",
        f"0s2={low[-2:]}",
        f"0p3={low[:3]}",
        f"0n={min(len(word), 8)}",
    ]
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


@dataclass(frozen=True, slots=True)
class Segment:
    """Words between two breaks of a line: commas, bars, dashes, brackets, wide gaps."""

    first: int
    last: int


def segments(notes: Notes, first: int, last: int) -> list[Segment]:
    tokens = notes.sheet.tokens
    text = notes.sheet.document.text
    result = []
    begin = first
    for place in range(first, last):
        word = tokens.words[place]
        gap = place > begin and "\t" in text[tokens.ends[place - 1] : tokens.starts[place]]
        wide = place > begin and tokens.starts[place] - tokens.ends[place - 1] > 2
        is_dash = word == "-" and text[tokens.starts[place] - 1 : tokens.starts[place]].isspace()
        if gap or wide:
            result.append(Segment(begin, place))
            begin = place
        if word in _BREAKS or is_dash:
            if place > begin:
                result.append(Segment(begin, place))
            begin = place + 1
    if begin < last:
        result.append(Segment(begin, last))
    return result


def segment_flags(notes: Notes, part: Segment) -> list[str]:
    """What a segment holds, and how it is written."""
    flags = [kind for kind in SEGMENT_KINDS if any(notes.marks[kind][part.first : part.last])]
    words = notes.sheet.tokens.words[part.first : part.last]
    if all(word.isupper() for word in words if word[0].isalpha()):
        flags.append("caps")
    elif words[0][0].islower():
        flags.append("low")
    return flags


def segment_attributes(
    parts: list[Segment], flags: list[list[str]], number: int, cell: list[str]
) -> list[str]:
    """What one segment of a line and its neighbours hold, and its number from both sides."""
    part = parts[number]
    from_end = len(parts) - 1 - number
    pattern = "|".join("+".join(each) for each in flags) if len(parts) <= PATTERN else "many"
    names = [
        f"seg={min(number, 4)}",
        f"seg-={min(from_end, 4)}",
        f"segs={min(len(parts), 6)}",
        f"seglen={min(part.last - part.first, 7)}",
        *(f"seg+{flag}" for flag in flags[number]),
        f"seg:{','.join(flags[number])}",
        f"line:{pattern}#{number}",
        *cell,
    ]
    if number:
        names += [f"seg<{flag}" for flag in flags[number - 1]]
    if from_end:
        names += [f"seg>{flag}" for flag in flags[number + 1]]
    return names


def edge_attributes(flags: list[list[str]], number: int, label: str) -> list[str]:
    """Of the first word of a segment: there something new may begin, even where only a wide gap tells."""
    before = ",".join(flags[number - 1]) if number else "start"
    return ["first", f"first:{','.join(flags[number])}", f"first<{before}", f"first rs={label}"]


def spot_attributes(marks: tuple[int, ...]) -> list[str]:
    """What lexicons and dates say about one word: a mark for each of the kinds."""
    return [
        f"{kind}{'B' if mark == 1 else 'I'}" for kind, mark in zip(SEGMENT_KINDS, marks, strict=True) if mark
    ]


def line_context(notes: Notes, facts: list[LineFacts], labels: list[str], place: int) -> list[str]:
    """What all words of a line share: the segmenter's label of it and of its neighbours, look, key, table."""
    fact = facts[place]
    label = labels[place]
    type_ = label.partition(".")[0]
    names = [
        f"rs={label}",
        f"rs={type_}",
        f"rs={type_}+date={fact.date}",
        f"rs={label}+sort={fact.sort}",
        f"rs={label}+long={fact.length}",
        f"look={fact.stands_out}",
        f"sort={fact.sort}",
        f"row={min(place, 5)}",
        f"rs={type_}+{''.join(fact.holds)}",
        *(f"has={kind}" for kind in notes.contacts[place]),
    ]
    if key := notes.keys[place]:
        names += [f"key={key}", f"key={key}+rs={type_}"]
    if table := notes.table_types[place]:
        names += [f"table={table}", f"column={notes.column_types[place]}"]
    for step in (-2, -1, 1, 2):
        if 0 <= place + step < len(facts):
            other = facts[place + step]
            names.append(f"{step}rs={labels[place + step]}")
            if abs(step) == 1:
                names += [f"{step}{held}" for held in other.holds]
                names += [
                    f"{step}date={other.date}",
                    f"{step}look={other.stands_out}",
                    f"{step}long={other.length}",
                ]
                names.append(f"{step}rs={labels[place + step]}+rs={label}+holds={''.join(other.holds)}")
    return names
