"""Gutters: vertical strips that no piece crosses for several lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from evenhand.documents.pdf.rows import (
    ALIGNED,
    MIN_LINES,
    WHOLE,
    Entry,
    PdfRow,
    RowPiece,
    apart,
    are_labelled,
    are_level,
    are_sections,
    are_text,
    between_gaps,
    drawn_entries,
    group_rows,
    parts,
    width,
)

# In which entries two sides of a gutter are read.
#
# Columns run independently and are one entry; where one side labels the other (dates, places, table cells)
# there is none, and they are read line by line; and where both are drawn, or cut by gaps, in parts, entry by
# entry.


ROW_BY_ROW = 0.8  # share of the entries with both sides that are single lines
NOTE_LINES = 4  # place, dates, how long: more is a column

Sides = tuple[list[PdfRow], list[PdfRow]]


def entries_of(left: list[RowPiece], right: list[RowPiece]) -> list[Entry] | None:
    """The entries in which the sides are read, one for columns; None where rows are read as they stand."""
    left_rows, right_rows = group_rows(left), group_rows(right)
    drawn = drawn_entries(left, right)
    is_labelled = are_labelled(left_rows, right_rows)
    if drawn is None:
        return None if is_labelled else common_entries(left_rows, right_rows) or [WHOLE]
    rows = rows_of(left, right, drawn.entries)
    if is_labelled and not any(stack(*sides) for sides in rows):
        return None
    if is_labelled and not drawn.is_clear:
        return gap_entries(left_rows + right_rows)
    both = [sides for sides in rows if all(sides)]
    single = sum(len(here) == len(there) == 1 for here, there in both)
    are_rows = len(both) >= 2 and single >= ROW_BY_ROW * len(both)  # drawn line by line across both sides
    if not is_labelled and are_rows:
        return [WHOLE] if are_text(left_rows, right_rows) or are_sections(left_rows, right_rows) else None
    if not is_labelled and all(is_margin(*sides) for sides in rows):
        return None
    entries = with_headings(drawn.entries, rows)
    return without_tails(entries, rows_of(left, right, entries))


def rows_of(left: list[RowPiece], right: list[RowPiece], entries: list[Entry]) -> list[Sides]:
    """The rows of both sides, for each entry."""
    both = zip(parts(left, entries), parts(right, entries), strict=True)
    return [(group_rows(here), group_rows(there)) for here, there in both]


def gap_entries(rows: list[PdfRow]) -> list[Entry]:
    """The ranges between gaps that both sides share."""
    extents = apart(sorted((row.y0, row.y1) for row in rows), 0)
    wide = {low for _, low in wide_gaps([PdfRow([], low, high) for low, high in extents])}
    groups: list[Entry] = []
    for low, high in extents:
        begin = groups.pop()[0] if groups and low not in wide else low
        groups.append((begin, high))
    return between_gaps(groups)


def with_headings(entries: list[Entry], rows: list[Sides]) -> list[Entry]:
    """The entries, a row of headings above columns taken to these: it is drawn before them, like a table's."""
    result = entries[:1]
    for number in range(1, len(entries)):
        low, high = entries[number]
        above, here = rows[number - 1], rows[number]
        below = rows[number + 1] if number + 1 < len(rows) else ([], [])
        if are_headings(above, here, below):
            first, _ = result.pop()
            others = [row.y1 for side in above for row in side[:-1]]
            low = (max(others) + above[0][-1].y0) / 2 if others else first
            if others:
                result.append((first, low))
        result.append((low, high))
    return result


def without_tails(entries: list[Entry], rows: list[Sides]) -> list[Entry]:
    """The entries, each ending with its right side: what follows on the left below a wide gap is read after it.

    Headings may all be drawn first, and then seem to belong to the entry above them. A column is not cut.
    """
    if len(entries) == 1:
        return entries
    result: list[Entry] = []
    for (low, high), (here, others) in zip(entries, rows, strict=True):
        top, end = min((row.y0 for row in others), default=low), max((row.y1 for row in others), default=high)
        usual = max((b.y0 - a.y1 for a, b in pairwise(here) if a.y1 > top and b.y0 < end), default=0)
        cuts = [
            (above.y1 + below.y0) / 2
            for above, below in pairwise(here)
            if below.y0 >= end and below.y0 - above.y1 > usual + 0.6 * (above.y1 - above.y0)
        ]
        result += [(low, cuts[0]), (cuts[0], high)] if cuts else [(low, high)]
    return result


