"""What is noted on a sheet before a model looks at it: dates, contact data, words of lexicons, keys, tables."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evenhand.mining.sheet import Sheet, SheetLine

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
class Notes:
    """Per word: whether a phrase of each kind begins (1) or goes on (2) there. Per line: what its whole tells."""

    sheet: Sheet
    marks: dict[str, bytearray]
    sure_skills: list[tuple[int, int, str]] = field(default_factory=list)  # words that only this skill can be
    titles: list[str | None] = field(
        default_factory=list
    )  # type that the line would have as a section heading
    fuzzy: list[bool] = field(default_factory=list)  # whether that was only a similar title
    keys: list[str | None] = field(default_factory=list)
    date_kinds: list[tuple[str, ...]] = field(default_factory=list)  # range, point, duration, birth
    contacts: list[tuple[str, ...]] = field(default_factory=list)  # email, phone, link
    table_types: list[str | None] = field(default_factory=list)
    column_types: list[str | None] = field(default_factory=list)


def find_keys(sheet: Sheet) -> list[str | None]:
    """The key of each line that is a value: "Client: Foo" has its own, ": Foo" that of the line or cell before it."""
    keys: list[str | None] = []
    for place, line in enumerate(sheet.lines):
        own = own_key(line.text)
        keys.append(own or _key_before(sheet, place))
    return keys


def own_key(text: str) -> str | None:
    match = _KEY.match(text)
    return short_key(match.group(1)) if match else None


def _key_before(sheet: Sheet, place: int) -> str | None:
    if not place:
        return None
    line, before = sheet.lines[place], sheet.lines[place - 1]
    same_row = bool(line.line.table and before.line.table and line.line.table[:2] == before.line.table[:2])
    text = before.text.strip()
    if (
        line.text.lstrip().startswith(":")
        or (text.endswith(":") and len(text) < 40)
        or (same_row and len(text) < 40)
    ):
        return short_key(text.rstrip(": "))
    return None


def short_key(text: str) -> str | None:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return " ".join(words[:3]) if 0 < len(words) <= KEY_WORDS else None


def blank_marks(sheet: Sheet) -> dict[str, bytearray]:
    return {kind: bytearray(len(sheet.tokens)) for kind in KINDS}


def put_mark(marks: bytearray, first: int, last: int) -> None:
    marks[first] = BEGIN
    for place in range(first + 1, last):
        marks[place] = INSIDE


def words_in(sheet: Sheet, start: int, end: int, line: SheetLine) -> tuple[int, int]:
    """The words of a line that lie within a stretch of text."""
    first = bisect_right(sheet.tokens.ends, start, line.first, line.last)
    return first, bisect_left(sheet.tokens.starts, end, first, line.last)


def kind_bits(notes: Notes) -> Bits:
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
