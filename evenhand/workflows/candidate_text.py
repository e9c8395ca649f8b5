"""A resume's text laid out to be read like the original: pages, headings, lists, tables, and the evidence marked in it.

Read one after the other, the segments and gaps are the text of the document, to the character.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Literal

from evenhand.records import Document, Line, Profile
from evenhand.workflows.candidate_lines import TextLine, text_lines
from evenhand.workflows.candidate_places import placed_facts

MOST_LINES = 900  # about 15 full pages; more only when asked for
NEXT_BLOCK = "\n\n"


@dataclass(frozen=True, slots=True)
class Paragraph:
    kind: Literal["heading", "text", "item", "furniture"]
    lines: tuple[TextLine, ...]


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[Paragraph, ...]
    kind: Literal["list"] = "list"


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells; a cell without text has no lines."""

    rows: tuple[tuple[tuple[TextLine, ...], ...], ...]
    kind: Literal["table"] = "table"


Block = Paragraph | Bullets | Grid


@dataclass(frozen=True, slots=True)
class Sheet:
    page: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class ResumeText:
    sheets: tuple[Sheet, ...]
    pages: int
    reached: int  # where the shown text ends
    lines_left_out: int

    def shows(self, start: int) -> bool:
        return start < self.reached or not self.lines_left_out


def lay_out(
    document: Document, profile: Profile | None, *, most_lines: int | None = MOST_LINES
) -> ResumeText:
    """Of a long one the first lines only, unless `most_lines` is None."""
    shown = document.lines[:most_lines]
    reached = shown[-1].end if shown else 0
    facts = placed_facts(profile) if profile else []
    headings = {section.start for section in profile.sections if section.heading} if profile else set()
    lines = text_lines(document, shown, facts)
    sheets = []
    for page, numbers in groupby(range(len(shown)), key=lambda at: shown[at].page):
        blocks = _blocks([(shown[at], lines[at]) for at in numbers], headings)
        sheets.append(Sheet(page, tuple(blocks)))
    return ResumeText(tuple(sheets), document.pages, reached, len(document.lines) - len(shown))


Pair = tuple[Line, TextLine]


def _blocks(pairs: Sequence[Pair], headings: set[int]) -> Iterator[Block]:
    for kind, stretch in groupby(_paragraphs(pairs, headings), key=lambda found: found[0]):
        found = [paragraph for _, paragraph in stretch]
        if kind == "item":
            yield Bullets(tuple(Paragraph("item", _flowing(each)) for each in found))
        elif isinstance(kind, int):
            yield from _grid([pair for each in found for pair in each])
        else:
            yield from (Paragraph(kind, _lines(each)) for each in found)


Kind = Literal["heading", "text", "item", "furniture"] | int
"""What a paragraph is; a number is that of the table it stands in."""


def _paragraphs(pairs: Sequence[Pair], headings: set[int]) -> Iterator[tuple[Kind, list[Pair]]]:
    open_kind: Kind = "text"
    paragraph: list[Pair] = []
    for pair in pairs:
        kind = _kind(pair[0], headings)
        goes_on = paragraph and _belongs(paragraph[-1], pair, open_kind, kind)
        if paragraph and not goes_on:
            yield open_kind, paragraph
            paragraph = []
        if not paragraph:
            open_kind = kind
        paragraph.append(pair)
    if paragraph:
        yield open_kind, paragraph


def _kind(line: Line, headings: set[int]) -> Kind:
    if line.table is not None:
        return line.table[0]
    if line.furniture:
        return "furniture"
    if line.start in headings:
        return "heading"
    return "item" if line.list else "text"


def _belongs(before: Pair, after: Pair, open_kind: Kind, kind: Kind) -> bool:
    if before[1].gap == NEXT_BLOCK and not isinstance(kind, int):
        return False
    if (
        open_kind == "item"
    ):  # its further lines have no mark of their own; those of the next paragraph are not set in
        return kind == "text" and (before[1].wraps or _is_set_in(before[0], after[0]))
    return kind == open_kind and kind != "heading"


def _is_set_in(before: Line, after: Line) -> bool:
    return before.box is not None and after.box is not None and after.box[0] > before.box[0] + 3


def _lines(pairs: Sequence[Pair]) -> tuple[TextLine, ...]:
    return tuple(line for _, line in pairs)


def _flowing(pairs: Sequence[Pair]) -> tuple[TextLine, ...]:
    """The further lines of an item are there only because the page is no wider."""
    return tuple(replace(line, wraps=True) for line in _lines(pairs))


def _grid(pairs: Sequence[Pair]) -> Iterator[Block]:
    """As a table where its cells come row by row; else as text, so that nothing changes its order."""
    places = [(line.table[1], line.table[2]) for line, _ in pairs if line.table]
    if any(later < earlier for earlier, later in pairwise(places)):
        yield Paragraph("text", _lines(pairs))
        return
    width = max(column for _, column in places) + 1
    rows = []
    for _, in_row in groupby(zip(places, pairs, strict=True), key=lambda found: found[0][0]):
        cells: dict[int, list[TextLine]] = defaultdict(list)
        for (_, column), (_, line) in in_row:
            cells[column].append(line)
        rows.append(tuple(tuple(cells[column]) for column in range(width)))
    yield Grid(tuple(rows))