def are_headings(above: Sides, here: Sides, below: Sides) -> bool:
    """Whether the last rows above stand level, close, and in a look of their own over text of several lines."""
    if not (all(above) and all(here)) or max(map(len, here)) < 2:
        return False
    head, other = above[0][-1], above[1][-1]
    look, line = head.pieces[-1].look, head.y1 - head.y0
    gap = max(side[0].y0 for side in here) - min(head.y1, other.y1)
    end = min((side[0].y0 for side in below if side), default=float("inf"))
    return (
        are_level(head, other)
        and other.pieces[0].look == look
        and all(piece.look != look for side in here for row in side for piece in row.pieces)
        and gap < 0.6 * line
        and end - max(side[-1].y1 for side in here) > gap + 0.3 * line
    )


def end_level(left: list[RowPiece], right: list[RowPiece]) -> bool:
    """Whether the right side is one line, level with the last one of the left: they are read as one row."""
    rows, others = group_rows(left), group_rows(right)
    if not rows or len(others) != 1 or any(len(row.pieces) > 1 for row in rows[:-1]):
        return False
    return are_level(rows[-1], others[0])


def stack(left: list[PdfRow], right: list[PdfRow]) -> bool:
    """Whether the sides, level as they are, are cards or a label of several lines beside its text."""
    if len(left) < 2 or not right:
        return False
    # Lines that stand close, in a narrower column or beside more lines than they can be labels of.
    gaps = [below.y0 - above.y1 for above, below in pairwise(left)]
    is_less = width(left) < 0.6 * width(right) or len(left) < len(right)
    return are_alike(left, right) or (is_less and max(gaps) < left[0].y1 - left[0].y0)


def is_margin(text: list[PdfRow], notes: list[PdfRow]) -> bool:
    """Whether the right side holds dates and places beside the first lines of the text on the left."""
    if not notes or not text or len(notes) > NOTE_LINES:
        return not notes
    gaps = [below.y0 - above.y1 for above, below in pairwise(notes)]
    is_close = max(gaps, default=0) < 0.6 * (notes[0].y1 - notes[0].y0)
    is_short = len(notes) == 1 or len(notes) < len(text)
    return are_level(text[0], notes[0]) and is_short and is_close and width(notes) < 0.5 * width(text)


def are_alike(left: list[PdfRow], right: list[PdfRow]) -> bool:
    """Whether both sides run through the same sizes, weights and indents: blocks of one design.

    Of a row either all pieces are compared or those next to the gutter: left may stand the label of all blocks.
    """
    rows = [(row.pieces, other.pieces) for row in left for other in right if are_level(row, other)]
    near = [(pieces[-1], others[0]) for pieces, others in rows]
    all_pairs = [pair for pieces, others in rows for pair in zip(pieces, others, strict=False)]
    return len(rows) >= 2 and (match(near) or match(all_pairs))


def match(pairs: list[tuple[RowPiece, RowPiece]]) -> bool:
    """Whether nearly all pairs are of one look, size and indent."""
    begin, other_begin = min(piece.x0 for piece, _ in pairs), min(piece.x0 for _, piece in pairs)
    alike = sum(
        piece.look == other.look
        and abs(piece.height - other.height) < 0.03 * piece.height
        and abs((piece.x0 - begin) - (other.x0 - other_begin)) < 3
        for piece, other in pairs
    )
    return alike >= ALIGNED * len(pairs)


def common_entries(left: list[PdfRow], right: list[PdfRow]) -> list[Entry]:
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
    entries = list(pairwise([WHOLE[0], *cuts, WHOLE[1]]))
    level = sum(stand_level(left, right, low, high) for low, high in entries)
    return entries if level >= ALIGNED * len(entries) else []


def stand_level(left: list[PdfRow], right: list[PdfRow], low: float, high: float) -> bool:
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


def wide_gaps(rows: list[PdfRow]) -> list[tuple[float, float]]:
    """Gaps between rows that are clearly wider than this side's tightest, or than a line."""
    gaps = [(above.y1, below.y0) for above, below in pairwise(rows)]
    if not gaps:
        return []
    tight = min(low - high for high, low in gaps)
    line = min(row.y1 - row.y0 for row in rows)
    wide = min(max(tight, 0) + 0.3 * line, 1.2 * line)
    return [(high, low) for high, low in gaps if low - high > wide]


