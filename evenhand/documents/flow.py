"""Runs of text with their look, collected paragraph by paragraph into a Draft (RTF, DOC, HTML)."""

from __future__ import annotations

import math
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evenhand.documents.draft import (
    LINE_HEIGHT,
    MEAN_WIDTH,
    NEXT_BLOCK,
    NEXT_CELL,
    NEXT_LINE,
    DocumentDraft,
    DraftLine,
    ReadLimits,
)
from evenhand.documents.list_markers import typed_marker
from evenhand.documents.symbols import sign
from evenhand.records.document import Hidden, Table, Warning

Cell = tuple[int, int, int]
"""Table, row, column, each from 0."""


class CharacterStyle(NamedTuple):
    """How characters are drawn; `hidden` is the reason a person does not see them."""

    font: str | None = None
    size: float | None = None
    bold: bool = False
    italic: bool = False
    color: str | None = None
    hidden: str | None = None


Run = tuple[str, CharacterStyle]
_SPACES = re.compile(" {2,}")


@dataclass(slots=True)
class _Grid:
    page: int
    parent: int | None
    ruled: bool
    rows: int = 0
    columns: int = 0


class DocumentBuilder:
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
        broken: list[list[Run]] = [[]]  # at line breaks
        for text, look in runs:
            first, *others = text.split("\n") if "\n" in text else (text,)
            broken[-1].append((first, look))
            broken.extend([(other, look)] for other in others)
        for position, line_runs in enumerate(broken):
            line = self._line(line_runs, marker if position == 0 else None)
            if line is None:
                continue
            before = lines[-1].table if lines else None
            line.joint = NEXT_BLOCK if gap or self._root(before) != self._root(cell) else NEXT_LINE
            line.table = cell
            line.furniture = part if part in ("header", "footer") else None
            lines.append(line)
            gap = False
        if self._characters > self.limits.characters:
            self.cut("more text than the limit")
        else:
            self.check_time()

    def finish(self) -> DocumentDraft:
        """The draft: headers first, then body, notes and footers."""
        self._close_hidden()
        for part in ("header", "footer"):
            unique: dict[str, DraftLine] = {}  # headers of several sections usually say the same: each line comes once
            for line in self._parts[part]:
                unique.setdefault(line.text, line)
            self._parts[part] = list(unique.values())
        lines = [line for part in self._parts.values() for line in part]
        for part in ("body", "note", "footer"):
            if self._parts[part]:
                self._parts[part][0].joint = NEXT_BLOCK
        join_cells(lines)
        if self.truncated:
            self.warn("truncated", f"Only part of the file was read: {self.truncated}.")
        return DocumentDraft(
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

    def _root(self, cell: Cell | None) -> int | None:
        table = cell[0] if cell else None
        while table is not None and (parent := self._grids[table].parent) is not None:
            table = parent
        return table


def dominant(runs: Sequence[Run]) -> CharacterStyle:
    """The look most characters have; bold and italic when most characters are."""
    weights: Counter[CharacterStyle] = Counter()
    for text, look in runs:
        weights[look] += len(text) - text.count(" ") - text.count("\t")
    if len(weights) == 1:
        return next(iter(weights))
    total = sum(weights.values())
    bold = sum(n for look, n in weights.items() if look.bold)
    italic = sum(n for look, n in weights.items() if look.italic)
    common = weights.most_common(1)[0][0]
    return common._replace(bold=2 * bold > total, italic=2 * italic > total)


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


# Opaque shapes in front of flowing text (RTF, DOC): which paragraphs nobody can see behind them.

TEXT_WIDTH = 468.0  # points between usual margins
USUAL_SIZE = 10.0
MIN_COVERED_SHARE = 0.9  # of a text that must lie behind a shape
MAX_COVERS = 100


class Cover(NamedTuple):
    """A shape, in points from the upper left corner of the paragraph that comes next."""

    left: float
    top: float
    right: float
    bottom: float

    def share_of(self, width: float, height: float) -> float:
        across = min(self.right, width) - max(self.left, 0.0)
        down = min(self.bottom, height) - max(self.top, 0.0)
        return max(across, 0.0) * max(down, 0.0) / (width * height)


class CoverTracker:
    """Follows the paragraphs down the page.

    Where a line falls is only estimated, so a paragraph counts as covered only when nearly all of it is.
    """

    def __init__(self) -> None:
        self._shapes: list[Cover] = []

    def add(self, cover: Cover) -> None:
        self._shapes = [*self._shapes, cover][-MAX_COVERS:]

    def pass_over(self, runs: Sequence[Run], space: float) -> Sequence[Run]:
        """The runs of the next paragraph, marked where they are covered; `space` is its distance to the next."""
        if not self._shapes:
            return runs
        width, height = extent(runs)
        if any(shape.share_of(width, height) >= MIN_COVERED_SHARE for shape in self._shapes):
            runs = [(text, look._replace(hidden=look.hidden or "covered")) for text, look in runs]
        step = height + space
        moved = (shape._replace(top=shape.top - step, bottom=shape.bottom - step) for shape in self._shapes)
        self._shapes = [shape for shape in moved if shape.bottom > 0]
        return runs


def extent(runs: Sequence[Run]) -> tuple[float, float]:
    """How wide and high the text of a paragraph should be."""
    size = next((look.size for text, look in runs if look.size and text.strip()), USUAL_SIZE)
    widest, lines = 1.0, 0
    for line in "".join(text for text, look in runs if look.hidden is None).rstrip().split("\n"):
        length = TEXT_WIDTH if "\t" in line.strip() else len(line.strip()) * size * MEAN_WIDTH
        widest = max(widest, min(length, TEXT_WIDTH))
        lines += max(1, math.ceil(length / TEXT_WIDTH))
    return widest, lines * size * LINE_HEIGHT


OVERFLOW = 1.5  # of its height: text that should begin further down is not seen in a box that does not grow


def clip_below(runs: Sequence[Run], top: float, height: float | None) -> Sequence[Run]:
    """The runs of a paragraph that begins this far down a box, marked where they fall below its lower edge."""
    if height is None:
        return runs
    clipped: list[Run] = []
    lines = 0
    for text, look in runs:
        lost = top + lines * (look.size or USUAL_SIZE) * LINE_HEIGHT > OVERFLOW * height
        clipped.append((text, look._replace(hidden=look.hidden or "clipped") if lost else look))
        lines += text.count("\n")
    return clipped


# Field codes of Word documents: what they draw, and whether they would fetch or start something.

_SYMBOL = re.compile(r'\s*SYMBOL\s+(\d{1,7}|0x[0-9a-fA-F]{1,6})(?:.*?\\f\s*"?([^"\\]+)"?)?', re.I | re.S)
_ACTIVE = re.compile(r"\s*(?:DDE|DDEAUTO|INCLUDETEXT|INCLUDEPICTURE|IMPORT|LINK|MACROBUTTON|DATABASE)\b", re.I)
_REMOTE = re.compile(r"https?:|ftp:|file:|^\\\\", re.I)


def field_sign(code: str) -> str:
    """The character a symbol field draws; empty for other fields."""
    field = _SYMBOL.match(code)
    if not field:
        return ""
    number = int(field[1], 16 if field[1][:2].lower() == "0x" else 10)
    font = (field[2] or "").strip()
    if font and number < 256:
        return sign(number, font)
    return bytes([number]).decode("cp1252", "replace") if number < 256 else chr(min(number, 0x10FFFF))


def is_active_field(code: str) -> bool:
    """Whether this field would fetch or start something when updated."""
    return _ACTIVE.match(code) is not None


def is_remote(path: str) -> bool:
    return _REMOTE.search(path.strip()) is not None


_UNSHOWN = frozenset(("PRIVATE", "SET", "ASK", "TA", "TC", "XE", "RD", "NEXT", "NEXTIF", "SKIPIF"))
_COMPUTED = {  # as the page is laid out, with the longest result
    **dict.fromkeys(
        ("PAGE", "NUMPAGES", "SECTION", "SECTIONPAGES", "AUTONUM", "AUTONUMLGL", "AUTONUMOUT", "LISTNUM"), 12
    ),
    **dict.fromkeys(("DATE", "TIME"), 40),
}


def result_hidden(code: str, length: int) -> str | None:
    """Why nobody sees the result of this length that a file keeps for a field."""
    words = code.split(None, 1)
    kind = words[0].upper() if words else ""
    if kind in _UNSHOWN:
        return "hidden_style"
    return "replaced" if length > _COMPUTED.get(kind, length) else None
