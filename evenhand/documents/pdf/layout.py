"""Pieces of lines to rows in the order a person reads them: columns one after another, tables row by row.

A page is cut at its clearest gutter, a vertical strip that no piece crosses for several lines. Inside it the two
sides are read one after the other, entry by entry, or line by line; what lies above and below, and each side, is
then looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.documents.pdf.columns import Gutter, clearest_gutter, end_level, sides
from evenhand.documents.pdf.rows import FULL, NARROW, PdfRow, RowPiece, are_beside, group_rows, parts

# Rows read as they stand, mended: what stands beside a sentence or a list is not read in its middle.


CLOSE = 0.6  # of a line's height: lines of one sentence or one note are not further apart


def whole_sentences(rows: list[PdfRow]) -> list[PdfRow]:
    """The rows, with what stands right of a sentence's first line behind its last one."""
    result: list[PdfRow] = []
    start = 0
    while start < len(rows):
        row = rows[start]
        end = start + 1
        if len(row.pieces) > 1:
            beside = row.pieces[1:]
            while end < len(rows) and continues(rows[start:end], rows[end], beside[0].x0):
                end += 1
            if end > start + 1:
                result += [row_of(row.pieces[:1]), *rows[start + 1 : end]]
                row = row_of(beside)
        result.append(row)
        start = end
    return result


def continues(above: list[PdfRow], below: PdfRow, edge: float) -> bool:
    """Whether the row goes on with the sentence in the rows above, left of `edge`."""
    piece = below.pieces[0]
    first, last = above[0].pieces[0], above[-1].pieces[0]
    if len(below.pieces) > 1 or not piece.goes_on or piece.x1 > edge:
        return False
    indent = piece.x0 - first.x0
    width = first.x1 - first.x0
    is_full = last.x1 - first.x0 > FULL * max(piece.x1 - first.x0, width, NARROW * first.height)
    return -2 < indent < 2 * first.height and piece.y0 - last.y1 < CLOSE * first.height and is_full


def whole_notes(rows: list[PdfRow]) -> list[PdfRow]:
    """The rows, with a note of several lines in the right margin (place, dates) read at its first line."""
    result: list[PdfRow] = []
    taken: set[int] = set()
    for place, row in enumerate(rows):
        pieces = [piece for piece in row.pieces if id(piece) not in taken]
        if not pieces:
            continue
        result.append(row if len(pieces) == len(row.pieces) else row_of(pieces))
        if len(pieces) > 1:
            lines = note_lines(rows[place:])
            taken.update(map(id, lines))
            result += [row_of([line]) for line in lines]
    return result


def note_lines(rows: list[PdfRow]) -> list[RowPiece]:
    """The further lines of the note that ends the first row: drawn without a break, beside text below a title."""
    title, note = rows[0].pieces[-2:]
    lines: list[RowPiece] = []
    texts: list[RowPiece] = []
    for row in rows[1:]:
        piece = row.pieces[-1]
        is_aligned = abs(piece.x0 - note.x0) < 2 or abs(piece.x1 - note.x1) < 2
        is_note = is_aligned and 0 <= note.drawn < piece.drawn and piece.y0 - note.y1 < CLOSE * note.height
        texts += row.pieces[:-1] if is_note else row.pieces
        if any(not text.goes_on and text.x0 < title.x0 + 2 for text in texts):
            break
        if is_note and not any(note.drawn < text.drawn < piece.drawn for text in texts):
            lines.append(piece)
            note = piece
        elif row.y0 - note.y1 > CLOSE * note.height:
            break
    return lines if texts else []


def row_of(pieces: list[RowPiece]) -> PdfRow:
    return PdfRow(pieces, min(piece.y0 for piece in pieces), max(piece.y1 for piece in pieces))


GOES_ON = 1.5  # of a line's height: a wider gap ends a column
HEADER = 0.4  # of the page's text: a header does not reach further down
ACROSS = 0.95  # of the width of a group of pieces: a rule this long parts all of it
NAME = 1.1  # times the usual line: a name is at least this large
HEADER_ROWS = 5  # name, title, contacts, motto: more is a column
DEPTH = 30


@dataclass(frozen=True, slots=True)
class Decor:
    """What is drawn around the text and shows how it belongs together."""

    rules: Sequence[RowPiece] = ()  # horizontal rules: they part what is above from what is below
    header_end: float = 0.0  # where a coloured band across the top of the page ends
    side_bar: RowPiece | None = None  # a coloured area along one side of the page
    is_first_page: bool = False


