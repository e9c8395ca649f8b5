"""Pieces of lines, and the rows they stand in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise


@dataclass(slots=True, eq=False)
class RowPiece:
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
class PdfRow:
    """One visual line of one column, its pieces from left to right."""

    pieces: list[RowPiece]
    y0: float
    y1: float
    block: int = 0  # rows of different blocks are not neighbours: another column, another table cell


def group_rows(pieces: Sequence[RowPiece]) -> list[PdfRow]:
    """Pieces that share a line, from top to bottom."""
    rows: list[PdfRow] = []
    low = high = 0.0  # of the row's first piece: a tall neighbour must not draw in the next line
    for piece in sorted(pieces, key=lambda piece: piece.y0 + piece.y1):
        y0, y1 = piece.y0, piece.y1
        if rows and min(high, y1) - max(low, y0) > 0.5 * min(high - low, y1 - y0):
            row = rows[-1]
            row.pieces.append(piece)
            row.y0, row.y1 = min(row.y0, y0), max(row.y1, y1)
        else:
            rows.append(PdfRow([piece], y0, y1))
            low, high = y0, y1
    for row in rows:
        if len(row.pieces) > 1:
            row.pieces.sort(key=lambda piece: piece.x0)
    return rows


def are_beside(pieces: list[RowPiece]) -> bool:
    """Whether at least two pieces have another beside them, level or not."""
    beside = 0
    by_top = sorted(pieces, key=lambda piece: piece.y0)
    for above, below in pairwise(by_top):
        overlap = above.y1 - below.y0
        apart = above.x1 < below.x0 or below.x1 < above.x0
        beside += apart and overlap > 0.25 * min(above.height, below.height)
    return beside >= 2


# What the order in which a file draws its text tells of two sides of a gutter.
#
# Most programs draw text in the order it was written: a column after the other, a label before what it
# labels, a table row by row. Where places alone leave open which of these it is, the order of drawing
# decides.


Entry = tuple[float, float]  # from where to where on the page; the left side is read before the right one
WHOLE: Entry = (float("-inf"), float("inf"))

SLACK = 0.3  # of a line's height: entries may overlap by this much


@dataclass(frozen=True, slots=True)
class DrawingOrder:
    """Entries from top to bottom, each drawn left side first."""

    entries: list[Entry]
    is_clear: bool  # False where some overlapped and were made one: the file jumps about


def drawn_entries(left: Sequence[RowPiece], right: Sequence[RowPiece]) -> DrawingOrder | None:
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
    separate = apart(extents, slack)
    return DrawingOrder(between_gaps(separate), len(separate) == len(extents))


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


def parts(pieces: Sequence[RowPiece], entries: Sequence[Entry]) -> list[list[RowPiece]]:
    """The pieces of each entry."""
    cuts = [low for low, _ in entries[1:]]
    result: list[list[RowPiece]] = [[] for _ in entries]
    for piece in pieces:
        result[bisect_right(cuts, piece.middle)].append(piece)
    return result


# What two sides of a gutter look like beside each other: labels, cards, sections, columns of sentences.

MIN_LINES = 3  # a strip beside fewer lines is chance
ALIGNED = 0.8  # share of the shorter side's lines that stand level with a line of the other
FULL = 0.7  # a line this full of its column's width is running text
SENTENCES = 0.25  # of a side's lines go on with a sentence where it holds text
NARROW = 8.0  # line heights: no running text is set in a column this narrow


def width(rows: list[PdfRow]) -> float:
    return max(row.pieces[-1].x1 for row in rows) - min(row.pieces[0].x0 for row in rows)


def are_labelled(left: list[PdfRow], right: list[PdfRow]) -> bool:
    """Whether one side's lines each stand level with a line of the other: dates, places, table cells."""
    fewer, more = sorted((left, right), key=len)
    if level_share(fewer, more) < ALIGNED or are_sections(left, right) or are_cards(left, right):
        return False
    return not are_text(left, right)


