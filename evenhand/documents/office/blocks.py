"""What a DOCX or ODT body is made of once its markup is understood: paragraphs, tables, boxes of text."""

from __future__ import annotations

import colorsys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from evenhand.documents.draft import BLACK, RGB, WHITE, blend, to_hex, too_close


@dataclass(frozen=True, slots=True)
class SpanStyle:
    """How a stretch of text is set."""

    font: str | None = None
    size: float | None = None  # points
    bold: bool = False
    italic: bool = False
    color: str | None = None  # "#rrggbb"


@dataclass(slots=True)
class TextSpan:
    """Text of one look; a newline in it ends the line."""

    text: str
    look: SpanStyle
    page: int = 1
    hidden: str | None = None  # the reason, when a person does not see it


@dataclass(slots=True)
class OfficeParagraph:
    spans: list[TextSpan] = field(default_factory=list)
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
class OfficeCell:
    row: int
    column: int
    blocks: list[Block]
    rows: int = 1
    columns: int = 1


@dataclass(slots=True)
class OfficeTable:
    """A table; `cells` come row by row, merged ones once, at their first place."""

    rows: int
    columns: int
    cells: list[OfficeCell]
    ruled: bool = False
    page: int = 1


@dataclass(slots=True)
class TextBox:
    """A text box: it stands apart from the text around it."""

    blocks: list[Block]


Block: TypeAlias = OfficeParagraph | OfficeTable | TextBox


# What lies behind text and whether the text can be told apart from it.

Backdrop: TypeAlias = tuple[RGB, ...] | None
"""The colours behind a text; None where nobody can tell (a picture)."""

PAPER: Backdrop = (WHITE,)
DARK = 0.45


def parse_hex(value: str | None) -> RGB | None:
    """ "1F4E79", "#1f4e79" or "#abc" to a colour; None for "auto" and anything else."""
    text = (value or "").strip().lstrip("#")
    if len(text) == 3:
        text = "".join(2 * digit for digit in text)
    if len(text) != 6:
        return None
    try:
        number = int(text, 16)
    except ValueError:
        return None
    return (number >> 16, number >> 8 & 255, number & 255)


def vanishes(color: RGB, backdrop: Backdrop) -> bool:
    """Text disappears only where it is close to every colour behind it."""
    return bool(backdrop) and all(too_close(color, behind) for behind in backdrop or ())


def shows_on_any(color: RGB, underlays: Iterable[Backdrop]) -> bool:
    """Whether a dark shape or a picture may lie behind the text, as behind the white name on many resumes."""
    return any(not vanishes(color, colors) for colors in underlays)


def automatic(backdrop: Backdrop) -> RGB:
    """The colour an application chooses by itself: white on dark, else black."""
    return WHITE if backdrop and all(luminance(color) < DARK for color in backdrop) else BLACK


def luminance(color: RGB) -> float:
    red, green, blue = color
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def hex_of(color: RGB | None) -> str | None:
    return to_hex(color) if color is not None else None


def mixed(over: RGB, under: RGB, share: float) -> RGB:
    return blend(over, under, min(max(share, 0.0), 1.0))


def relit(color: RGB, *, factor: float = 1.0, offset: float = 0.0) -> RGB:
    """Luminance multiplied, then raised: how Office derives the shades of a theme colour."""
    hue, light, saturation = colorsys.rgb_to_hls(*(part / 255 for part in color))
    light = min(max(light * factor + offset, 0.0), 1.0)
    red, green, blue = colorsys.hls_to_rgb(hue, light, saturation)
    return (round(red * 255), round(green * 255), round(blue * 255))
