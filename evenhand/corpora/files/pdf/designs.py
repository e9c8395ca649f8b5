"""The catalogue of PDF designs."""

from __future__ import annotations

from evenhand.corpora.files.pdf.design import Design, Margins, Side
from evenhand.corpora.files.pdf.fonts import COURIER, HELVETICA, TIMES, VERA

BLUES = ("#1f3a5f", "#2e5c8a", "#174a7c", "#34495e")
WARM = ("#7a1f2b", "#8c4a1f", "#5b3a29")
GREENS = ("#1e5945", "#2f6b4f", "#3b5b3a")
GREYS = ("#1a1a1a", "#333333", "#000000")

DESIGNS = (
    Design(
        "classic", TIMES, size=11, head="centred", name_size=19, heading="rule_below", heading_upper=True,
        heading_size=11.5, accents=GREYS, margins=Margins(66, 58, 66, 58), weight=16,
    ),
    Design(
        "modern_rules", HELVETICA, size=9.6, head="left", name_size=24, heading="rule_above", heading_size=12,
        accents=BLUES + GREENS, dates="right", bullet="dot", title_color=True, leading=1.36, weight=14,
        margins=Margins(58, 54, 58, 54), table="header",
    ),
    Design(
        "two_columns", HELVETICA, size=9, head="left", name_size=23, heading="rule_below", heading_size=11,
        heading_upper=True, accents=BLUES + WARM, columns=True, dates="below", bullet="•", table="header",
        margins=Margins(44, 46, 44, 46), weight=8, most_words=750,
    ),
    Design(
        "dark_bar", HELVETICA, size=9.3, name_size=22, heading="plain", heading_size=12, heading_upper=True,
        accents=(*BLUES, "#22313f", "#2c2c34"), side=Side("left", 178, "accent", "#ffffff"), bullet="•",
        margins=Margins(26, 46, 34, 44), table="lines", leading=1.36, weight=9, most_words=800,
    ),
    Design(
        "tinted_bar", VERA, size=8.4, name_size=19, heading="rule_below", heading_size=10.5,
        accents=GREENS + WARM + BLUES, side=Side("right", 172, "tint", "#2b2b2b"), bullet="square",
        margins=Margins(40, 46, 26, 44), table="header", leading=1.4, weight=8, most_words=700,
    ),
    Design(
        "header_band", HELVETICA, size=9.8, head="band", name_size=25, heading="marker", heading_size=12.5,
        accents=BLUES + GREENS + WARM, bullet="dot", margins=Margins(54, 40, 54, 50), table="header", weight=10,
    ),
    Design(
        "ruled_tables", TIMES, size=11, head="left", name_size=17, heading="tint", heading_size=11.5,
        accents=("#333333", "#1f3a5f"), table="grid", bullet="•", margins=Margins(60, 56, 60, 56), weight=16,
        footer="Page {page} of {pages}",
    ),
    Design(
        "functional", HELVETICA, size=10, head="centred", name_size=20, heading="band", heading_size=11,
        heading_upper=True, accents=("#444444", "#1f3a5f", "#4a3b52"), bullet="•", table="grid",
        first=("profile", "skills", "certifications"), margins=Margins(54, 50, 54, 50), weight=8,
    ),
    Design(
        "timeline", HELVETICA, size=9.5, head="left", name_size=23, heading="plain", heading_size=13,
        accents=BLUES + GREENS, dates="left", gutter=104, timeline=True, bullet="–", leading=1.35,
        margins=Margins(48, 50, 52, 50), table="lines", weight=8,
    ),
    Design(
        "academic", TIMES, size=10.2, head="centred", name_size=16, heading="underlined", heading_size=11.5,
        accents=GREYS, dates="left", gutter=106, bullet="–", margins=Margins(62, 54, 62, 60), leading=1.2,
        footer="{name} – {page}", table="bare", entry_gap=4.5, section_gap=10, weight=9,
    ),
    Design(
        "small_print", HELVETICA, size=8.2, head="left", name_size=15, heading="rule_below", heading_size=9.5,
        accents=GREYS + BLUES, bullet="•", margins=Margins(36, 34, 36, 34), leading=1.22, entry_gap=4.5,
        section_gap=8, line_gap=0.8, table="lines", weight=9,
    ),
    Design(
        "letterhead", HELVETICA, size=9.8, head="icons", name_size=24, name_upper=True, heading="rule_below",
        heading_size=12, accents=BLUES + WARM + GREENS, bullet="ring", margins=Margins(56, 50, 56, 50),
        table="header", leading=1.34, weight=9,
    ),
    Design(
        "narrow_sans", VERA, size=8.8, head="split", name_size=18, heading="plain", heading_size=11,
        accents=GREYS + BLUES, bullet="•", margins=Margins(32, 36, 32, 36), table="grid", leading=1.36, weight=9,
        footer="{page}/{pages}",
    ),
    Design(
        "centred_headings", TIMES, size=10.8, head="centred", name_size=22, heading="flanked", heading_size=12,
        heading_upper=True, accents=WARM + GREYS, bullet="•", margins=Margins(64, 56, 64, 56), table="lines",
        weight=9,
    ),
    Design(
        "typewriter", COURIER, size=9.6, head="left", name_size=13, name_upper=True, heading="plain",
        heading_size=10.5, heading_upper=True, accents=("#000000",), bullet="-", dates="below", leading=1.2,
        margins=Margins(60, 56, 60, 56), table="bare", weight=3, footer="- {page} -",
    ),
    Design(
        "labels", HELVETICA, TIMES, size=9.8, head="split", name_size=21, heading="label", heading_size=11.5,
        accents=WARM + BLUES + GREYS, gutter=112, bullet="•", margins=Margins(50, 52, 50, 52), table="lines",
        section_gap=15, leading=1.34, weight=8,
    ),
)  # fmt: skip
BY_NAME = {design.name: design for design in DESIGNS}
