"""Tables of OpenDocument: repeated, spanned and covered cells on one grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from evenhand.documents.office.blocks import Block, Cell, Grid
from evenhand.documents.office.budget import Budget
from evenhand.documents.office.odt.names import count, points, q
from evenhand.documents.office.odt.styles import NO_FILL, Styles, fill_color
from evenhand.documents.office.odt.visibility import Scene
from evenhand.documents.office.xml import Element

ROW_GROUPS = {q(f"table:{name}") for name in ("table-header-rows", "table-rows", "table-row-group")}
CELL, COVERED = q("table:table-cell"), q("table:covered-table-cell")
MAX_GROUPS = 20
MAX_REPEATS = 50  # of one row or cell that holds text; nobody repeats more by hand
SHORTEST_ROW = 4.0  # points

ReadBlocks = Callable[[Element, Scene], list[Block]]


class Tables:
    """Reads tables; the cells' own content is read by whoever walks the text."""

    def __init__(self, styles: Styles, budget: Budget, read_blocks: ReadBlocks) -> None:
        self._styles = styles
        self._budget = budget
        self._read_blocks = read_blocks

    def read(
        self,
        table: Element,
        scene: Scene,
        page: int,
        page_now: Callable[[], int],
        turn_to: Callable[[int], None],
    ) -> tuple[Grid, int]:
        """The table and the page on which it ends; cells of one row all begin on the same page."""
        scene = self._shaded(scene, "table", table.get(q("table:style-name")), "style:table-properties")
        grid = Grid(0, 0, [], False, page)
        for row in _rows(table, 0):
            if row.tag == q("text:soft-page-break"):
                page += 1
                continue
            inner = self._row_scene(row, scene)
            for _ in range(min(max(count(row, "table:number-rows-repeated"), 1), MAX_REPEATS)):
                last = page
                for cell in self._cells(row, grid.rows):
                    turn_to(page)
                    if not self._budget.take_cell():
                        return grid, last
                    self._fill(grid, cell, inner)
                    last = max(last, page_now())
                page = last
                grid.rows += 1
        grid.columns = max((cell.column + cell.columns for cell in grid.cells), default=0)
        return grid, page

    def _cells(self, row: Element, number: int) -> Iterator[tuple[Element, int, int]]:
        """Cells with the row and column where they begin."""
        column = 0
        for cell in row:
            if cell.tag not in (CELL, COVERED):
                continue
            repeats = max(count(cell, "table:number-columns-repeated"), 1)
            if cell.tag == CELL:
                for at in range(min(repeats, MAX_REPEATS) if len(cell) else 1):
                    yield cell, number, column + at
            column += repeats

    def _fill(self, grid: Grid, place: tuple[Element, int, int], scene: Scene) -> None:
        element, row, column = place
        style = element.get(q("table:style-name"))
        inner = self._shaded(scene, "table-cell", style, "style:table-cell-properties")
        grid.ruled = grid.ruled or self._is_ruled(style)
        cell = Cell(row, column, self._read_blocks(element, inner))
        cell.rows = max(count(element, "table:number-rows-spanned"), 1)
        cell.columns = max(count(element, "table:number-columns-spanned"), 1)
        grid.cells.append(cell)

    def _is_ruled(self, style: str | None) -> bool:
        for side in ("fo:border", "fo:border-left", "fo:border-bottom"):
            line = self._styles.property("table-cell", style, "style:table-cell-properties", side)
            if line is not None and not line.startswith("none"):
                return True
        return False

    def _row_scene(self, row: Element, scene: Scene) -> Scene:
        style = row.get(q("table:style-name"))
        scene = self._shaded(scene, "table-row", style, "style:table-row-properties")
        if row.get(q("table:visibility")) in ("collapse", "filter"):
            return replace(scene, hidden=scene.hidden or "hidden_style")
        height = points(
            self._styles.property("table-row", style, "style:table-row-properties", "style:row-height")
        )
        if height is not None and height < SHORTEST_ROW:
            return replace(scene, hidden=scene.hidden or "clipped")
        return scene

    def _shaded(self, scene: Scene, family: str, style: str | None, holder: str) -> Scene:
        color = fill_color(self._styles.property(family, style, holder, "fo:background-color"))
        if color is None or color == NO_FILL:
            return scene
        return replace(scene, backdrop=(color,), bare=False)


def _rows(table: Element, depth: int) -> Iterator[Element]:
    for child in table:
        if child.tag in (q("table:table-row"), q("text:soft-page-break")):
            yield child
        elif child.tag in ROW_GROUPS and depth < MAX_GROUPS:
            yield from _rows(child, depth + 1)
