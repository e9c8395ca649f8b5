"""The catalogue of PDF designs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from evenhand_lab.corpora.files.pdf.pieces import COURIER, HELVETICA, TIMES, VERA, Face, Ink

# What a PDF design decides, and how its words are set in the main column and beside it.


class Paper(NamedTuple):
    width: float
    height: float


A4 = Paper(595.28, 841.89)
LETTER = Paper(612.0, 792.0)
WHITE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Margins:
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Sidebar:
    """A bar at the side of every page, with sections of its own."""

    at: str  # left, right
    width: float
    fill: str | None
    color: str


@dataclass(frozen=True, slots=True)
class PdfDesign:
    name: str
    face: Face = HELVETICA
    heading_face: Face | None = None
    size: float = 10.0
    leading: float = 1.3
    color: str = "#1a1a1a"
    soft: str = "#555555"
    accents: tuple[str, ...] = ("#1a1a1a",)
    margins: Margins = field(default_factory=lambda: Margins(56, 52, 56, 52))
    head: str = "left"  # left, centred, split, band, icons
    name_size: float = 20.0
    name_upper: bool = False
    heading: str = "plain"  # plain, rule_below, rule_above, band, tint, flanked, marker, underlined, label
    heading_size: float = 12.0
    heading_upper: bool = False
    bullet: str = "•"  # a character, or "dot", "square", "ring" to be drawn
    dates: str = "right"  # right, below, left
    gutter: float = 92.0  # for dates or labels at the left
    timeline: bool = False
    side: Sidebar | None = None
    columns: bool = False  # two, under a head over both
    table: str = "grid"  # grid, header, lines, bare
    first: tuple[str, ...] = ()  # types of sections that this design puts before the others
    footer: str | None = None
    section_gap: float = 12.0
    entry_gap: float = 7.0
    line_gap: float = 1.5
    title_color: bool = False  # titles in the accent colour
    weight: int = 10
    most_words: int = 5000  # longer resumes take another design


@dataclass(frozen=True, slots=True)
class ColumnStyle:
    """How one column is set."""

    text: Ink
    title: Ink
    subtitle: Ink
    aside: Ink
    heading: Ink
    accent: str
    design: PdfDesign


def style_of(design: PdfDesign, accent: str) -> ColumnStyle:
    """The main column."""
    text = Ink(design.face, design.size, design.color, leading=design.leading)
    title_color = accent if design.title_color else design.color
    heading_color = WHITE if design.heading == "band" else accent
    heading_face = design.heading_face or design.face
    return ColumnStyle(
        text=text,
        title=replace(text, size=design.size * 1.03, color=title_color, bold=True),
        subtitle=replace(text, italic=True),
        aside=replace(text, size=design.size * 0.94, color=design.soft),
        heading=Ink(
            heading_face, design.heading_size, heading_color, bold=True, upper=design.heading_upper, leading=1.25
        ),
        accent=accent,
        design=design,
    )


def side_style_of(design: PdfDesign, side: Sidebar, accent: str) -> ColumnStyle:
    """The bar at the side: a little smaller, in its own colour, dates under what they date."""
    main = style_of(design, accent)
    size = design.size * 0.93
    text = replace(main.text, size=size, color=side.color)
    heading_color = side.color if side.fill else accent
    return replace(
        main,
        text=text,
        title=replace(text, bold=True),
        subtitle=replace(text, italic=True),
        aside=replace(text, size=size * 0.95),
        heading=replace(main.heading, size=design.heading_size * 0.95, color=heading_color),
        accent=heading_color,
        design=replace(
            design,
            heading="rule_below" if design.heading in ("rule_below", "rule_above", "flanked") else "plain",
            dates="below",
            gutter=0.0,
            timeline=False,
            table="bare",
            entry_gap=design.entry_gap * 0.8,
        ),
    )


BLUES = ("#1f3a5f", "#2e5c8a", "#174a7c", "#34495e")
WARM = ("#7a1f2b", "#8c4a1f", "#5b3a29")
GREENS = ("#1e5945", "#2f6b4f", "#3b5b3a")
GREYS = ("#1a1a1a", "#333333", "#000000")

DESIGNS = (
    PdfDesign(
        "classic", TIMES, size=11, head="centred", name_size=19, heading="rule_below", heading_upper=True,
        heading_size=11.5, accents=GREYS, margins=Margins(66, 58, 66, 58), weight=16,
    ),
    PdfDesign(
        "modern_rules", HELVETICA, size=9.6, head="left", name_size=24, heading="rule_above", heading_size=12,
        accents=BLUES + GREENS, dates="right", bullet="dot", title_color=True, leading=1.36, weight=14,
        margins=Margins(58, 54, 58, 54), table="header",
    ),
    PdfDesign(
        "two_columns", HELVETICA, size=9, head="left", name_size=23, heading="rule_below", heading_size=11,
        heading_upper=True, accents=BLUES + WARM, columns=True, dates="below", bullet="•", table="header",
        margins=Margins(44, 46, 44, 46), weight=8, most_words=750,
    ),
    PdfDesign(
        "dark_bar", HELVETICA, size=9.3, name_size=22, heading="plain", heading_size=12, heading_upper=True,
        accents=(*BLUES, "#22313f", "#2c2c34"), side=Sidebar("left", 178, "accent", "#ffffff"), bullet="•",
        margins=Margins(26, 46, 34, 44), table="lines", leading=1.36, weight=9, most_words=800,
    ),
    PdfDesign(
        "tinted_bar", VERA, size=8.4, name_size=19, heading="rule_below", heading_size=10.5,
        accents=GREENS + WARM + BLUES, side=Sidebar("right", 172, "tint", "#2b2b2b"), bullet="square",
        margins=Margins(40, 46, 26, 44), table="header", leading=1.4, weight=8, most_words=700,
    ),
    PdfDesign(
        "header_band", HELVETICA, size=9.8, head="band", name_size=25, heading="marker", heading_size=12.5,
        accents=BLUES + GREENS + WARM, bullet="dot", margins=Margins(54, 40, 54, 50), table="header", weight=10,
    ),
    PdfDesign(
        "ruled_tables", TIMES, size=11, head="left", name_size=17, heading="tint", heading_size=11.5,
        accents=("#333333", "#1f3a5f"), table="grid", bullet="•", margins=Margins(60, 56, 60, 56), weight=16,
        footer="Page {page} of {pages}",
    ),
    PdfDesign(
        "functional", HELVETICA, size=10, head="centred", name_size=20, heading="band", heading_size=11,
        heading_upper=True, accents=("#444444", "#1f3a5f", "#4a3b52"), bullet="•", table="grid",
        first=("profile", "skills", "certifications"), margins=Margins(54, 50, 54, 50), weight=8,
    ),
    PdfDesign(
        "timeline", HELVETICA, size=9.5, head="left", name_size=23, heading="plain", heading_size=13,
        accents=BLUES + GREENS, dates="left", gutter=104, timeline=True, bullet="–", leading=1.35,
        margins=Margins(48, 50, 52, 50), table="lines", weight=8,
    ),
    PdfDesign(
        "academic", TIMES, size=10.2, head="centred", name_size=16, heading="underlined", heading_size=11.5,
        accents=GREYS, dates="left", gutter=106, bullet="–", margins=Margins(62, 54, 62, 60), leading=1.2,
        footer="{name} – {page}", table="bare", entry_gap=4.5, section_gap=10, weight=9,
    ),
    PdfDesign(
        "small_print", HELVETICA, size=8.2, head="left", name_size=15, heading="rule_below", heading_size=9.5,
        accents=GREYS + BLUES, bullet="•", margins=Margins(36, 34, 36, 34), leading=1.22, entry_gap=4.5,
        section_gap=8, line_gap=0.8, table="lines", weight=9,
    ),
    PdfDesign(
        "letterhead", HELVETICA, size=9.8, head="icons", name_size=24, name_upper=True, heading="rule_below",
        heading_size=12, accents=BLUES + WARM + GREENS, bullet="ring", margins=Margins(56, 50, 56, 50),
        table="header", leading=1.34, weight=9,
    ),
    PdfDesign(
        "narrow_sans", VERA, size=8.8, head="split", name_size=18, heading="plain", heading_size=11,
        accents=GREYS + BLUES, bullet="•", margins=Margins(32, 36, 32, 36), table="grid", leading=1.36, weight=9,
        footer="{page}/{pages}",
    ),
    PdfDesign(
        "centred_headings", TIMES, size=10.8, head="centred", name_size=22, heading="flanked", heading_size=12,
        heading_upper=True, accents=WARM + GREYS, bullet="•", margins=Margins(64, 56, 64, 56), table="lines",
        weight=9,
    ),
    PdfDesign(
        "typewriter", COURIER, size=9.6, head="left", name_size=13, name_upper=True, heading="plain",
        heading_size=10.5, heading_upper=True, accents=("#000000",), bullet="-", dates="below", leading=1.2,
        margins=Margins(60, 56, 60, 56), table="bare", weight=3, footer="- {page} -",
    ),
    PdfDesign(
        "labels", HELVETICA, TIMES, size=9.8, head="split", name_size=21, heading="label", heading_size=11.5,
        accents=WARM + BLUES + GREYS, gutter=112, bullet="•", margins=Margins(50, 52, 50, 52), table="lines",
        section_gap=15, leading=1.34, weight=8,
    ),
)  # fmt: skip
BY_NAME = {design.name: design for design in DESIGNS}
