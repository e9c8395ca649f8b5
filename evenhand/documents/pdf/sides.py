"""What two sides of a gutter are to each other.

Columns run independently; where one side labels the other (dates, places, table cells) they are read line
by line; and where both are cut by the same gaps, entry by entry.
"""

from __future__ import annotations

from itertools import pairwise

from evenhand.documents.pdf.rows import Row

LEAST_LINES = 3  # a strip beside fewer lines is chance
ALIGNED = 0.8  # share of the shorter side's lines that stand level with a line of the other
FULL = 0.7  # a line this full of its column's width is running text
NARROW = 8.0  # line heights: no running text is set in a column this narrow


def are_labelled(left: list[Row], right: list[Row]) -> bool:
    """Whether one side's lines each stand level with a line of the other: dates, places, table cells."""
    fewer, more = sorted((left, right), key=len)
    if level_share(fewer, more) < ALIGNED:
        return False
    if are_sections(left, right) or are_cards(left, right):
        return False
    return not (
        (is_running_text(left) and is_running_text(right)) or (any(continued(left)) and any(continued(right)))
    )


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


def continued(rows: list[Row]) -> list[bool]:
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


def has_heading(rows: list[Row]) -> bool:
    """Whether the side begins with a line clearly larger than its others: a section of its own."""
    heights = sorted(piece.height for row in rows for piece in row.pieces)
    first = max(piece.height for piece in rows[0].pieces)
    return len(rows) >= LEAST_LINES and first > 1.15 * heights[len(heights) // 2]


def level_share(fewer: list[Row], more: list[Row]) -> float:
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
        level += any(
            abs(more[i].y0 + more[i].y1 - row.y0 - row.y1) <= 2 * slack and not goes_on[i] for i in nearby
        )
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
