"""Which tables hold data and which only arrange the page, and in what order their cells are read."""

from __future__ import annotations

from itertools import pairwise

from evenhand.documents.office.blocks import Block, Cell, Frame, Grid, Paragraph

LONG_CELL = 4  # lines; a cell of data is rarely that tall
PAGE_CELL = 8  # lines; a ruled cell that tall beside another long one is a column of the page
HEADING_CHARACTERS = 40
MANY = 50


def is_data(grid: Grid) -> bool:
    """A table a reader would call one: several columns, cells that belong together row by row."""
    filled = [cell for cell in grid.cells if line_count(cell.blocks)]
    if len({cell.column for cell in filled}) < 2:
        return False
    if any(isinstance(block, Grid) for cell in filled for block in cell.blocks):
        return False
    if len({cell.row for cell in filled}) == 1:
        return all(line_count(cell.blocks) == 1 for cell in filled)
    return not _has_columns_of_text(filled, ruled=grid.ruled)


def _has_columns_of_text(filled: list[Cell], *, ruled: bool) -> bool:
    """Long text side by side: the columns of a page. Lines around the cells make it likelier to be data."""
    tall = [(cell, lines) for cell in filled if (lines := line_count(cell.blocks)) >= LONG_CELL]
    for index, (first, lines) in enumerate(tall):
        for second, more_lines in tall[index + 1 : index + 1 + MANY]:
            beside = first.column != second.column and first.row < second.row + second.rows
            if (
                beside
                and second.row < first.row + first.rows
                and (not ruled or max(lines, more_lines) >= PAGE_CELL)
            ):
                return True
    return False


def reading_rows(grid: Grid) -> list[list[Cell]]:
    """Cells grouped as they are read: by rows, or by columns where headings stand side by side."""
    rows: dict[float, list[Cell]] = {}
    for cell in grid.cells:
        # A side bar at the right, merged over many rows, is read after the rows it stands beside.
        late = cell.rows > 1 and cell.column > 0 and line_count(cell.blocks) >= LONG_CELL
        rows.setdefault(cell.row + cell.rows - 0.5 if late else cell.row, []).append(cell)
    ordered: list[list[Cell]] = []
    band: list[list[Cell]] = []
    for cells in [*(rows[key] for key in sorted(rows)), []]:
        if band and _shape(cells) != _shape(band[0]):
            ordered.extend(_band_rows(band))
            band = []
        band.append(cells)
    return ordered


def _shape(cells: list[Cell]) -> tuple[tuple[int, int], ...]:
    return tuple((cell.column, cell.columns) for cell in cells)


def _band_rows(band: list[list[Cell]]) -> list[list[Cell]]:
    if len(band) > 1 and _side_by_side(band):
        return [[row[position]] for position in range(len(band[0])) for row in band]
    return band


def _side_by_side(band: list[list[Cell]]) -> bool:
    """Two headings in one row with long text under both: columns of a page, not rows of data."""
    for upper, lower in pairwise(band):
        topped = [
            below
            for above, below in zip(upper, lower, strict=True)
            if _is_heading(above) and line_count(below.blocks) >= LONG_CELL
        ]
        if len(topped) > 1:
            return True
    return False


def _is_heading(cell: Cell) -> bool:
    shown = [block for block in cell.blocks if isinstance(block, Paragraph) and block.has_text()]
    if len(shown) != 1 or line_count(cell.blocks) != 1:
        return False
    spans = [span for span in shown[0].spans if span.text.strip()]
    text = "".join(span.text for span in spans).strip()
    loud = shown[0].heading or text.isupper() or all(span.look.bold for span in spans)
    return loud and len(text) <= HEADING_CHARACTERS


def line_count(blocks: list[Block]) -> int:
    """Lines with something to see, counted only as far as it matters."""
    count = 0
    for block in blocks:
        if isinstance(block, Paragraph):
            text = "".join(span.text for span in block.spans if span.hidden is None)
            count += sum(1 for line in text.split("\n") if line.strip())
        elif isinstance(block, Frame):
            count += line_count(block.blocks)
        else:
            count += sum(line_count(cell.blocks) for cell in block.cells)
    return count
