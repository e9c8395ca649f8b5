"""What a DOCX or ODT body is made of once its markup is understood: paragraphs, tables, boxes of text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Look:
    """How a stretch of text is set."""

    font: str | None = None
    size: float | None = None  # points
    bold: bool = False
    italic: bool = False
    color: str | None = None  # "#rrggbb"


@dataclass(slots=True)
class Span:
    """Text of one look; a newline in it ends the line."""

    text: str
    look: Look
    page: int = 1
    hidden: str | None = None  # the reason, when a person does not see it


@dataclass(slots=True)
class Paragraph:
    spans: list[Span] = field(default_factory=list)
    page: int = 1
    marker: str | None = None
    before: float = 0.0  # points of space
    after: float = 0.0
    heading: bool = False
    style: str | None = None
    contextual: bool = False  # no space towards neighbours of the same style

    def has_text(self) -> bool:
        return any(span.hidden is None and span.text.strip() for span in self.spans)


@dataclass(slots=True)
class Cell:
    row: int
    column: int
    blocks: list[Block]
    rows: int = 1
    columns: int = 1


@dataclass(slots=True)
class Grid:
    """A table; `cells` come row by row, merged ones once, at their first place."""

    rows: int
    columns: int
    cells: list[Cell]
    ruled: bool = False
    page: int = 1


@dataclass(slots=True)
class Frame:
    """A text box: it stands apart from the text around it."""

    blocks: list[Block]


Block: TypeAlias = Paragraph | Grid | Frame
