"""Blocks to draft lines: one per paragraph or line break, with joints and table places, hidden text apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, Draft, DraftLine
from evenhand.documents.office.blocks import Block, Cell, Frame, Grid, Look, Paragraph, Span
from evenhand.documents.office.grids import is_data, reading_rows
from evenhand.records.document import Hidden, Table

VISIBLE_GAP = 6.0  # points between two paragraphs that a reader takes for a new group


class Flow:
    """Writes stories (headers, body, notes, footers) into one draft."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def write(self, blocks: list[Block], *, furniture: str | None = None) -> None:
        lines = self._lines(blocks)
        for line in lines:
            line.furniture = furniture
        self._draft.lines.extend(lines)

    def _lines(self, blocks: list[Block]) -> list[DraftLine]:
        lines: list[DraftLine] = []
        above: Paragraph | None = None
        apart = True  # a gap or another kind of block lies before the next line
        for block in blocks:
            fresh = self._block_lines(block)
            if isinstance(block, Paragraph):
                if fresh:
                    gap = apart or block.heading or _space(above, block) >= VISIBLE_GAP
                    fresh[0].joint = NEXT_BLOCK if gap else NEXT_LINE
                    above = block
                # An empty paragraph is a gap; one that only held hidden text leaves none a reader could see.
                apart = not fresh and (apart or not block.spans or not any(s.hidden for s in block.spans))
            elif fresh:
                fresh[0].joint = NEXT_BLOCK
                above, apart = None, True
            lines.extend(fresh)
        return lines

    def _block_lines(self, block: Block) -> list[DraftLine]:
        if isinstance(block, Paragraph):
            return self._paragraph_lines(block)
        if isinstance(block, Frame):
            return self._lines(block.blocks)
        return self._grid_lines(block)

    def _paragraph_lines(self, paragraph: Paragraph) -> list[DraftLine]:
        self._draft.hidden.extend(hidden_of(paragraph))
        lines: list[DraftLine] = []
        joint = NEXT_LINE
        for builder in _split(visible_of(paragraph)):
            line = builder.build(joint)
            if line is None:
                joint = NEXT_BLOCK if lines else NEXT_LINE
                continue
            lines.append(line)
            joint = NEXT_LINE
        if lines and paragraph.marker:
            lines[0].text = f"{paragraph.marker} {lines[0].text}"
            lines[0].list = paragraph.marker
        return lines

    def _grid_lines(self, grid: Grid) -> list[DraftLine]:
        index: int | None = None
        if is_data(grid):
            index = len(self._draft.tables)
            self._draft.tables.append(Table(grid.page, grid.rows, grid.columns, grid.ruled))
        lines: list[DraftLine] = []
        for row in reading_rows(grid):
            filled = [(cell, fresh) for cell in row if (fresh := self._lines(cell.blocks))]
            lines.extend(_row_lines(filled, index))
        return lines


def _row_lines(filled: list[tuple[Cell, list[DraftLine]]], index: int | None) -> list[DraftLine]:
    single = all(len(fresh) == 1 for _, fresh in filled)
    lines: list[DraftLine] = []
    for cell, fresh in filled:
        if index is not None:
            for line in fresh:
                if line.table is None:
                    line.table = (index, cell.row, cell.column)
                    line.joint = NEXT_LINE
        fresh[0].joint = NEXT_LINE if index is not None or single else NEXT_BLOCK
        if lines and single:
            fresh[0].joint = NEXT_CELL
        lines.extend(fresh)
    return lines


def _space(above: Paragraph | None, below: Paragraph) -> float:
    if above is None:
        return 0.0
    same = above.style == below.style
    if same and above.marker and below.marker:
        return 0.0  # items of one list belong together, however far apart they are set
    after = 0.0 if above.contextual and same else above.after
    before = 0.0 if below.contextual and same else below.before
    return max(after, before)


def visible_of(paragraph: Paragraph) -> list[Span]:
    """What a person sees; hidden blanks stay, or the words beside them would run together."""
    return [
        span if span.hidden is None else replace(span, text=" ")
        for span in paragraph.spans
        if span.hidden is None or span.text.isspace()
    ]


def hidden_of(paragraph: Paragraph) -> list[Hidden]:
    """Neighbouring hidden spans of one reason as one piece; stray blanks and punctuation are let go."""
    pieces: list[Hidden] = []
    text, reason, page = "", None, paragraph.page
    for span in [*paragraph.spans, Span("", Look())]:
        if reason is not None and span.hidden != reason and not (span.text and span.text.isspace()):
            if any(character.isalnum() for character in text):
                pieces.append(Hidden(" ".join(text.split()), reason, page))
            text, reason = "", None
        if span.hidden is not None and reason is None:
            text, reason, page = "", span.hidden, span.page
        if reason is not None:
            text += span.text
    return pieces


@dataclass(slots=True)
class LineBuilder:
    """Collects the spans of one line and picks the look that most of its characters have."""

    spans: list[Span] = field(default_factory=list)

    def build(self, joint: str) -> DraftLine | None:
        text = "".join(span.text for span in self.spans).strip()
        if not text:
            return None
        weight: dict[Look, int] = {}
        for span in self.spans:
            weight[span.look] = weight.get(span.look, 0) + len(span.text.strip())
        look = max(weight, key=weight.__getitem__)
        half = sum(weight.values()) / 2
        page = next(span.page for span in self.spans if span.text.strip())
        return DraftLine(
            text,
            page,
            joint,
            font=look.font,
            size=look.size,
            bold=sum(count for seen, count in weight.items() if seen.bold) > half,
            italic=sum(count for seen, count in weight.items() if seen.italic) > half,
            color=look.color,
        )


def _split(spans: Iterable[Span]) -> list[LineBuilder]:
    builders = [LineBuilder()]
    for span in spans:
        first, *rest = span.text.split("\n")
        builders[-1].spans.append(replace(span, text=first) if rest else span)
        builders.extend(LineBuilder([replace(span, text=text)]) for text in rest)
    return builders