def in_reading_order(pieces: Sequence[RowPiece], decor: Decor | None = None) -> list[PdfRow]:
    """Rows in the order a person reads them; rows of one column or table part share a block."""
    decor = decor or Decor()
    rows: list[PdfRow] = []
    for group in parted(list(pieces), decor):
        for block in arrange(group, decor.rules):
            number = rows[-1].block + 1 if rows else 0
            for row in block:
                row.block = number
            rows += block
    return rows


def parted(pieces: list[RowPiece], decor: Decor) -> list[list[RowPiece]]:
    """Header, side bar and the rest, as far as the page has them."""
    head = [piece for piece in pieces if piece.middle < decor.header_end]
    body = [piece for piece in pieces if piece.middle >= decor.header_end]
    beside_bar = parted_bar(body, decor.side_bar) if decor.side_bar else None
    if beside_bar:
        return [head, *beside_bar]
    if decor.is_first_page and not head:
        head, body = parted_header(body)
    return [head, body]


def parted_bar(pieces: list[RowPiece], bar: RowPiece) -> list[list[RowPiece]] | None:
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


def going_on(side: list[RowPiece], others: list[RowPiece]) -> list[RowPiece]:
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


def parted_header(pieces: list[RowPiece]) -> tuple[list[RowPiece], list[RowPiece]]:
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


def spans(head: list[RowPiece], whole: list[RowPiece]) -> bool:
    """Whether the head reaches over most of the width, and not over one column only."""
    left, right = min(piece.x0 for piece in whole), max(piece.x1 for piece in whole)
    before = min(piece.x0 for piece in head) - left
    behind = right - max(piece.x1 for piece in head)
    width = right - left
    return before + behind < 0.4 * width and abs(before - behind) < 0.25 * width


def arrange(pieces: list[RowPiece], rules: Sequence[RowPiece], depth: int = 0) -> list[list[PdfRow]]:
    """Blocks of rows, in order."""
    blocks: list[list[PdfRow]] = []
    for section in sections(pieces, rules):
        blocks += arrange_section(section, rules, depth)
    return blocks


def sections(pieces: list[RowPiece], rules: Sequence[RowPiece]) -> list[list[RowPiece]]:
    """The pieces between rules that run across all of them; a heading belongs to the rule below it."""
    if len(pieces) < 2 or not rules:
        return [pieces] if pieces else []
    left, right = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    reach = ACROSS * (right - left)
    across = sorted(rule.y0 for rule in rules if min(rule.x1, right) - max(rule.x0, left) > reach)
    by_place = sorted(pieces, key=lambda piece: piece.middle)
    result: list[list[RowPiece]] = []
    start = end = 0
    for place in across:
        while end < len(by_place) and by_place[end].middle < place:
            end += 1
        if end > start:
            lowest = by_place[end - 1]
            gap = lowest.y0 - max((piece.y1 for piece in by_place[start : end - 1]), default=float("-inf"))
            near = place - lowest.y1
            is_heading = near < 0.6 * lowest.height and gap > max(near, 0.1 * lowest.height)  # alone on the rule
            cut = end - is_heading
            result += [by_place[start:cut]] if cut > start else []
            start = cut
    return [*result, by_place[start:]] if start < len(by_place) else result


def arrange_section(pieces: list[RowPiece], rules: Sequence[RowPiece], depth: int) -> list[list[PdfRow]]:
    rows = group_rows(pieces)
    if depth >= DEPTH or not are_beside(pieces):
        return [whole_sentences(whole_notes(rows))] if rows else []
    gutter = clearest_gutter(pieces, rules)
    if gutter is None:
        return [whole_sentences(whole_notes(rows))]
    blocks = arrange([piece for piece in pieces if piece.middle < gutter.low], rules, depth + 1)
    band = [piece for piece in pieces if gutter.low <= piece.middle <= gutter.high]
    blocks += arrange_band(band, gutter, rules, depth + 1)
    return blocks + arrange([piece for piece in pieces if piece.middle > gutter.high], rules, depth + 1)


def arrange_band(pieces: list[RowPiece], gutter: Gutter, rules: Sequence[RowPiece], depth: int) -> list[list[PdfRow]]:
    """The entries of a gutter, in each the left side before the right one."""
    blocks: list[list[PdfRow]] = []
    rows: list[RowPiece] = []  # of entries that are lines across both sides: together they may be a table
    for entry in parts(pieces, gutter.entries):
        left, right = sides(entry, gutter.right)
        if end_level(left, right):
            rows += left + right
            continue
        blocks += [group_rows(rows)] if rows else []
        blocks += arrange(left, rules, depth) + arrange(right, rules, depth)
        rows = []
    return [*blocks, group_rows(rows)] if rows else blocks
