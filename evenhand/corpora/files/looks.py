"""How flowing documents - DOCX, ODT, RTF - look, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evenhand.corpora.files.contacts import segments
from evenhand.corpora.manuscript import Line, Manuscript, Run, Section, Table, Words

SIDE_TYPES = ("skills", "certifications", "activities", "personal", "other")


@dataclass(frozen=True, slots=True)
class Look:
    name: str
    font: str
    size: float
    accent: str = "000000"
    heading: str = "rule"  # rule, shade, plain, underline
    heading_size: float = 12.0
    caps: bool = False
    centred: bool = False  # the head
    dates: str = "tab"  # tab, below, comma
    table: str = "grid"  # grid, lines
    place: str = "body"  # of name and contact: body, header, box, columns
    footer: bool = False
    bullet: str = "•"
    weight: int = 10
    most_words: int = 5000


LOOKS = (
    Look("calibri", "Calibri", 11, "1f3a5f", heading_size=13, weight=16),
    Look("times_tables", "Times New Roman", 11, heading="shade", heading_size=11.5, caps=True, weight=16),
    Look("arial_plain", "Arial", 10, heading="underline", heading_size=11, dates="comma", bullet="–", weight=12),
    Look("georgia_accent", "Georgia", 10.5, "7a1f2b", centred=True, table="lines", bullet="▪", weight=10),
    Look("running_head", "Cambria", 11, "174a7c", place="header", footer=True, heading="plain", heading_size=14),
    Look("contact_box", "Verdana", 9, "2f6b4f", place="box", heading="rule", table="lines", weight=7),
    Look("side_cell", "Calibri", 10, "34495e", place="columns", heading="plain", dates="below", caps=True, weight=8,
         most_words=900),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Paragraph:
    kind: str  # name, tagline, contact, heading, title, subtitle, text, item
    words: Words
    aside: Words = ()


Part = Paragraph | Table


def parts_of(sections: Sequence[Section]) -> Iterator[Part]:
    for section in sections:
        if section.heading is not None:
            yield Paragraph("heading", (Run(section.heading),))
        for block in section.blocks:
            yield block if isinstance(block, Table) else paragraph_of(block)


def paragraph_of(line: Line) -> Paragraph:
    if line.bullet:
        return Paragraph("item", line.words, line.aside)
    known = ("name", "tagline", "contact", "title", "subtitle")
    return Paragraph(line.role if line.role in known else "text", line.words, line.aside)


def one_by_one(section: Section) -> Iterator[Part]:
    """The head for a narrow place: every contact on a line of its own."""
    for block in section.blocks:
        if isinstance(block, Line) and block.role == "contact":
            yield from (Paragraph("contact", words) for words in segments(block))
        else:
            yield block if isinstance(block, Table) else paragraph_of(block)


def lined(parts: Sequence[Part], dates: str) -> Iterator[Part]:
    """Asides put where the look wants them; only a tab leaves them in place."""
    for part in parts:
        if isinstance(part, Table) or not part.aside or dates == "tab":
            yield part
        elif dates == "below":
            yield Paragraph(part.kind, part.words)
            yield Paragraph("subtitle" if part.kind == "title" else "text", part.aside)
        else:
            yield Paragraph(part.kind, (*part.words, Run(", "), *part.aside))


def beside_and_main(manuscript: Manuscript) -> tuple[list[Section], list[Section]]:
    """For two columns: the small sections, and the others."""
    rest = manuscript.sections[1:]

    def is_small(section: Section) -> bool:
        return section.type in SIDE_TYPES and not any(isinstance(block, Table) for block in section.blocks)

    return [s for s in rest if is_small(s)], [s for s in rest if not is_small(s)]


def column_shares(table: Table, *, least: float = 0.15) -> list[float]:
    """How much of the width each column gets, by its longest cell; they sum to 1."""
    count = max(len(row) for row in table.rows)
    longest = [0] * count
    for row in table.rows:
        for column, words in enumerate(row):
            longest[column] = max(longest[column], sum(len(run.text) for run in words))
    weights = [min(max(length, 6), 32) + 6 for length in longest]
    shares = [max(least, weight / sum(weights)) for weight in weights]
    return [share / sum(shares) for share in shares]


def column_edges(table: Table, width: int) -> list[int]:
    """Where each column ends, in whole units; the last one at the width itself."""
    edges, reached = [], 0.0
    for share in column_shares(table):
        reached += share * width
        edges.append(round(reached))
    return edges
