"""A PDF file to a draft: pages one after another, each from glyphs to lines in reading order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from evenhand.documents.draft import NEXT_BLOCK, NEXT_LINE, Draft, DraftLine, ReadLimits
from evenhand.documents.pdf import pdfium as lib
from evenhand.documents.pdf.furniture import mark_furniture
from evenhand.documents.pdf.glyphs import page_frame, page_glyphs
from evenhand.documents.pdf.layout import Piece, Row, group_rows, in_reading_order
from evenhand.documents.pdf.lines import PageText, cell_joint, joint_between
from evenhand.documents.pdf.pieces import form_pieces
from evenhand.documents.pdf.shapes import Drawing, page_drawing
from evenhand.documents.pdf.style import word_styles
from evenhand.documents.pdf.tables import Grid, aligned_runs, is_table, ruled_grids, words_in_cells
from evenhand.documents.pdf.visibility import Page, hidden_words
from evenhand.documents.pdf.words import form_words
from evenhand.errors import CorruptDocument, EncryptedDocument
from evenhand.records.document import Hidden, Table, Warning


def read_pdf(data: bytes, limits: ReadLimits) -> Draft:
    draft = Draft("pdf")
    deadline = time.monotonic() + limits.seconds
    heights: dict[int, float] = {}
    with opened(data) as document:
        draft.pages = len(document)
        for number in range(1, draft.pages + 1):
            if number > limits.pages or time.monotonic() > deadline:
                draft.partial = True
                draft.warnings.append(
                    Warning("truncated", f"Only the first {number - 1} of {draft.pages} pages were read.")
                )
                break
            heights[number] = read_page(document, number, draft)
    mark_furniture(draft.lines, heights)
    return draft


@contextmanager
def opened(data: bytes) -> Iterator[pdfium.PdfDocument]:
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise EncryptedDocument from error
        raise CorruptDocument from error
    try:
        yield document
    finally:
        document.close()


def read_page(document: pdfium.PdfDocument, number: int, draft: Draft) -> float:
    """Add the lines of one page to the draft; returns the page's height."""
    try:
        page = document[number - 1]
    except pdfium.PdfiumError:
        draft.partial = True
        draft.warnings.append(Warning("truncated", f"Page {number} is damaged and was left out."))
        return 1.0
    textpage = page.get_textpage()
    try:
        frame = page_frame(page)
        handle = lib.address(textpage.raw)
        glyphs = page_glyphs(textpage, frame)
        words = form_words(glyphs)
        heights = words.boxes[:, 3] - words.boxes[:, 1]
        styles = word_styles(handle, glyphs.index[words.first], heights)
        drawing = page_drawing(lib.address(page.raw), frame)
        hidden = hidden_words(Page(page, frame, words, styles), drawing)
        text = PageText(number, words, styles)
        keep = np.ones(len(words), bool)
        keep[list(hidden)] = False
        draft.hidden += hidden_runs(text, hidden)
        draft.lines += page_lines(text, keep, drawing, draft.tables)
        return frame.height
    finally:
        textpage.close()
        page.close()


def page_lines(text: PageText, keep: np.ndarray, drawing: Drawing, tables: list[Table]) -> list[DraftLine]:
    """The visible lines of a page in reading order; tables found are added to `tables`."""
    boxes = text.words.boxes
    grids: list[tuple[Grid, dict[tuple[int, int], list[int]]]] = []
    for grid in ruled_grids(drawing.shapes):
        cells = words_in_cells(boxes, keep, grid)
        if is_table(grid, cells):
            grids.append((grid, cells))
            keep[[word for cell in cells.values() for word in cell]] = False
    pieces = form_pieces(text.words, keep)
    pieces += [Piece(*grid.box, grid=index) for index, (grid, _) in enumerate(grids)]
    rows = in_reading_order(pieces)
    in_run = {}
    for start, end, edges in aligned_runs(rows):
        in_run[start] = (end, edges)
    lines: list[DraftLine] = []
    above: Row | None = None
    place = 0
    while place < len(rows):
        row = rows[place]
        if place in in_run:
            end, edges = in_run[place]
            table = len(tables)
            tables.append(Table(text.number, end - place, len(edges), ruled=False))
            for r, cells_row in enumerate(rows[place:end]):
                for c, piece in enumerate(cells_row.pieces):
                    lines.append(text.line([piece], cell_joint(c, r), (table, r, c)))
            above = rows[end - 1]
            place = end
            continue
        plain = [piece for piece in row.pieces if piece.grid is None]
        if plain:
            lines.append(text.line(plain, joint_between(above, row)))
        for piece in row.pieces:
            if piece.grid is not None:
                lines += grid_lines(text, *grids[piece.grid], tables)
        above = row
        place += 1
    return lines


def grid_lines(
    text: PageText, grid: Grid, cells: dict[tuple[int, int], list[int]], tables: list[Table]
) -> list[DraftLine]:
    """The lines of a ruled table, row by row and cell by cell."""
    number = len(tables)
    tables.append(Table(text.number, len(grid.ys) - 1, len(grid.xs) - 1, ruled=True))
    contents = {cell: cell_rows(text, words) for cell, words in sorted(cells.items())}
    lines: list[DraftLine] = []
    for (row, column), rows in contents.items():
        single = all(len(other) == 1 for (r, _), other in contents.items() if r == row)
        first_in_row = not any(r == row and c < column for r, c in contents)
        for i, content in enumerate(rows):
            joint = NEXT_LINE
            if i == 0:
                joint = cell_joint(0 if first_in_row else 1, 1) if single else NEXT_LINE
            lines.append(text.line(content.pieces, joint, (number, row, column)))
    if lines:
        lines[0].joint = NEXT_BLOCK
    return lines


def cell_rows(text: PageText, words: list[int]) -> list[Row]:
    keep = np.zeros(len(text.words), bool)
    keep[words] = True
    return group_rows(form_pieces(text.words, keep))


def hidden_runs(text: PageText, hidden: dict[int, str]) -> list[Hidden]:
    """Hidden words that follow each other for the same reason, as one record."""
    runs: list[tuple[str, list[str]]] = []
    last = -2
    for word, reason in sorted(hidden.items()):
        if runs and runs[-1][0] == reason and word == last + 1:
            runs[-1][1].append(text.words.text[word])
        else:
            runs.append((reason, [text.words.text[word]]))
        last = word
    return [Hidden(" ".join(words), reason, text.number) for reason, words in runs]
