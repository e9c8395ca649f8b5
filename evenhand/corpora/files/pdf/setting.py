"""Lines and headings become pieces of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evenhand.corpora.files.pdf.design import Style
from evenhand.corpora.files.pdf.lines import Ink, TextLine, plain_words, wrap
from evenhand.corpora.files.pdf.pieces import (
    Box,
    Dot,
    Piece,
    Rule,
    Shape,
    Text,
    glued,
    kept,
    moved,
)
from evenhand.corpora.manuscript import Line, Words

DRAWN_BULLETS = ("dot", "square", "ring")
WIDEST_ASIDE = 0.48  # of the line; a longer one goes below
ASIDE_GAP = 14.0
BASELINE = 0.8  # of the size, from the top of a line


def text_pieces(
    lines: Sequence[TextLine], ink: Ink, *, align: str = "left", width: float = 0.0
) -> list[Piece]:
    """One piece per line."""
    pieces = []
    for line in lines:
        free = width - line.width
        x = {"left": 0.0, "centre": free / 2, "right": free}[align]
        pieces.append(Piece(ink.height, (Text(x, baseline(ink), line),)))
    return pieces


def baseline(ink: Ink) -> float:
    return (ink.height - ink.size) / 2 + ink.size * BASELINE


def set_words(words: Words, ink: Ink, width: float, *, align: str = "left") -> list[Piece]:
    return text_pieces(wrap(words, ink, width), ink, align=align, width=width)


def set_line(line: Line, style: Style, width: float) -> list[Piece]:
    """A paragraph, a list item, or the title of an entry with its dates."""
    ink = ink_for(line, style)
    if line.bullet:
        pieces = set_item(line, style, width)
    elif line.aside and style.dates == "left":
        pieces = beside(
            gutter_lines(line, style), style.aside, -style.gutter, set_words(line.words, ink, width)
        )
    elif line.aside:
        pieces = set_with_aside(line, ink, style, width)
    else:
        pieces = set_words(line.words, ink, width)
    pieces = kept(pieces)
    return glued(pieces) if line.role in ("title", "subtitle") else pieces


def gutter_lines(line: Line, style: Style) -> list[TextLine]:
    """What stands in the gutter beside a line, where dates are set at the left."""
    return wrap(line.aside, style.aside, style.gutter - 12) if style.dates == "left" else []


def ink_for(line: Line, style: Style) -> Ink:
    return {"title": style.title, "subtitle": style.subtitle}.get(line.role, style.text)


def set_with_aside(line: Line, ink: Ink, style: Style, width: float) -> list[Piece]:
    """Dates at the right margin of the first line, or below where they would not fit."""
    aside = wrap(line.aside, style.aside, width)
    if style.dates == "below" or len(aside) > 1 or aside[0].width > WIDEST_ASIDE * width:
        return [*glued(set_words(line.words, ink, width)), *text_pieces(aside, style.aside)]
    pieces = set_words(line.words, ink, width - aside[0].width - ASIDE_GAP)
    whole = set_words(line.words, ink, width)
    if len(whole) == 1 < len(pieces):  # better the dates below than one word of a name
        return [*glued(whole), *text_pieces(aside, style.aside)]
    date = Text(width - aside[0].width, baseline(ink), aside[0])
    if not pieces:
        return [Piece(ink.height, (date,))]
    return [replace(pieces[0], shapes=(*pieces[0].shapes, date)), *pieces[1:]]


def set_item(line: Line, style: Style, width: float) -> list[Piece]:
    ink = style.text
    indent = ink.size * 1.25
    inner = replace(line, bullet=False)
    pieces = moved(set_with_aside(inner, ink, style, width - indent), indent) if line.aside else moved(
        set_words(line.words, ink, width - indent), indent
    )  # fmt: skip
    if not pieces:
        return []
    marker = bullet_shape(style, ink)
    return [replace(pieces[0], shapes=(marker, *pieces[0].shapes)), *pieces[1:]]


def bullet_shape(style: Style, ink: Ink) -> Shape:
    middle = baseline(ink) - ink.size * 0.27
    color = style.accent if style.text.color != "#ffffff" else ink.color
    match style.bullet:
        case "dot":
            return Dot(ink.size * 0.45, middle, ink.size * 0.16, fill=color)
        case "ring":
            return Dot(ink.size * 0.45, middle, ink.size * 0.17, stroke=color)
        case "square":
            side = ink.size * 0.32
            return Box(ink.size * 0.3, middle - side / 2, side, side, fill=color)
    return Text(ink.size * 0.25, baseline(ink), wrap(plain_words(style.bullet), ink, 50)[0])


def beside(label: Sequence[TextLine], ink: Ink, x: float, pieces: list[Piece]) -> list[Piece]:
    """Pieces with a label to their left; where it is the taller one, it hangs down beside what follows."""
    first = pieces[0] if pieces else Piece(ink.height, ())
    shapes = [Text(x, baseline(ink) + index * ink.height, line) for index, line in enumerate(label)]
    pieces = [replace(first, shapes=(*shapes, *first.shapes)), *pieces[1:]]
    covered, index = 0.0, 0
    while covered < len(label) * ink.height and index < len(pieces):
        covered += pieces[index].height
        pieces[index] = replace(pieces[index], glued=True)
        index += 1
    return pieces


def set_heading(text: str, style: Style, width: float) -> list[Piece]:
    """The heading of a section in its design's manner, kept with what follows."""
    ink = style.heading
    look = style.heading_look
    pad = ink.size * 0.45
    if look in ("band", "tint"):
        lines = wrap(plain_words(text), ink, width - 2 * pad)
        pieces = moved(text_pieces(lines, ink), pad)
        band = Box(
            0,
            -1.5,
            width,
            len(lines) * ink.height + 3,
            fill=style.accent if look == "band" else tint(style.accent),
        )
        pieces[0] = replace(pieces[0], shapes=(band, *pieces[0].shapes))
        return closed(pieces, 4.5)
    if look in ("centred", "flanked"):
        pieces = set_words(plain_words(text), ink, width, align="centre")
        if look == "flanked" and len(pieces) == 1:
            pieces = [flank(pieces[0], style.accent, width)]
        return closed(pieces, 3)
    if look == "marker":
        pieces = moved(set_words(plain_words(text), ink, width - ink.size), ink.size)
        side = ink.size * 0.6
        square = Box(0, baseline(ink) - side * 1.05, side, side, fill=style.accent)
        pieces[0] = replace(pieces[0], shapes=(square, *pieces[0].shapes))
        return closed(pieces, 3)
    pieces = set_words(plain_words(text), ink, width)
    last = pieces[-1]
    if look == "rule_below":
        line = Rule(0, last.height + 1, width, last.height + 1, style.accent)
        pieces[-1] = replace(last, shapes=(*last.shapes, line))
        return closed(pieces, 5)
    if look == "rule_above":
        line = Rule(0, -2.5, width, -2.5, style.accent, 1.2)
        pieces[0] = replace(pieces[0], shapes=(line, *pieces[0].shapes))
    elif look == "underlined":
        extent = max(shape.line.width for shape in last.shapes if isinstance(shape, Text))
        line = Rule(0, last.height - 1, extent, last.height - 1, style.accent, 0.8)
        pieces[-1] = replace(last, shapes=(*last.shapes, line))
    return closed(pieces, 3)


def flank(piece: Piece, color: str, width: float) -> Piece:
    """Rules to both sides of centred words."""
    text = next(shape for shape in piece.shapes if isinstance(shape, Text))
    middle, gap = piece.height / 2, 8
    left = Rule(0, middle, text.x - gap, middle, color)
    right = Rule(text.x + text.line.width + gap, middle, width, middle, color)
    return replace(piece, shapes=(left, *piece.shapes, right))


def closed(pieces: list[Piece], space: float) -> list[Piece]:
    """A heading's pieces, glued to what follows, with space below."""
    return glued([*pieces[:-1], replace(pieces[-1], height=pieces[-1].height + space)])


def tint(color: str, share: float = 0.14) -> str:
    """The colour thinned with white."""
    parts = (int(color[index : index + 2], 16) for index in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)
