"""What a page is made of: pieces that are stacked, each with the shapes to draw in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from evenhand_lab.corpora.manuscript import TextRun, Words

# Fonts that need no file of ours: the standard ones of every PDF viewer, and Vera, which reportlab brings.


@dataclass(frozen=True, slots=True)
class Face:
    regular: str
    bold: str
    italic: str
    bold_italic: str

    def font_for(self, run: TextRun, *, bold: bool = False, italic: bool = False) -> str:
        slanted = run.italic or italic
        if run.bold or bold:
            return self.bold_italic if slanted else self.bold
        return self.italic if slanted else self.regular


HELVETICA = Face("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique")
TIMES = Face("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic")
COURIER = Face("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique")
VERA = Face("Vera", "VeraBd", "VeraIt", "VeraBI")


@cache
def register_vera() -> None:
    for name in (VERA.regular, VERA.bold, VERA.italic, VERA.bold_italic):
        try:
            pdfmetrics.registerFont(TTFont(name, f"{name}.ttf"))
        except TTFError as error:  # the file is part of reportlab's wheel, but not of every distribution
            raise RuntimeError(f"reportlab came without its font {name}") from error


def can_write(face: Face, text: str) -> bool:
    """Whether every character exists in the font; the standard fonts know those of Windows' western charset."""
    if face is not VERA:
        return text.encode("cp1252", "ignore").decode("cp1252") == text
    register_vera()
    known = pdfmetrics.getFont(VERA.regular).face.charToGlyph
    return all(ord(character) in known for character in text if character not in "\n\t")


@lru_cache(maxsize=50_000)
def width_of(text: str, font: str) -> float:
    """At size 1. The cache pays because resumes repeat words, and its size keeps a long run's memory flat."""
    return float(pdfmetrics.stringWidth(text, font, 1000)) / 1000


# Runs of words broken into lines of a given width.

MIN_SCALE = 0.78  # an address that does not fit is set smaller down to this share, then broken


class Fragment(NamedTuple):
    """Characters in one font, without spaces inside when part of a word."""

    text: str
    font: str


@dataclass(frozen=True, slots=True)
class Ink:
    """How words are set: fonts, size in points, colour."""

    face: Face
    size: float
    color: str
    bold: bool = False
    italic: bool = False
    upper: bool = False
    leading: float = 1.28

    @property
    def height(self) -> float:
        return self.size * self.leading


@dataclass(frozen=True, slots=True)
class PdfTextLine:
    """One line ready to draw: pieces of equal font, and how wide they are together."""

    fragments: tuple[Fragment, ...]
    size: float
    color: str
    width: float


Word = tuple[Fragment, ...]


def plain_words(text: str) -> Words:
    return (TextRun(text),)


def wrap(words: Words, ink: Ink, width: float) -> list[PdfTextLine]:
    """Greedy: as many words on each line as fit. A line is never wider than `width`."""
    lines: list[PdfTextLine] = []
    current: list[Word] = []
    used = 0.0
    space = width_of(" ", ink.face.font_for(TextRun(""), bold=ink.bold, italic=ink.italic)) * ink.size
    parts = list(split_words(words, ink))
    size, widest = ink.size, max((measure(word, ink.size) for word in parts), default=0.0)
    if widest > width:  # smaller type, or where that is not enough the word in parts
        size = max(ink.size * MIN_SCALE, ink.size * width / widest * 0.995)
        parts = [part for word in parts for part in broken(word, size, width)]
    for word in parts:
        extent = measure(word, size)
        if current and used + space + extent > width:
            lines.append(join(current, size, ink.color))
            current, used = [], 0.0
        used += extent + (space if current else 0.0)
        current.append(word)
    if current:
        lines.append(join(current, size, ink.color))
    return lines


def broken(word: Word, size: float, width: float) -> Iterator[Word]:
    """The word itself, or as many parts as its width needs."""
    if measure(word, size) <= width:
        yield word
        return
    part: list[Fragment] = []
    for text, font in word:
        for character in text:
            if part and part[-1].font == font:
                candidate = [*part[:-1], Fragment(part[-1].text + character, font)]
            else:
                candidate = [*part, Fragment(character, font)]
            if part and measure(candidate, size) > width:
                yield tuple(part)
                candidate = [Fragment(character, font)]
            part = candidate
    yield tuple(part)


def split_words(words: Words, ink: Ink) -> Iterator[Word]:
    """Words between spaces; a change of font inside a word does not break it."""
    word: list[Fragment] = []
    for run in words:
        font = ink.face.font_for(run, bold=ink.bold, italic=ink.italic)
        text = run.text.upper() if ink.upper else run.text
        for place, piece in enumerate(text.replace("\t", " ").replace("\n", " ").split(" ")):
            if place and word:
                yield tuple(word)
                word = []
            if piece:
                word.append(Fragment(piece, font))
    if word:
        yield tuple(word)


