"""Pieces of lines to rows in the order a person reads them: columns one after another, tables row by row.

A page is cut at its clearest gutter, a vertical strip that no piece crosses for several lines. What crosses it (a name,
a full-width heading) splits the page into bands; inside a band the two sides are read one after the other when they
run independently, and line by line when one side labels the other (dates, places, table cells). Then each part is
looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

GUTTER = 0.2  # of a line's height: columns may come this close, since words this far apart are one piece
LEAST_LINES = 3  # a strip beside fewer lines is chance
ALIGNED = 0.8  # share of the shorter side's lines that stand level with a line of the other
FULL = 0.7  # a line this full of its column's width is running text
DEPTH = 12


@dataclass(slots=True, eq=False)
class Piece:
    """A run of words on one line without a wide gap; a ruled table is one piece."""

    x0: float
    y0: float
    x1: float
    y1: float
    words: list[int] = field(default_factory=list)
    grid: int | None = None  # index of the ruled table it stands for

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
    block: int = 0  # rows of different blocks are not neighbours: another column, another table cell

    @property
    def y0(self) -> float:
        return min(piece.y0 for piece in self.pieces)

    @property
    def y1(self) -> float:
        return max(piece.y1 for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Gutter:
    """A strip ending at `right`, free over the vertical ranges in `bands`."""

    left: float
    right: float
    bands: tuple[tuple[float, float], ...]


def in_reading_order(pieces: Sequence[Piece]) -> list[Row]:
    """Rows in the order a person reads them; rows of one column or table part share a block."""
    rows: list[Row] = []
    for block, part in enumerate(arrange(list(pieces), 0)):
        for row in part:
            row.block = block
            rows.append(row)
    return rows


def arrange(pieces: list[Piece], depth: int) -> list[list[Row]]:
    """Blocks of rows, in order."""
    rows = group_rows(pieces)
    if depth >= DEPTH or sum(len(row.pieces) > 1 for row in rows) < 2:
        return [rows] if rows else []
    gutter = clearest_gutter(pieces)
    if gutter is None:
        return [rows]
    blocks: list[list[Row]] = []
    for band, is_free in bands_of(pieces, gutter):
        if is_free:
            blocks += read_band(band, gutter, depth)
        elif len(band) < len(pieces):
            blocks += arrange(band, depth + 1)
        else:
            blocks.append(group_rows(band))
    return blocks


def read_band(band: list[Piece], gutter: Gutter, depth: int) -> list[list[Row]]:
    """The two sides of a free strip: line by line, entry by entry, or one after the other."""
    left = [piece for piece in band if piece.x1 <= gutter.right]
    right = [piece for piece in band if piece.x1 > gutter.right]
    left_rows, right_rows = group_rows(left), group_rows(right)
    if are_labelled(left_rows, right_rows):
        return [group_rows(band)]
    entries = common_entries(left_rows, right_rows)
    if entries:
        blocks = []
        for low, high in entries:
            for side in (left, right):
                blocks += arrange([piece for piece in side if low <= piece.middle < high], depth + 1)
        return blocks
    return arrange(left, depth + 1) + arrange(right, depth + 1)


def group_rows(pieces: Sequence[Piece]) -> list[Row]:
    """Pieces that share a line, from top to bottom."""
    rows: list[Row] = []
    low = high = 0.0
    for piece in sorted(pieces, key=lambda piece: piece.middle):
        overlap = min(high, piece.y1) - max(low, piece.y0)
        if rows and overlap > 0.5 * min(high - low, piece.height):
            rows[-1].pieces.append(piece)
            continue
        rows.append(Row([piece]))
        low, high = piece.y0, piece.y1
    for row in rows:
        row.pieces.sort(key=lambda piece: piece.x0)
    return rows


def clearest_gutter(pieces: list[Piece]) -> Gutter | None:
    """The strip beside which the most lines stand on both sides, if there are enough."""
    best: tuple[float, Gutter] | None = None
    for right in left_edges(pieces):
        gutter = gutter_at(pieces, right)
        if gutter is None:
            continue
        lines = sum(high - low for low, high in gutter.bands)
        if best is None or lines > best[0]:
            best = (lines, gutter)
    return best[1] if best else None


def left_edges(pieces: list[Piece]) -> list[float]:
    """Where pieces begin that have something to their left, nearby beginnings taken as one."""
    leftmost = min(piece.x0 for piece in pieces)
    edges: list[float] = []
    for edge in sorted(piece.x0 for piece in pieces):
        if edge - leftmost > 20 and (not edges or edge - edges[-1] > 2):
            edges.append(edge)
    return edges


def gutter_at(pieces: list[Piece], edge: float) -> Gutter | None:
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
    bands = []
    for low, high in free_ranges(crossing, pieces):
        here_left = [piece for piece in left if low <= piece.middle <= high]
        here_right = [piece for piece in right if low <= piece.middle <= high]
        if not stand_beside(here_left, here_right):
            continue
        bands.append((low, high))
    if not bands:
        return None
    width = max((piece.x1 for piece in left), default=edge)
    return Gutter(width, edge - 1, tuple(bands))


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


def bands_of(pieces: list[Piece], gutter: Gutter) -> list[tuple[list[Piece], bool]]:
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


def are_labelled(left: list[Row], right: list[Row]) -> bool:
    """Whether one side's lines each stand level with a line of the other: dates, places, table cells."""
    fewer, more = sorted((left, right), key=len)
    if level_share(fewer, more) < ALIGNED:
        return False
    return not (is_running_text(left) and is_running_text(right))


