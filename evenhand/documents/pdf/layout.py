"""Pieces of lines to rows in the order a person reads them: columns one after another, tables row by row.

A page is cut at its clearest gutter, a vertical strip that no piece crosses for several lines. What crosses
it (a name, a full-width heading) splits the page into bands; inside a band the two sides are read one after
the other when they run independently, and line by line when one side labels the other (dates, places, table
cells). Then each part is looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

GUTTER = 0.2  # of a line's height: columns may come this close, since words this far apart are one piece
LEAST_LINES = 3  # a strip beside fewer lines is chance
ALIGNED = 0.8  # share of the shorter side's lines that stand level with a line of the other
FULL = 0.7  # a line this full of its column's width is running text
HEADER = 0.4  # of the page's text: a header does not reach further down
NARROW = 8.0  # line heights: no running text is set in a column this narrow
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
    goes_on: bool = False  # begins in lower case, as the second line of a sentence does

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


@dataclass(frozen=True, slots=True)
class Gutter:
    """A strip ending at `right`, free over the vertical ranges in `bands`."""

    right: float
    bands: tuple[tuple[float, float], ...]


def in_reading_order(
    pieces: Sequence[Piece], rules: Sequence[Piece] = (), *, has_header: bool = False, header_end: float = 0.0
) -> list[Row]:
    """Rows in the order a person reads them; rows of one column or table part share a block.

    `rules` are horizontal rules, which part what is above from what is below; `header_end` is where a
    coloured band across the top of the page ends, 0 where there is none.
    """
    rows: list[Row] = []
    head = [piece for piece in pieces if piece.middle < header_end]
    body = [piece for piece in pieces if piece.middle >= header_end]
    if has_header and not head:
        head, body = parted_header(body)
    for block, part in enumerate(arrange(head, rules) + arrange(body, rules)):
        for row in part:
            row.block = block
            rows.append(row)
    return rows


def parted_header(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The name and contacts on top, when a gap over the whole width parts them from the rest."""
    by_top = sorted(pieces, key=lambda piece: piece.y0)
    if len(by_top) < 4:
        return [], pieces
    tallest = max(piece.height for piece in pieces)
    line = sorted(piece.height for piece in pieces)[len(pieces) // 2]
    top, bottom = by_top[0].y0, max(piece.y1 for piece in pieces)
    low = top
    for place, piece in enumerate(by_top):
        if piece.y0 - top > HEADER * (bottom - top):
            break
        has_name = any(above.height > 0.95 * tallest for above in by_top[:place])
        if place and piece.y0 - low > 0.6 * line and has_name and spans(by_top[:place], pieces):
            return by_top[:place], by_top[place:]
        low = max(low, piece.y1)
    return [], pieces


def spans(part: list[Piece], whole: list[Piece]) -> bool:
    """Whether the part reaches over most of the width, and so over all columns."""
    width = max(piece.x1 for piece in whole) - min(piece.x0 for piece in whole)
    return max(piece.x1 for piece in part) - min(piece.x0 for piece in part) > 0.6 * width


def arrange(pieces: list[Piece], rules: Sequence[Piece], depth: int = 0) -> list[list[Row]]:
    """Blocks of rows, in order."""
    rows = group_rows(pieces)
    if depth >= DEPTH or not are_beside(pieces):
        return [rows] if rows else []
    gutter = clearest_gutter(pieces, rules)
    if gutter is None:
        return [rows]
    blocks: list[list[Row]] = []
    for part, is_free in parts_of(pieces, gutter):
        if is_free:
            blocks += read_band(part, gutter, rules, depth)
        else:
            blocks += arrange(part, rules, depth + 1)
    return blocks


def read_band(band: list[Piece], gutter: Gutter, rules: Sequence[Piece], depth: int) -> list[list[Row]]:
    """The two sides of a free strip: one after the other, or entry by entry."""
    left, right = sides(band, gutter)
    entries = common_entries(group_rows(left), group_rows(right))
    blocks = []
    for low, high in entries or [(float("-inf"), float("inf"))]:
        for side in (left, right):
            blocks += arrange([piece for piece in side if low <= piece.middle < high], rules, depth + 1)
    return blocks


def sides(band: list[Piece], gutter: Gutter) -> tuple[list[Piece], list[Piece]]:
    left = [piece for piece in band if piece.x0 < gutter.right]
    return left, [piece for piece in band if piece.x0 >= gutter.right]


def are_beside(pieces: list[Piece]) -> bool:
    """Whether at least two pieces have another beside them, level or not."""
    beside = 0
    by_top = sorted(pieces, key=lambda piece: piece.y0)
    for above, below in pairwise(by_top):
        overlap = above.y1 - below.y0
        apart = above.x1 < below.x0 or below.x1 < above.x0
        beside += apart and overlap > 0.25 * min(above.height, below.height)
    return beside >= 2


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


def are_labelled(left: list[Row], right: list[Row]) -> bool:
    """Whether one side's lines each stand level with a line of the other: dates, places, table cells."""
    fewer, more = sorted((left, right), key=len)
    if level_share(fewer, more) < ALIGNED:
        return False
    if are_sections(left, right) or are_cards(left, right):
        return False
    return not ((is_running_text(left) and is_running_text(right)) or (wraps(left) and wraps(right)))


def are_sections(left: list[Row], right: list[Row]) -> bool:
    """Whether each side has its heading, both on one level: sections side by side."""
    level = abs(left[0].y1 - right[0].y1) < 0.5 * (left[0].y1 - left[0].y0)
    return level and has_heading(left) and has_heading(right)


def are_cards(left: list[Row], right: list[Row]) -> bool:
    """Whether both sides run through the same sizes from line to line: small blocks of one design.

    The lines of a table's columns are of one size below their header; dates at the right margin do not
    begin level.
    """
    if len(left) != len(right) or len(left) < LEAST_LINES:
        return False
    begin = [row.pieces[0].x0 for row in right]
    if max(begin) - min(begin) > 2:
        return False
    pairs = [(row.pieces[0].height, other.pieces[0].height) for row, other in zip(left, right, strict=True)]
    alike = all(abs(a - b) < 0.02 * a for a, b in pairs)
    return alike and max(a for a, _ in pairs[1:]) > 1.03 * min(a for a, _ in pairs[1:])


def wraps(rows: list[Row]) -> bool:
    """Whether some line goes on below: it fills the side, and the next begins in lower case."""
    left = min(row.pieces[0].x0 for row in rows)
    width = max(row.pieces[-1].x1 for row in rows) - left
    for above, below in pairwise(rows):
        is_full = above.pieces[-1].x1 - left > FULL * width
        if is_full and below.pieces[0].goes_on and below.y0 - above.y1 < 0.6 * (above.y1 - above.y0):
            return True
    return False


def has_heading(rows: list[Row]) -> bool:
    """Whether the side begins with a line clearly larger than its others: a section of its own."""
    heights = sorted(piece.height for row in rows for piece in row.pieces)
    first = max(piece.height for piece in rows[0].pieces)
    return len(rows) >= LEAST_LINES and first > 1.15 * heights[len(heights) // 2]


def level_share(fewer: list[Row], more: list[Row]) -> float:
    """Share of the rows of `fewer` that have a row of `more` on their own level.

    A row with nothing beside it, a heading say, speaks neither for nor against.
    """
    level = beside = place = 0
    for row in fewer:
        slack = 0.3 * (row.y1 - row.y0)
        while place < len(more) and more[place].y1 < row.y0 + 0.5 * slack:
            place += 1
        nearby = [other for other in more[place : place + 3] if other.y0 < row.y1 - 0.5 * slack]
        beside += bool(nearby)
        level += any(abs(other.y0 + other.y1 - row.y0 - row.y1) <= 2 * slack for other in nearby)
    return level / beside if beside >= 2 else 0.0


def is_running_text(rows: list[Row]) -> bool:
    """Whether most lines fill their column: prose that wraps, not labels."""
    if len(rows) < LEAST_LINES + 1:
        return False
    lefts = [row.pieces[0].x0 for row in rows]
    rights = [row.pieces[-1].x1 for row in rows]
    width = max(rights) - min(lefts)
    if width < NARROW * (rows[0].y1 - rows[0].y0):
        return False
    full = sum(right - left > FULL * width for left, right in zip(lefts, rights, strict=True))
    return full >= 0.6 * len(rows)


def common_entries(left: list[Row], right: list[Row]) -> list[tuple[float, float]]:
    """Vertical ranges of entries, when the gaps of the sparser side are gaps of the other side too.

    A date beside each job, centred on its height, is such a side; a side bar's gaps lie anywhere.
    """
    fewer, more = sorted((left, right), key=len)
    wide = wide_gaps(fewer)
    if not wide or are_sections(left, right):
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
    entries = list(pairwise(edges))
    level = sum(stand_level(left, right, low, high) for low, high in entries)
    return entries if level >= ALIGNED * len(entries) else []


def stand_level(left: list[Row], right: list[Row], low: float, high: float) -> bool:
    """Whether the rows of both sides between `low` and `high` begin, or are centred, at one height."""
    extents = []
    for side in (left, right):
        rows = [row for row in side if low <= (row.y0 + row.y1) / 2 < high]
        if not rows:
            return False
        extents.append((rows[0].y0, rows[-1].y1))
    (top, bottom), (other_top, other_bottom) = extents
    slack = 0.6 * min(row.y1 - row.y0 for row in left)
    return abs(top - other_top) < slack or abs(top + bottom - other_top - other_bottom) < 2 * slack


def wide_gaps(rows: list[Row]) -> list[tuple[float, float]]:
    """Gaps between rows that are clearly wider than this side's tightest, or than a line."""
    gaps = [(above.y1, below.y0) for above, below in pairwise(rows)]
    if not gaps:
        return []
    tight = min(low - high for high, low in gaps)
    line = min(row.y1 - row.y0 for row in rows)
    wide = min(max(tight, 0) + 0.3 * line, 1.2 * line)
    return [(high, low) for high, low in gaps if low - high > wide]
