"""Blocks to draft lines: one per paragraph or line break, with joints and table places, hidden text apart."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise

from evenhand.documents.draft import NEXT_BLOCK, NEXT_CELL, NEXT_LINE, DocumentDraft, DraftLine
from evenhand.documents.office.blocks import (
    Block,
    OfficeCell,
    OfficeParagraph,
    OfficeTable,
    SpanStyle,
    TextBox,
    TextSpan,
)
from evenhand.documents.office.package import Budget
from evenhand.records.document import Hidden, Table, Warning

# Which tables hold data and which only arrange the page, and in what order their cells are read.


LONG_CELL = 4  # lines; a cell of data is rarely that tall
PAGE_CELL = 8  # lines; a ruled cell that tall beside another long one is a column of the page
HEADING_CHARACTERS = 40
MAX_COMPARED_CELLS = 50


def is_data(grid: OfficeTable) -> bool:
    """A table a reader would call one: several columns, cells that belong together row by row."""
    filled = [(cell, lines) for cell in grid.cells if (lines := line_count(cell.blocks))]
    if len({cell.column for cell, _ in filled}) < 2:
        return False
    if any(isinstance(block, OfficeTable) for cell, _ in filled for block in cell.blocks):
        return False
    if len({cell.row for cell, _ in filled}) == 1:
        return all(lines == 1 for _, lines in filled)
    # Long text side by side: the columns of a page. Lines around the cells make it likelier to be data.
    tall = [(cell, lines) for cell, lines in filled if lines >= LONG_CELL]
    for index, (first, lines) in enumerate(tall):
        for second, more_lines in tall[index + 1 : index + 1 + MAX_COMPARED_CELLS]:
            beside = first.column != second.column and first.row < second.row + second.rows
            long_enough = not grid.ruled or max(lines, more_lines) >= PAGE_CELL
            if beside and second.row < first.row + first.rows and long_enough:
                return False
    return True


def reading_rows(grid: OfficeTable) -> list[list[OfficeCell]]:
    """Cells grouped as they are read: by rows, or by columns where headings stand side by side."""
    rows: dict[float, list[OfficeCell]] = {}
    for cell in grid.cells:
        # A side bar at the right, merged over many rows, is read after the rows it stands beside.
        late = cell.rows > 1 and cell.column > 0 and line_count(cell.blocks) >= LONG_CELL
        rows.setdefault(cell.row + cell.rows - 0.5 if late else cell.row, []).append(cell)
    ordered: list[list[OfficeCell]] = []
    by_place = [rows[key] for key in sorted(rows)]
    # Rows that are divided alike form a band.
    for _, group in groupby(by_place, key=lambda cells: [(cell.column, cell.columns) for cell in cells]):
        band = list(group)
        if len(band) > 1 and _side_by_side(band):
            band = [[row[position]] for position in range(len(band[0])) for row in band]
        ordered.extend(band)
    return ordered


def _side_by_side(band: list[list[OfficeCell]]) -> bool:
    """Two headings in one row with long text under both: columns of a page, not rows of data."""

    def is_heading(cell: OfficeCell) -> bool:
        filled = [block for block in cell.blocks if isinstance(block, OfficeParagraph) and block.has_text()]
        if len(filled) != 1 or line_count(cell.blocks) != 1:
            return False
        spans = [span for span in filled[0].spans if span.text.strip()]
        text = "".join(span.text for span in spans).strip()
        loud = filled[0].heading or text.isupper() or all(span.look.bold for span in spans)
        return loud and len(text) <= HEADING_CHARACTERS

    for upper, lower in pairwise(band):
        pairs = zip(upper, lower, strict=True)
        if sum(is_heading(above) and line_count(below.blocks) >= LONG_CELL for above, below in pairs) > 1:
            return True
    return False


def line_count(blocks: list[Block]) -> int:
    """Lines with something to see, counted only as far as it matters."""
    count = 0
    for block in blocks:
        if isinstance(block, OfficeParagraph):
            text = "".join(span.text for span in block.spans if span.hidden is None)
            count += sum(1 for line in text.split("\n") if line.strip())
        elif isinstance(block, TextBox):
            count += line_count(block.blocks)
        else:
            count += sum(line_count(cell.blocks) for cell in block.cells)
    return count


VISIBLE_GAP = 6.0  # points between two paragraphs that a reader takes for a new group


def write_stories(
    draft: DocumentDraft, headers: list[list[Block]], texts: list[list[Block]], footers: list[list[Block]]
) -> None:
    """Adds headers, texts (the body and its notes) and footers; sections repeat headers, equal ones come once."""
    for stories, furniture in ((headers, "header"), (texts, None), (footers, "footer")):
        written: list[list[Block]] = []
        for blocks in stories:
            if furniture and blocks in written:
                continue
            written.append(blocks)
            lines = _lines(draft, blocks)
            for line in lines:
                line.furniture = furniture
            draft.lines.extend(lines)


def add_warnings(draft: DocumentDraft, active: list[str], budget: Budget, *, damaged: bool) -> None:
    """Names active content, what was left out and damage; whatever is missing makes the draft partial."""
    if active:
        message = f"The file carries {', '.join(active)}; nothing was run or fetched."
        draft.warnings.append(Warning("active_content", message))
    draft.warnings.extend(budget.warnings())
    if damaged:
        draft.warnings.append(Warning("damaged", "Parts of the file are damaged; some text or layout may be missing."))
    draft.partial = damaged or bool(budget.warnings())


def _lines(draft: DocumentDraft, blocks: list[Block]) -> list[DraftLine]:
    """The lines of the blocks; hidden text and tables go to the draft."""
    lines: list[DraftLine] = []
    above: OfficeParagraph | None = None
    apart = True  # a gap or another kind of block lies before the next line
    for block in blocks:
        if isinstance(block, OfficeParagraph):
            fresh = _paragraph_lines(draft, block)
            if fresh:
                gap = apart or block.heading or _space(above, block) >= VISIBLE_GAP
                fresh[0].joint = NEXT_BLOCK if gap else NEXT_LINE
                above = block
            # An empty paragraph is a gap; one that only held hidden text leaves none a reader could see.
            apart = not fresh and (apart or not block.spans or not any(s.hidden for s in block.spans))
        else:
            fresh = _lines(draft, block.blocks) if isinstance(block, TextBox) else _grid_lines(draft, block)
            if fresh:
                fresh[0].joint = NEXT_BLOCK
                above, apart = None, True
        lines.extend(fresh)
    return lines


def _paragraph_lines(draft: DocumentDraft, paragraph: OfficeParagraph) -> list[DraftLine]:
    draft.hidden.extend(hidden_of(paragraph))
    broken: list[list[TextSpan]] = [[]]  # at line breaks
    for span in paragraph.spans:
        if span.hidden is None or span.text.isspace():
            # Hidden blanks stay, or the words beside them would run together.
            first, *rest = span.text.split("\n") if span.hidden is None else (" ",)
            broken[-1].append(span if first == span.text else replace(span, text=first))
            broken.extend([replace(span, text=text)] for text in rest)
    lines: list[DraftLine] = []
    joint = NEXT_LINE
    for spans in broken:
        line = _line(spans, joint)
        if line is None:
            joint = NEXT_BLOCK if lines else NEXT_LINE
            continue
        lines.append(line)
        joint = NEXT_LINE
    if lines and paragraph.marker:
        lines[0].text = f"{paragraph.marker} {lines[0].text}"
        lines[0].list = paragraph.marker
    return lines


def _grid_lines(draft: DocumentDraft, grid: OfficeTable) -> list[DraftLine]:
    index: int | None = None
    if is_data(grid):
        index = len(draft.tables)
        draft.tables.append(Table(grid.page, grid.rows, grid.columns, grid.ruled))
    lines: list[DraftLine] = []
    for row in reading_rows(grid):
        filled = [(cell, fresh) for cell in row if (fresh := _lines(draft, cell.blocks))]
        lines.extend(_row_lines(filled, index))
    return lines


def _row_lines(filled: list[tuple[OfficeCell, list[DraftLine]]], index: int | None) -> list[DraftLine]:
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


def _space(above: OfficeParagraph | None, below: OfficeParagraph) -> float:
    if above is None:
        return 0.0
    same = above.style == below.style
    if same and above.marker and below.marker:
        return 0.0  # items of one list belong together, however far apart they are set
    after = 0.0 if above.contextual and same else above.after
    before = 0.0 if below.contextual and same else below.before
    return max(after, before)


def hidden_of(paragraph: OfficeParagraph) -> list[Hidden]:
    """Neighbouring hidden spans of one reason as one piece; stray blanks and punctuation are let go."""
    pieces: list[Hidden] = []
    text, reason, page = "", None, paragraph.page
    for span in [*paragraph.spans, TextSpan("", SpanStyle())]:
        if reason is not None and span.hidden != reason and not (span.text and span.text.isspace()):
            if any(character.isalnum() for character in text):
                pieces.append(Hidden(" ".join(text.split()), reason, page))
            text, reason = "", None
        if span.hidden is not None and reason is None:
            text, reason, page = "", span.hidden, span.page
        if reason is not None:
            text += span.text
    return pieces


def _line(spans: list[TextSpan], joint: str) -> DraftLine | None:
    """The spans of one line, in the look that most of its characters have."""
    text = "".join(span.text for span in spans).strip()
    if not text:
        return None
    weight: dict[SpanStyle, int] = {}
    for span in spans:
        weight[span.look] = weight.get(span.look, 0) + len(span.text.strip())
    look = max(weight, key=weight.__getitem__)
    half = sum(weight.values()) / 2
    return DraftLine(
        text,
        next(span.page for span in spans if span.text.strip()),
        joint,
        font=look.font,
        size=look.size,
        bold=sum(count for seen, count in weight.items() if seen.bold) > half,
        italic=sum(count for seen, count in weight.items() if seen.italic) > half,
        color=look.color,
    )