def level_share(fewer: list[Row], more: list[Row]) -> float:
    """Share of the rows of `fewer` that have a row of `more` on their own level."""
    level = 0
    place = 0
    for row in fewer:
        middle, height = (row.y0 + row.y1) / 2, row.y1 - row.y0
        while place < len(more) and (more[place].y0 + more[place].y1) / 2 < middle - 0.3 * height:
            place += 1
        if place < len(more) and abs((more[place].y0 + more[place].y1) / 2 - middle) <= 0.3 * height:
            level += 1
    return level / len(fewer)


def is_running_text(rows: list[Row]) -> bool:
    """Whether most lines fill their column: prose that wraps, not labels."""
    if len(rows) < LEAST_LINES + 1:
        return False
    lefts = [row.pieces[0].x0 for row in rows]
    rights = [row.pieces[-1].x1 for row in rows]
    width = max(rights) - min(lefts)
    full = sum(right - left > FULL * width for left, right in zip(lefts, rights, strict=True))
    return full >= 0.6 * len(rows)


def common_entries(left: list[Row], right: list[Row]) -> list[tuple[float, float]]:
    """Vertical ranges of entries, when the gaps of the sparser side are gaps of the other side too.

    A date beside each job, centred on its height, is such a side; a side bar's gaps lie anywhere.
    """
    fewer, more = sorted((left, right), key=len)
    wide = wide_gaps(fewer)
    if not wide:
        return []
    cuts = []
    other = wide_gaps(more)
    for low, high in wide:
        shared = [(max(low, a), min(high, b)) for a, b in other if min(high, b) - max(low, a) > 0]
        if shared:
            a, b = max(shared, key=lambda gap: gap[1] - gap[0])
            cuts.append((a + b) / 2)
    if len(cuts) < ALIGNED * len(wide) or len(other) > 2 * len(cuts):
        return []
    edges = [float("-inf"), *cuts, float("inf")]
    return list(zip(edges, edges[1:], strict=False))


def wide_gaps(rows: list[Row]) -> list[tuple[float, float]]:
    """Gaps between consecutive rows that are clearly wider than the tightest spacing of this side."""
    gaps = [(above.y1, below.y0) for above, below in zip(rows, rows[1:], strict=False)]
    if not gaps:
        return []
    tight = min(low - high for high, low in gaps)
    line = min(row.y1 - row.y0 for row in rows)
    return [(high, low) for high, low in gaps if low - high > max(tight, 0) + 0.3 * line]
