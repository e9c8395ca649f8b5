"""A section: its heading, then its blocks with the space that belongs between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from evenhand.corpora.files.pdf.design import Style
from evenhand.corpora.files.pdf.lines import plain_words, wrap
from evenhand.corpora.files.pdf.pieces import Dot, Piece, Rule, glued, height_of, moved, spaced
from evenhand.corpora.files.pdf.setting import beside, gutter_lines, set_heading, set_line
from evenhand.corpora.files.pdf.tables import set_table
from evenhand.corpora.manuscript import Line, Section, Table

LONGEST_LABEL = 90  # characters
TIMED = ("experience", "projects", "education")


def set_sections(sections: Iterable[Section], style: Style, width: float) -> list[Piece]:
    pieces: list[Piece] = []
    for section in sections:
        pieces += spaced(set_section(section, style, width), style.section_gap)
    return pieces


def set_section(section: Section, style: Style, width: float) -> list[Piece]:
    if style.heading_look == "label":
        return labelled(section, style, width)
    indent = style.gutter if style.dates == "left" and has_asides(section) else 0.0
    inner = style if indent or style.dates != "left" else replace(style, dates="right")
    blocks = moved(set_blocks(section, inner, width - indent), indent)
    if style.timeline and indent:
        blocks = with_timeline(blocks, indent - 8, style)
    heading = set_heading(section.heading, style, width) if section.heading else []
    return [*heading, *blocks]


def has_asides(section: Section) -> bool:
    return section.type in TIMED and any(isinstance(block, Line) and block.aside for block in section.blocks)


def labelled(section: Section, style: Style, width: float) -> list[Piece]:
    """The heading stands at the left of its section instead of above it."""
    gutter = style.gutter
    plain = replace(style, dates="right")
    pieces = moved(set_blocks(section, plain, width - gutter), gutter)
    if not section.heading:
        return pieces
    lines = wrap(plain_words(section.heading), style.heading, gutter - 14)
    lacking = len(lines) * style.heading.height - height_of(pieces)
    pieces = beside(lines, style.heading, 0, pieces)
    return ended([*pieces, Piece(lacking, ())] if lacking > 0 else pieces)


def set_blocks(section: Section, style: Style, width: float) -> list[Piece]:
    pieces: list[Piece] = []
    before: Line | Table | None = None
    hanging = 0.0  # how far the dates in the gutter still reach down
    for block in section.blocks:
        made = set_table(block, style, width) if isinstance(block, Table) else set_line(block, style, width)
        if section.type in TIMED and is_label(block):  # "Client: ..." is about what follows
            made = glued(made)
        gap = gap_between(before, block, style) if before else 0.0
        dates = gutter_lines(block, style) if isinstance(block, Line) else []
        if dates:
            gap += max(0.0, hanging - gap)
            hanging = len(dates) * style.aside.height + gap
        pieces += spaced(made, gap)
        hanging = max(0.0, hanging - gap - height_of(made))
        before = block
    return ended([*pieces, Piece(hanging, ())] if hanging > 0 else pieces)


def ended(pieces: list[Piece]) -> list[Piece]:
    """What introduces more must not, as the last piece, hold on to another section."""
    return [*pieces[:-1], replace(pieces[-1], glued=False)] if pieces else []


def is_label(block: Line | Table | None) -> bool:
    """A short line that begins in bold and with a colon: "Role: Developer"."""
    if not isinstance(block, Line) or block.bullet or not block.words or not block.words[0].bold:
        return False
    text = "".join(run.text for run in block.words)
    return ":" in text[:24] and len(text) < LONGEST_LABEL


def gap_between(before: Line | Table | None, block: Line | Table, style: Style) -> float:
    if isinstance(block, Table) or isinstance(before, Table):
        return style.entry_gap * 0.8
    if block.role == "title":
        return style.entry_gap
    follows_title = before is not None and before.role in ("title", "subtitle")
    if block.role == "subtitle" and not follows_title:  # a project inside a job
        return style.entry_gap * 0.6
    if follows_title:
        return style.line_gap * 0.5
    if is_label(block) and before is not None and before.bullet:  # the next project
        return style.entry_gap * 0.6
    return style.line_gap


def with_timeline(pieces: list[Piece], x: float, style: Style) -> list[Piece]:
    """A line down the side, with a dot where an entry begins (it has something left of the line)."""
    result = []
    for index, piece in enumerate(pieces):
        top = -piece.before if index else 2.0
        shapes = (Rule(x, top, x, piece.height, style.accent, 0.8), *piece.shapes)
        if any(shape.x < x - 20 for shape in piece.shapes):
            shapes = (*shapes, Dot(x, style.title.height / 2, 2.6, fill=style.accent))
        result.append(replace(piece, shapes=shapes))
    return result
