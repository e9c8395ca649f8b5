"""Paragraphs of a Word story with the table cells they stand in."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from evenhand.documents.doc.formats import Paragraph
from evenhand.documents.doc.looks import NOWHERE, Place
from evenhand.documents.flow import Cell, Flow

PARAGRAPH_END = re.compile("[\r\x07\x0c]")
_FLAT_TWIPS = 60


@dataclass(slots=True)
class Block:
    """One paragraph: half-open character range, its closing mark included."""

    start: int
    end: int
    format: Paragraph
    place: Place = NOWHERE
    cell: Cell | None = None
    ends_row: bool = False


@dataclass(slots=True)
class _Table:
    number: int
    row: int = 0
    column: int = 0
    row_blocks: list[tuple[Block, int]] = field(default_factory=list)


class Tables:
    """Follows cells and rows; the colours of a row are only known at its end."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._open: list[_Table] = []

    def place(self, block: Block, mark: str) -> None:
        depth = _depth(block.format, self._flow.limits.nesting)
        del self._open[depth:]
        while len(self._open) < depth:
            parent = self._open[-1].number if self._open else None
            self._open.append(_Table(self._flow.new_table(parent, ruled=True)))
        if not self._open:
            return
        table = self._open[-1]
        block.cell = (table.number, table.row, table.column)
        if block.format.ends_row or block.format.ends_inner_row:
            block.ends_row = True
            self._end_row(table, block.format)
        else:
            table.row_blocks.append((block, table.column))
            if (mark == "\x07" and depth == 1) or block.format.ends_inner_cell:
                self._flow.mark_cell(block.cell)
                table.column += 1

    def _end_row(self, table: _Table, format_: Paragraph) -> None:
        hidden = "clipped" if -_FLAT_TWIPS < format_.row_height < 0 else None
        for block, column in table.row_blocks:
            fill = format_.fills[column] if column < len(format_.fills) else None
            around = block.place
            block.place = around._replace(fill=fill or around.fill, hidden=hidden or around.hidden)
        table.row_blocks = []
        table.row += 1
        table.column = 0


def _depth(format_: Paragraph, limit: int) -> int:
    if not (format_.in_table or format_.ends_row):
        return 0
    return min(max(1, format_.depth), limit)
