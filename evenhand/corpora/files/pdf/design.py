"""What a PDF design decides, and how its words are set in the main column and beside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenhand.corpora.files.pdf.fonts import HELVETICA, Face
from evenhand.corpora.files.pdf.lines import Ink

A4 = (595.28, 841.89)
LETTER = (612.0, 792.0)
WHITE = "#ffffff"


@dataclass(frozen=True, slots=True)
class Margins:
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Side:
    """A bar at the side of every page, with sections of its own."""

    at: str  # left, right
    width: float
    fill: str | None
    color: str
    holds_name: bool = False


@dataclass(frozen=True, slots=True)
class Design:
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
    heading: str = (
        "plain"  # plain, rule_below, rule_above, band, tint, centred, flanked, marker, underlined, label
    )
    heading_size: float = 12.0
    heading_upper: bool = False
    bullet: str = "•"  # a character, or "dot", "square", "ring" to be drawn
    dates: str = "right"  # right, below, left
    gutter: float = 92.0  # for dates or labels at the left
    timeline: bool = False
    side: Side | None = None
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
class Style:
    """How one column is set."""

    text: Ink
    title: Ink
    subtitle: Ink
    aside: Ink
    heading: Ink
    accent: str
    heading_look: str
    bullet: str
    dates: str
    gutter: float
    timeline: bool
    table: str
    section_gap: float
    entry_gap: float
    line_gap: float


def style_of(design: Design, accent: str) -> Style:
    """The main column."""
    face, heading_face = design.face, design.heading_face or design.face
    title_color = accent if design.title_color else design.color
    on_band = design.heading == "band"
    return Style(
        text=Ink(face, design.size, design.color, leading=design.leading),
        title=Ink(face, design.size * 1.03, title_color, bold=True, leading=design.leading),
        subtitle=Ink(face, design.size, design.color, italic=True, leading=design.leading),
        aside=Ink(face, design.size * 0.94, design.soft, leading=design.leading),
        heading=Ink(
            heading_face,
            design.heading_size,
            WHITE if on_band else accent,
            bold=True,
            upper=design.heading_upper,
            leading=1.25,
        ),
        accent=accent,
        heading_look=design.heading,
        bullet=design.bullet,
        dates=design.dates,
        gutter=design.gutter,
        timeline=design.timeline,
        table=design.table,
        section_gap=design.section_gap,
        entry_gap=design.entry_gap,
        line_gap=design.line_gap,
    )


def side_style_of(design: Design, side: Side, accent: str) -> Style:
    """The bar at the side: a little smaller, in its own colour, dates under what they date."""
    face, size = design.face, design.size * 0.93
    heading_color = side.color if side.fill else accent
    return Style(
        text=Ink(face, size, side.color, leading=design.leading),
        title=Ink(face, size, side.color, bold=True, leading=design.leading),
        subtitle=Ink(face, size, side.color, italic=True, leading=design.leading),
        aside=Ink(face, size * 0.95, side.color, leading=design.leading),
        heading=Ink(
            design.heading_face or face,
            design.heading_size * 0.95,
            heading_color,
            bold=True,
            upper=design.heading_upper,
            leading=1.25,
        ),
        accent=heading_color,
        heading_look="rule_below" if design.heading in ("rule_below", "rule_above", "flanked") else "plain",
        bullet=design.bullet,
        dates="below",
        gutter=0.0,
        timeline=False,
        table="bare",
        section_gap=design.section_gap,
        entry_gap=design.entry_gap * 0.8,
        line_gap=design.line_gap,
    )
