"""Walks one story of a DOCX (body, header, note) in document order and gives its blocks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from evenhand.documents.office.blocks import Block, Cell, Grid, Paragraph, Span
from evenhand.documents.office.cover import Covers, estimate, hide, hide_page
from evenhand.documents.office.docx.alternatives import ALTERNATIVES, chosen
from evenhand.documents.office.docx.formats import AUTOMATIC, ParagraphFormat, over, read_paragraph
from evenhand.documents.office.docx.names import w
from evenhand.documents.office.docx.runs import Pending, Progress, Runs
from evenhand.documents.office.docx.setting import Scene, Setting
from evenhand.documents.office.docx.styles import ParagraphStyle
from evenhand.documents.office.docx.tables import Slot, TableLook, slots
from evenhand.documents.office.docx.visibility import is_paragraph_off_page
from evenhand.documents.office.placed import PlacedFrame, arrange, lowered
from evenhand.documents.office.xml import Element

WRAPPERS = {w(name) for name in ("sdtContent", "customXml", "smartTag", "ins", "moveTo")}
OUTLINE_LEVELS = 9  # the tenth is body text


class Story:
    """One pass over one part; `page` tells how far Word's own page breaks have led."""

    def __init__(self, setting: Setting, part_name: str, root: Element) -> None:
        self._setting = setting
        self._progress = Progress(root.find(f".//{w('lastRenderedPageBreak')}") is not None)
        self._runs = Runs(setting, part_name, root, self._progress, self._inner)
        self._formats: dict[ParagraphFormat, tuple[ParagraphFormat, ParagraphStyle]] = {}
        self._covers = Covers(setting.page.text_width)
        self._covers_page = 1
        self._covered_pages: set[int] = set()
        self._carried: list[Span] = []  # a drop cap, or a paragraph whose end was deleted

    @property
    def page(self) -> int:
        return self._progress.page

    def read(self, container: Element) -> list[Block]:
        blocks = self.blocks(container, Scene(self._setting.backdrop))
        for page in self._covered_pages:
            hide_page(blocks, page)
        self._setting.active |= self._runs.fields.kinds
        return blocks

    def blocks(self, container: Element, scene: Scene) -> list[Block]:
        blocks: list[Block] = []
        boxes: list[PlacedFrame] = []
        blank_lines = 0
        for element in self._elements(container, 0):
            if not self._setting.budget.go_on(self.page):
                break
            fresh: Block | None = None
            anchored: list[PlacedFrame] = []
            if element.tag == w("tbl"):
                fresh = self._table(element, scene)
            else:
                fresh, anchored = self._paragraph(element, scene)
            # Boxes hung on blank lines are one page layout; text between them ends it.
            if not isinstance(fresh, Paragraph) or fresh.has_text():
                blocks.extend(arrange(boxes))
                boxes, blank_lines = [], 0
            if fresh is not None:
                blocks.append(fresh)
            boxes.extend(lowered(anchored, blank_lines))
            blank_lines += 1
        blocks.extend(arrange(boxes))
        return blocks

    def _inner(self, content: Element, scene: Scene) -> list[Block]:
        """The blocks of a box; drop caps and shapes inside it do not concern the text around it."""
        carried, self._carried = self._carried, []
        covers, self._covers = self._covers, Covers(self._setting.page.text_width)
        blocks = self.blocks(content, scene)
        self._carried, self._covers = carried, covers
        return blocks

    def _elements(self, container: Element, depth: int) -> Iterator[Element]:
        """Paragraphs and tables, out of whatever wraps them."""
        for child in container:
            if child.tag in (w("p"), w("tbl")):
                yield child
            elif child.tag == w("altChunk"):
                self._setting.active.add("chunk")
            elif not self._setting.budget.may_enter(depth + 1):
                continue
            elif child.tag == w("sdt"):
                content = child.find(w("sdtContent"))
                if content is not None:
                    yield from self._elements(content, depth + 1)
            elif child.tag in WRAPPERS:
                yield from self._elements(child, depth + 1)
            elif child.tag == ALTERNATIVES:
                branch = chosen(child)
                if branch is not None:
                    yield from self._elements(branch, depth + 1)

    # Paragraphs

    def _paragraph(self, element: Element, scene: Scene) -> tuple[Paragraph | None, list[PlacedFrame]]:
        properties = element.find(w("pPr"))
        full, style = self._formatted(read_paragraph(properties, self._setting.theme))
        if full.page_break and not self._progress.trust_rendered:
            self._progress.page += 1
        base = over(style.run, over(scene.run, self._setting.styles.base_run))
        pending = Pending(full, base, scene, spans=self._carried)
        self._carried = []
        first_page = self.page
        self._runs.read(element, pending)
        pending.hide_covered_boxes()
        if _joins_next(properties, full):
            self._carried = pending.spans
            return None, pending.boxes
        paragraph = self._finish(pending, heading=style.heading)
        paragraph.page = next((span.page for span in paragraph.spans if span.text.strip()), first_page)
        self._end_section(properties)
        return paragraph, pending.boxes

    def _formatted(self, direct: ParagraphFormat) -> tuple[ParagraphFormat, ParagraphStyle]:
        """What the paragraph states, over its style, over the defaults; most paragraphs state the same."""
        if direct not in self._formats:
            style = self._setting.styles.paragraph(direct.style)
            stated = over(direct._replace(style=style.format.style), style.format)
            if direct.list_id is not None and direct.level is None:
                stated = stated._replace(level=0)
            self._formats[direct] = (over(stated, self._setting.styles.base_paragraph), style)
        return self._formats[direct]

    def _finish(self, pending: Pending, *, heading: bool) -> Paragraph:
        full = pending.format
        paragraph = Paragraph(
            pending.spans,
            before=full.before or 0.0,
            after=full.after or 0.0,
            heading=heading or (full.outline is not None and 0 <= full.outline < OUTLINE_LEVELS),
            style=full.style,
            contextual=bool(full.contextual),
        )
        if not pending.scene.depth:
            self._hide_by_place(paragraph, pending)
        if full.list_id is not None:
            paragraph.marker = self._setting.numbering.marker(full.list_id, full.level, full.style)
        return paragraph

    def _hide_by_place(self, paragraph: Paragraph, pending: Pending) -> None:
        """Text set off the paper, or under a shape that stands in front of it."""
        full, page = pending.format, self._setting.page
        length = sum(len(span.text) for span in paragraph.spans)
        if length and is_paragraph_off_page(full, page, length, pending.run.size or 10.0):
            hide(paragraph, "off_page")
        if pending.page_covered:
            self._covered_pages.add(self.page)
        new_page = bool(paragraph.spans) and paragraph.spans[0].page != self._covers_page
        if new_page or pending.breaks_page or full.page_break:
            self._covers.shapes = []
        self._covers_page = self.page
        self._covers.add(pending.covers)
        if self._covers.shapes:
            text = estimate(
                paragraph,
                start=page.left + (full.left or 0.0),
                width=page.text_width,
                align=full.align or "start",
                size=pending.run.size or 10.0,
            )
            if length and self._covers.hides(text):
                hide(paragraph, "covered")
            self._covers.pass_by(text.height + max(paragraph.before, paragraph.after))

    def _end_section(self, properties: Element | None) -> None:
        section = properties.find(w("sectPr")) if properties is not None else None
        if section is None or self._progress.trust_rendered:
            return
        kind = section.find(w("type"))
        if kind is None or kind.get(w("val")) not in ("continuous", "nextColumn"):
            self._progress.page += 1

    # Tables

    def _table(self, table: Element, scene: Scene) -> Grid | None:
        if not self._setting.budget.may_enter(scene.depth + 1):
            return None
        look = TableLook(table, self._setting.styles, self._setting.theme)
        rows = list(slots(table))
        columns = max((slot.start + slot.span for row in rows for slot in row), default=0)
        # Writers cut the grid finer than the eye sees it: count only places where a cell begins.
        begins = sorted({slot.start for row in rows for slot in row})
        starts = {start: rank for rank, start in enumerate(begins)}
        if look.off_page(self._setting.page.width):
            scene = replace(scene, hidden=scene.hidden or "off_page")
        grid = Grid(len(rows), len(starts), [], look.is_ruled(table), self.page)
        open_cells: dict[int, Cell] = {}
        for row in rows:
            first_page = last_page = self.page
            for slot in row:
                if slot.continues and slot.start in open_cells:
                    open_cells[slot.start].rows += 1
                    continue
                if not self._setting.budget.take_cell():
                    return grid
                self._progress.page = first_page
                inner = _cell_scene(slot, look, scene, rows=len(rows), columns=columns)
                width = bisect_left(begins, slot.start + slot.span) - starts[slot.start]
                cell = Cell(slot.row, starts[slot.start], self.blocks(slot.element, inner), columns=width)
                grid.cells.append(cell)
                open_cells[slot.start] = cell
                last_page = max(last_page, self.page)
            self._progress.page = last_page
        return grid


def _cell_scene(slot: Slot, look: TableLook, scene: Scene, *, rows: int, columns: int) -> Scene:
    run, fill = look.cell(slot, rows=rows, columns=columns)
    inner = replace(scene, run=run, hidden=scene.hidden or slot.hidden, depth=scene.depth + 1)
    if fill is not None and fill != AUTOMATIC:
        inner = replace(inner, backdrop=(fill,), bare=False)
    return inner


def _joins_next(properties: Element | None, full: ParagraphFormat) -> bool:
    """A drop cap, or a paragraph whose end mark was deleted: its text goes on in the next one."""
    if full.drop_cap:
        return True
    return properties is not None and properties.find(f"{w('rPr')}/{w('del')}") is not None
