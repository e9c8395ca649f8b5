"""Rows read as they stand, mended: what stands beside a sentence or a list is not read in its middle."""

from __future__ import annotations

from evenhand.documents.pdf.rows import Piece, Row
from evenhand.documents.pdf.sides import FULL, NARROW

CLOSE = 0.6  # of a line's height: lines of one sentence or one note are not further apart


def mended(rows: list[Row]) -> list[Row]:
    return whole_sentences(whole_notes(rows))


def whole_sentences(rows: list[Row]) -> list[Row]:
    """The rows, with what stands right of a sentence's first line behind its last one."""
    result: list[Row] = []
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


def continues(above: list[Row], below: Row, edge: float) -> bool:
    """Whether the row goes on with the sentence in the rows above, left of `edge`."""
    piece = below.pieces[0]
    first, last = above[0].pieces[0], above[-1].pieces[0]
    if len(below.pieces) > 1 or not piece.goes_on or piece.x1 > edge:
        return False
    indent = piece.x0 - first.x0
    width = first.x1 - first.x0
    is_full = last.x1 - first.x0 > FULL * max(piece.x1 - first.x0, width, NARROW * first.height)
    return -2 < indent < 2 * first.height and piece.y0 - last.y1 < CLOSE * first.height and is_full


def whole_notes(rows: list[Row]) -> list[Row]:
    """The rows, with a note of several lines in the right margin (place, dates) read at its first line."""
    result: list[Row] = []
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


def note_lines(rows: list[Row]) -> list[Piece]:
    """The further lines of the note that ends the first row: drawn without a break, beside text below a title."""
    title, note = rows[0].pieces[-2:]
    lines: list[Piece] = []
    texts: list[Piece] = []
    for row in rows[1:]:
        piece = row.pieces[-1]
        is_note = is_under(piece, note)
        texts += row.pieces[:-1] if is_note else row.pieces
        if any(not text.goes_on and text.x0 < title.x0 + 2 for text in texts):
            break
        if is_note and not any(note.drawn < text.drawn < piece.drawn for text in texts):
            lines.append(piece)
            note = piece
        elif row.y0 - note.y1 > CLOSE * note.height:
            break
    return lines if texts else []


def is_under(piece: Piece, note: Piece) -> bool:
    is_aligned = abs(piece.x0 - note.x0) < 2 or abs(piece.x1 - note.x1) < 2
    return is_aligned and 0 <= note.drawn < piece.drawn and piece.y0 - note.y1 < CLOSE * note.height


def row_of(pieces: list[Piece]) -> Row:
    return Row(pieces, min(piece.y0 for piece in pieces), max(piece.y1 for piece in pieces))
