"""Manuscript to PDF, in one of many designs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from random import Random

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from evenhand_lab.corpora.files.looks import TINY_POINTS, Secret, segments
from evenhand_lab.corpora.files.pdf.designs import (
    A4,
    DESIGNS,
    LETTER,
    WHITE,
    ColumnStyle,
    Paper,
    PdfDesign,
    Sidebar,
    side_style_of,
    style_of,
)
from evenhand_lab.corpora.files.pdf.pieces import (
    HELVETICA,
    VERA,
    BoxShape,
    Dot,
    FlowPiece,
    Ink,
    PageColumn,
    PdfPage,
    RuleShape,
    Shape,
    TextShape,
    can_write,
    fill,
    height_of,
    moved,
    plain_words,
    register_vera,
    shifted,
    spaced,
    wrap,
)
from evenhand_lab.corpora.files.pdf.sections import set_blocks, set_sections, set_words, tint
from evenhand_lab.corpora.manuscript import (
    Block,
    Manuscript,
    ManuscriptLine,
    ManuscriptSection,
    TextRun,
    Words,
    to_plain,
)

# Small drawn pictures beside contact data.


ICON_WIDTH = 15.0
ICON_SIZE = 8.0


def icon_for(label: str | None, color: str, line_height: float) -> tuple[Shape, ...]:
    """An envelope, a telephone, a chain, or the pin of a map, centred on its line."""
    top = (line_height - ICON_SIZE) / 2
    match label:
        case "email":
            return (
                BoxShape(0, top + 1, ICON_SIZE + 1, ICON_SIZE - 2, stroke=color, thickness=0.8),
                RuleShape(0, top + 1, (ICON_SIZE + 1) / 2, top + 4.4, color, 0.8),
                RuleShape((ICON_SIZE + 1) / 2, top + 4.4, ICON_SIZE + 1, top + 1, color, 0.8),
            )
        case "phone":
            return (
                BoxShape(2, top - 0.5, ICON_SIZE - 3, ICON_SIZE + 1, stroke=color, thickness=0.9, radius=1.2),
                Dot(2 + (ICON_SIZE - 3) / 2, top + ICON_SIZE - 1.4, 0.6, fill=color),
            )
        case "link" | "url":
            return (Dot(2.6, top + ICON_SIZE / 2, 2.3, stroke=color), Dot(6.4, top + ICON_SIZE / 2, 2.3, stroke=color))
    return (
        Dot(4.5, top + 3, 2.6, stroke=color),
        Dot(4.5, top + 3, 0.9, fill=color),
        RuleShape(4.5, top + 5.6, 4.5, top + ICON_SIZE + 0.4, color, 1.1),
    )


# The head of a resume: name and contact, as each design arranges them.

AFTER_HEAD = 6.0


@dataclass(frozen=True, slots=True)
class PdfHeader:
    """The first section taken apart."""

    names: tuple[ManuscriptLine, ...]  # and what is set with the name: an occupation, "Curriculum Vitae"
    contacts: tuple[ManuscriptLine, ...]
    others: tuple[Block, ...]


def take_apart(section: ManuscriptSection) -> PdfHeader:
    lines = [block for block in section.blocks if isinstance(block, ManuscriptLine)]
    names = tuple(line for line in lines if line.role in ("name", "tagline"))
    contacts = tuple(line for line in lines if line.role == "contact")
    others = tuple(block for block in section.blocks if block not in (*names, *contacts))
    return PdfHeader(names, contacts, others)


def set_head(section: ManuscriptSection, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """All of it over the full width."""
    head = take_apart(section)
    match style.design.head:
        case "centred":
            pieces = set_names(head, style, width, "centre") + set_contacts(head, style, width, "centre")
        case "split":
            pieces = set_split(head, style, width)
        case "band":
            pieces = set_band(head, style, width)
        case "icons":
            pieces = set_names(head, style, width, "left") + set_icons(head, style, width)
        case _:
            pieces = set_names(head, style, width, "left") + set_contacts(head, style, width, "left")
    others = set_blocks(replace(section, blocks=head.others), style, width) if head.others else []
    return [*pieces, *spaced(others, AFTER_HEAD), FlowPiece(AFTER_HEAD, ())]


def set_names(head: PdfHeader, style: ColumnStyle, width: float, align: str) -> list[FlowPiece]:
    design = style.design
    color = style.heading.color if design.heading != "band" else style.accent
    face = design.heading_face or design.face
    inks = {
        "name": Ink(face, design.name_size, color, bold=True, upper=design.name_upper, leading=1.25),
        "tagline": replace(style.text, size=design.size * 1.12, color=design.soft),
    }
    pieces: list[FlowPiece] = []
    for line in head.names:
        words = (*line.words, TextRun(" "), *line.aside) if line.aside else line.words
        pieces += spaced(set_words(words, inks[line.role], width, align=align), 2.0)
    return pieces


def set_contacts(head: PdfHeader, style: ColumnStyle, width: float, align: str) -> list[FlowPiece]:
    ink = replace(style.text, size=style.text.size * 0.97)
    pieces: list[FlowPiece] = []
    for line in head.contacts:
        words = (*line.words, *((TextRun("  |  "), *line.aside) if line.aside else ()))
        pieces += set_words(words, ink, width, align=align)
    return spaced(pieces, 4.0)


def stacked(pieces: Sequence[FlowPiece]) -> tuple[Shape, ...]:
    """The shapes of several pieces as of one."""
    shapes: list[Shape] = []
    y = 0.0
    for index, piece in enumerate(pieces):
        y += piece.before if index else 0.0
        shapes += [shifted(shape, 0, y) for shape in piece.shapes]
        y += piece.height
    return tuple(shapes)


def set_split(head: PdfHeader, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """Name at the left, contact data at the right, a line below both."""
    left_width = width * 0.56
    left = set_names(head, style, left_width, "left")
    ink = replace(style.text, size=style.text.size * 0.95, color=style.design.soft)
    right_width = width - left_width - 16
    right: list[FlowPiece] = []
    for line in head.contacts:
        for words in segments(line):
            right += set_words(words, ink, right_width, align="right")
    height = max(height_of(left), height_of(right)) + 6
    shapes = (*stacked(left), *stacked(moved(right, width - right_width)))
    return [FlowPiece(height, (*shapes, BoxShape(0, height - 1, width, 1.4, fill=style.accent)))]


def set_band(head: PdfHeader, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """White words on a coloured band from edge to edge of the paper."""
    white = replace(
        style,
        text=replace(style.text, color=WHITE),
        heading=replace(style.heading, color=WHITE),
        accent=WHITE,
        design=replace(style.design, soft="#e8e8e8"),
    )
    pieces = set_names(head, white, width, "left") + set_contacts(head, white, width, "left")
    height = height_of(pieces)
    margins = style.design.margins
    band = BoxShape(
        -margins.left, -margins.top, width + margins.left + margins.right, height + margins.top + 14, fill=style.accent
    )
    return [FlowPiece(height + 22, (band, *stacked(pieces)))]


def set_icons(head: PdfHeader, style: ColumnStyle, width: float) -> list[FlowPiece]:
    """Contact data in two columns, each with its drawn icon."""
    ink = replace(style.text, size=style.text.size * 0.97)
    parts = [words for line in head.contacts for words in segments(line)]
    column = width / 2
    rows: list[FlowPiece] = []
    for index in range(0, len(parts), 2):
        cells = [set_with_icon(words, ink, style.accent, column - 10) for words in parts[index : index + 2]]
        shapes = [shifted(s, place * column, 0) for place, cell in enumerate(cells) for s in stacked(cell)]
        rows.append(FlowPiece(max(height_of(cell) for cell in cells) + 2, tuple(shapes)))
    return spaced(rows, 6.0)


def set_with_icon(words: Words, ink: Ink, color: str, width: float) -> list[FlowPiece]:
    pieces = moved(set_words(words, ink, width - ICON_WIDTH), ICON_WIDTH)
    label = next((run.label for run in words if run.label), None)
    icon = icon_for(label, color, ink.height)
    return [replace(pieces[0], shapes=(*icon, *pieces[0].shapes)), *pieces[1:]] if pieces else []


def set_side_contacts(section: ManuscriptSection, style: ColumnStyle, width: float, *, icons: bool) -> list[FlowPiece]:
    """Contact data one below the other, for a bar at the side."""
    pieces: list[FlowPiece] = []
    for line in take_apart(section).contacts:
        for words in segments(line):
            with_icon = set_with_icon(words, style.text, style.text.color, width) if icons else None
            pieces += spaced(with_icon or set_words(words, style.text, width), 2.5)
    return pieces


# A whole resume in one design: which section runs in which column, and what every page carries.

MAIN = ("profile", "experience", "projects")
SHORT_PAGE = 0.2  # of the height: with less on it, the last page is avoided
SQUEEZES = (0.97, 0.94)
LONGEST_BESIDE, VERY_LONG = 90, 2000  # words
COLUMN_GAP = 24.0
BAR_PAD = 18.0


def compose(manuscript: Manuscript, design: PdfDesign, accent: str, paper: Paper) -> list[PdfPage]:
    """Every page as shapes, measured from its top left corner."""
    pages = set_pages(manuscript, design, accent, paper)
    for squeeze in SQUEEZES:  # as people do when a few lines would stand alone on a last page
        lowest = max((shape.y for shape in pages[-1] if isinstance(shape, TextShape)), default=0.0)
        if len(pages) == 1 or lowest > SHORT_PAGE * paper.height:
            break
        gaps = {name: getattr(design, name) * squeeze**3 for name in ("section_gap", "entry_gap", "line_gap")}
        tighter = set_pages(manuscript, replace(design, size=design.size * squeeze, **gaps), accent, paper)
        pages = tighter if len(tighter) < len(pages) else pages
    if design.footer and len(pages) > 1:
        name = name_of(manuscript.sections[0])
        ink = Ink(design.face, max(7.0, design.size * 0.78), design.soft)
        for number, page in enumerate(pages, start=1):
            text = design.footer.format(page=number, pages=len(pages), name=name)
            line = wrap(plain_words(text), ink, paper.width)[0]
            page.append(TextShape((paper.width - line.width) / 2, paper.height - design.margins.bottom * 0.45, line))
    return pages


def set_pages(manuscript: Manuscript, design: PdfDesign, accent: str, paper: Paper) -> list[PdfPage]:
    head, *rest = manuscript.sections
    sections = [s for s in rest if s.type in design.first] + [s for s in rest if s.type not in design.first]
    if design.side:
        return _with_bar(head, sections, design, design.side, accent, paper)
    style = style_of(design, accent)
    margins = design.margins
    width = paper.width - margins.left - margins.right
    top, bottom = margins.top, paper.height - margins.bottom
    head_pieces = set_head(head, style, width)
    pages: list[PdfPage] = [[]]
    if not design.columns:
        pieces = [*head_pieces, *set_sections(sections, style, width)]
        fill(pages, PageColumn(margins.left, top, bottom, top), pieces)
        return pages
    # A head over both columns; jobs and projects at the left, the rest at the right.
    below = fill(pages, PageColumn(margins.left, top, bottom, top), head_pieces) + 4
    inner = width - COLUMN_GAP
    options = [
        (set_sections(left, style, inner * share), set_sections(right, style, inner * (1 - share)), share)
        for left, right in (divided(sections), divided(sections, longest=VERY_LONG))
        for share in (0.5, 0.57, 0.64)
    ]
    # Sections and width are shared so that one column is not left empty where the other runs on.
    left_pieces, right_pieces, share = min(options, key=lambda o: max(height_of(o[0]), height_of(o[1])))
    fill(pages, PageColumn(margins.left, top, bottom, below), left_pieces)
    right_x = margins.left + inner * share + COLUMN_GAP
    fill(pages, PageColumn(right_x, top, bottom, below), right_pieces)
    return pages


def _with_bar(
    head: ManuscriptSection,
    sections: Sequence[ManuscriptSection],
    design: PdfDesign,
    side: Sidebar,
    accent: str,
    paper: Paper,
) -> list[PdfPage]:
    """Contact data and the smaller sections in a bar along the side of the paper."""
    margins = design.margins
    main_width = paper.width - side.width - margins.left - margins.right
    main_x = side.width + margins.left if side.at == "left" else margins.left
    bar_x = 0.0 if side.at == "left" else paper.width - side.width
    top, bottom = margins.top, paper.height - margins.bottom
    style, side_style = style_of(design, accent), side_style_of(design, side, accent)
    main, beside = divided(sections)
    others = replace(head, blocks=take_apart(head).others)
    names = [*set_names(take_apart(head), style, main_width, "left"), FlowPiece(4, ())]
    main_pieces = [*names, *set_blocks(others, style, main_width), *set_sections(main, style, main_width)]
    bar_width = side.width - 2 * BAR_PAD
    bar_pieces = set_side_contacts(head, side_style, bar_width, icons=design.bullet == "square")
    bar_pieces += spaced(set_sections(beside, side_style, bar_width), side_style.design.section_gap * 1.3)
    pages: list[PdfPage] = [[]]
    fill(pages, PageColumn(main_x, top, bottom, top), main_pieces)
    fill(pages, PageColumn(bar_x + BAR_PAD, top, bottom, top + 6), bar_pieces)
    fill_color = {"accent": accent, "tint": tint(accent, 0.12)}.get(side.fill or "", side.fill)
    bar = BoxShape(bar_x, 0, side.width, paper.height, fill=fill_color)
    return [[bar, *page] for page in pages]


def name_of(head: ManuscriptSection) -> str:
    names = [line for line in take_apart(head).names if line.role == "name"]
    return "".join(run.text for line in names for run in line.words)


def divided(
    sections: Sequence[ManuscriptSection], *, longest: int = LONGEST_BESIDE
) -> tuple[list[ManuscriptSection], list[ManuscriptSection]]:
    """Main and side; tables are too wide for the side, and long sections too long."""

    def is_main(section: ManuscriptSection) -> bool:
        lines = [block for block in section.blocks if isinstance(block, ManuscriptLine)]
        words = sum(len(run.text.split()) for line in lines for run in line.words)
        return section.type in MAIN or len(lines) < len(section.blocks) or words > longest

    return [s for s in sections if is_main(s)], [s for s in sections if not is_main(s)]


MIN_SIDE_SECTIONS = 2  # sections in a bar at the side


def choose_design(manuscript: Manuscript, rng: Random) -> str:
    """A design that suits: no bar at the side with nothing to hold, or empty from page two in a long resume."""
    words = len(to_plain(manuscript).text.split())
    beside = divided(manuscript.sections[1:])[1]
    fitting = [
        design
        for design in DESIGNS.values()
        if words <= design.most_words and (design.side is None or len(beside) >= MIN_SIDE_SECTIONS)
    ]
    return rng.choices([design.name for design in fitting], [design.weight for design in fitting])[0]


def write_pdf(manuscript: Manuscript, design_name: str, rng: Random, secret: Secret | None = None) -> bytes:
    # The same design as different people use it: another colour, a little larger or smaller, other paper.
    design = DESIGNS[design_name]
    accent = rng.choice(design.accents)
    scale = rng.choice((0.95, 1.0, 1.0, 1.0, 1.04))
    paper = rng.choice((A4, LETTER))
    design = replace(design, size=design.size * scale, heading_size=design.heading_size * scale)
    text = to_plain(manuscript).text
    if not can_write(design.face, text) or not can_write(design.heading_face or design.face, text):
        design = replace(design, face=VERA, heading_face=None, size=design.size * 0.9)
    if design.face is VERA:
        register_vera()
    pages = compose(manuscript, design, accent, paper)
    # `invariant` leaves out the time and the random identifier that reportlab would write.
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=paper, invariant=1, pageCompression=1)
    name = name_of(manuscript.sections[0])
    canvas.setTitle(f"{name} - Resume")
    canvas.setAuthor(name)
    for number, shapes in enumerate(pages):
        for shape in shapes:
            draw(canvas, shape, paper.height)
        if secret and not number:
            hide(canvas, secret, design, paper)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def draw(canvas: Canvas, shape: Shape, top: float) -> None:
    def paint(fill: str | None, stroke: str | None, thickness: float) -> dict[str, int]:
        if fill:
            canvas.setFillColor(HexColor(fill))
        if stroke:
            canvas.setStrokeColor(HexColor(stroke))
            canvas.setLineWidth(thickness)
        return {"fill": int(fill is not None), "stroke": int(stroke is not None)}

    match shape:
        case TextShape():
            text = canvas.beginText(shape.x, top - shape.y)
            text.setFillColor(HexColor(shape.line.color))
            for fragment in shape.line.fragments:
                text.setFont(fragment.font, shape.line.size)
                text.textOut(fragment.text)
            canvas.drawText(text)
        case BoxShape():
            paints = paint(shape.fill, shape.stroke, shape.thickness)
            y = top - shape.y - shape.height
            if shape.radius:
                canvas.roundRect(shape.x, y, shape.width, shape.height, shape.radius, **paints)
            else:
                canvas.rect(shape.x, y, shape.width, shape.height, **paints)
        case RuleShape():
            paint(None, shape.color, shape.thickness)
            canvas.line(shape.x, top - shape.y, shape.to_x, top - shape.to_y)
        case Dot():
            paints = paint(shape.fill, shape.stroke, 0.8)
            canvas.circle(shape.x, top - shape.y, shape.radius, **paints)


# Words put into a PDF so that no reader of the page sees them.

HIDDEN_SIZE = 5.0
LOWEST = 4.0  # of the last line, above the edge of the paper: below any footer
INVISIBLE = 3  # the text rendering mode that paints nothing


def hide(canvas: Canvas, secret: Secret, design: PdfDesign, paper: Paper) -> None:
    """At the foot of the page, beside any coloured bar; or beyond the edge of the paper."""
    size = TINY_POINTS if secret.how == "tiny" else HIDDEN_SIZE
    bar = design.side  # beside it the paper is white
    left = (bar.width if bar and bar.at == "left" else 0.0) + 20
    right = (paper.width - bar.width if bar and bar.at == "right" else paper.width) - 20
    lines = wrap(plain_words(secret.text), Ink(HELVETICA, size, "#000000"), right - left)
    top = LOWEST + (len(lines) - 1) * (size + 1)
    canvas.saveState()
    text = canvas.beginText(paper.width + 40 if secret.how == "off_page" else left, top)
    text.setFont(HELVETICA.regular, size, size + 1)
    colors = {"white": HexColor("#ffffff"), "transparent": Color(0, 0, 0, alpha=0.0)}
    text.setFillColor(colors.get(secret.how, HexColor("#000000")))
    if secret.how == "invisible":
        text.setTextRenderMode(INVISIBLE)
    for line in lines:
        text.textLine("".join(fragment.text for fragment in line.fragments))
    canvas.drawText(text)
    if secret.how == "covered":
        canvas.setFillColor(HexColor("#ffffff"))
        canvas.rect(left - 2, LOWEST - 3, right - left + 4, top + size, fill=1, stroke=0)
    canvas.restoreState()
