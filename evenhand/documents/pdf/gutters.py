"""Gutters: vertical strips that no piece crosses for several lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evenhand.documents.pdf.drawn import Entry, parts
from evenhand.documents.pdf.entries import are_pair, entries_of
from evenhand.documents.pdf.rows import Piece, group_rows
from evenhand.documents.pdf.sides import LEAST_LINES

MOSTLY = 0.7  # of the lines of a band in one entry: then its sides are columns
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
    best: tuple[bool, int, int, int, Gutter] | None = None
    by_place = sorted(pieces, key=lambda piece: piece.middle)
    for edge in left_edges(pieces):
        for band in free_bands(by_place, edge, rules):
            lines = min(len(band.left), len(band.right))
            if best and best[0] and lines < best[1]:
                continue
            entries = entries_of(band.left, band.right)
            if entries is None:
                continue
            are_columns = len(entries) == 1 or is_mostly_one(band, entries)
            uneven = abs(len(group_rows(band.left)) - len(group_rows(band.right)))
            score = (are_columns, lines, len(band.left) + len(band.right), -uneven)
            if best is None or score > best[:4]:
                best = (*score, Gutter(edge - 1, band.low, band.high, entries))
    return best[4] if best else None


def is_mostly_one(band: Band, entries: Sequence[Entry]) -> bool:
    """Whether one entry holds nearly everything: columns with a few lines above or below them."""
    both = zip(parts(band.left, entries), parts(band.right, entries), strict=True)
    most = max(min(len(left), len(right)) for left, right in both)
    return most >= 2 * LEAST_LINES and most > MOSTLY * min(len(band.left), len(band.right))


class Band(NamedTuple):
    """A range where a strip is free, and what stands on its sides."""

    low: float
    high: float
    left: list[Piece]
    right: list[Piece]


def left_edges(pieces: list[Piece]) -> list[float]:
    """Where pieces begin that have something to their left, nearby beginnings taken as one."""
    leftmost = min(piece.x0 for piece in pieces)
    edges: list[float] = []
    for edge in sorted(piece.x0 for piece in pieces):
        if edge - leftmost > 20 and (not edges or edge - edges[-1] > 2):
            edges.append(edge)
    return edges


def free_bands(pieces: list[Piece], edge: float, rules: Sequence[Piece]) -> list[Band]:
    """Where the strip left of `edge` is free and has lines on both sides; the pieces come from top to bottom."""
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
    middles, other_middles = [[piece.middle for piece in side] for side in (left, right)]
    bands = []
    for low, high in free_ranges(crossing, pieces):
        here = left[bisect_left(middles, low) : bisect_right(middles, high)]
        there = right[bisect_left(other_middles, low) : bisect_right(other_middles, high)]
        if stand_beside(here, there):
            bands.append(Band(low, high, here, there))
    return bands


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


def sides(band: list[Piece], edge: float) -> tuple[list[Piece], list[Piece]]:
    left = [piece for piece in band if piece.x0 < edge]
    return left, [piece for piece in band if piece.x0 >= edge]
