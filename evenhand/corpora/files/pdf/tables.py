"""A manuscript's table as rows of ruled cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evenhand.corpora.files.pdf.design import Style
from evenhand.corpora.files.pdf.fonts import width_of
from evenhand.corpora.files.pdf.lines import Ink, TextLine, measure, split_words, wrap
from evenhand.corpora.files.pdf.pieces import Box, Piece, Rule, Shape, Text
from evenhand.corpora.files.pdf.setting import baseline, tint
from evenhand.corpora.manuscript import Table, Words

PAD = 4.0
SHORT = 0.18  # of the table: a column that needs less is not broken
LINE_COLOR = "#777777"


def set_table(table: Table, style: Style, width: float) -> list[Piece]:
    """One piece per row; the header row stays with the next one."""
    ink = replace(style.text, size=style.text.size * 0.95)
    head = replace(ink, bold=True)
    widths = column_widths(table, ink, head, width)
    pieces = []
    for index, row in enumerate(table.rows):
        is_head = index == 0 and table.has_header
        pieces.append(
            set_row(row, widths, head if is_head else ink, style, is_head=is_head, is_first=not index)
        )
    last = len(pieces) - 1
    return [replace(piece, glued=index == 0 and last > 0) for index, piece in enumerate(pieces)]


def column_widths(table: Table, ink: Ink, head: Ink, width: float) -> list[float]:
    """Every column gets its longest word; what is left over is shared by how much text a column has."""
    count = max(len(row) for row in table.rows)
    least, wanted = [2 * PAD] * count, [2 * PAD] * count
    for index, row in enumerate(table.rows):
        for column, words in enumerate(row):
            face = head if index == 0 and table.has_header else ink
            extents = [measure(word, face.size) for word in split_words(words, face)]
            space = width_of(" ", face.face.regular) * face.size
            whole = sum(extents) + space * (len(extents) - 1) + 2 * PAD + 1
            least[column] = max([least[column], *(extent + 2 * PAD + 1 for extent in extents)])
            wanted[column] = max(wanted[column], whole)
    if sum(least) >= width:
        return [extent * width / sum(least) for extent in least]
    short = [want if want < SHORT * width else need for want, need in zip(wanted, least, strict=True)]
    if sum(short) <= width:  # years and marks stay on one line
        least = short
    lacking = [want - need for want, need in zip(wanted, least, strict=True)]
    room, total = width - sum(least), sum(lacking)
    if total <= room:  # all fits; the rest is spread evenly
        return [want + (room - total) / count for want in wanted]
    return [need + room * lack / total for need, lack in zip(least, lacking, strict=True)]


def set_row(
    row: Sequence[Words], widths: Sequence[float], ink: Ink, style: Style, *, is_head: bool, is_first: bool
) -> Piece:
    cells = [wrap(words, ink, extent - 2 * PAD) for words, extent in zip(row, widths, strict=False)]
    height = max(1, *(len(lines) for lines in cells), 1) * ink.height + PAD
    shapes: list[Shape] = [*row_frame(widths, height, style, is_head=is_head, is_first=is_first)]
    x = 0.0
    for lines, extent in zip(cells, widths, strict=False):
        shapes += cell_text(lines, ink, x + PAD)
        x += extent
    return Piece(height, tuple(shapes))


def cell_text(lines: Sequence[TextLine], ink: Ink, x: float) -> list[Shape]:
    return [Text(x, PAD / 2 + baseline(ink) + index * ink.height, line) for index, line in enumerate(lines)]


def row_frame(
    widths: Sequence[float], height: float, style: Style, *, is_head: bool, is_first: bool
) -> list[Shape]:
    """The rules of a row: all around each cell, or only below the row."""
    whole = sum(widths)
    shaded = tint(style.accent) if is_head and style.table in ("grid", "header") else None
    if style.table == "grid":
        boxes: list[Shape] = []
        x = 0.0
        for extent in widths:
            boxes.append(Box(x, 0, extent, height, fill=shaded, stroke=LINE_COLOR))
            x += extent
        return boxes
    if style.table == "bare":
        return []
    shapes: list[Shape] = [Box(0, 0, whole, height, fill=shaded)] if shaded else []
    if is_first and style.heading_look != "rule_below":  # two rules close together look like a mistake
        shapes.append(Rule(0, 0, whole, 0, style.accent))
    return [*shapes, Rule(0, height, whole, height, style.accent if is_head else "#bbbbbb")]
