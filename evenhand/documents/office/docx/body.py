"""Walks one story of a DOCX (body, header, note) in document order and gives its blocks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evenhand.documents.draft import RGB, TINY_POINTS
from evenhand.documents.office.blocks import Block, OfficeCell, OfficeParagraph, OfficeTable, TextSpan
from evenhand.documents.office.boxes import (
    OpaqueShapes,
    PlacedFrame,
    arrange,
    estimate,
    hide,
    hide_below,
    hide_blocks,
    hide_page,
    lowered,
)
from evenhand.documents.office.docx.context import (
    DocxEnvironment,
    DocxTextContext,
    after_far_tab,
    appearance,
    is_paragraph_off_page,
)
from evenhand.documents.office.docx.package import ALTERNATIVES, VAL, chosen, integer, is_on, twips, value, w
from evenhand.documents.office.docx.runs import DocxPendingParagraph, RunReader, StoryProgress, control_hidden
from evenhand.documents.office.docx.styles import (
    AUTOMATIC,
    EMPTY_PARAGRAPH,
    EMPTY_RUN,
    DocxParagraphFormat,
    ParagraphStyle,
    RunFormat,
    StyleSheet,
    may_hide,
    over,
    read_paragraph,
    read_run,
    shade_color,
)
from evenhand.documents.office.docx.theme import DocxPage, Theme
from evenhand.documents.office.package import Element
from evenhand.documents.properties import UNKNOWN

# Tables of WordprocessingML: their rows and merged cells, and what table styles give each cell.


ROW_WRAPPERS = {w(name) for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo")}
MAX_WRAPPERS = 20
MAX_SPAN = 200
FAR_INSIDE = 300.0  # points between the edge of a cell and its text
LOOK_NAMES = ("firstRow", "lastRow", "firstColumn", "lastColumn", "noHBand", "noVBand")  # bits from 0x20 on
NO_LINE = {"nil", "none", None}


@dataclass(frozen=True, slots=True)
class Slot:
    """One w:tc and its place on the table's grid."""

    element: Element
    row: int
    start: int
    span: int
    continues: bool  # merged into the cell above
    hidden: str | None
    room: float | None  # height that does not grow


def slots(table: Element, page: DocxPage) -> Iterator[list[Slot]]:
    """Cells row by row; deleted rows and cells are left out."""
    at = 0
    fixed = value(table.find(w("tblPr")), w("tblLayout"), "type") == "fixed"
    for row in _unwrapped(table, w("tr"), 0):
        properties, exceptions = row.find(w("trPr")), row.find(w("tblPrEx"))
        hidden = UNKNOWN if exceptions is not None and may_hide(exceptions, "table") else None
        room = None
        if properties is not None:
            if properties.find(w("del")) is not None:
                continue
            hidden = _row_hidden(properties, page) or hidden
            if value(properties, w("trHeight"), "hRule") == "exact":
                room = twips(value(properties, w("trHeight")))
        column = min(integer(value(properties, w("gridBefore"))) or 0, MAX_SPAN)
        cells: list[Slot] = []
        for cell in _unwrapped(row, w("tc"), 0):
            own = cell.find(w("tcPr"))
            span = min(max(integer(value(own, w("gridSpan"))) or 1, 1), MAX_SPAN)
            merge = own.find(w("vMerge")) if own is not None else None
            continues = merge is not None and merge.get(VAL) != "restart"
            if own is None or own.find(w("cellDel")) is None:
                reason = hidden or (_cell_hidden(own, fixed) if own is not None else None)
                cells.append(Slot(cell, at, column, span, continues, reason, room))
            column += span
        yield cells
        at += 1


def _row_hidden(properties: Element, page: DocxPage) -> str | None:
    mark = properties.find(w("hidden"))
    if mark is not None and is_on(mark):
        return "hidden_style"
    before = twips(value(properties, w("wBefore"), "w")) or 0.0
    if before >= page.width and value(properties, w("wBefore"), "type") == "dxa":
        return "off_page"
    return UNKNOWN if may_hide(properties, "row") else None


