"""Pieces of lines, and the rows they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass(slots=True, eq=False)
class Piece:
    """A run of words on one line without a wide gap; a ruled table is one piece."""

    x0: float
    y0: float
    x1: float
    y1: float
    words: list[int] = field(default_factory=list)
    grid: int | None = None  # index of the ruled table it stands for
    goes_on: bool = False  # begins in lower case, as the second line of a sentence does
    drawn: int = -1  # place in the order of drawing; -1 where that is not known
    look: tuple[bool, int] = (False, 0)  # bold, colour

    @property
    def middle(self) -> float:
        return (self.y0 + self.y1) / 2

    @property
    def height(self) -> float:
        return self.y1 - self.y0


@dataclass(slots=True, eq=False)
class Row:
    """One visual line of one column, its pieces from left to right."""

    pieces: list[Piece]
    y0: float
    y1: float
    block: int = 0  # rows of different blocks are not neighbours: another column, another table cell


def group_rows(pieces: Sequence[Piece]) -> list[Row]:
    """Pieces that share a line, from top to bottom."""
    rows: list[Row] = []
    low = high = 0.0  # of the row's first piece: a tall neighbour must not draw in the next line
    for piece in sorted(pieces, key=lambda piece: piece.y0 + piece.y1):
        y0, y1 = piece.y0, piece.y1
        if rows and min(high, y1) - max(low, y0) > 0.5 * min(high - low, y1 - y0):
            row = rows[-1]
            row.pieces.append(piece)
            row.y0, row.y1 = min(row.y0, y0), max(row.y1, y1)
        else:
            rows.append(Row([piece], y0, y1))
            low, high = y0, y1
    for row in rows:
        if len(row.pieces) > 1:
            row.pieces.sort(key=lambda piece: piece.x0)
    return rows


def are_beside(pieces: list[Piece]) -> bool:
    """Whether at least two pieces have another beside them, level or not."""
    beside = 0
    by_top = sorted(pieces, key=lambda piece: piece.y0)
    for above, below in pairwise(by_top):
        overlap = above.y1 - below.y0
        apart = above.x1 < below.x0 or below.x1 < above.x0
        beside += apart and overlap > 0.25 * min(above.height, below.height)
    return beside >= 2
