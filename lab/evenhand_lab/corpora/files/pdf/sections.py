"""A section: its heading, then its blocks with the space that belongs between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from evenhand_lab.corpora.files.pdf.designs import ColumnStyle
from evenhand_lab.corpora.files.pdf.pieces import (
    BoxShape,
    Dot,
    FlowPiece,
    Ink,
    PdfTextLine,
    RuleShape,
    Shape,
    TextShape,
    glued,
    height_of,
    kept,
    measure,
    moved,
    plain_words,
    spaced,
    split_words,
    width_of,
    wrap,
)
from evenhand_lab.corpora.manuscript import ManuscriptLine, ManuscriptSection, ManuscriptTable, Words

# Lines and headings become pieces of a column.


MAX_ASIDE_WIDTH = 0.48  # of the line; a longer one goes below
ASIDE_GAP = 14.0
BASELINE = 0.8  # of the size, from the top of a line


def text_pieces(lines: Sequence[PdfTextLine], ink: Ink, *, align: str = "left", width: float = 0.0) -> list[FlowPiece]:
    """One piece per line."""
    share = {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
    return [FlowPiece(ink.height, (TextShape(share * (width - line.width), baseline(ink), line),)) for line in lines]


def baseline(ink: Ink) -> float:
    return (ink.height - ink.size) / 2 + ink.size * BASELINE


def set_words(words: Words, ink: Ink, width: float, *, align: str = "left") -> list[FlowPiece]:
    return text_pieces(wrap(words, ink, width), ink, align=align, width=width)


def set_line(line: ManuscriptLine, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """A paragraph, a list item, or the title of an entry with its dates."""
    ink = {"title": style.title, "subtitle": style.subtitle}.get(line.role, style.text)
    if line.bullet:
        pieces = set_item(line, style, width)
    elif line.aside and style.design.dates == "left":
        pieces = beside(gutter_lines(line, style), style.aside, -style.design.gutter, set_words(line.words, ink, width))
    elif line.aside:
        pieces = set_with_aside(line, ink, style, width)
    else:
        pieces = set_words(line.words, ink, width)
    pieces = kept(pieces)
    return glued(pieces) if line.role in ("title", "subtitle") else pieces


def gutter_lines(line: ManuscriptLine, style: ColumnStyle) -> list[PdfTextLine]:
    """What stands in the gutter beside a line, where dates are set at the left."""
    return wrap(line.aside, style.aside, style.design.gutter - 12) if style.design.dates == "left" else []


def set_with_aside(line: ManuscriptLine, ink: Ink, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """Dates at the right margin of the first line, or below where they would not fit."""
    aside = wrap(line.aside, style.aside, width)
    if style.design.dates == "below" or len(aside) > 1 or aside[0].width > MAX_ASIDE_WIDTH * width:
        return [*glued(set_words(line.words, ink, width)), *text_pieces(aside, style.aside)]
    pieces = set_words(line.words, ink, width - aside[0].width - ASIDE_GAP)
    whole = set_words(line.words, ink, width)
    if len(whole) == 1 < len(pieces):  # better the dates below than one word of a name
        return [*glued(whole), *text_pieces(aside, style.aside)]
    date = TextShape(width - aside[0].width, baseline(ink), aside[0])
    if not pieces:
        return [FlowPiece(ink.height, (date,))]
    return [replace(pieces[0], shapes=(*pieces[0].shapes, date)), *pieces[1:]]


def set_item(line: ManuscriptLine, style: ColumnStyle, width: float) -> list[FlowPiece]:
    ink = style.text
    indent = ink.size * 1.25
    inner = width - indent
    pieces = set_with_aside(line, ink, style, inner) if line.aside else set_words(line.words, ink, inner)
    if not pieces:
        return []
    first, *rest = moved(pieces, indent)
    return [replace(first, shapes=(bullet_shape(style, ink), *first.shapes)), *rest]


def bullet_shape(style: ColumnStyle, ink: Ink) -> Shape:
    middle = baseline(ink) - ink.size * 0.27
    color = style.accent if style.text.color != "#ffffff" else ink.color
    match style.design.bullet:
        case "dot":
            return Dot(ink.size * 0.45, middle, ink.size * 0.16, fill=color)
        case "ring":
            return Dot(ink.size * 0.45, middle, ink.size * 0.17, stroke=color)
        case "square":
            side = ink.size * 0.32
            return BoxShape(ink.size * 0.3, middle - side / 2, side, side, fill=color)
    return TextShape(ink.size * 0.25, baseline(ink), wrap(plain_words(style.design.bullet), ink, 50)[0])


def beside(label: Sequence[PdfTextLine], ink: Ink, x: float, pieces: list[FlowPiece]) -> list[FlowPiece]:
    """Pieces with a label to their left; where it is the taller one, it hangs down beside what follows."""
    first = pieces[0] if pieces else FlowPiece(ink.height, ())
    shapes = [TextShape(x, baseline(ink) + index * ink.height, line) for index, line in enumerate(label)]
    pieces = [replace(first, shapes=(*shapes, *first.shapes)), *pieces[1:]]
    covered, index = 0.0, 0
    while covered < len(label) * ink.height and index < len(pieces):
        covered += pieces[index].height
        pieces[index] = replace(pieces[index], glued=True)
        index += 1
    return pieces


def set_heading(text: str, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """The heading of a section in its design's manner, kept with what follows."""
    ink = style.heading
    look = style.design.heading
    pad = ink.size * 0.45
    if look in ("band", "tint"):
        lines = wrap(plain_words(text), ink, width - 2 * pad)
        pieces = moved(text_pieces(lines, ink), pad)
        band = BoxShape(
            0, -1.5, width, len(lines) * ink.height + 3, fill=style.accent if look == "band" else tint(style.accent)
        )
        pieces[0] = replace(pieces[0], shapes=(band, *pieces[0].shapes))
        return closed(pieces, 4.5)
    if look == "flanked":
        pieces = set_words(plain_words(text), ink, width, align="centre")
        if len(pieces) == 1:
            text_shape = next(shape for shape in pieces[0].shapes if isinstance(shape, TextShape))
            middle, end = pieces[0].height / 2, text_shape.x + text_shape.line.width
            left = RuleShape(0, middle, text_shape.x - 8, middle, style.accent)
            right = RuleShape(end + 8, middle, width, middle, style.accent)
            pieces = [replace(pieces[0], shapes=(left, *pieces[0].shapes, right))]
        return closed(pieces, 3)
    if look == "marker":
        pieces = moved(set_words(plain_words(text), ink, width - ink.size), ink.size)
        side = ink.size * 0.6
        square = BoxShape(0, baseline(ink) - side * 1.05, side, side, fill=style.accent)
        pieces[0] = replace(pieces[0], shapes=(square, *pieces[0].shapes))
        return closed(pieces, 3)
    pieces = set_words(plain_words(text), ink, width)
    last = pieces[-1]
    if look == "rule_below":
        line = RuleShape(0, last.height + 1, width, last.height + 1, style.accent)
        pieces[-1] = replace(last, shapes=(*last.shapes, line))
        return closed(pieces, 5)
    if look == "rule_above":
        line = RuleShape(0, -2.5, width, -2.5, style.accent, 1.2)
        pieces[0] = replace(pieces[0], shapes=(line, *pieces[0].shapes))
    elif look == "underlined":
        extent = max(shape.line.width for shape in last.shapes if isinstance(shape, TextShape))
        line = RuleShape(0, last.height - 1, extent, last.height - 1, style.accent, 0.8)
        pieces[-1] = replace(last, shapes=(*last.shapes, line))
    return closed(pieces, 3)


