"""Tables of a document as rows and columns of cell texts, without the rows and columns that hold nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.records.document import Document

_SEPARATORS = ":-–—|•."  # a cell of nothing else, as in "Name | : | ..."
_MOST_ROWS, _MOST_COLUMNS = 200, 40  # a file made to cause trouble has many more
_LONGEST_CELL = 600  # characters: what a cell is shows before, and a page in a table would cost much


@dataclass(frozen=True, slots=True)
class TableView:
    """`cells[row][column]`; `row_numbers` and `column_numbers` tell which of the document's they are."""

    index: int
    cells: tuple[tuple[str, ...], ...]
    bold: tuple[tuple[bool, ...], ...]
    row_numbers: tuple[int, ...]
    column_numbers: tuple[int, ...]
    lines: tuple[int, ...]  # places in document.lines
    longest_cell: int  # in lines

    @property
    def filled(self) -> int:
        return sum(1 for row in self.cells for cell in row if cell)

    def column(self, place: int, *, after: int = -1) -> list[str]:
        """The filled cells of a column below row `after`."""
        return [row[place] for row in self.cells[after + 1 :] if row[place]]


def table_views(document: Document) -> list[TableView]:
    """One view per table that has a filled cell, in the order of the document's tables."""
    lines: dict[int, list[int]] = {}
    for place, line in enumerate(document.lines):
        if line.table is not None:
            lines.setdefault(line.table[0], []).append(place)
    views = (_view(document, index, lines[index]) for index in sorted(lines))
    return [view for view in views if view.cells]


def _view(document: Document, index: int, places: Sequence[int]) -> TableView:
    texts: dict[tuple[int, int], list[str]] = {}
    plain: set[tuple[int, int]] = set()
    for place in places:
        line = document.lines[place]
        text = document.text[line.start : line.end].strip()
        if line.table and text.strip(_SEPARATORS):
            texts.setdefault(line.table[1:], []).append(text)
            if not line.bold:
                plain.add(line.table[1:])
    rows = tuple(sorted({row for row, _ in texts})[:_MOST_ROWS])
    columns = tuple(sorted({column for _, column in texts})[:_MOST_COLUMNS])
    return TableView(
        index=index,
        cells=tuple(tuple(_joined(texts.get((row, column))) for column in columns) for row in rows),
        bold=tuple(
            tuple((row, column) in texts and (row, column) not in plain for column in columns) for row in rows
        ),
        row_numbers=rows,
        column_numbers=columns,
        lines=tuple(places),
        longest_cell=max(map(len, texts.values()), default=0),
    )


def _joined(texts: list[str] | None) -> str:
    return " ".join(texts)[:_LONGEST_CELL].lstrip(": ") if texts else ""
