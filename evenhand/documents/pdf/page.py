"""One page from glyphs to lines: hidden words set apart, tables found, rows in reading order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pypdfium2 as pdfium

from evenhand.documents.draft import NEXT_BLOCK, NEXT_LINE, DraftLine
from evenhand.documents.pdf import pdfium as lib
from evenhand.documents.pdf.bullets import drawn_bullets, mark_bullets
from evenhand.documents.pdf.glyphs import Frame, Glyphs
from evenhand.documents.pdf.layout import Decor, in_reading_order
from evenhand.documents.pdf.lines import PageText, cell_joint, joint_between
from evenhand.documents.pdf.pieces import form_pieces
from evenhand.documents.pdf.rows import Piece, Row, group_rows
from evenhand.documents.pdf.shapes import Drawing, Shape, header_band, page_drawing, side_bar
from evenhand.documents.pdf.style import drop_icons, word_styles
from evenhand.documents.pdf.tables import Grid, aligned_runs, is_table, ruled_grids, words_in_cells
from evenhand.documents.pdf.visibility import Page, hidden_words
from evenhand.documents.pdf.words import form_words
from evenhand.records.document import Hidden, Table

Cells = dict[tuple[int, int], list[int]]


@dataclass(slots=True)
class PageLines:
    """What a page holds; the tables are numbered from `first_table`."""

    lines: list[DraftLine]
    hidden: list[Hidden]
    tables: list[Table]
    drawing: Drawing


def page_lines(
    page: pdfium.PdfPage,
    textpage: pdfium.PdfTextPage,
    glyphs: Glyphs,
    *,
    frame: Frame,
    number: int,
    first_table: int,
) -> PageLines:
    handle = lib.address(textpage.raw)
    words = form_words(glyphs)
    styles = word_styles(handle, glyphs.index[words.first], words.boxes[:, 3] - words.boxes[:, 1])
    drawing = page_drawing(lib.address(page.raw), frame)
    unseen = hidden_words(Page(page, frame, handle, glyphs, words, styles), drawing)
    drop_icons(words, glyphs, styles, handle)
    keep = np.ones(len(words), bool)
    keep[list(unseen)] = False
    text = PageText(number, words, styles)
    result = PageLines([], hidden_runs(text, unseen), [], drawing)
    add_lines(result, text, keep, first_table, page_decor(drawing.shapes, frame, number))
    mark_bullets(result.lines, drawn_bullets(drawing.shapes))
    return result


def page_decor(shapes: list[Shape], frame: Frame, number: int) -> Decor:
    bar = side_bar(shapes, frame)
    return Decor(
        rules=[Piece(*shape.box) for shape in shapes if shape.is_rule and shape.width > shape.height],
        header_end=header_band(shapes, frame),
        side_bar=Piece(*bar) if bar else None,
        is_first_page=number == 1,
    )


def add_lines(result: PageLines, text: PageText, keep: np.ndarray, first_table: int, decor: Decor) -> None:
    """Rows of the kept words in reading order; turned text comes last."""
    turned = keep & ~text.words.upright
    keep = keep & text.words.upright
    grids = take_grids(text, keep, result.drawing)
    pieces = form_pieces(text.words, keep)
    if text.confidences is None:  # what was recognised on a picture comes line by line across all columns
        for piece in pieces:
            piece.drawn = min(piece.words)
            piece.look = text.styles.look(piece.words[-1])
    pieces += [grid_piece(index, *found) for index, found in enumerate(grids)]
    rows = in_reading_order(pieces, decor)
    runs = {start: (end, len(edges)) for start, end, edges in aligned_runs(rows)}
    above: Row | None = None
    place = 0
    while place < len(rows):
        row = rows[place]
        end, columns = runs.get(place, (place + 1, 0))
        if columns:
            number = first_table + len(result.tables)
            result.tables.append(Table(text.number, end - place, columns, ruled=False))
            result.lines += aligned_lines(text, rows[place:end], number)
        else:
            plain = [piece for piece in row.pieces if piece.grid is None]
            if plain:
                result.lines.append(text.line(plain, joint_between(above, row)))
            for piece in row.pieces:
                if piece.grid is not None:
                    number = first_table + len(result.tables)
                    grid, cells = grids[piece.grid]
                    result.tables.append(Table(text.number, len(grid.ys) - 1, len(grid.xs) - 1, ruled=True))
                    result.lines += ruled_lines(text, cells, number)
        above = rows[end - 1]
        place = end
    for piece in turned_pieces(text, turned):
        result.lines.append(text.line([piece], NEXT_BLOCK))


def grid_piece(index: int, grid: Grid, cells: Cells) -> Piece:
    drawn = min(word for words in cells.values() for word in words)
    return Piece(*grid.box, grid=index, drawn=drawn)


def take_grids(text: PageText, keep: np.ndarray, drawing: Drawing) -> list[tuple[Grid, Cells]]:
    """The ruled tables with their words, which are taken out of `keep`."""
    grids = []
    for grid in ruled_grids(drawing.shapes):
        cells = words_in_cells(text.words.boxes, keep, grid)
        if is_table(grid, cells):
            grids.append((grid, cells))
            keep[[word for cell in cells.values() for word in cell]] = False
    return grids


def aligned_lines(text: PageText, rows: list[Row], number: int) -> list[DraftLine]:
    return [
        text.line([piece], cell_joint(column, row), (number, row, column))
        for row, content in enumerate(rows)
        for column, piece in enumerate(content.pieces)
    ]


def ruled_lines(text: PageText, cells: Cells, number: int) -> list[DraftLine]:
    """The lines of a ruled table, row by row and cell by cell."""
    contents = {cell: cell_rows(text, words) for cell, words in sorted(cells.items())}
    long_rows = {row for (row, _), rows in contents.items() if len(rows) > 1}
    lines: list[DraftLine] = []
    last_row = -1
    for (row, column), rows in contents.items():
        for i, content in enumerate(rows):
            beside = i == 0 and row == last_row and row not in long_rows
            joint = cell_joint(1, row) if beside else NEXT_LINE
            lines.append(text.line(content.pieces, joint if lines else NEXT_BLOCK, (number, row, column)))
        last_row = row
    return lines


def cell_rows(text: PageText, words: list[int]) -> list[Row]:
    keep = np.zeros(len(text.words), bool)
    keep[words] = True
    return group_rows(form_pieces(text.words, keep))


def turned_pieces(text: PageText, turned: np.ndarray) -> list[Piece]:
    """Runs of turned words as pieces, in drawing order."""
    pieces: list[Piece] = []
    last = -2
    for word in np.flatnonzero(turned).tolist():
        box = text.words.boxes[word].tolist()
        if word == last + 1 and not text.words.line_start[word]:
            piece = pieces[-1]
            piece.words.append(word)
            piece.x0, piece.y0 = min(piece.x0, box[0]), min(piece.y0, box[1])
            piece.x1, piece.y1 = max(piece.x1, box[2]), max(piece.y1, box[3])
        else:
            pieces.append(Piece(box[0], box[1], box[2], box[3], [word]))
        last = word
    return pieces


def hidden_runs(text: PageText, unseen: dict[int, str]) -> list[Hidden]:
    """Hidden words that follow each other for the same reason, as one record."""
    runs: list[tuple[str, list[str]]] = []
    last = -2
    for word, reason in sorted(unseen.items()):
        if runs and runs[-1][0] == reason and word == last + 1:
            runs[-1][1].append(text.words.text[word])
        else:
            runs.append((reason, [text.words.text[word]]))
        last = word
    # An icon has been cut out of its word, of which nothing may be left.
    return [
        Hidden(" ".join(filter(None, words)), reason, text.number) for reason, words in runs if any(words)
    ]