def closed(pieces: list[FlowPiece], space: float) -> list[FlowPiece]:
    """A heading's pieces, glued to what follows, with space below."""
    return glued([*pieces[:-1], replace(pieces[-1], height=pieces[-1].height + space)])


def tint(color: str, share: float = 0.14) -> str:
    """The colour thinned with white."""
    parts = (int(color[index : index + 2], 16) for index in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * share):02x}" for part in parts)


# A manuscript's table as rows of ruled cells.

PAD = 4.0
SHORT = 0.18  # of the table: a column that needs less is not broken
LINE_COLOR = "#777777"


def set_table(table: ManuscriptTable, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """One piece per row; the header row stays with the next one."""
    ink = replace(style.text, size=style.text.size * 0.95)
    head = replace(ink, bold=True)
    widths = column_widths(table, ink, head, width)
    pieces = []
    for index, row in enumerate(table.rows):
        is_head = index == 0 and table.has_header
        piece = set_row(row, widths, head if is_head else ink, style, is_head=is_head, is_first=not index)
        pieces.append(replace(piece, glued=not index and len(table.rows) > 1))
    return pieces


def column_widths(table: ManuscriptTable, ink: Ink, head: Ink, width: float) -> list[float]:
    """Every column gets its longest word; what is left over is shared by how much text a column has."""
    count = max(len(row) for row in table.rows)
    least, wanted = [2 * PAD] * count, [2 * PAD] * count
    for index, row in enumerate(table.rows):
        for column, words in enumerate(row):
            face = head if index == 0 and table.has_header else ink
            extents = [measure(word, face.size) for word in split_words(words, face)]
            space = width_of(" ", face.face.regular) * face.size
            whole = sum(extents) + space * (len(extents) - 1) + 2 * PAD + 1
            least[column] = max([least[column], *(extent + 2 * PAD + 1 for extent in extents)])
            wanted[column] = max(wanted[column], whole)
    if sum(least) >= width:
        return [extent * width / sum(least) for extent in least]
    short = [want if want < SHORT * width else need for want, need in zip(wanted, least, strict=True)]
    if sum(short) <= width:  # years and marks stay on one line
        least = short
    lacking = [want - need for want, need in zip(wanted, least, strict=True)]
    room, total = width - sum(least), sum(lacking)
    if total <= room:  # all fits; the rest is spread evenly
        return [want + (room - total) / count for want in wanted]
    return [need + room * lack / total for need, lack in zip(least, lacking, strict=True)]


def set_row(
    row: Sequence[Words], widths: Sequence[float], ink: Ink, style: ColumnStyle, *, is_head: bool, is_first: bool
) -> FlowPiece:
    cells = [wrap(words, ink, extent - 2 * PAD) for words, extent in zip(row, widths, strict=False)]
    height = max(1, *(len(lines) for lines in cells), 1) * ink.height + PAD
    shapes: list[Shape] = [*row_frame(widths, height, style, is_head=is_head, is_first=is_first)]
    x = 0.0
    for lines, extent in zip(cells, widths, strict=False):
        top = PAD / 2 + baseline(ink)
        shapes += [TextShape(x + PAD, top + index * ink.height, line) for index, line in enumerate(lines)]
        x += extent
    return FlowPiece(height, tuple(shapes))


def row_frame(
    widths: Sequence[float], height: float, style: ColumnStyle, *, is_head: bool, is_first: bool
) -> list[Shape]:
    """The rules of a row: all around each cell, or only below the row."""
    whole = sum(widths)
    shaded = tint(style.accent) if is_head and style.design.table in ("grid", "header") else None
    if style.design.table == "grid":
        boxes: list[Shape] = []
        x = 0.0
        for extent in widths:
            boxes.append(BoxShape(x, 0, extent, height, fill=shaded, stroke=LINE_COLOR))
            x += extent
        return boxes
    if style.design.table == "bare":
        return []
    shapes: list[Shape] = [BoxShape(0, 0, whole, height, fill=shaded)] if shaded else []
    if is_first and style.design.heading != "rule_below":  # two rules close together look like a mistake
        shapes.append(RuleShape(0, 0, whole, 0, style.accent))
    return [*shapes, RuleShape(0, height, whole, height, style.accent if is_head else "#bbbbbb")]


MAX_LABEL_LENGTH = 90  # characters
TIMED = ("experience", "projects", "education")


def set_sections(sections: Iterable[ManuscriptSection], style: ColumnStyle, width: float) -> list[FlowPiece]:
    gap = style.design.section_gap
    return [piece for section in sections for piece in spaced(set_section(section, style, width), gap)]


def set_section(section: ManuscriptSection, style: ColumnStyle, width: float) -> list[FlowPiece]:
    if style.design.heading == "label":
        return labelled(section, style, width)
    lines = [block for block in section.blocks if isinstance(block, ManuscriptLine)]
    has_asides = section.type in TIMED and any(line.aside for line in lines)
    indent = style.design.gutter if style.design.dates == "left" and has_asides else 0.0
    inner = (
        style if indent or style.design.dates != "left" else replace(style, design=replace(style.design, dates="right"))
    )
    blocks = moved(set_blocks(section, inner, width - indent), indent)
    if style.design.timeline and indent:
        blocks = with_timeline(blocks, indent - 8, style)
    heading = set_heading(section.heading, style, width) if section.heading else []
    return [*heading, *blocks]


def labelled(section: ManuscriptSection, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """The heading stands at the left of its section instead of above it."""
    gutter = style.design.gutter
    plain = replace(style, design=replace(style.design, dates="right"))
    pieces = moved(set_blocks(section, plain, width - gutter), gutter)
    if not section.heading:
        return pieces
    lines = wrap(plain_words(section.heading), style.heading, gutter - 14)
    lacking = len(lines) * style.heading.height - height_of(pieces)
    pieces = beside(lines, style.heading, 0, pieces)
    return ended([*pieces, FlowPiece(lacking, ())] if lacking > 0 else pieces)


def set_blocks(section: ManuscriptSection, style: ColumnStyle, width: float) -> list[FlowPiece]:
    pieces: list[FlowPiece] = []
    before: ManuscriptLine | ManuscriptTable | None = None
    hanging = 0.0  # how far the dates in the gutter still reach down
    for block in section.blocks:
        made = set_table(block, style, width) if isinstance(block, ManuscriptTable) else set_line(block, style, width)
        if section.type in TIMED and is_label(block):  # "Client: ..." is about what follows
            made = glued(made)
        gap = gap_between(before, block, style) if before else 0.0
        dates = gutter_lines(block, style) if isinstance(block, ManuscriptLine) else []
        if dates:
            gap += max(0.0, hanging - gap)
            hanging = len(dates) * style.aside.height + gap
        pieces += spaced(made, gap)
        hanging = max(0.0, hanging - gap - height_of(made))
        before = block
    return ended([*pieces, FlowPiece(hanging, ())] if hanging > 0 else pieces)


def ended(pieces: list[FlowPiece]) -> list[FlowPiece]:
    """What introduces more must not, as the last piece, hold on to another section."""
    return [*pieces[:-1], replace(pieces[-1], glued=False)] if pieces else []


def is_label(block: ManuscriptLine | ManuscriptTable | None) -> bool:
    """A short line that begins in bold and with a colon: "Role: Developer"."""
    if not isinstance(block, ManuscriptLine) or block.bullet or not block.words or not block.words[0].bold:
        return False
    text = "".join(run.text for run in block.words)
    return ":" in text[:24] and len(text) < MAX_LABEL_LENGTH


def gap_between(
    before: ManuscriptLine | ManuscriptTable | None, block: ManuscriptLine | ManuscriptTable, style: ColumnStyle
) -> float:
    if isinstance(block, ManuscriptTable) or isinstance(before, ManuscriptTable):
        return style.design.entry_gap * 0.8
    if block.role == "title":
        return style.design.entry_gap
    follows_title = before is not None and before.role in ("title", "subtitle")
    if block.role == "subtitle" and not follows_title:  # a project inside a job
        return style.design.entry_gap * 0.6
    if follows_title:
        return style.design.line_gap * 0.5
    if is_label(block) and before is not None and before.bullet:  # the next project
        return style.design.entry_gap * 0.6
    return style.design.line_gap


def with_timeline(pieces: list[FlowPiece], x: float, style: ColumnStyle) -> list[FlowPiece]:
    """A line down the side, with a dot where an entry begins (it has something left of the line)."""
    result = []
    for index, piece in enumerate(pieces):
        top = -piece.before if index else 2.0
        shapes = (RuleShape(x, top, x, piece.height, style.accent, 0.8), *piece.shapes)
        if any(shape.x < x - 20 for shape in piece.shapes):
            shapes = (*shapes, Dot(x, style.title.height / 2, 2.6, fill=style.accent))
        result.append(replace(piece, shapes=shapes))
    return result
