"""Pieces of lines to rows in the order a person reads them: columns one after another, tables row by row.

A page is cut at its clearest gutter, a vertical strip that no piece crosses for several lines. What crosses
it (a name, a full-width heading) splits the page into bands; inside a band the two sides are read one after
the other when they run independently, and line by line when one side labels the other (dates, places, table
cells). Then each part is looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.documents.pdf.gutters import Gutter, clearest_gutter, parts_of, sides
from evenhand.documents.pdf.rows import Piece, Row, are_beside, group_rows
from evenhand.documents.pdf.sides import common_entries

HEADER = 0.4  # of the page's text: a header does not reach further down
DEPTH = 12


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
    for part in parted(list(pieces), decor):
        for block in arrange(part, decor.rules):
            number = rows[-1].block + 1 if rows else 0
            for row in block:
                row.block = number
            rows += block
    return rows


def parted(pieces: list[Piece], decor: Decor) -> list[list[Piece]]:
    """Header, side bar and the rest, as far as the page has them."""
    head = [piece for piece in pieces if piece.middle < decor.header_end]
    body = [piece for piece in pieces if piece.middle >= decor.header_end]
    bar = decor.side_bar
    if bar is not None:
        above = [piece for piece in body if piece.y1 <= bar.y0]
        below = [piece for piece in body if piece.y0 >= bar.y1]
        beside = [piece for piece in body if piece.y1 > bar.y0 and piece.y0 < bar.y1]
        if not any(
            piece.x0 < edge - 2 and piece.x1 > edge + 2 for piece in beside for edge in (bar.x0, bar.x1)
        ):
            inside = [piece for piece in beside if bar.x0 - 2 <= piece.x0 and piece.x1 <= bar.x1 + 2]
            left = [piece for piece in beside if piece.x1 <= bar.x0 + 2]
            right = [piece for piece in beside if piece.x0 >= bar.x1 - 2]
            return [head, above, left, inside, right, below]
    if decor.is_first_page and not head:
        head, body = parted_header(body)
    return [head, body]


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
