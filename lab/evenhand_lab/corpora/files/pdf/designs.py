"""The catalogue of PDF designs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from evenhand_lab.corpora import lexicon
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


def load_designs() -> dict[str, PdfDesign]:
    table = lexicon.table("files/designs.toml")
    faces = {"helvetica": HELVETICA, "times": TIMES, "courier": COURIER, "vera": VERA}
    designs = {}
    for name, row in table["designs"].items():
        values = row | {
            "accents": tuple(color for accent in row["accents"] for color in table["palettes"].get(accent, [accent])),
            "margins": Margins(*row["margins"]),
            "first": tuple(row.get("first", ())),
            "side": Sidebar(*row["side"]) if "side" in row else None,
        }
        values |= {field: faces[row[field]] for field in ("face", "heading_face") if field in row}
        designs[name] = PdfDesign(name, **values)
    return designs


DESIGNS = load_designs()
