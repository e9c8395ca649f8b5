"""Runs of text with their look, collected paragraph by paragraph into a Draft (RTF, DOC, HTML)."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evenhand.documents.bullets import typed_marker
from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, Draft, DraftLine, ReadLimits
from evenhand.records.document import Hidden, Table, Warning

Cell = tuple[int, int, int]
"""Table, row, column, each from 0."""


class Look(NamedTuple):
    """How characters are drawn; `hidden` is the reason a person does not see them."""

    font: str | None = None
    size: float | None = None
    bold: bool = False
    italic: bool = False
    color: str | None = None
    hidden: str | None = None


Run = tuple[str, Look]
_SPACES = re.compile(" {2,}")


@dataclass(slots=True)
class _Grid:
    page: int
    parent: int | None
    ruled: bool
    rows: int = 0
    columns: int = 0


class Flow:
    """A document under construction; it stops taking text once a limit is reached."""

    def __init__(self, format_name: str, limits: ReadLimits) -> None:
        self.limits = limits
        self.page = 1
        self.truncated: str | None = None
        self._format = format_name
        self._parts: dict[str, list[DraftLine]] = {"header": [], "body": [], "note": [], "footer": []}
        self._hidden: list[Hidden] = []
        self._open_hidden: list[Run] = []
        self._grids: list[_Grid] = []
        self._warnings: list[Warning] = []
        self._characters = 0
        self._cells = 0
        self.deadline = time.monotonic() + limits.seconds

    @property
    def full(self) -> bool:
        """No more text is taken; a reader may stop."""
        return self.truncated is not None

    def warn(self, code: str, message: str) -> None:
        self._warnings.append(Warning(code, message))

    def cut(self, reason: str) -> None:
        """Something is missing from here on."""
        self.truncated = self.truncated or reason

    def check_time(self) -> None:
        if time.monotonic() > self.deadline:
            self.cut("more time than the limit")

    def new_table(self, parent: int | None = None, *, ruled: bool = True) -> int:
        self._grids.append(_Grid(self.page, parent, ruled))
        return len(self._grids) - 1

    def mark_cell(self, cell: Cell) -> None:
        """Count a cell, empty ones too, for the size of its table."""
        grid = self._grids[cell[0]]
        grid.rows = max(grid.rows, cell[1] + 1)
        grid.columns = max(grid.columns, cell[2] + 1)
        self._cells += 1
        if self._cells > self.limits.table_cells:
            self.cut("more table cells than the limit")

    def add(
        self,
        runs: Sequence[Run],
        *,
        marker: str | None = None,
        gap: bool = False,
        cell: Cell | None = None,
        part: str = "body",
    ) -> None:
        """Take one paragraph; line breaks within it are newlines in its runs."""
        if self.full:
            return
        lines = self._parts[part]
        for position, line_runs in enumerate(split_lines(runs)):
            line = self._line(line_runs, marker if position == 0 else None)
            if line is None:
                continue
            line.joint = NEXT_BLOCK if gap or self._changes_table(lines, cell) else NEXT_LINE
            line.table = cell
            line.furniture = part if part in ("header", "footer") else None
            lines.append(line)
            gap = False
        if self._characters > self.limits.characters:
            self.cut("more text than the limit")
        else:
            self.check_time()

    def finish(self) -> Draft:
        """The draft: headers first, then body, notes and footers."""
        self._close_hidden()
        for part in ("header", "footer"):
            self._parts[part] = drop_repeats(self._parts[part])
        lines = [line for part in self._parts.values() for line in part]
        for part in ("body", "note", "footer"):
            if self._parts[part]:
                self._parts[part][0].joint = NEXT_BLOCK
        join_cells(lines)
        if self.truncated:
            self.warn("truncated", f"Only part of the file was read: {self.truncated}.")
        return Draft(
            format=self._format,
            pages=self.page,
            lines=lines,
            hidden=self._hidden,
            tables=[Table(g.page, g.rows, g.columns, g.ruled) for g in self._grids],
            warnings=self._warnings,
            partial=self.full,
        )

    def _line(self, runs: Sequence[Run], marker: str | None) -> DraftLine | None:
        visible = self._set_hidden_apart(runs)
        text = "".join(text for text, _ in visible).strip()
        if any(look.hidden for _, look in runs):
            text = _SPACES.sub(" ", text)
        if not text:
            return None
        self._characters += len(text)
        look = dominant(visible)
        return DraftLine(
            text=f"{marker} {text}" if marker else text,
            page=self.page,
            font=look.font,
            size=look.size,
            bold=look.bold,
            italic=look.italic,
            color=look.color,
            list=marker or typed_marker(text),
        )

    def _set_hidden_apart(self, runs: Sequence[Run]) -> list[Run]:
        visible: list[Run] = []
        for text, look in runs:
            if look.hidden is None:
                if text and not text.isspace():
                    self._close_hidden()
                visible.append((text, look))
            else:
                self._open_hidden.append((text, look))
                self._characters += len(text)
                # Unseen characters still take room, except those that are switched off.
                if look.hidden != "hidden_style":
                    visible.append((" ", look._replace(hidden=None)))
        if self._open_hidden:
            self._open_hidden.append(("\n", self._open_hidden[-1][1]))
        return visible

    def _close_hidden(self) -> None:
        if not self._open_hidden:
            return
        by_reason: dict[str, list[str]] = {}
        for text, look in self._open_hidden:
            by_reason.setdefault(look.hidden or "", []).append(text)
        for reason, texts in by_reason.items():
            text = "".join(texts).strip()
            # A white full stop or a tiny spacer says nothing to anyone.
            if any(c.isalnum() for c in text):
                self._hidden.append(Hidden(text, reason, self.page))
        self._open_hidden = []

    def _changes_table(self, lines: list[DraftLine], cell: Cell | None) -> bool:
        before = lines[-1].table if lines else None
        return self._root(before) != self._root(cell)

    def _root(self, cell: Cell | None) -> int | None:
        table = cell[0] if cell else None
        while table is not None and (parent := self._grids[table].parent) is not None:
            table = parent
        return table


def split_lines(runs: Iterable[Run]) -> list[list[Run]]:
    """Cut a paragraph's runs at their newlines."""
    lines: list[list[Run]] = [[]]
    for text, look in runs:
        first, *others = text.split("\n") if "\n" in text else (text,)
        lines[-1].append((first, look))
        lines.extend([(other, look)] for other in others)
    return lines


