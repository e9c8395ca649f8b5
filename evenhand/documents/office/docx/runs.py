"""The inside of a paragraph: runs, fields, links, symbols and the drawings anchored among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from evenhand.documents.office import symbols
from evenhand.documents.office.blocks import Block, Frame, Look, Paragraph, Span
from evenhand.documents.office.boxes import Rect
from evenhand.documents.office.cover import MOST, WHOLE_PAGE, hide_blocks, is_opaque_picture
from evenhand.documents.office.docx.alternatives import ALTERNATIVES, chosen
from evenhand.documents.office.docx.diagrams import diagram_lines
from evenhand.documents.office.docx.fields import Fields
from evenhand.documents.office.docx.formats import EMPTY_RUN, ParagraphFormat, RunFormat, over, read_run
from evenhand.documents.office.docx.names import DGM, WP, M, R, w
from evenhand.documents.office.docx.setting import Scene, Setting
from evenhand.documents.office.docx.shapes import Shape, drawn_shapes, fill_behind
from evenhand.documents.office.docx.styles import combine
from evenhand.documents.office.docx.visibility import appearance
from evenhand.documents.office.docx.vml import vml_shapes
from evenhand.documents.office.placed import PlacedFrame, arrange, single_line
from evenhand.documents.office.xml import Element

WRAPPERS = {
    w(name)
    for name in (
        "sdtContent", "customXml", "smartTag", "ins", "moveTo", "hyperlink", "dir", "bdo", "rubyBase",
        "fldSimple",
    )
} | {f"{{{M}}}{name}" for name in ("oMath", "oMathPara")}  # fmt: skip
MATH_TEXT = f"{{{M}}}t"
INLINE = f"{{{WP}}}inline"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"
MAX_DEPTH = 60
MANY = 200  # shapes of one drawing that are compared with each other
FIXED_TEXT = {w("tab"): "\t", w("ptab"): "\t", w("cr"): "\n", w("noBreakHyphen"): "-", w("br"): "\n"}
REFERENCES = {w("footnoteReference"): "footnote", w("endnoteReference"): "endnote"}


@dataclass(slots=True)
class Progress:
    """How far the reading of one story has led."""

    trust_rendered: bool  # Word noted where its pages ended, so explicit breaks need not be counted
    page: int = 1


@dataclass(slots=True)
class Pending:
    """A paragraph while its runs are read."""

    format: ParagraphFormat
    run: RunFormat  # what styles give every run
    scene: Scene
    spans: list[Span] = field(default_factory=list)
    boxes: list[PlacedFrame] = field(default_factory=list)
    drawn: list[tuple[Shape, Frame]] = field(default_factory=list)  # boxes and the shapes they stand in
    tops: list[Shape] = field(default_factory=list)  # opaque shapes without text, in front of the text
    page_covered: bool = False
    breaks_page: bool = False

    @property
    def covers(self) -> list[Rect]:
        """Places in front of the text that count from this paragraph."""
        return [shape.rect for shape in self.tops if shape.rect is not None and shape.rect.floating]

    def hide_covered_boxes(self) -> None:
        """Boxes under a higher shape of another drawing."""
        tops = self.tops[-MANY:]
        for shape, frame in self.drawn[-MANY:] if tops else ():
            if any(top.height > shape.height and lies_over(top, shape) for top in tops):
                hide_blocks(frame.blocks, "covered")


class Runs:
    """Reads runs into pending paragraphs; what boxes hold is read by whoever reads blocks."""

    def __init__(
        self,
        setting: Setting,
        part_name: str,
        root: Element,
        progress: Progress,
        read_inner: Callable[[Element, Scene], list[Block]],
    ) -> None:
        self._setting = setting
        self._part_name = part_name
        self._progress = progress
        self._read_inner = read_inner
        self._looks: dict[tuple[RunFormat, ParagraphFormat, Scene], tuple[Look, str | None]] = {}
        self._formats: dict[tuple[RunFormat, RunFormat], RunFormat] = {}
        self.fields = Fields(root)

    def read(self, parent: Element, pending: Pending, depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            self._setting.budget.too_deep = True
            return
        for child in parent:
            tag = child.tag
            if tag == w("r"):
                self._run(child, pending, depth)
            elif tag in WRAPPERS:
                if tag == w("fldSimple"):
                    self.fields.note(child.get(w("instr")) or "")
                self.read(child, pending, depth + 1)
            elif tag == w("sdt"):
                content = child.find(w("sdtContent"))
                if content is not None:
                    self.read(content, pending, depth + 1)
            elif tag == ALTERNATIVES:
                branch = chosen(child)
                if branch is not None:
                    self.read(branch, pending, depth + 1)
            elif isinstance(tag, str) and tag.startswith(f"{{{M}}}"):
                text = "".join(part.text or "" for part in child.iter(MATH_TEXT))
                self._say(text, pending.run, pending)

    def _run(self, run: Element, pending: Pending, depth: int) -> None:
        direct = read_run(run.find(w("rPr")), self._setting.theme)
        key = (direct, pending.run)
        if key not in self._formats:
            styled = combine(self._setting.styles.run(direct.style), pending.run)
            self._formats[key] = over(direct, styled if direct.style else pending.run)
        self._content(run, self._formats[key], pending, depth)

    def _content(self, run: Element, look: RunFormat, pending: Pending, depth: int) -> None:
        for child in run:
            tag = child.tag
            if tag == w("t"):
                self._say(symbols.drawn(typed_text(child), look.font), look, pending)
            elif tag in FIXED_TEXT:
                self._say(FIXED_TEXT[tag], look, pending)
                if child.get(w("type")) == "page":
                    pending.breaks_page = True
                    self._progress.page += not self._progress.trust_rendered
            elif tag == w("lastRenderedPageBreak"):
                self._progress.page += 1
            elif tag == w("sym"):
                self._say(symbol(child), look, pending)
            elif tag == w("fldChar"):
                self._say(self.fields.mark(child), look, pending)
            elif tag == w("instrText"):
                self.fields.instruct(child.text or "")
            elif tag in REFERENCES:
                self._setting.notes.append((REFERENCES[tag], child.get(w("id")) or ""))
            elif depth <= MAX_DEPTH:
                self._object(child, look, pending, depth)

    def _object(self, child: Element, look: RunFormat, pending: Pending, depth: int) -> None:
        if child.tag == w("drawing"):
            self._drawing(child, pending)
        elif child.tag in (w("pict"), w("object")):
            pending.boxes.extend(self._boxes(vml_shapes(child, self._setting.page), pending))
        elif child.tag == w("ruby"):
            self.read(child, pending, depth + 1)
        elif child.tag == ALTERNATIVES:
            branch = chosen(child)
            if branch is not None:
                self._content(branch, look, pending, depth + 1)

    def _say(self, text: str, look: RunFormat, pending: Pending) -> None:
        if not text or self.fields.muted:
            return
        key = (look, pending.format, pending.scene)
        if key not in self._looks:
            self._looks[key] = appearance(look, pending.format, pending.scene, self._setting)
        shown, reason = self._looks[key]
        page = self._progress.page
        pending.spans.append(Span(self._setting.budget.take_text(text, page), shown, page, reason))

    # Drawings

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
                pending.boxes.append((None, Frame([self._plain(line, pending) for line in lines])))

    def _stand_inline(self, boxes: list[PlacedFrame], pending: Pending) -> None:
        """A drawing that stands in the line like a character: one line of text joins it, more follows it."""
        blocks = arrange(boxes)
        line = single_line(blocks)
        if line is None:
            pending.boxes.append((None, Frame(blocks)))
        elif line:
            blank = Span(" ", line[0].look, self._progress.page)
            pending.spans.extend([blank, *line, blank])

    def _boxes(self, shapes: Iterator[Shape], pending: Pending) -> list[PlacedFrame]:
        drawn = list(shapes)
        boxes: list[PlacedFrame] = []
        for index, shape in enumerate(drawn):
            if shape.text:
                boxes.append((shape.rect, Frame([self._plain(shape.text, pending)])))
            if shape.content is None:
                self._note_cover(shape, pending)
            elif self._setting.budget.may_enter(pending.scene.depth + 1):
                below, above = drawn[max(0, index - MANY) : index], drawn[index + 1 : index + MANY]
                scene = self._box_scene(shape, below, above, pending.scene)
                page = self._progress.page
                frame = Frame(self._read_inner(shape.content, scene))
                boxes.append((shape.rect, frame))
                pending.drawn.append((shape, frame))
                self._progress.page = page  # page breaks inside a box do not concern the text around it
        return boxes

    def _box_scene(self, shape: Shape, below: list[Shape], above: list[Shape], around: Scene) -> Scene:
        hidden = around.hidden or shape.hidden
        if hidden is None and shape.rect is not None:
            on_top = (other for other in above if other.content is None and self._is_opaque(other))
            if any(lies_over(other, shape) for other in on_top):
                hidden = "covered"
        scene = replace(around, run=EMPTY_RUN, color=shape.color, hidden=hidden, depth=around.depth + 1)
        fill = shape.fill or fill_behind(shape, below)
        return replace(scene, backdrop=fill.colors, bare=False) if fill is not None else scene

    def _note_cover(self, shape: Shape, pending: Pending) -> None:
        if not shape.front or shape.rect is None or shape.hidden or not self._is_opaque(shape):
            return
        page = self._setting.page
        whole = Rect(page.left, page.top, page.text_width, page.text_height)
        pending.tops.append(shape)
        if not shape.rect.floating and shape.rect.overlap(whole) >= WHOLE_PAGE:
            pending.page_covered = True

    def _is_opaque(self, shape: Shape) -> bool:
        if shape.picture is None:
            return shape.fill is not None and shape.fill.opaque
        relation = self._setting.package.relations(self._part_name).get(shape.picture)
        if relation is None or relation.external:
            return False
        return is_opaque_picture(self._setting.package.archive.head(relation.target))

    def _plain(self, text: str, pending: Pending) -> Paragraph:
        text, page = self._setting.budget.take_text(text), self._progress.page
        return Paragraph([Span(text, Look(font=pending.run.font), page, pending.scene.hidden)], page)


def lies_over(top: Shape, shape: Shape) -> bool:
    """Whether nearly all of a shape is behind another; both must be placed from the same corner."""
    if top.rect is None or shape.rect is None or top.rect.floating != shape.rect.floating:
        return False
    return top.rect.overlap(shape.rect) >= MOST


def typed_text(element: Element) -> str:
    """The text of a w:t; a line break in its source is not one on the page."""
    text = element.text or ""
    if "\n" not in text:
        return text
    return " ".join(text.split("\n") if element.get(SPACE) == "preserve" else text.split())


def symbol(element: Element) -> str:
    """w:sym: a character code in a symbol font."""
    try:
        code = int(element.get(w("char")) or "", 16)
    except ValueError:
        return ""
    if not 0x20 <= code <= 0xFFFF or 0xD800 <= code <= 0xDFFF:
        return ""
    return symbols.drawn(chr(code), element.get(w("font")))
