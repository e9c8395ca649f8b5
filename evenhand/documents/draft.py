"""What every format reader hands over: raw lines in reading order, before characters are normalised."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.records.document import Box, Hidden, Table, Warning

NEXT_LINE = "\n"
NEXT_BLOCK = "\n\n"
NEXT_CELL = "\t"


@dataclass(slots=True)
class DraftLine:
    """A line as the file has it; `joint` is what separates it from the line before."""

    text: str
    page: int = 1
    joint: str = NEXT_LINE
    box: Box | None = None
    font: str | None = None
    size: float | None = None
    bold: bool = False
    italic: bool = False
    color: str | None = None
    list: str | None = None  # marker, which `text` already begins with
    table: tuple[int, int, int] | None = None
    furniture: str | None = None
    confidence: float | None = None
    raw: str | None = None  # what the file has, where a reader has changed it


@dataclass(slots=True)
class DocumentDraft:
    """A file's content before assembly."""

    format: str
    pages: int = 1
    lines: list[DraftLine] = field(default_factory=list)
    hidden: list[Hidden] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)
    partial: bool = False  # something was lost; a warning says what


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """How much of one file is read; beyond it a reader raises or marks the draft partial."""

    unpacked_bytes: int = 200_000_000  # all members of an archive together
    members: int = 5_000
    ratio: int = 200  # unpacked to packed, for members over a megabyte
    pages: int = 200
    characters: int = 2_000_000
    table_cells: int = 50_000
    nesting: int = 40  # tables in tables, boxes in boxes
    ocr: str = "auto"  # who reads scanned pages: auto, tesseract, rapidocr, off
    ocr_pages: int = 10
    seconds: float = 15.0  # a reader that can stop early does so and marks the draft partial


# Colours of text and of what lies behind it: when a person can no longer tell them apart.

RGB = tuple[int, int, int]

BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)
# White on #e8e8e8 is the last step a careful eye still finds on a screen.
_STEPS = 24


def too_close(text: RGB, background: RGB) -> bool:
    """Whether text of this colour disappears in the background."""
    return all(abs(a - b) <= _STEPS for a, b in zip(text, background, strict=True))


def to_hex(color: RGB) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)


def blend(over: RGB, under: RGB, alpha: float) -> RGB:
    """The colour seen where a translucent one lies over another."""
    red, green, blue = (round(a * alpha + b * (1 - alpha)) for a, b in zip(over, under, strict=True))
    return red, green, blue