def dominant(runs: Sequence[Run]) -> Look:
    """The look most characters have; bold and italic when most characters are."""
    weights: Counter[Look] = Counter()
    for text, look in runs:
        weights[look] += len(text) - text.count(" ") - text.count("\t")
    if len(weights) == 1:
        return next(iter(weights))
    total = sum(weights.values())
    bold = sum(n for look, n in weights.items() if look.bold)
    italic = sum(n for look, n in weights.items() if look.italic)
    common = weights.most_common(1)[0][0]
    return common._replace(bold=2 * bold > total, italic=2 * italic > total)


def drop_repeats(lines: list[DraftLine]) -> list[DraftLine]:
    """Headers of several sections usually say the same: keep each line once."""
    seen: set[str] = set()
    kept = []
    for line in lines:
        if line.text not in seen:
            seen.add(line.text)
            kept.append(line)
    return kept


def join_cells(lines: list[DraftLine]) -> None:
    """Put the cells of a row side by side where each of them is one line."""
    rows: dict[tuple[int, int], list[int]] = {}
    for position, line in enumerate(lines):
        if line.table:
            rows.setdefault(line.table[:2], []).append(position)
    for positions in rows.values():
        columns = [cell[2] for p in positions if (cell := lines[p].table)]
        together = positions[-1] - positions[0] == len(positions) - 1
        if together and len(set(columns)) == len(columns):
            for position in positions[1:]:
                lines[position].joint = NEXT_CELL
