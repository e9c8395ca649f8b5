"""The head of a resume: name and contact, as each design arranges them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evenhand.corpora.files.contacts import segments
from evenhand.corpora.files.pdf.design import WHITE, Design, Style
from evenhand.corpora.files.pdf.icons import ICON_WIDTH, icon_for
from evenhand.corpora.files.pdf.lines import Ink
from evenhand.corpora.files.pdf.pieces import Box, Piece, Shape, height_of, moved, shifted, spaced
from evenhand.corpora.files.pdf.sections import set_blocks
from evenhand.corpora.files.pdf.setting import set_words
from evenhand.corpora.manuscript import Block, Line, Run, Section, Words

AFTER_HEAD = 6.0


@dataclass(frozen=True, slots=True)
class Head:
    """The first section taken apart."""

    names: tuple[Line, ...]  # and what is set with the name: an occupation, "Curriculum Vitae"
    contacts: tuple[Line, ...]
    others: tuple[Block, ...]


def take_apart(section: Section) -> Head:
    lines = [block for block in section.blocks if isinstance(block, Line)]
    names = tuple(line for line in lines if line.role in ("name", "tagline"))
    contacts = tuple(line for line in lines if line.role == "contact")
    others = tuple(block for block in section.blocks if block not in (*names, *contacts))
    return Head(names, contacts, others)


def set_head(section: Section, design: Design, style: Style, width: float) -> list[Piece]:
    """All of it over the full width."""
    head = take_apart(section)
    match design.head:
        case "centred":
            pieces = set_names(head, design, style, width, "centre") + set_contacts(
                head, style, width, "centre"
            )
        case "split":
            pieces = set_split(head, design, style, width)
        case "band":
            pieces = set_band(head, design, style, width)
        case "icons":
            pieces = set_names(head, design, style, width, "left") + set_icons(head, style, width)
        case _:
            pieces = set_names(head, design, style, width, "left") + set_contacts(head, style, width, "left")
    others = set_blocks(replace(section, blocks=head.others), style, width) if head.others else []
    return [*pieces, *spaced(others, AFTER_HEAD), Piece(AFTER_HEAD, ())]


def name_ink(design: Design, style: Style) -> Ink:
    return Ink(
        design.heading_face or design.face,
        design.name_size,
        style.heading.color if design.heading != "band" else style.accent,
        bold=True,
        upper=design.name_upper,
        leading=1.25,
    )


def set_names(head: Head, design: Design, style: Style, width: float, align: str) -> list[Piece]:
    inks = {
        "name": name_ink(design, style),
        "tagline": replace(style.text, size=design.size * 1.12, color=design.soft),
    }
    pieces: list[Piece] = []
    for line in head.names:
        words = (*line.words, *spaced_words(line.aside))
        pieces += spaced(set_words(words, inks[line.role], width, align=align), 2.0)
    return pieces


def spaced_words(words: Words) -> Words:
    return (Run(" "), *words) if words else ()


def set_contacts(head: Head, style: Style, width: float, align: str) -> list[Piece]:
    ink = replace(style.text, size=style.text.size * 0.97)
    pieces: list[Piece] = []
    for line in head.contacts:
        words = (*line.words, *((Run("  |  "), *line.aside) if line.aside else ()))
        pieces += set_words(words, ink, width, align=align)
    return spaced(pieces, 4.0)


def stacked(pieces: Sequence[Piece]) -> tuple[Shape, ...]:
    """The shapes of several pieces as of one."""
    shapes: list[Shape] = []
    y = 0.0
    for index, piece in enumerate(pieces):
        y += piece.before if index else 0.0
        shapes += [shifted(shape, 0, y) for shape in piece.shapes]
        y += piece.height
    return tuple(shapes)


def set_split(head: Head, design: Design, style: Style, width: float) -> list[Piece]:
    """Name at the left, contact data at the right, a line below both."""
    left_width = width * 0.56
    left = set_names(head, design, style, left_width, "left")
    ink = replace(style.text, size=style.text.size * 0.95, color=design.soft)
    right_width = width - left_width - 16
    right: list[Piece] = []
    for line in head.contacts:
        for words in segments(line):
            right += set_words(words, ink, right_width, align="right")
    height = max(height_of(left), height_of(right)) + 6
    shapes = (*stacked(left), *stacked(moved(right, width - right_width)))
    return [Piece(height, (*shapes, Box(0, height - 1, width, 1.4, fill=style.accent)))]


def set_band(head: Head, design: Design, style: Style, width: float) -> list[Piece]:
    """White words on a coloured band from edge to edge of the paper."""
    white = replace(
        style,
        text=replace(style.text, color=WHITE),
        heading=replace(style.heading, color=WHITE),
        accent=WHITE,
    )
    pale = replace(design, soft="#e8e8e8")
    pieces = set_names(head, pale, white, width, "left") + set_contacts(head, white, width, "left")
    height = height_of(pieces)
    margins = design.margins
    band = Box(
        -margins.left,
        -margins.top,
        width + margins.left + margins.right,
        height + margins.top + 14,
        fill=style.accent,
    )
    return [Piece(height + 22, (band, *stacked(pieces)))]


def set_icons(head: Head, style: Style, width: float) -> list[Piece]:
    """Contact data in two columns, each with its drawn icon."""
    ink = replace(style.text, size=style.text.size * 0.97)
    parts = [words for line in head.contacts for words in segments(line)]
    column = width / 2
    rows: list[Piece] = []
    for index in range(0, len(parts), 2):
        cells = [set_with_icon(words, ink, style.accent, column - 10) for words in parts[index : index + 2]]
        shapes = [shifted(s, place * column, 0) for place, cell in enumerate(cells) for s in stacked(cell)]
        rows.append(Piece(max(height_of(cell) for cell in cells) + 2, tuple(shapes)))
    return spaced(rows, 6.0)


def set_with_icon(words: Words, ink: Ink, color: str, width: float) -> list[Piece]:
    pieces = moved(set_words(words, ink, width - ICON_WIDTH), ICON_WIDTH)
    label = next((run.label for run in words if run.label), None)
    icon = icon_for(label, color, ink.height)
    return [replace(pieces[0], shapes=(*icon, *pieces[0].shapes)), *pieces[1:]] if pieces else []


def set_side_contacts(section: Section, style: Style, width: float, *, icons: bool) -> list[Piece]:
    """Contact data one below the other, for a bar at the side."""
    pieces: list[Piece] = []
    for line in take_apart(section).contacts:
        for words in segments(line):
            if icons:
                made = set_with_icon(words, style.text, style.text.color, width)
            else:
                made = set_words(words, style.text, width)
            pieces += spaced(made, 2.5)
    return pieces
