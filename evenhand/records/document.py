"""A resume file after reading: its visible text in reading order, its layout, and what was wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evenhand.records.conversion import JsonRecord

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points, origin at the top left of the page."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the visible text; `start` and `end` are half-open code point offsets into it."""

    start: int
    end: int
    page: int  # counted from 1
    box: Box | None  # unknown in formats that flow
    font: str | None
    size: float | None  # points
    bold: bool
    italic: bool
    color: str | None  # "#rrggbb"
    list: str | None  # the marker as shown: "•", "3.", "b)"
    table: tuple[int, int, int] | None  # table, row, column, each from 0
    furniture: str | None = None  # "header" or "footer" when it belongs to the page, not the text
    raw: str | None = None  # the characters in the file, where they differ from the text
    confidence: float | None = None  # of recognition, 0 to 1; None when the text was in the file

    def to_json(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "page": self.page,
            "box": self.box,
            "font": self.font,
            "size": self.size,
            "bold": self.bold,
            "italic": self.italic,
            "color": self.color,
            "list": self.list,
            "table": self.table,
            "furniture": self.furniture,
            "raw": self.raw,
            "confidence": self.confidence,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Line:
        box, table = data["box"], data["table"]
        return cls(
            data["start"],
            data["end"],
            data["page"],
            tuple(box) if box is not None else None,
            data["font"],
            data["size"],
            data["bold"],
            data["italic"],
            data["color"],
            data["list"],
            tuple(table) if table is not None else None,
            data.get("furniture"),
            data.get("raw"),
            data.get("confidence"),
        )


@dataclass(frozen=True, slots=True)
class Table(JsonRecord):
    """A table of the document; its cells are the lines whose `table` starts with its index."""

    page: int
    rows: int
    columns: int
    ruled: bool  # drawn with lines, or only aligned


@dataclass(frozen=True, slots=True)
class Hidden(JsonRecord):
    """Text a person looking at the document does not see; never part of the text."""

    text: str
    # invisible, background_color, tiny, off_page, clipped, transparent, hidden_style, unknown_style, covered, replaced
    reason: str
    page: int


@dataclass(frozen=True, slots=True)
class Warning(JsonRecord):
    """Something a person should know about a document that was read."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Failure(JsonRecord):
    """Why a document could not be read."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Document(JsonRecord):
    """The result of reading one file; `status` is "parsed", "partial" or "error"."""

    file: str | None
    sha256: str
    format: str | None
    pages: int
    status: str
    text: str
    hidden: tuple[Hidden, ...]
    lines: tuple[Line, ...]
    tables: tuple[Table, ...]
    warnings: tuple[Warning, ...]
    error: Failure | None

    def line_text(self, line: Line) -> str:
        return self.text[line.start : line.end]

    def to_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "sha256": self.sha256,
            "format": self.format,
            "pages": self.pages,
            "status": self.status,
            "text": self.text,
            "hidden": [item.to_json() for item in self.hidden],
            "lines": [line.to_json() for line in self.lines],
            "tables": [table.to_json() for table in self.tables],
            "warnings": [warning.to_json() for warning in self.warnings],
            "error": self.error.to_json() if self.error else None,
        }
