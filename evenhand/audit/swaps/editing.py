"""A document in which marked places were replaced, with its lines where they belong; everything else stays."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from evenhand.records.document import Document, Line

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the characters from `start` to `end`; inserts where both are the same. A line break in `text` begins a
    new line that looks like the one it stands in."""

    start: int
    end: int
    text: str

    @property
    def grows_by(self) -> int:
        return len(self.text) - (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Edited:
    """`places` are where the new words stand, in the order of the text."""

    document: Document
    places: tuple[Place, ...]


def apply_edits(document: Document, edits: Sequence[Edit]) -> Edited:
    """ValueError for edits that overlap: two of them would each claim the same words."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for one, next in pairwise(ordered):
        if next.start < one.end:
            raise ValueError(f"edits overlap at {next.start}")
    text, places = _replaced(document.text, ordered)
    moved = _Moved(ordered)
    lines = tuple(line for each in document.lines for line in _moved_line(each, moved, text))
    return Edited(replace(document, text=text, lines=lines), places)


def _replaced(text: str, edits: Sequence[Edit]) -> tuple[str, tuple[Place, ...]]:
    parts: list[str] = []
    places: list[Place] = []
    reached = length = 0
    for edit in edits:
        parts += (text[reached : edit.start], edit.text)
        length += edit.start - reached + len(edit.text)
        places.append((length - len(edit.text), length))
        reached = edit.end
    parts.append(text[reached:])
    return "".join(parts), tuple(places)


class _Moved:
    """Where offsets of the old text stand in the new. An insertion belongs to the line that ends or begins there."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._starts = [edit.start for edit in edits]
        self._ends = [edit.end for edit in edits]
        self._shifts = [0, *accumulate(edit.grows_by for edit in edits)]

    def start(self, at: int) -> int:
        return at + self._shifts[bisect_left(self._starts, at)]

    def end(self, at: int) -> int:
        return at + self._shifts[bisect_right(self._ends, at)]


def _moved_line(line: Line, moved: _Moved, text: str) -> Iterator[Line]:
    start, end = moved.start(line.start), moved.end(line.end)
    is_changed = end - start != line.end - line.start
    for piece in text[start:end].split("\n"):
        raw = None if is_changed else line.raw
        yield replace(line, start=start, end=start + len(piece), raw=raw)
        start += len(piece) + 1
