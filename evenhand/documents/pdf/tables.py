"""Tables of a page: ruled ones from the lines drawn around cells, others from cells that line up."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.documents.pdf.rows import PdfRow
from evenhand.documents.pdf.shapes import THIN, PdfShape

NEAR = 3.0  # points: rules this close are one
MAX_RULES = 600  # rules on a page; more is a drawing, not tables
FILLED = 0.4  # share of a grid's cells with text; charts and rows of boxed words have less
MIN_ROWS = 3  # of a table without rules


@dataclass(slots=True)
class PdfTable:
    """A ruled table: the edges of its rows and columns, and which cells run into the next."""

    xs: list[float]
    ys: list[float]
    cells: dict[tuple[int, int], tuple[int, int]]  # every cell to the cell it is drawn as part of

    @property
    def box(self) -> tuple[float, float, float, float]:
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]


@dataclass(frozen=True, slots=True)
class TableRule:
    """A straight rule: at `place` on its axis, from `low` to `high` on the other."""

    place: float
    low: float
    high: float


def ruled_grids(shapes: Iterable[PdfShape]) -> list[PdfTable]:
    """The grids with at least two rows and two columns."""
    across, down = rules_of(shapes)
    if len(across) < 3 or len(down) < 2 or len(across) + len(down) > MAX_RULES:
        return []
    grids = []
    for rows, columns in connected(across, down):
        ys = distinct(rule.place for rule in rows)
        xs = distinct(rule.place for rule in columns)
        if len(ys) >= 3 and len(xs) >= 3:
            grids.append(PdfTable(xs, ys, merged_cells(xs, ys, rows, columns)))
    return grids


def rules_of(shapes: Iterable[PdfShape]) -> tuple[list[TableRule], list[TableRule]]:
    """Horizontal and vertical rules; a rectangle is four of them."""
    across, down = [], []
    for shape in shapes:
        if not shape.is_box:
            continue
        x0, y0, x1, y1 = shape.box
        if shape.height <= THIN and shape.width > 8:
            across.append(TableRule((y0 + y1) / 2, x0, x1))
        elif shape.width <= THIN and shape.height > 5:
            down.append(TableRule((x0 + x1) / 2, y0, y1))
        elif shape.width > 15 and shape.height > 8:
            across += [TableRule(y0, x0, x1), TableRule(y1, x0, x1)]
            down += [TableRule(x0, y0, y1), TableRule(x1, y0, y1)]
    return across, down


def connected(across: list[TableRule], down: list[TableRule]) -> list[tuple[list[TableRule], list[TableRule]]]:
    """Groups of rules that touch each other."""
    group = list(range(len(across) + len(down)))

    def root(node: int) -> int:
        while group[node] != node:
            group[node] = group[group[node]]
            node = group[node]
        return node

    for i, rule in enumerate(across):
        for j, other in enumerate(down):
            meets_x = rule.low - NEAR <= other.place <= rule.high + NEAR
            if meets_x and other.low - NEAR <= rule.place <= other.high + NEAR:
                group[root(i)] = root(len(across) + j)
    parts: dict[int, tuple[list[TableRule], list[TableRule]]] = {}
    for i, rule in enumerate(across):
        parts.setdefault(root(i), ([], []))[0].append(rule)
    for j, rule in enumerate(down):
        parts.setdefault(root(len(across) + j), ([], []))[1].append(rule)
    return [part for part in parts.values() if part[0] and part[1]]


def distinct(places: Iterable[float]) -> list[float]:
    result: list[float] = []
    for place in sorted(places):
        if not result or place - result[-1] > NEAR:
            result.append(place)
    return result


def merged_cells(
    xs: Sequence[float], ys: Sequence[float], across: list[TableRule], down: list[TableRule]
) -> dict[tuple[int, int], tuple[int, int]]:
    """Each cell with the one it belongs to: cells without a rule between them are one."""
    cells: dict[tuple[int, int], tuple[int, int]] = {}
    for row in range(len(ys) - 1):
        for column in range(len(xs) - 1):
            middle_x, middle_y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
            if column and not has_rule(down, xs[column], middle_y):
                cells[row, column] = cells[row, column - 1]
            elif row and not has_rule(across, ys[row], middle_x):
                cells[row, column] = cells[row - 1, column]
            else:
                cells[row, column] = (row, column)
    return cells


def has_rule(rules: list[TableRule], place: float, at: float) -> bool:
    return any(abs(rule.place - place) <= NEAR and rule.low - NEAR <= at <= rule.high + NEAR for rule in rules)


def words_in_cells(boxes: np.ndarray, keep: np.ndarray, grid: PdfTable) -> dict[tuple[int, int], list[int]]:
    """The kept words of each cell of the grid."""
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    left, top, right, bottom = grid.box
    inside = keep & (x > left) & (x < right) & (y > top) & (y < bottom)
    cells: dict[tuple[int, int], list[int]] = {}
    for word in np.flatnonzero(inside).tolist():
        cell = grid.cells.get((bisect_right(grid.ys, y[word]) - 1, bisect_right(grid.xs, x[word]) - 1))
        if cell is not None:
            cells.setdefault(cell, []).append(word)
    return cells


def is_table(grid: PdfTable, cells: dict[tuple[int, int], list[int]]) -> bool:
    """A grid is a table when text fills much of it, in at least two rows and two columns."""
    drawn = len(set(grid.cells.values()))
    if len(cells) < FILLED * drawn or len({column for _, column in cells}) < 2:
        return False
    rows = Counter(row for row, _ in cells)
    return len(rows) >= 2 and sum(count > 1 for count in rows.values()) >= 0.5 * len(rows)


def aligned_runs(rows: Sequence[PdfRow]) -> list[tuple[int, int, list[float]]]:
    """Runs of rows whose pieces begin at the same places: start, end, and the columns' left edges.

    Two columns are only taken for a table from four rows on: a title with its date to the right is not one.
    """
    runs = []
    start = 0
    while start < len(rows):
        edges = [piece.x0 for piece in rows[start].pieces]
        end = start + 1
        while len(edges) >= 2 and end < len(rows) and rows[end].block == rows[start].block:
            pieces = rows[end].pieces
            if len(pieces) != len(edges) or any(
                abs(piece.x0 - edge) > NEAR for piece, edge in zip(pieces, edges, strict=True)
            ):
                break
            end += 1
        if len(edges) >= 2 and end - start >= (MIN_ROWS if len(edges) >= 3 else MIN_ROWS + 1):
            runs.append((start, end, edges))
            start = end
        else:
            start += 1
    return runs