def are_text(left: list[PdfRow], right: list[PdfRow]) -> bool:
    """Whether both sides hold sentences that go on from line to line."""
    sides = (left, right)
    # A good part of the lines go on with a sentence; a few in lower case may be anything.
    return all(map(is_running_text, sides)) or all(
        sum(continued(rows)) >= max(SENTENCES * len(rows), 1) for rows in sides
    )


def are_sections(left: list[PdfRow], right: list[PdfRow]) -> bool:
    """Whether each side has its heading, both on one level: sections side by side."""
    level = abs(left[0].y1 - right[0].y1) < 0.5 * (left[0].y1 - left[0].y0)
    return level and has_heading(left) and has_heading(right)


def are_cards(left: list[PdfRow], right: list[PdfRow]) -> bool:
    """Whether both sides run through the same sizes from line to line: small blocks of one design.

    The lines of a table's columns are of one size below their header; dates at the right margin do not
    begin level.
    """
    if len(left) != len(right) or len(left) < MIN_LINES:
        return False
    begin = [row.pieces[0].x0 for row in right]
    if max(begin) - min(begin) > 2:
        return False
    pairs = [(row.pieces[0].height, other.pieces[0].height) for row, other in zip(left, right, strict=True)]
    alike = all(abs(a - b) < 0.02 * a for a, b in pairs)
    return alike and max(a for a, _ in pairs[1:]) > 1.03 * min(a for a, _ in pairs[1:])


def continued(rows: list[PdfRow]) -> list[bool]:
    """For each row whether it goes on with the sentence above, which fills the side."""
    left = min(row.pieces[0].x0 for row in rows)
    width = max(row.pieces[-1].x1 for row in rows) - left
    if width < NARROW * (rows[0].y1 - rows[0].y0):
        return [False] * len(rows)
    result = [False]
    for above, below in pairwise(rows):
        is_full = above.pieces[-1].x1 - left > FULL * width
        is_near = below.y0 - above.y1 < 0.6 * (above.y1 - above.y0)
        result.append(is_full and is_near and below.pieces[0].goes_on)
    return result


def has_heading(rows: list[PdfRow]) -> bool:
    """Whether the side begins with a line clearly larger than its others: a section of its own."""
    heights = sorted(piece.height for row in rows for piece in row.pieces)
    first = max(piece.height for piece in rows[0].pieces)
    return len(rows) >= MIN_LINES and first > 1.15 * heights[len(heights) // 2]


def level_share(fewer: list[PdfRow], more: list[PdfRow]) -> float:
    """Share of the rows of `fewer` that have a row of `more` on their own level.

    A row with nothing beside it, a heading say, speaks neither for nor against. A label stands where what it
    labels begins, not beside the middle of a sentence.
    """
    level = beside = place = 0
    goes_on = continued(more)
    for row in fewer:
        slack = 0.3 * (row.y1 - row.y0)
        while place < len(more) and more[place].y1 < row.y0 + 0.5 * slack:
            place += 1
        nearby = [i for i in range(place, min(place + 3, len(more))) if more[i].y0 < row.y1 - 0.5 * slack]
        beside += bool(nearby)
        level += any(are_level(row, more[i]) and not goes_on[i] for i in nearby)
    return level / beside if beside >= 2 else 0.0


def are_level(row: PdfRow, other: PdfRow) -> bool:
    return abs(row.y0 + row.y1 - other.y0 - other.y1) <= 0.6 * min(row.y1 - row.y0, other.y1 - other.y0)


def is_running_text(rows: list[PdfRow]) -> bool:
    """Whether most lines fill their column: prose that wraps, not labels."""
    if len(rows) < MIN_LINES + 1 or width(rows) < NARROW * (rows[0].y1 - rows[0].y0):
        return False
    long = FULL * width(rows)
    full = sum(len(row.pieces) == 1 and row.pieces[0].x1 - row.pieces[0].x0 > long for row in rows)
    return full >= 0.6 * len(rows)
