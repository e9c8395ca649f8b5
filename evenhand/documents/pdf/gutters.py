"""Gutters: vertical strips that no piece crosses for several lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.documents.pdf.drawn import Entry
from evenhand.documents.pdf.entries import are_pair, entries_of
from evenhand.documents.pdf.rows import Piece, group_rows
from evenhand.documents.pdf.sides import LEAST_LINES

GUTTER = 0.2  # of a line's height: columns may come this close, since words this far apart are one piece


@dataclass(frozen=True, slots=True)
class Gutter:
    """A strip ending at `right`, free from `low` to `high`, and the entries in which its sides are read."""

    right: float
    low: float
    high: float
    entries: Sequence[Entry]


def clearest_gutter(pieces: list[Piece], rules: Sequence[Piece]) -> Gutter | None:
    """The strip beside which the most lines stand on both sides, columns before entries.

    Where one side labels the other line by line there is nothing to cut: rows are read as they stand.
    """
    best: tuple[bool, int, int, Gutter] | None = None
    for edge in left_edges(pieces):
        for low, high in free_bands(pieces, edge, rules):
            left, right = sides(within(pieces, low, high), edge - 1)
            lines = min(len(left), len(right))
            if best and best[0] and lines < best[1]:
                continue
            entries = entries_of(left, right)
            if entries is None:
                continue
            uneven = abs(len(group_rows(left)) - len(group_rows(right)))
            score = (len(entries) == 1, lines, -uneven)
            if best is None or score > best[:3]:
                best = (*score, Gutter(edge - 1, low, high, entries))
    return best[3] if best else None


def left_edges(pieces: list[Piece]) -> list[float]:
    """Where pieces begin that have something to their left, nearby beginnings taken as one."""
    leftmost = min(piece.x0 for piece in pieces)
    edges: list[float] = []
    for edge in sorted(piece.x0 for piece in pieces):
        if edge - leftmost > 20 and (not edges or edge - edges[-1] > 2):
            edges.append(edge)
    return edges


def free_bands(pieces: list[Piece], edge: float, rules: Sequence[Piece]) -> list[Entry]:
    """The ranges where the strip left of `edge` is free and has lines on both sides."""
    crossing, left, right = [], [], []
    for piece in pieces:
        if piece.x1 <= edge - GUTTER * piece.height:
            left.append(piece)
        elif piece.x0 >= edge - 1:
            right.append(piece)
        else:
            crossing.append(piece)
    if len(left) < 2 or len(right) < 2:
        return []
    crossing += [rule for rule in rules if rule.x0 < edge - 10 and rule.x1 > edge + 10]
    return [
        (low, high)
        for low, high in free_ranges(crossing, pieces)
        if stand_beside(within(left, low, high), within(right, low, high))
    ]


def free_ranges(crossing: list[Piece], pieces: list[Piece]) -> list[Entry]:
    """The vertical ranges between the pieces that cross a strip."""
    low = min(piece.y0 for piece in pieces) - 1
    ranges = []
    for piece in sorted(crossing, key=lambda piece: piece.y0):
        if piece.y0 > low:
            ranges.append((low, piece.y0))
        low = max(low, piece.y1)
    ranges.append((low, max(piece.y1 for piece in pieces) + 1))
    return ranges


def stand_beside(left: list[Piece], right: list[Piece]) -> bool:
    """Enough lines on both sides, and really beside each other rather than one below the other."""
    if not left or not right:
        return False
    if len(left) + len(right) < 2 * LEAST_LINES - 1 and not are_pair(left, right):
        return False
    low = max(min(piece.y0 for piece in left), min(piece.y0 for piece in right))
    high = min(max(piece.y1 for piece in left), max(piece.y1 for piece in right))
    line = min(piece.height for piece in left)
    return high - low > 1.5 * line


def within(pieces: list[Piece], low: float, high: float) -> list[Piece]:
    return [piece for piece in pieces if low <= piece.middle <= high]


def sides(band: list[Piece], edge: float) -> tuple[list[Piece], list[Piece]]:
    left = [piece for piece in band if piece.x0 < edge]
    return left, [piece for piece in band if piece.x0 >= edge]
