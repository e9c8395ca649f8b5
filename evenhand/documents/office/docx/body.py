"""Walks one story of a DOCX (body, header, note) in document order and gives its blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from evenhand.documents.office import symbols
from evenhand.documents.office.blocks import Block, Cell, Frame, Grid, Look, Paragraph, Span
from evenhand.documents.office.docx.diagrams import diagram_lines
from evenhand.documents.office.docx.fields import Fields
from evenhand.documents.office.docx.formats import (
    AUTOMATIC,
    ParagraphFormat,
    RunFormat,
    over,
    read_paragraph,
    read_run,
)
from evenhand.documents.office.docx.names import DGM, MC, WP, M, R, w
from evenhand.documents.office.docx.setting import Scene, Setting
from evenhand.documents.office.docx.shapes import Shape, drawn_shapes, fill_behind
from evenhand.documents.office.docx.styles import combine
from evenhand.documents.office.docx.tables import Slot, TableLook, slots
from evenhand.documents.office.docx.visibility import appearance, is_paragraph_off_page
from evenhand.documents.office.docx.vml import vml_shapes
from evenhand.documents.office.placed import PlacedFrame, arrange, single_line
from evenhand.documents.office.xml import Element

ALTERNATIVES = f"{{{MC}}}AlternateContent"
CHOICE, FALLBACK = f"{{{MC}}}Choice", f"{{{MC}}}Fallback"
UNDERSTOOD = {"wps", "wpg", "wpc", "w14", "wp14", "w15", "w16", "w16se", "w16cid", "v", "o", "a14", "am3d"}
BLOCK_WRAPPERS = {w(name) for name in ("sdtContent", "customXml", "smartTag", "ins", "moveTo")}
INLINE_WRAPPERS = (
    BLOCK_WRAPPERS
    | {w(name) for name in ("hyperlink", "dir", "bdo", "rubyBase", "fldSimple", "r")}
    | {f"{{{M}}}{name}" for name in ("oMath", "oMathPara")}
)
MATH_TEXT = f"{{{M}}}t"
INLINE = f"{{{WP}}}inline"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
MAX_INLINE = 60
FIXED_TEXT = {
    w("tab"): "\t", w("ptab"): "\t", w("cr"): "\n", w("noBreakHyphen"): "-",
    w("br"): "\n",
}  # fmt: skip
OUTLINE_LEVELS = 9  # the tenth is body text


@dataclass(slots=True)
class Pending:
    """A paragraph while its runs are read."""

    format: ParagraphFormat
    run: RunFormat  # what styles give every run
    scene: Scene
    spans: list[Span] = field(default_factory=list)
    boxes: list[PlacedFrame] = field(default_factory=list)


class Story:
    """One pass over one part; `page` tells how far Word's own page breaks have led."""

    def __init__(self, setting: Setting, part_name: str, root: Element) -> None:
        self._setting = setting
        self._part_name = part_name
        self._fields = Fields(root)
        self._looks: dict[tuple[RunFormat, ParagraphFormat, Scene], tuple[Look, str | None]] = {}
        self._trust_rendered = root.find(f".//{w('lastRenderedPageBreak')}") is not None
        self._carried: list[Span] = []  # a drop cap, or a paragraph whose end was deleted
        self.page = 1

    def read(self, container: Element) -> list[Block]:
        blocks = self.blocks(container, Scene(self._setting.backdrop))
        self._setting.active |= self._fields.kinds
        return blocks

    def blocks(self, container: Element, scene: Scene) -> list[Block]:
        blocks: list[Block] = []
        boxes: list[PlacedFrame] = []
        for element in self._block_elements(container, 0):
            if not self._setting.budget.go_on(self.page):
                break
            if element.tag == w("tbl"):
                fresh: Block | None = self._table(element, scene)
                anchored: list[PlacedFrame] = []
            else:
                fresh, anchored = self._paragraph(element, scene)
            # Boxes hung on blank lines are one page layout; text between them ends it.
            if not isinstance(fresh, Paragraph) or fresh.has_text():
                blocks.extend(arrange(boxes))
                boxes = []
            if fresh is not None:
                blocks.append(fresh)
            boxes.extend(anchored)
        blocks.extend(arrange(boxes))
        return blocks

    def _block_elements(self, container: Element, depth: int) -> Iterator[Element]:
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
                    yield from self._block_elements(content, depth + 1)
            elif child.tag in BLOCK_WRAPPERS:
                yield from self._block_elements(child, depth + 1)
            elif child.tag == ALTERNATIVES:
                branch = chosen(child)
                if branch is not None:
                    yield from self._block_elements(branch, depth + 1)

    # Paragraphs

    def _paragraph(self, element: Element, scene: Scene) -> tuple[Paragraph | None, list[PlacedFrame]]:
        properties = element.find(w("pPr"))
        direct = read_paragraph(properties, self._setting.theme)
        style = self._setting.styles.paragraph(direct.style)
        stated = over(direct._replace(style=style.format.style), style.format)
        if direct.list_id is not None and direct.level is None:
            stated = stated._replace(level=0)
        full = over(stated, self._setting.styles.base_paragraph)
        if full.page_break and not self._trust_rendered:
            self.page += 1
        base = over(style.run, over(scene.run, self._setting.styles.base_run))
        pending = Pending(full, base, scene, spans=self._carried)
        self._carried = []
        first_page = self.page
        self._inline(element, pending, 0)
        if self._joins_next(properties, full):
            self._carried = pending.spans
            return None, pending.boxes
        paragraph = self._finish(pending, heading=style.heading)
        paragraph.page = next((span.page for span in paragraph.spans if span.text.strip()), first_page)
        self._end_section(properties)
        return paragraph, pending.boxes

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
        length = sum(len(span.text) for span in pending.spans)
        if (
            length
            and not pending.scene.depth
            and is_paragraph_off_page(full, self._setting.page, length, pending.run.size or 10.0)
        ):
            for span in pending.spans:
                span.hidden = span.hidden or "off_page"
        if full.list_id is not None:
            paragraph.marker = self._setting.numbering.marker(full.list_id, full.level, full.style)
        return paragraph

    def _joins_next(self, properties: Element | None, full: ParagraphFormat) -> bool:
        if full.drop_cap:
            return True
        return properties is not None and properties.find(f"{w('rPr')}/{w('del')}") is not None

    def _end_section(self, properties: Element | None) -> None:
        section = properties.find(w("sectPr")) if properties is not None else None
        if section is None or self._trust_rendered:
            return
        kind = section.find(w("type"))
        if kind is None or kind.get(w("val")) not in ("continuous", "nextColumn"):
            self.page += 1

    # Runs

    def _inline(self, parent: Element, pending: Pending, depth: int) -> None:
        if depth > MAX_INLINE:
            self._setting.budget.too_deep = True
            return
        for child in parent:
            tag = child.tag
            if tag == w("r"):
                self._run(child, pending, depth)
            elif tag in INLINE_WRAPPERS:
                if tag == w("fldSimple"):
                    self._fields.note(child.get(w("instr")) or "")
                self._inline(child, pending, depth + 1)
            elif tag == w("sdt"):
                content = child.find(w("sdtContent"))
                if content is not None:
                    self._inline(content, pending, depth + 1)
            elif tag == ALTERNATIVES:
                branch = chosen(child)
                if branch is not None:
                    self._inline(branch, pending, depth + 1)
            elif isinstance(tag, str) and tag.startswith(f"{{{M}}}"):
                self._math(child, pending)

    def _math(self, element: Element, pending: Pending) -> None:
        text = "".join(part.text or "" for part in element.iter(MATH_TEXT))
        if text:
            self._say(text, pending.run, pending)

    def _run(self, run: Element, pending: Pending, depth: int) -> None:
        direct = read_run(run.find(w("rPr")), self._setting.theme)
        styled = combine(self._setting.styles.run(direct.style), pending.run) if direct.style else pending.run
        self._run_content(run, over(direct, styled), pending, depth)

    def _run_content(self, run: Element, look: RunFormat, pending: Pending, depth: int) -> None:
        for child in run:
            tag = child.tag
            if tag == w("t"):
                text = child.text or ""
                if "\n" in text:
                    text = (
                        " ".join(text.split("\n"))
                        if child.get(SPACE) == "preserve"
                        else " ".join(text.split())
                    )
                self._say(symbols.drawn(text, look.font), look, pending)
            elif tag in FIXED_TEXT:
                self._say(FIXED_TEXT[tag], look, pending)
                if tag == w("br") and child.get(w("type")) == "page" and not self._trust_rendered:
                    self.page += 1
            elif tag == w("lastRenderedPageBreak"):
                self.page += 1
            elif tag == w("sym"):
                self._say(symbol(child), look, pending)
            elif tag == w("fldChar"):
                self._say(self._fields.mark(child), look, pending)
            elif tag == w("instrText"):
                self._fields.instruct(child.text or "")
            elif tag in (w("footnoteReference"), w("endnoteReference")):
                self._setting.notes.append(
                    (tag.rpartition("}")[2].removesuffix("Reference"), child.get(w("id")) or "")
                )
            elif depth <= MAX_INLINE:
                self._run_object(child, look, pending, depth)

    def _run_object(self, child: Element, look: RunFormat, pending: Pending, depth: int) -> None:
        if child.tag == w("drawing"):
            self._drawing(child, pending)
        elif child.tag in (w("pict"), w("object")):
            pending.boxes.extend(self._boxes(vml_shapes(child, self._setting.page), pending))
        elif child.tag == w("ruby"):
            self._inline(child, pending, depth + 1)
        elif child.tag == ALTERNATIVES:
            branch = chosen(child)
            if branch is not None:
                self._run_content(branch, look, pending, depth + 1)

    def _say(self, text: str, look: RunFormat, pending: Pending) -> None:
        if not text or self._fields.muted:
            return
        key = (look, pending.format, pending.scene)
        if key not in self._looks:
            self._looks[key] = appearance(look, pending.format, pending.scene, self._setting)
        shown, reason = self._looks[key]
        pending.spans.append(Span(self._setting.budget.take_text(text), shown, self.page, reason))

    # Boxes

    def _drawing(self, drawing: Element, pending: Pending) -> None:
        boxes = self._boxes(drawn_shapes(drawing, self._setting.page, self._setting.theme), pending)
        if any(child.tag == INLINE for child in drawing):
            self._stand_inline(boxes, pending)
        else:
            pending.boxes.extend(boxes)
        for reference in drawing.iter(f"{{{DGM}}}relIds"):
            relation = self._setting.package.relations(self._part_name).get(reference.get(f"{{{R}}}dm") or "")
            if relation is not None and not relation.external:
                lines = diagram_lines(self._setting.package.part(relation.target))
                frame = Frame([self._plain(line, pending) for line in lines])
                pending.boxes.append((None, frame))

    def _stand_inline(self, boxes: list[PlacedFrame], pending: Pending) -> None:
        """A drawing that stands in the line like a character: one line of text joins it, more follows it."""
        blocks = arrange(boxes)
        line = single_line(blocks)
        if line is None:
            pending.boxes.append((None, Frame(blocks)))
        elif line:
            blank = Span(" ", line[0].look, self.page)
            pending.spans.extend([blank, *line, blank])

    def _boxes(self, shapes: Iterator[Shape], pending: Pending) -> list[PlacedFrame]:
        drawn = list(shapes)
        boxes: list[PlacedFrame] = []
        for index, shape in enumerate(drawn):
            if shape.text:
                boxes.append((shape.rect, Frame([self._plain(shape.text, pending)])))
            if shape.content is None or not self._setting.budget.may_enter(pending.scene.depth + 1):
                continue
            scene = replace(
                pending.scene,
                run=RunFormat(),
                color=shape.color,
                hidden=pending.scene.hidden or shape.hidden,
                depth=pending.scene.depth + 1,
            )
            fill = shape.fill or fill_behind(shape, drawn[:index])
            if fill is not None:
                scene = replace(scene, backdrop=fill.colors, bare=False)
            boxes.append((shape.rect, Frame(self._inner(shape.content, scene))))
        return boxes

    def _inner(self, content: Element, scene: Scene) -> list[Block]:
        """The blocks of a box; page breaks and drop caps inside it do not concern the text around it."""
        page, carried, self._carried = self.page, self._carried, []
        blocks = self.blocks(content, scene)
        self.page, self._carried = page, carried
        return blocks

    def _plain(self, text: str, pending: Pending) -> Paragraph:
        shown = Look(font=pending.run.font)
        text = self._setting.budget.take_text(text)
        return Paragraph([Span(text, shown, self.page, pending.scene.hidden)], self.page)

    # Tables

    def _table(self, table: Element, scene: Scene) -> Grid | None:
        if not self._setting.budget.may_enter(scene.depth + 1):
            return None
        look = TableLook(table, self._setting.styles, self._setting.theme)
        rows = list(slots(table))
        columns = max((slot.start + slot.span for row in rows for slot in row), default=0)
        # Writers cut the grid finer than the eye sees it: count only places where a cell begins.
        starts = {
            start: rank for rank, start in enumerate(sorted({slot.start for row in rows for slot in row}))
        }
        off_page = "off_page" if look.off_page(self._setting.page.width) else None
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
                inner = self._cell_scene(slot, look, scene, off_page, rows=len(rows), columns=columns)
                self.page = first_page
                width = sum(1 for start in starts if slot.start <= start < slot.start + slot.span)
                cell = Cell(slot.row, starts[slot.start], self.blocks(slot.element, inner), columns=width)
                grid.cells.append(cell)
                open_cells[slot.start] = cell
                last_page = max(last_page, self.page)
            self.page = last_page
        return grid

    def _cell_scene(
        self, slot: Slot, look: TableLook, scene: Scene, off_page: str | None, *, rows: int, columns: int
    ) -> Scene:
        run, fill = look.cell(slot, rows=rows, columns=columns)
        inner = replace(scene, run=run, hidden=scene.hidden or slot.hidden or off_page, depth=scene.depth + 1)
        if fill is not None and fill != AUTOMATIC:
            inner = replace(inner, backdrop=(fill,), bare=False)
        return inner


def chosen(alternatives: Element) -> Element | None:
    """The first choice this reader understands, else the fallback: never both."""
    for branch in alternatives:
        if branch.tag == CHOICE and set((branch.get("Requires") or "").split()) <= UNDERSTOOD:
            return branch
    return alternatives.find(FALLBACK)


def symbol(element: Element) -> str:
    """w:sym: a character code in a symbol font."""
    try:
        code = int(element.get(w("char")) or "", 16)
    except ValueError:
        return ""
    if not 0x20 <= code <= 0xFFFF or 0xD800 <= code <= 0xDFFF:
        return ""
    return symbols.drawn(chr(code), element.get(w("font")))
