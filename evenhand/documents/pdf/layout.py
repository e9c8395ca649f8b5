"""Pieces of lines to rows in the order a person reads them: columns one after another, tables row by row.

A page is cut at its clearest gutter, a vertical strip that no piece crosses for several lines. Inside it the two
sides are read one after the other, entry by entry, or line by line; what lies above and below, and each side, is
then looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.documents.pdf.drawn import parts
from evenhand.documents.pdf.entries import end_level
from evenhand.documents.pdf.gutters import Gutter, clearest_gutter, sides
from evenhand.documents.pdf.margins import mended
from evenhand.documents.pdf.rows import Piece, Row, are_beside, group_rows

GOES_ON = 1.5  # of a line's height: a wider gap ends a column
HEADER = 0.4  # of the page's text: a header does not reach further down
ACROSS = 0.95  # of the width of a group of pieces: a rule this long parts all of it
NAME = 1.1  # times the usual line: a name is at least this large
HEADER_ROWS = 5  # name, title, contacts, motto: more is a column
DEPTH = 30


@dataclass(frozen=True, slots=True)
class Decor:
    """What is drawn around the text and shows how it belongs together."""

    rules: Sequence[Piece] = ()  # horizontal rules: they part what is above from what is below
    header_end: float = 0.0  # where a coloured band across the top of the page ends
    side_bar: Piece | None = None  # a coloured area along one side of the page
    is_first_page: bool = False


def in_reading_order(pieces: Sequence[Piece], decor: Decor | None = None) -> list[Row]:
    """Rows in the order a person reads them; rows of one column or table part share a block."""
    decor = decor or Decor()
    rows: list[Row] = []
    for group in parted(list(pieces), decor):
        for block in arrange(group, decor.rules):
            number = rows[-1].block + 1 if rows else 0
            for row in block:
                row.block = number
            rows += block
    return rows


def parted(pieces: list[Piece], decor: Decor) -> list[list[Piece]]:
    """Header, side bar and the rest, as far as the page has them."""
    head = [piece for piece in pieces if piece.middle < decor.header_end]
    body = [piece for piece in pieces if piece.middle >= decor.header_end]
    beside_bar = parted_bar(body, decor.side_bar) if decor.side_bar else None
    if beside_bar:
        return [head, *beside_bar]
    if decor.is_first_page and not head:
        head, body = parted_header(body)
    return [head, body]


def parted_bar(pieces: list[Piece], bar: Piece) -> list[list[Piece]] | None:
    """What is above, left of, inside, right of and below the side bar; None when text crosses its edges."""
    beside = [piece for piece in pieces if piece.y1 > bar.y0 and piece.y0 < bar.y1]
    if any(piece.x0 < edge - 2 and piece.x1 > edge + 2 for piece in beside for edge in (bar.x0, bar.x1)):
        return None
    inside = [piece for piece in beside if bar.x0 - 2 <= piece.x0 and piece.x1 <= bar.x1 + 2]
    left = [piece for piece in beside if piece.x1 <= bar.x0 + 2]
    right = [piece for piece in beside if piece.x0 >= bar.x1 - 2]
    above = [piece for piece in pieces if piece.y1 <= bar.y0]
    below = [piece for piece in pieces if piece.y0 >= bar.y1]
    for side in (left, right):
        above = going_on(side, above)
        below = going_on(side, below)
    return [above, left, inside, right, below]


def going_on(side: list[Piece], others: list[Piece]) -> list[Piece]:
    """The others without those that go on with the column, which take their place there.

    A column may begin above a side bar, or end below it: it goes on as long as no wide gap parts its lines.
    """
    if not side:
        return others
    edge, other_edge = min(piece.x0 for piece in side), max(piece.x1 for piece in side)
    rest = others
    while rest:
        top, bottom = min(piece.y0 for piece in side), max(piece.y1 for piece in side)
        near = [
            piece
            for piece in rest
            if max(top - piece.y1, piece.y0 - bottom) < GOES_ON * piece.height
            and edge - 2 <= piece.x0
            and piece.x1 <= other_edge + 2
        ]
        if not near:
            break
        side += near
        rest = [piece for piece in rest if piece not in near]
    return rest


def parted_header(pieces: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """The name and contacts on top, when a gap over the whole width parts them from the rest."""
    by_top = sorted(pieces, key=lambda piece: piece.y0)
    if len(by_top) < 4:
        return [], pieces
    heights = sorted(piece.height for piece in pieces)
    tallest, line = heights[-1], heights[len(heights) // 2]
    if tallest < NAME * line:
        return [], pieces
    top, bottom = by_top[0].y0, max(piece.y1 for piece in pieces)
    low = top
    widest, below_name = 0.0, 0  # gap below the name, and how many pieces stand above it
    for place, piece in enumerate(by_top):
        if piece.y0 - top > HEADER * (bottom - top):
            break
        has_name = any(above.height > 0.95 * tallest for above in by_top[:place])
        gap = piece.y0 - low
        if place and gap > 0.6 * line and has_name:
            if spans(by_top[:place], pieces):
                return by_top[:place], by_top[place:]
            if gap > widest:
                widest, below_name = gap, place
        if below_name and len(group_rows(by_top[:place])) > HEADER_ROWS:
            break
        low = max(low, piece.y1)
    # What does not reach over all columns may be the first column; the name is read first all the same.
    return by_top[:below_name], by_top[below_name:]


def spans(head: list[Piece], whole: list[Piece]) -> bool:
    """Whether the head reaches over most of the width, and not over one column only."""
    left, right = min(piece.x0 for piece in whole), max(piece.x1 for piece in whole)
    before = min(piece.x0 for piece in head) - left
    behind = right - max(piece.x1 for piece in head)
    width = right - left
    return before + behind < 0.4 * width and abs(before - behind) < 0.25 * width


def arrange(pieces: list[Piece], rules: Sequence[Piece], depth: int = 0) -> list[list[Row]]:
    """Blocks of rows, in order."""
    blocks: list[list[Row]] = []
    for section in sections(pieces, rules):
        blocks += arrange_section(section, rules, depth)
    return blocks


def sections(pieces: list[Piece], rules: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces between rules that run across all of them; a heading belongs to the rule below it."""
    if len(pieces) < 2 or not rules:
        return [pieces] if pieces else []
    left, right = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    reach = ACROSS * (right - left)
    across = sorted(rule.y0 for rule in rules if min(rule.x1, right) - max(rule.x0, left) > reach)
    by_place = sorted(pieces, key=lambda piece: piece.middle)
    result: list[list[Piece]] = []
    start = end = 0
    for place in across:
        while end < len(by_place) and by_place[end].middle < place:
            end += 1
        if end > start:
            cut = end - stands_on(by_place[start:end], place)
            result += [by_place[start:cut]] if cut > start else []
            start = cut
    return [*result, by_place[start:]] if start < len(by_place) else result


