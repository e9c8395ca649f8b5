"""Gutters: vertical strips that no piece crosses for several lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.documents.pdf.rows import Piece, group_rows
from evenhand.documents.pdf.sides import LEAST_LINES, are_labelled, common_entries

GUTTER = 0.2  # of a line's height: columns may come this close, since words this far apart are one piece


@dataclass(frozen=True, slots=True)
class Gutter:
    """A strip ending at `right`, free over the vertical ranges in `bands`."""

    right: float
    bands: tuple[tuple[float, float], ...]


def clearest_gutter(pieces: list[Piece], rules: Sequence[Piece]) -> Gutter | None:
    """The strip beside which the most lines stand on both sides, columns before entries.

    Where one side labels the other line by line there is nothing to cut: rows are read as they stand.
    """
    best: tuple[bool, int, Gutter] | None = None
    for edge in left_edges(pieces):
        gutter = gutter_at(pieces, edge, rules)
        if gutter is None:
            continue
        free, are_columns, lines = [], False, 0
        for low, high in gutter.bands:
            left, right = sides([piece for piece in pieces if low <= piece.middle <= high], gutter)
            left_rows, right_rows = group_rows(left), group_rows(right)
            if not are_labelled(left_rows, right_rows):
                free.append((low, high))
                are_columns |= not common_entries(left_rows, right_rows)
                lines += min(len(left_rows), len(right_rows))
        if free and (best is None or (are_columns, lines) > best[:2]):
            best = (are_columns, lines, Gutter(gutter.right, tuple(free)))
    return best[2] if best else None


def left_edges(pieces: list[Piece]) -> list[float]:
    """Where pieces begin that have something to their left, nearby beginnings taken as one."""
    leftmost = min(piece.x0 for piece in pieces)
    edges: list[float] = []
    for edge in sorted(piece.x0 for piece in pieces):
        if edge - leftmost > 20 and (not edges or edge - edges[-1] > 2):
            edges.append(edge)
    return edges


def gutter_at(pieces: list[Piece], edge: float, rules: Sequence[Piece]) -> Gutter | None:
    """The strip left of `edge`, with the ranges where it is free and has lines on both sides."""
    crossing, left, right = [], [], []
    for piece in pieces:
        if piece.x1 <= edge - GUTTER * piece.height:
            left.append(piece)
        elif piece.x0 >= edge - 1:
            right.append(piece)
        else:
            crossing.append(piece)
    if len(left) < 2 or len(right) < 2:
        return None
    crossing += [rule for rule in rules if rule.x0 < edge - 10 and rule.x1 > edge + 10]
    bands = []
    for low, high in free_ranges(crossing, pieces):
        here_left = [piece for piece in left if low <= piece.middle <= high]
        here_right = [piece for piece in right if low <= piece.middle <= high]
        if not stand_beside(here_left, here_right):
            continue
        bands.append((low, high))
    if not bands:
        return None
    return Gutter(edge - 1, tuple(bands))


def free_ranges(crossing: list[Piece], pieces: list[Piece]) -> list[tuple[float, float]]:
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
    if min(len(left), len(right)) < 1 or len(left) + len(right) < 2 * LEAST_LINES - 1:
        return False
    low = max(min(piece.y0 for piece in left), min(piece.y0 for piece in right))
    high = min(max(piece.y1 for piece in left), max(piece.y1 for piece in right))
    line = min(piece.height for piece in left)
    return high - low > 1.5 * line


def parts_of(pieces: list[Piece], gutter: Gutter) -> list[tuple[list[Piece], bool]]:
    """The page from top to bottom: free bands, and what lies between them."""
    bands: list[tuple[list[Piece], bool]] = []
    low = float("-inf")
    for start, end in gutter.bands:
        between = [piece for piece in pieces if low < piece.middle < start]
        if between:
            bands.append((between, False))
        bands.append(([piece for piece in pieces if start <= piece.middle <= end], True))
        low = end
    rest = [piece for piece in pieces if piece.middle > low]
    if rest:
        bands.append((rest, False))
    return bands


def sides(band: list[Piece], gutter: Gutter) -> tuple[list[Piece], list[Piece]]:
    left = [piece for piece in band if piece.x0 < gutter.right]
    return left, [piece for piece in band if piece.x0 >= gutter.right]
