"""What every format reader hands over: raw lines in reading order, before characters are normalised."""

from __future__ import annotations

from collections.abc import Iterable
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


# When letters are too small, pressed together, or set too far from their line to be read.

TINY_POINTS = 4.0
TINY_SCRIPT = 3.0  # points, of raised and lowered letters
HUGE_POINTS = 400.0  # of which a page shows a fragment
NARROWEST = 0.2  # width of letters as a share of normal
MEAN_WIDTH = 0.5  # of the size, for one character
LINE_HEIGHT = 1.2  # of the size
PRESSED = 0.05  # of the size: the step from one letter to the next when they lie on top of each other
FAR_FROM_LINE = 36.0  # points above or below, and at least three sizes
FAR_APART = 144.0  # points between letters
CLIPPED_LINE = 0.4  # of the size: what a line of that height still shows of its letters


def letters_hidden(
    size: float,
    *,
    script: float = 1.0,
    scale: float = 1.0,
    spacing: float = 0.0,
    raised: float = 0.0,
    heights: Iterable[float | None] = (),
) -> str | None:
    """Why nobody can read letters set like this; `heights` are those of the line, row and box that do not grow."""
    if size * script < (TINY_POINTS if script >= 1 else TINY_SCRIPT) or scale < NARROWEST:
        return "tiny"
    if abs(raised) > max(FAR_FROM_LINE, 3 * size) or spacing > FAR_APART:
        return "off_page"
    if size > HUGE_POINTS or MEAN_WIDTH * scale * size + spacing <= PRESSED * size:
        return "clipped"
    bounds = [height for height in heights if height is not None and height >= 0]
    if any(height < CLIPPED_LINE * size * script or 0 < height <= abs(raised) for height in bounds):
        return "clipped"
    return None