def _cell_hidden(properties: Element, fixed: bool) -> str | None:
    merge = properties.find(w("hMerge"))
    if merge is not None and merge.get(VAL) != "restart":
        return "hidden_style"  # merged into the cell before it
    width = twips(value(properties, w("tcW"), "w")) if value(properties, w("tcW"), "type") == "dxa" else None
    if fixed and width is not None and 0 < width < TINY_POINTS:
        return "clipped"
    return "off_page" if _far_inside(properties.find(w("tcMar"))) else UNKNOWN if may_hide(properties, "cell") else None


def _far_inside(margins: Element | None) -> bool:
    return margins is not None and any(abs(twips(side.get(w("w"))) or 0.0) > FAR_INSIDE for side in margins)


def _unwrapped(parent: Element, tag: str, depth: int) -> Iterator[Element]:
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in ROW_WRAPPERS and depth < MAX_WRAPPERS:
            yield from _unwrapped(child, tag, depth + 1)
        elif child.tag == ALTERNATIVES and depth < MAX_WRAPPERS:
            branch = chosen(child)
            if branch is not None:
                yield from _unwrapped(branch, tag, depth + 1)


class TableLook:
    """What the table's own properties and its style say about borders, shading and text."""

    def __init__(self, table: Element, styles: StyleSheet, theme: Theme) -> None:
        self._properties = table.find(w("tblPr"))
        self._theme = theme
        self._chain = styles.chain("table", styles.known("table", value(self._properties, w("tblStyle"))))
        self._flags = {"noHBand", "noVBand"}
        look = self._properties.find(w("tblLook")) if self._properties is not None else None
        if look is not None:
            try:
                bits = int(look.get(VAL) or "0", 16)
            except ValueError:
                bits = 0
            stated = {name: look.get(w(name)) for name in LOOK_NAMES}
            self._flags = {
                name
                for place, (name, text) in enumerate(stated.items())
                if (text or "").lower() in ("1", "true", "on") or (text is None and bits & 0x20 << place)
            }
        self._parts = {
            (index, part.get(w("type")) or ""): part
            for index, element in enumerate(self._chain)
            for part in element.iter(w("tblStylePr"))
        }
        self._known: dict[tuple[str, ...], tuple[RunFormat, DocxParagraphFormat, RGB | None]] = {}

    def is_ruled(self, table: Element) -> bool:
        holders = [self._properties, *(element.find(w("tblPr")) for element in self._chain)]
        for holder in holders:
            borders = holder.find(w("tblBorders")) if holder is not None else None
            if borders is not None:
                return any(border.get(VAL) not in NO_LINE for border in borders)
        cell_borders = table.find(f".//{w('tcBorders')}")
        return cell_borders is not None and any(border.get(VAL) not in NO_LINE for border in cell_borders)

    def hidden(self, page: DocxPage) -> str | None:
        """Why nobody sees anything of the table."""
        own = self._properties
        if own is None:
            return None
        floating, across = own.find(w("tblpPr")), value(own, w("tblInd"), "type") == "dxa"
        width = twips(value(own, w("tblW"), "w")) if value(own, w("tblW"), "type") == "dxa" else None
        x = twips(floating.get(w("tblpX"))) if floating is not None else None
        y = twips(floating.get(w("tblpY"))) if floating is not None else None
        indent = twips(value(own, w("tblInd"), "w")) if across else None
        places = [place + page.left for place in (x, indent) if place is not None]
        if any(place >= page.width or place + (width or page.width) <= 0 for place in places):
            return "off_page"
        if _far_inside(own.find(w("tblCellMar"))) or (y is not None and abs(y) >= page.height):
            return "off_page"
        hides = (mark for style in self._chain for row in style.iter(w("trPr")) for mark in row.iterfind(w("hidden")))
        if any(is_on(mark) for mark in hides):
            return "hidden_style"
        return UNKNOWN if may_hide(own, "table") else None

    def cell(self, slot: Slot, *, rows: int, columns: int) -> tuple[RunFormat, DocxParagraphFormat, RGB | None]:
        """What the table gives the runs and paragraphs of a cell, and its fill."""
        kinds = tuple(self._kinds(slot, rows, columns))
        if kinds not in self._known:
            places = ((index, kind) for kind in kinds for index in range(len(self._chain)))
            layers = [self._parts[place] for place in places if place in self._parts]
            run, paragraph, fill = EMPTY_RUN, EMPTY_PARAGRAPH, None
            for layer in [*layers, *self._chain]:
                run = over(run, read_run(layer.find(w("rPr")), self._theme))
                paragraph = over(paragraph, read_paragraph(layer.find(w("pPr")), self._theme))
                fill = fill or self._fill(layer.find(w("tcPr"))) or self._fill(layer.find(w("tblPr")))
            self._known[kinds] = run, paragraph, fill or self._fill(self._properties)
        run, paragraph, fill = self._known[kinds]
        direct = slot.element.find(f"{w('tcPr')}/{w('shd')}")
        if direct is not None:
            fill = shade_color(direct, self._theme) or fill
        return run, paragraph, fill

    def _fill(self, holder: Element | None) -> RGB | None:
        shade = holder.find(w("shd")) if holder is not None else None
        return shade_color(shade, self._theme) if shade is not None else None

    def _kinds(self, slot: Slot, rows: int, columns: int) -> Iterator[str]:
        """Parts of the table this cell belongs to, the strongest first."""
        flags = self._flags
        top = "firstRow" in flags and slot.row == 0
        bottom = "lastRow" in flags and slot.row == rows - 1
        left = "firstColumn" in flags and slot.start == 0
        right = "lastColumn" in flags and slot.start + slot.span >= columns
        corners = {
            "nwCell": top and left,
            "neCell": top and right,
            "swCell": bottom and left,
            "seCell": bottom and right,
        }
        sides = {"firstRow": top, "lastRow": bottom, "firstCol": left, "lastCol": right}
        yield from (kind for kind, holds in (corners | sides).items() if holds)
        if "noHBand" not in flags and not top and not bottom:
            yield "band1Horz" if (slot.row - ("firstRow" in flags)) % 2 == 0 else "band2Horz"
        if "noVBand" not in flags and not left and not right:
            yield "band1Vert" if (slot.start - ("firstColumn" in flags)) % 2 == 0 else "band2Vert"
        yield "wholeTable"