MOSTLY = 0.7  # of the lines of a band in one entry: then its sides are columns
GUTTER = 0.2  # of a line's height: columns may come this close, since words this far apart are one piece


@dataclass(frozen=True, slots=True)
class Gutter:
    """A strip ending at `right`, free from `low` to `high`, and the entries in which its sides are read."""

    right: float
    low: float
    high: float
    entries: Sequence[Entry]


def clearest_gutter(pieces: list[RowPiece], rules: Sequence[RowPiece]) -> Gutter | None:
    """The strip beside which the most lines stand on both sides, columns before entries.

    Where one side labels the other line by line there is nothing to cut: rows are read as they stand.
    """
    best: tuple[bool, int, int, int, Gutter] | None = None
    by_place = sorted(pieces, key=lambda piece: piece.middle)
    leftmost = min(piece.x0 for piece in pieces)
    edges: list[float] = []  # where pieces begin that have something to their left, nearby beginnings taken as one
    for begin in sorted(piece.x0 for piece in pieces):
        if begin - leftmost > 20 and (not edges or begin - edges[-1] > 2):
            edges.append(begin)
    for edge in edges:
        for band in free_bands(by_place, edge, rules):
            lines = min(len(band.left), len(band.right))
            if best and best[0] and lines < best[1]:
                continue
            entries = entries_of(band.left, band.right)
            if entries is None:
                continue
            # One entry that holds nearly everything is columns with a few lines above or below them.
            both = zip(parts(band.left, entries), parts(band.right, entries), strict=True)
            most = max(min(len(left), len(right)) for left, right in both)
            are_columns = len(entries) == 1 or (most >= 2 * MIN_LINES and most > MOSTLY * lines)
            uneven = abs(len(group_rows(band.left)) - len(group_rows(band.right)))
            score = (are_columns, lines, len(band.left) + len(band.right), -uneven)
            if best is None or score > best[:4]:
                best = (*score, Gutter(edge - 1, band.low, band.high, entries))
    return best[4] if best else None


class Band(NamedTuple):
    """A range where a strip is free, and what stands on its sides."""

    low: float
    high: float
    left: list[RowPiece]
    right: list[RowPiece]


def free_bands(pieces: list[RowPiece], edge: float, rules: Sequence[RowPiece]) -> list[Band]:
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
    ranges: list[Entry] = []  # between the pieces that cross the strip
    start = min(piece.y0 for piece in pieces) - 1
    for piece in sorted(crossing, key=lambda piece: piece.y0):
        if piece.y0 > start:
            ranges.append((start, piece.y0))
        start = max(start, piece.y1)
    ranges.append((start, max(piece.y1 for piece in pieces) + 1))
    bands = []
    for low, high in ranges:
        here = left[bisect_left(middles, low) : bisect_right(middles, high)]
        there = right[bisect_left(other_middles, low) : bisect_right(other_middles, high)]
        if stand_beside(here, there):
            bands.append(Band(low, high, here, there))
    return bands


def stand_beside(left: list[RowPiece], right: list[RowPiece]) -> bool:
    """Enough lines on both sides, and really beside each other rather than one below the other."""
    if not left or not right:
        return False
    if len(left) + len(right) < 2 * MIN_LINES - 1:  # enough only for two lines of one design drawn one after the other
        drawn = drawn_entries(left, right)
        rows, others = group_rows(left), group_rows(right)
        is_pair = drawn is not None and len(drawn.entries) == 1 and len(rows) == len(others) == 2
        if not (is_pair and are_alike(rows, others)):
            return False
    low = max(min(piece.y0 for piece in left), min(piece.y0 for piece in right))
    high = min(max(piece.y1 for piece in left), max(piece.y1 for piece in right))
    line = min(piece.height for piece in left)
    return high - low > 1.5 * line


def sides(band: list[RowPiece], edge: float) -> tuple[list[RowPiece], list[RowPiece]]:
    left = [piece for piece in band if piece.x0 < edge]
    return left, [piece for piece in band if piece.x0 >= edge]
