"""Where the cells of an HTML table stand, with rows and columns they span."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.documents.flow import Cell

_WIDEST = 1_000


@dataclass(slots=True)
class Grid:
    """A table being read."""

    table: int
    row: int = -1
    column: int = 0
    _taken: dict[int, int] = field(default_factory=dict)  # column to the rows it is still taken for
    _fresh: dict[int, int] = field(default_factory=dict)  # taken by cells of this row

    def next_row(self) -> None:
        self.row += 1
        self.column = 0
        self._taken = {c: n - 1 for c, n in self._taken.items() if n > 1}
        self._taken.update(self._fresh)
        self._fresh = {}

    def next_cell(self, columns: int, rows: int) -> Cell:
        if self.row < 0:
            self.next_row()
        while self.column in self._taken:
            self.column += 1
        cell = (self.table, self.row, min(self.column, _WIDEST))
        for column in range(self.column, min(self.column + columns, _WIDEST)):
            if rows > 1:
                self._fresh[column] = rows - 1
        self.column += columns
        return cell


def span(text: str | None) -> int:
    """A colspan or rowspan; 1 when it makes no sense."""
    try:
        return max(1, min(_WIDEST, int(text or "1")))
    except ValueError:
        return 1
