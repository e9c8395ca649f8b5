"""What two sides of a gutter look like beside each other: labels, cards, sections, columns of sentences."""

from __future__ import annotations

from itertools import pairwise

from evenhand.documents.pdf.rows import Row

LEAST_LINES = 3  # a strip beside fewer lines is chance
ALIGNED = 0.8  # share of the shorter side's lines that stand level with a line of the other
FULL = 0.7  # a line this full of its column's width is running text
SENTENCES = 0.25  # of a side's lines go on with a sentence where it holds text
NARROW = 8.0  # line heights: no running text is set in a column this narrow


def width(rows: list[Row]) -> float:
    return max(row.pieces[-1].x1 for row in rows) - min(row.pieces[0].x0 for row in rows)


def are_labelled(left: list[Row], right: list[Row]) -> bool:
    """Whether one side's lines each stand level with a line of the other: dates, places, table cells."""
    fewer, more = sorted((left, right), key=len)
    if level_share(fewer, more) < ALIGNED:
        return False
    if are_sections(left, right) or are_cards(left, right):
        return False
    return not are_text(left, right)


def are_text(left: list[Row], right: list[Row]) -> bool:
    """Whether both sides hold sentences that go on from line to line."""
    return all(map(is_running_text, (left, right))) or all(map(has_sentences, (left, right)))


def has_sentences(rows: list[Row]) -> bool:
    """Whether a good part of the lines go on with a sentence; a few in lower case may be anything."""
    return sum(continued(rows)) >= max(SENTENCES * len(rows), 1)


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
        level += any(are_level(row, more[i]) and not goes_on[i] for i in nearby)
    return level / beside if beside >= 2 else 0.0


def are_level(row: Row, other: Row) -> bool:
    height = min(row.y1 - row.y0, other.y1 - other.y0)
    return abs(row.y0 + row.y1 - other.y0 - other.y1) <= 0.6 * height


def is_running_text(rows: list[Row]) -> bool:
    """Whether most lines fill their column: prose that wraps, not labels."""
    if len(rows) < LEAST_LINES + 1:
        return False
    if width(rows) < NARROW * (rows[0].y1 - rows[0].y0):
        return False
    long = FULL * width(rows)
    full = sum(len(row.pieces) == 1 and row.pieces[0].x1 - row.pieces[0].x0 > long for row in rows)
    return full >= 0.6 * len(rows)