def measure(word: Iterable[Fragment], size: float) -> float:
    return sum(width_of(text, font) for text, font in word) * size


def join(words: Sequence[Word], size: float, color: str) -> PdfTextLine:
    """Words with spaces between them; neighbours of one font become one fragment."""
    fragments: list[Fragment] = []
    for place, word in enumerate(words):
        for index, (text, font) in enumerate(word):
            spaced = f" {text}" if place and not index else text
            if fragments and fragments[-1].font == font:
                fragments[-1] = Fragment(fragments[-1].text + spaced, font)
            else:
                fragments.append(Fragment(spaced, font))
    return PdfTextLine(tuple(fragments), size, color, measure(fragments, size))


@dataclass(frozen=True, slots=True)
class TextShape:
    """A line whose baseline begins at (x, y); y is measured downwards from the top of the piece."""

    x: float
    y: float
    line: PdfTextLine


@dataclass(frozen=True, slots=True)
class BoxShape:
    """A rectangle, filled or ruled or both."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    thickness: float = 0.5
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class RuleShape:
    x: float
    y: float
    to_x: float
    to_y: float
    color: str
    thickness: float = 0.6


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    radius: float
    fill: str | None = None
    stroke: str | None = None


Shape = TextShape | BoxShape | RuleShape | Dot
PdfPage = list[Shape]


@dataclass(frozen=True, slots=True)
class FlowPiece:
    """`before` is space above, dropped at the top of a column; `glued` forbids a page break below."""

    height: float
    shapes: tuple[Shape, ...]
    before: float = 0.0
    glued: bool = False


def spaced(pieces: Sequence[FlowPiece], before: float) -> list[FlowPiece]:
    """The same pieces with this much space above the first."""
    if not pieces:
        return []
    return [replace(pieces[0], before=max(before, pieces[0].before)), *pieces[1:]]


def kept(pieces: Sequence[FlowPiece]) -> list[FlowPiece]:
    """The same pieces, of which neither the first nor the last line stands alone on a page."""
    count = len(pieces)
    return [
        replace(piece, glued=True) if count > 1 and index in (0, count - 2) else piece
        for index, piece in enumerate(pieces)
    ]


def glued(pieces: Iterable[FlowPiece]) -> list[FlowPiece]:
    """The same pieces, kept together with what follows."""
    return [replace(piece, glued=True) for piece in pieces]


def shifted(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, RuleShape):
        return replace(shape, x=shape.x + x, to_x=shape.to_x + x, y=shape.y + y, to_y=shape.to_y + y)
    return replace(shape, x=shape.x + x, y=shape.y + y)


def moved(pieces: Iterable[FlowPiece], x: float) -> list[FlowPiece]:
    """The same pieces, further to the right."""
    return [replace(piece, shapes=tuple(shifted(shape, x, 0) for shape in piece.shapes)) for piece in pieces]


def height_of(pieces: Sequence[FlowPiece]) -> float:
    """Stacked, without the space above the first."""
    return sum(piece.height + (piece.before if index else 0.0) for index, piece in enumerate(pieces))


# Pieces are stacked into columns, page after page.


@dataclass(frozen=True, slots=True)
class PageColumn:
    """Where a stream of pieces runs on every page; the first page may begin lower."""

    x: float
    top: float
    bottom: float
    first_top: float


def fill(pages: list[PdfPage], column: PageColumn, pieces: Sequence[FlowPiece]) -> float:
    """Stack the pieces into the column, adding pages as needed; returns where the last page's text ends."""
    number = 0
    y = column.first_top
    at_top = True
    for group in groups_of(pieces):
        need = sum(piece.height + piece.before for piece in group)
        # A group that would fill most of a page is broken where the page ends instead.
        if not at_top and y + need > column.bottom and need < 0.6 * (column.bottom - column.top):
            number, y, at_top = number + 1, column.top, True
        for piece in group:
            before = 0.0 if at_top else piece.before
            if not at_top and y + before + piece.height > column.bottom:
                number, y, before = number + 1, column.top, 0.0
            while len(pages) <= number:
                pages.append([])
            y += before
            pages[number] += [shifted(shape, column.x, y) for shape in piece.shapes]
            y += piece.height
            at_top = False
    return y


def groups_of(pieces: Sequence[FlowPiece]) -> list[list[FlowPiece]]:
    """Runs of pieces without a permitted break between them."""
    groups: list[list[FlowPiece]] = []
    is_open = False
    for piece in pieces:
        if not is_open:
            groups.append([])
        groups[-1].append(piece)
        is_open = piece.glued
    return groups
