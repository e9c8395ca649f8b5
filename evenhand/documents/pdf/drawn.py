"""What the order in which a file draws its text tells of two sides of a gutter.

Most programs draw text in the order it was written: a column after the other, a label before what it labels, a
table row by row. Where places alone leave open which of these it is, the order of drawing decides.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from evenhand.documents.pdf.rows import Piece

Entry = tuple[float, float]  # from where to where on the page; the left side is read before the right one
WHOLE: Entry = (float("-inf"), float("inf"))

SLACK = 0.3  # of a line's height: entries may overlap by this much


@dataclass(frozen=True, slots=True)
class Drawn:
    """Entries from top to bottom, each drawn left side first."""

    entries: list[Entry]
    is_clear: bool  # False where some overlapped and were made one: the file jumps about


def drawn_entries(left: Sequence[Piece], right: Sequence[Piece]) -> Drawn | None:
    """What the order of drawing tells; None where it is not known."""
    if any(piece.drawn < 0 for side in (left, right) for piece in side):
        return None
    marked = [(piece.drawn, False, piece) for piece in left] + [(piece.drawn, True, piece) for piece in right]
    marked.sort(key=lambda item: item[0])
    extents: list[tuple[float, float]] = []
    was_right = True
    for _, is_right, piece in marked:
        if extents and (is_right or not was_right):
            low, high = extents[-1]
            extents[-1] = min(low, piece.y0), max(high, piece.y1)
        else:
            extents.append((piece.y0, piece.y1))
        was_right = is_right
    slack = SLACK * min(piece.height for side in (left, right) for piece in side)
    kept = apart(extents, slack)
    return Drawn(between_gaps(kept), len(kept) == len(extents))


def apart(extents: Sequence[Entry], slack: float) -> list[Entry]:
    """The extents, those that overlap or stand above an earlier one made one."""
    result: list[Entry] = []
    for top, bottom in extents:
        low, high = top, bottom
        while result and low < result[-1][1] - slack:
            before = result.pop()
            low, high = min(low, before[0]), max(high, before[1])
        result.append((low, high))
    return result


def between_gaps(extents: Sequence[Entry]) -> list[Entry]:
    cuts = [(above[1] + below[0]) / 2 for above, below in pairwise(extents)]
    return list(pairwise([WHOLE[0], *cuts, WHOLE[1]]))


def parts(pieces: Sequence[Piece], entries: Sequence[Entry]) -> list[list[Piece]]:
    """The pieces of each entry."""
    cuts = [low for low, _ in entries[1:]]
    result: list[list[Piece]] = [[] for _ in entries]
    for piece in pieces:
        result[bisect_right(cuts, piece.middle)].append(piece)
    return result