def stands_on(above: list[Piece], rule: float) -> bool:
    """Whether the lowest piece is a heading alone on the rule."""
    lowest = above[-1]
    gap = lowest.y0 - max((piece.y1 for piece in above[:-1]), default=float("-inf"))
    near = rule - lowest.y1
    return near < 0.6 * lowest.height and gap > max(near, 0.1 * lowest.height)


def arrange_section(pieces: list[Piece], rules: Sequence[Piece], depth: int) -> list[list[Row]]:
    rows = group_rows(pieces)
    if depth >= DEPTH or not are_beside(pieces):
        return [mended(rows)] if rows else []
    gutter = clearest_gutter(pieces, rules)
    if gutter is None:
        return [mended(rows)]
    blocks = arrange([piece for piece in pieces if piece.middle < gutter.low], rules, depth + 1)
    band = [piece for piece in pieces if gutter.low <= piece.middle <= gutter.high]
    blocks += arrange_band(band, gutter, rules, depth + 1)
    return blocks + arrange([piece for piece in pieces if piece.middle > gutter.high], rules, depth + 1)


def arrange_band(pieces: list[Piece], gutter: Gutter, rules: Sequence[Piece], depth: int) -> list[list[Row]]:
    """The entries of a gutter, in each the left side before the right one."""
    blocks: list[list[Row]] = []
    rows: list[Piece] = []  # of entries that are lines across both sides: together they may be a table
    for entry in parts(pieces, gutter.entries):
        left, right = sides(entry, gutter.right)
        if end_level(left, right):
            rows += left + right
            continue
        blocks += [group_rows(rows)] if rows else []
        blocks += arrange(left, rules, depth) + arrange(right, rules, depth)
        rows = []
    return [*blocks, group_rows(rows)] if rows else blocks