WRAPPERS = {w(name) for name in ("sdtContent", "customXml", "smartTag", "ins", "moveTo")}
OUTLINE_LEVELS = 9  # the tenth is body text
MIN_LABEL = 3  # letters and figures of a label that may say something


class DocxStory:
    """One pass over one part; `page` tells how far Word's own page breaks have led."""

    def __init__(self, setting: DocxEnvironment, part_name: str, root: Element) -> None:
        self._setting = setting
        self._progress = StoryProgress(root.find(f".//{w('lastRenderedPageBreak')}") is not None)
        self._runs = RunReader(setting, part_name, root, self._progress, self._inner)
        self._formats: dict[
            tuple[DocxParagraphFormat, DocxParagraphFormat], tuple[DocxParagraphFormat, ParagraphStyle]
        ] = {}
        self._replaced: set[Element] = set()  # of controls that show something else
        self._section = 0
        self._heading: tuple[int, bool] | None = None  # level of the heading just read, and whether it is folded
        self._covers = OpaqueShapes(setting.page.text_width)
        self._covers_page = 1
        self._covered_pages: set[int] = set()
        self._carried: list[TextSpan] = []  # a drop cap, or a paragraph whose end was deleted

    @property
    def page(self) -> int:
        return self._progress.page

    def read(self, container: Element, hidden: str | None = None) -> list[Block]:
        blocks = self.blocks(container, DocxTextContext(self._setting.backdrop, hidden=hidden))
        for page in self._covered_pages:
            hide_page(blocks, page)
        self._setting.active |= self._runs.fields.kinds
        return blocks

    def blocks(self, container: Element, scene: DocxTextContext) -> list[Block]:
        blocks: list[Block] = []
        boxes: list[PlacedFrame] = []
        blank_lines = 0
        folded: int | None = None  # the level of the heading under which everything is folded away
        for element in self._elements(container, 0):
            if not self._setting.budget.go_on(self.page):
                break
            fresh: Block | None = None
            anchored: list[PlacedFrame] = []
            unseen = "clipped" if self._setting.page.cramped and not scene.depth else None
            unseen = "replaced" if element in self._replaced else unseen
            self._heading = None
            if element.tag == w("tbl"):
                fresh = self._table(element, scene)
                self._heading = None
            else:
                fresh, anchored = self._paragraph(element, scene)
            if self._heading is not None and (folded is None or self._heading[0] <= folded):
                folded = self._heading[0] if self._heading[1] else None
            elif folded is not None:
                unseen = "hidden_style"
            if unseen is not None:
                hide_blocks([*([fresh] if fresh is not None else []), *(frame for _, frame in anchored)], unseen)
            # Boxes hung on blank lines are one page layout; text between them ends it.
            if not isinstance(fresh, OfficeParagraph) or fresh.has_text():
                blocks.extend(arrange(boxes))
                boxes, blank_lines = [], 0
            if fresh is not None:
                blocks.append(fresh)
            boxes.extend(lowered(anchored, blank_lines))
            blank_lines += 1
        blocks.extend(arrange(boxes))
        return blocks

    def _inner(self, content: Element, scene: DocxTextContext) -> list[Block]:
        """The blocks of a box; drop caps and shapes inside it do not concern the text around it."""
        carried, self._carried = self._carried, []
        covers, self._covers = self._covers, OpaqueShapes(self._setting.page.text_width)
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
                    inner = list(self._elements(content, depth + 1))
                    if control_hidden(child, content, self._setting.package):
                        self._replaced.update(inner)
                    yield from inner
            elif child.tag in WRAPPERS:
                yield from self._elements(child, depth + 1)
            elif child.tag == ALTERNATIVES:
                branch = chosen(child)
                if branch is not None:
                    yield from self._elements(branch, depth + 1)

    # Paragraphs

    def _paragraph(self, element: Element, scene: DocxTextContext) -> tuple[OfficeParagraph | None, list[PlacedFrame]]:
        properties = element.find(w("pPr"))
        direct = read_paragraph(properties, self._setting.theme)
        key = (direct, scene.paragraph)
        if key not in self._formats:  # most paragraphs state the same
            self._formats[key] = self._format(direct, scene)
        full, style = self._formats[key]
        if full.page_break and not self._progress.trust_rendered:
            self._progress.page += 1
        base = over(style.run, over(scene.run, self._setting.styles.base_run))
        pending = DocxPendingParagraph(full, base, scene, spans=self._carried)
        self._carried = []
        first_page = self.page
        self._runs.read(element, pending)
        pending.hide_covered_boxes()
        pending.hide_fitted()
        # Of a drop cap, or a paragraph whose end mark was deleted, the text goes on in the next one.
        if full.drop_cap or (properties is not None and properties.find(f"{w('rPr')}/{w('del')}") is not None):
            self._carried = pending.spans
            return None, pending.boxes
        paragraph = OfficeParagraph(
            pending.spans,
            before=full.before or 0.0,
            after=full.after or 0.0,
            heading=style.heading or (full.outline is not None and 0 <= full.outline < OUTLINE_LEVELS),
            style=full.style,
            contextual=bool(full.contextual),
        )
        if not scene.depth:
            self._hide_by_place(paragraph, pending)
        elif abs((full.left or 0.0) + (full.first or 0.0)) > self._setting.page.width:
            hide(paragraph, "off_page")
        if full.list_id is not None:
            self._label(paragraph, properties.find(w("rPr")) if properties is not None else None, pending)
        if full.outline is not None and 0 <= full.outline < OUTLINE_LEVELS:
            self._heading = (full.outline, bool(full.collapsed))
        paragraph.page = next((span.page for span in paragraph.spans if span.text.strip()), first_page)
        section = properties.find(w("sectPr")) if properties is not None else None
        if section is not None:
            self._section = min(self._section + 1, len(self._setting.pages) - 1)
            self._setting.page = self._setting.pages[self._section]
        if section is not None and not self._progress.trust_rendered:
            self._progress.page += value(section, w("type")) not in ("continuous", "nextColumn")
        return paragraph, pending.boxes

    def _format(
        self, direct: DocxParagraphFormat, scene: DocxTextContext
    ) -> tuple[DocxParagraphFormat, ParagraphStyle]:
        """What the paragraph states, over its list, its style, the table around it and the defaults."""
        style = self._setting.styles.paragraph(direct.style)
        stated = over(direct._replace(style=style.format.style), style.format)
        if direct.list_id is not None and direct.level is None:
            stated = stated._replace(level=0)
        listed = self._setting.numbering.level(stated.list_id, stated.level, stated.style).paragraph
        if direct.list_id is not None:
            own = over(direct, listed)
            stated = stated._replace(
                left=stated.left if own.left is None else own.left,
                first=stated.first if own.first is None else own.first,
            )
        below = over(listed, over(scene.paragraph, self._setting.styles.base_paragraph))
        return over(stated, below), style

    def _label(self, paragraph: OfficeParagraph, mark: Element | None, pending: DocxPendingParagraph) -> None:
        """The marker of a list item; one that nobody sees is hidden text like any other."""
        full, numbering = pending.format, self._setting.numbering
        marker = numbering.marker(full.list_id, full.level, full.style)
        if marker is not None and sum(map(str.isalnum, marker)) >= MIN_LABEL:
            run = over(read_run(mark, self._setting.theme), pending.run)
            run = over(numbering.level(full.list_id, full.level, full.style).run, run)
            look, reason = appearance(run, full, pending.scene, self._setting)
            if reason is not None:
                paragraph.spans.insert(0, TextSpan(f"{marker} ", look, self.page, reason))
                return
        paragraph.marker = marker

    def _hide_by_place(self, paragraph: OfficeParagraph, pending: DocxPendingParagraph) -> None:
        """Text set off the paper, or under a shape that stands in front of it."""
        full, page = pending.format, self._setting.page
        length = sum(len(span.text) for span in paragraph.spans)
        if length and is_paragraph_off_page(full, page, length, pending.run.size or 10.0):
            hide(paragraph, "off_page")
        near = after_far_tab(full, page)
        tabs = 0
        for span in paragraph.spans if near is not None else ():
            tabs = 0 if "\n" in span.text else tabs + span.text.count("\t")
            if near is not None and tabs > near:
                span.hidden = span.hidden or "off_page"
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

    # Tables

    def _table(self, table: Element, scene: DocxTextContext) -> OfficeTable | None:
        if not self._setting.budget.may_enter(scene.depth + 1):
            return None
        look = TableLook(table, self._setting.styles, self._setting.theme)
        rows = list(slots(table, self._setting.page))
        columns = max((slot.start + slot.span for row in rows for slot in row), default=0)
        # Writers cut the grid finer than the eye sees it: count only places where a cell begins.
        begins = sorted({slot.start for row in rows for slot in row})
        starts = {start: rank for rank, start in enumerate(begins)}
        scene = replace(scene, hidden=scene.hidden or look.hidden(self._setting.page))
        grid = OfficeTable(len(rows), len(starts), [], look.is_ruled(table), self.page)
        open_cells: dict[int, OfficeCell] = {}
        for row in rows:
            first_page = last_page = self.page
            for slot in row:
                if slot.continues and slot.start in open_cells:
                    open_cells[slot.start].rows += 1
                    continue
                if not self._setting.budget.take_cell():
                    return grid
                self._progress.page = first_page
                run, paragraph, fill = look.cell(slot, rows=len(rows), columns=columns)
                hidden, depth = scene.hidden or slot.hidden, scene.depth + 1
                inner = replace(scene, run=run, paragraph=paragraph, hidden=hidden, room=slot.room, depth=depth)
                if fill is not None and fill != AUTOMATIC:
                    inner = replace(inner, backdrop=(fill,), bare=False)
                width = bisect_left(begins, slot.start + slot.span) - starts[slot.start]
                cell = OfficeCell(slot.row, starts[slot.start], self.blocks(slot.element, inner), columns=width)
                hide_below(cell.blocks, slot.room, self._setting.page.text_width)
                grid.cells.append(cell)
                open_cells[slot.start] = cell
                last_page = max(last_page, self.page)
            self._progress.page = last_page
        return grid
