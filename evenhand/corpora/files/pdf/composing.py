"""A whole resume in one design: which section runs in which column, and what every page carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evenhand.corpora.files.pdf.design import Design, Side, side_style_of, style_of
from evenhand.corpora.files.pdf.heads import set_head, set_names, set_side_contacts, take_apart
from evenhand.corpora.files.pdf.lines import Ink, plain_words, wrap
from evenhand.corpora.files.pdf.pages import Column, Page, fill
from evenhand.corpora.files.pdf.pieces import Box, Piece, Shape, Text, height_of, spaced
from evenhand.corpora.files.pdf.sections import set_blocks, set_sections
from evenhand.corpora.files.pdf.setting import tint
from evenhand.corpora.manuscript import Line, Manuscript, Section

MAIN = ("profile", "experience", "projects")
SHORT_PAGE = 0.2  # of the height: with less on it, the last page is avoided
SQUEEZES = (0.97, 0.94)
LONGEST_BESIDE, VERY_LONG = 90, 2000  # words
COLUMN_GAP = 24.0
BAR_PAD = 18.0


@dataclass(frozen=True, slots=True)
class Paper:
    width: float
    height: float


def compose(manuscript: Manuscript, design: Design, accent: str, paper: Paper) -> list[Page]:
    """Every page as shapes, measured from its top left corner."""
    pages = set_pages(manuscript, design, accent, paper)
    for squeeze in SQUEEZES:  # as people do when a few lines would stand alone on a last page
        if len(pages) == 1 or lowest(pages[-1]) > SHORT_PAGE * paper.height:
            break
        tighter = set_pages(manuscript, squeezed(design, squeeze), accent, paper)
        pages = tighter if len(tighter) < len(pages) else pages
    if design.footer and len(pages) > 1:
        add_footers(pages, design, paper, name_of(manuscript.sections[0]))
    return pages


def squeezed(design: Design, share: float) -> Design:
    gaps = share**3
    return replace(
        design,
        size=design.size * share,
        section_gap=design.section_gap * gaps,
        entry_gap=design.entry_gap * gaps,
        line_gap=design.line_gap * gaps,
    )


def lowest(page: Page) -> float:
    return max((shape.y for shape in page.shapes if isinstance(shape, Text)), default=0.0)


def set_pages(manuscript: Manuscript, design: Design, accent: str, paper: Paper) -> list[Page]:
    head, *rest = manuscript.sections
    sections = [s for s in rest if s.type in design.first] + [s for s in rest if s.type not in design.first]
    pages = [Page()]
    if design.side:
        with_bar(pages, head, sections, design, design.side, accent, paper)
    elif design.columns:
        in_columns(pages, head, sections, design, accent, paper)
    else:
        in_one(pages, head, sections, design, accent, paper)
    return pages


def name_of(head: Section) -> str:
    names = [line for line in take_apart(head).names if line.role == "name"]
    return "".join(run.text for line in names for run in line.words)


def in_one(
    pages: list[Page], head: Section, sections: Sequence[Section], design: Design, accent: str, paper: Paper
) -> None:
    style = style_of(design, accent)
    margins = design.margins
    width = paper.width - margins.left - margins.right
    pieces = [*set_head(head, design, style, width), *set_sections(sections, style, width)]
    bottom = paper.height - margins.bottom
    fill(pages, Column(margins.left, margins.top, bottom, margins.top), pieces)


def in_columns(
    pages: list[Page], head: Section, sections: Sequence[Section], design: Design, accent: str, paper: Paper
) -> None:
    """A head over both columns; jobs and projects at the left, the rest at the right."""
    style = style_of(design, accent)
    margins = design.margins
    width = paper.width - margins.left - margins.right
    top, bottom = margins.top, paper.height - margins.bottom
    below = fill(pages, Column(margins.left, top, bottom, top), set_head(head, design, style, width)) + 4
    inner = width - COLUMN_GAP
    options = [
        (set_sections(left, style, inner * share), set_sections(right, style, inner * (1 - share)), share)
        for left, right in (divided(sections), divided(sections, longest=VERY_LONG))
        for share in (0.5, 0.57, 0.64)
    ]
    # Sections and width are shared so that one column is not left empty where the other runs on.
    left_pieces, right_pieces, share = min(options, key=lambda o: max(height_of(o[0]), height_of(o[1])))
    fill(pages, Column(margins.left, top, bottom, below), left_pieces)
    right_x = margins.left + inner * share + COLUMN_GAP
    fill(pages, Column(right_x, top, bottom, below), right_pieces)


def divided(
    sections: Sequence[Section], *, longest: int = LONGEST_BESIDE
) -> tuple[list[Section], list[Section]]:
    """Main and side; tables are too wide for the side, and long sections too long."""

    def is_main(section: Section) -> bool:
        lines = [block for block in section.blocks if isinstance(block, Line)]
        words = sum(len(run.text.split()) for line in lines for run in line.words)
        return section.type in MAIN or len(lines) < len(section.blocks) or words > longest

    return [s for s in sections if is_main(s)], [s for s in sections if not is_main(s)]


def with_bar(
    pages: list[Page],
    head: Section,
    sections: Sequence[Section],
    design: Design,
    side: Side,
    accent: str,
    paper: Paper,
) -> None:
    """Contact data and the smaller sections in a bar along the side of the paper."""
    margins = design.margins
    main_width = paper.width - side.width - margins.left - margins.right
    main_x = side.width + margins.left if side.at == "left" else margins.left
    bar_x = 0.0 if side.at == "left" else paper.width - side.width
    top, bottom = margins.top, paper.height - margins.bottom
    style, side_style = style_of(design, accent), side_style_of(design, side, accent)
    main, beside = divided(sections)
    others = replace(head, blocks=take_apart(head).others)
    names = [*set_names(take_apart(head), design, style, main_width, "left"), Piece(4, ())]
    main_pieces = [*names, *set_blocks(others, style, main_width), *set_sections(main, style, main_width)]
    bar_width = side.width - 2 * BAR_PAD
    bar_pieces = set_side_contacts(head, side_style, bar_width, icons=design.bullet == "square")
    bar_pieces += spaced(set_sections(beside, side_style, bar_width), side_style.section_gap * 1.3)
    fill(pages, Column(main_x, top, bottom, top), main_pieces)
    fill(pages, Column(bar_x + BAR_PAD, top, bottom, top + 6), bar_pieces)
    fill_color = {"accent": accent, "tint": tint(accent, 0.12)}.get(side.fill or "", side.fill)
    for page in pages:
        bar = Box(bar_x, 0, side.width, paper.height, fill=fill_color)
        page.shapes.insert(0, bar)


def add_footers(pages: Sequence[Page], design: Design, paper: Paper, name: str) -> None:
    ink = Ink(design.face, max(7.0, design.size * 0.78), design.soft)
    for number, page in enumerate(pages, start=1):
        text = (design.footer or "").format(page=number, pages=len(pages), name=name)
        line = wrap(plain_words(text), ink, paper.width)[0]
        shape: Shape = Text((paper.width - line.width) / 2, paper.height - design.margins.bottom * 0.45, line)
        page.shapes.append(shape)
