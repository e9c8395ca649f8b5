"""The inside of a paragraph: runs, fields, links, symbols and the drawings anchored among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from evenhand.documents import symbols
from evenhand.documents.office.blocks import Block, OfficeParagraph, SpanStyle, TextBox, TextSpan
from evenhand.documents.office.boxes import (
    MIN_COVERED_SHARE,
    WHOLE_PAGE,
    PlacedFrame,
    Rect,
    arrange,
    hide_blocks,
    is_opaque_picture,
    single_line,
)
from evenhand.documents.office.docx.context import DocxEnvironment, DocxTextContext, appearance
from evenhand.documents.office.docx.package import ALTERNATIVES, DGM, WP, A, M, R, chosen, integer, value, w
from evenhand.documents.office.docx.shapes import DocxShape, drawn_shapes, fill_behind, vml_shapes
from evenhand.documents.office.docx.styles import EMPTY_RUN, DocxParagraphFormat, RunFormat, combine, over, read_run
from evenhand.documents.office.package import Element

# Fields: their result is shown, their instruction is not; and some instructions are active content.


FIELD_CHARACTER = w("fldChar")
FETCHING = dict.fromkeys(("DDE", "DDEAUTO"), "dde")
FETCHING |= dict.fromkeys(("LINK", "INCLUDETEXT", "INCLUDEPICTURE", "INCLUDE"), "link")
QUOTED = re.compile(r'"([^"]*)"|(\S+)')
MAX_FIELDS = 1000


@dataclass(slots=True)
class Field:
    begin: Element
    instruction: str = ""
    showing: bool = False  # past the separator


class DocxFields:
    """Follows the begin, separate and end marks of one story; marks without their partners are ignored,
    or one stray mark would swallow the rest of the document."""

    def __init__(self, root: Element) -> None:
        self._paired: set[Element] = set()
        self._open: list[Field] = []
        self._instructing = 0  # how many of the open fields have not reached their result
        self.kinds: set[str] = set()
        pending: list[list[Element]] = []
        for element in root.iter(FIELD_CHARACTER):
            kind = element.get(w("fldCharType"))
            if kind == "begin" and len(pending) < MAX_FIELDS:
                pending.append([element])
            elif kind == "separate" and pending and len(pending[-1]) == 1:
                pending[-1].append(element)
            elif kind == "end" and pending:
                self._paired.update(pending.pop(), [element])

    @property
    def muted(self) -> bool:
        """Inside an instruction, where nothing is shown."""
        return self._instructing > 0

    def instruct(self, text: str) -> None:
        if self._open:
            self._open[-1].instruction += text

    def mark(self, element: Element) -> str:
        """Takes one w:fldChar; gives the text of fields that draw themselves instead of storing a result."""
        if element not in self._paired:
            return ""
        kind = element.get(w("fldCharType"))
        if kind == "begin":
            self._open.append(Field(element))
            self._instructing += 1
        elif kind == "separate" and self._open:
            self._instructing -= not self._open[-1].showing
            self._open[-1].showing = True
            self.note(self._open[-1].instruction)
        elif kind == "end" and self._open:
            field = self._open.pop()
            if not field.showing:
                self._instructing -= 1
                self.note(field.instruction)
                return "" if self.muted else _drawn_result(field)
        return ""

    def note(self, instruction: str) -> None:
        words = instruction.split(None, 1)
        kind = FETCHING.get(words[0].upper()) if words else None
        if kind is not None:
            self.kinds.add(kind)


def _drawn_result(field: Field) -> str:
    words = [quoted or plain for quoted, plain in QUOTED.findall(field.instruction)]
    kind = words[0].upper() if words else ""
    if kind == "FORMCHECKBOX":
        mark = field.begin.find(f"{w('ffData')}/{w('checkBox')}/{w('checked')}")
        return "☒" if mark is not None and mark.get(w("val")) not in ("0", "false", "off") else "☐"
    if kind == "FORMDROPDOWN":
        entries = [entry.get(w("val")) or "" for entry in field.begin.iter(w("listEntry"))]
        chosen = integer(value(field.begin.find(f"{w('ffData')}/{w('ddList')}"), w("result"))) or 0
        return entries[chosen] if 0 <= chosen < len(entries) else ""
    if kind == "MACROBUTTON":
        return " ".join(words[2:])
    if kind == "SYMBOL" and len(words) > 1:
        font = next((words[at + 1] for at, word in enumerate(words[:-1]) if word == "\\f"), None)
        try:
            code = int(words[1], 0)
        except ValueError:
            return ""
        return symbols.drawn(chr(code), font) if 0 < code < 0xD800 else ""
    return ""


SHOWN_POINTS = {None, "node", "asst"}  # of a SmartArt diagram
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
MAX_COMPARED_SHAPES = 200  # shapes of one drawing that are compared with each other
FIXED_TEXT = {w("tab"): "\t", w("ptab"): "\t", w("cr"): "\n", w("noBreakHyphen"): "-", w("br"): "\n"}
REFERENCES = {w("footnoteReference"): "footnote", w("endnoteReference"): "endnote"}


@dataclass(slots=True)
class StoryProgress:
    """How far the reading of one story has led."""

    trust_rendered: bool  # Word noted where its pages ended, so explicit breaks need not be counted
    page: int = 1


@dataclass(slots=True)
class DocxPendingParagraph:
    """A paragraph while its runs are read."""

    format: DocxParagraphFormat
    run: RunFormat  # what styles give every run
    scene: DocxTextContext
    spans: list[TextSpan] = field(default_factory=list)
    boxes: list[PlacedFrame] = field(default_factory=list)
    drawn: list[tuple[DocxShape, TextBox]] = field(default_factory=list)  # boxes and the shapes they stand in
    tops: list[DocxShape] = field(default_factory=list)  # opaque shapes without text, in front of the text
    page_covered: bool = False
    breaks_page: bool = False

    @property
    def covers(self) -> list[Rect]:
        """Places in front of the text that count from this paragraph."""
        return [shape.rect for shape in self.tops if shape.rect is not None and shape.rect.floating]

    def hide_covered_boxes(self) -> None:
        """Boxes under a higher shape of another drawing."""
        tops = self.tops[-MAX_COMPARED_SHAPES:]
        for shape, frame in self.drawn[-MAX_COMPARED_SHAPES:] if tops else ():
            if any(top.height > shape.height and lies_over(top, shape) for top in tops):
                hide_blocks(frame.blocks, "covered")


class RunReader:
    """Reads runs into pending paragraphs; what boxes hold is read by whoever reads blocks."""

    def __init__(
        self,
        setting: DocxEnvironment,
        part_name: str,
        root: Element,
        progress: StoryProgress,
        read_inner: Callable[[Element, DocxTextContext], list[Block]],
    ) -> None:
        self._setting = setting
        self._part_name = part_name
        self._progress = progress
        self._read_inner = read_inner
        self._looks: dict[tuple[RunFormat, DocxParagraphFormat, DocxTextContext], tuple[SpanStyle, str | None]] = {}
        self._formats: dict[tuple[RunFormat, RunFormat], RunFormat] = {}
        self.fields = DocxFields(root)

    def read(self, parent: Element, pending: DocxPendingParagraph, depth: int = 0) -> None:
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

    def _run(self, run: Element, pending: DocxPendingParagraph, depth: int) -> None:
        direct = read_run(run.find(w("rPr")), self._setting.theme)
        key = (direct, pending.run)
        if key not in self._formats:
            styled = combine(self._setting.styles.run(direct.style), pending.run)
            self._formats[key] = over(direct, styled if direct.style else pending.run)
        self._content(run, self._formats[key], pending, depth)

    def _content(self, run: Element, look: RunFormat, pending: DocxPendingParagraph, depth: int) -> None:
        for child in run:
            tag = child.tag
            if tag == w("t"):
                text = child.text or ""
                if "\n" in text:  # a line break in the source is not one on the page
                    text = " ".join(text.split("\n") if child.get(SPACE) == "preserve" else text.split())
                self._say(symbols.drawn(text, look.font), look, pending)
            elif tag in FIXED_TEXT:
                self._say(FIXED_TEXT[tag], look, pending)
                if child.get(w("type")) == "page":
                    pending.breaks_page = True
                    self._progress.page += not self._progress.trust_rendered
            elif tag == w("lastRenderedPageBreak"):
                self._progress.page += 1
            elif tag == w("sym"):
                try:
                    code = int(child.get(w("char")) or "", 16)
                except ValueError:
                    continue
                if 0x20 <= code <= 0xFFFF and not 0xD800 <= code <= 0xDFFF:
                    self._say(symbols.drawn(chr(code), child.get(w("font"))), look, pending)
            elif tag == w("fldChar"):
                self._say(self.fields.mark(child), look, pending)
            elif tag == w("instrText"):
                self.fields.instruct(child.text or "")
            elif tag in REFERENCES:
                self._setting.notes.append((REFERENCES[tag], child.get(w("id")) or ""))
            elif depth > MAX_DEPTH:
                continue
            elif tag == w("drawing"):
                self._drawing(child, pending)
            elif tag in (w("pict"), w("object")):
                pending.boxes.extend(self._boxes(vml_shapes(child, self._setting.page), pending))
            elif tag == w("ruby"):
                self.read(child, pending, depth + 1)
            elif tag == ALTERNATIVES:
                branch = chosen(child)
                if branch is not None:
                    self._content(branch, look, pending, depth + 1)

    def _say(self, text: str, look: RunFormat, pending: DocxPendingParagraph) -> None:
        if not text or self.fields.muted:
            return
        key = (look, pending.format, pending.scene)
        if key not in self._looks:
            self._looks[key] = appearance(look, pending.format, pending.scene, self._setting)
        style, reason = self._looks[key]
        page = self._progress.page
        pending.spans.append(TextSpan(self._setting.budget.take_text(text, page), style, page, reason))

    # Drawings

    def _drawing(self, drawing: Element, pending: DocxPendingParagraph) -> None:
        boxes = self._boxes(drawn_shapes(drawing, self._setting.page, self._setting.theme), pending)
        if any(child.tag == INLINE for child in drawing):
            # It stands in the line like a character: one line of text joins it, more follows it.
            blocks = arrange(boxes)
            line = single_line(blocks)
            if line is None:
                pending.boxes.append((None, TextBox(blocks)))
            elif line:
                blank = TextSpan(" ", line[0].look, self._progress.page)
                pending.spans.extend([blank, *line, blank])
        else:
            pending.boxes.extend(boxes)
        # The text of a SmartArt diagram is kept in a part of its own, in the order it was typed.
        for reference in drawing.iter(f"{{{DGM}}}relIds"):
            relation = self._setting.package.relations(self._part_name).get(reference.get(f"{{{R}}}dm") or "")
            if relation is None or relation.external:
                continue
            data = self._setting.package.part(relation.target)
            points = data.iter(f"{{{DGM}}}pt") if data is not None else ()
            paragraphs = (line for p in points if p.get("type") in SHOWN_POINTS for line in p.iter(f"{{{A}}}p"))
            texts = ("".join(part.text or "" for part in line.iter(f"{{{A}}}t")).strip() for line in paragraphs)
            pending.boxes.append((None, TextBox([self._plain(text, pending) for text in texts if text])))

    def _boxes(self, shapes: Iterator[DocxShape], pending: DocxPendingParagraph) -> list[PlacedFrame]:
        drawn = list(shapes)
        boxes: list[PlacedFrame] = []
        for index, shape in enumerate(drawn):
            if shape.text:
                boxes.append((shape.rect, TextBox([self._plain(shape.text, pending)])))
            if shape.content is None:
                if shape.front and shape.rect is not None and not shape.hidden and self._is_opaque(shape):
                    sheet = self._setting.page
                    whole = Rect(
                        sheet.left, sheet.top, sheet.text_width, max(sheet.height - sheet.top - sheet.bottom, 1.0)
                    )
                    pending.tops.append(shape)
                    if not shape.rect.floating and shape.rect.overlap(whole) >= WHOLE_PAGE:
                        pending.page_covered = True
            elif self._setting.budget.may_enter(pending.scene.depth + 1):
                below = drawn[max(0, index - MAX_COMPARED_SHAPES) : index]
                above = drawn[index + 1 : index + MAX_COMPARED_SHAPES]
                scene = self._box_scene(shape, below, above, pending.scene)
                page = self._progress.page
                frame = TextBox(self._read_inner(shape.content, scene))
                boxes.append((shape.rect, frame))
                pending.drawn.append((shape, frame))
                self._progress.page = page  # page breaks inside a box do not concern the text around it
        return boxes

    def _box_scene(
        self, shape: DocxShape, below: list[DocxShape], above: list[DocxShape], around: DocxTextContext
    ) -> DocxTextContext:
        hidden = around.hidden or shape.hidden
        if hidden is None and shape.rect is not None:
            on_top = (other for other in above if other.content is None and self._is_opaque(other))
            if any(lies_over(other, shape) for other in on_top):
                hidden = "covered"
        scene = replace(around, run=EMPTY_RUN, color=shape.color, hidden=hidden, depth=around.depth + 1)
        fill = shape.fill or fill_behind(shape, below)
        return replace(scene, backdrop=fill.colors, bare=False) if fill is not None else scene

    def _is_opaque(self, shape: DocxShape) -> bool:
        if shape.picture is None:
            return shape.fill is not None and shape.fill.opaque
        relation = self._setting.package.relations(self._part_name).get(shape.picture)
        if relation is None or relation.external:
            return False
        return is_opaque_picture(self._setting.package.archive.head(relation.target))

    def _plain(self, text: str, pending: DocxPendingParagraph) -> OfficeParagraph:
        text, page = self._setting.budget.take_text(text), self._progress.page
        return OfficeParagraph([TextSpan(text, SpanStyle(font=pending.run.font), page, pending.scene.hidden)], page)


def lies_over(top: DocxShape, shape: DocxShape) -> bool:
    """Whether nearly all of a shape is behind another; both must be placed from the same corner."""
    if top.rect is None or shape.rect is None or top.rect.floating != shape.rect.floating:
        return False
    return top.rect.overlap(shape.rect) >= MIN_COVERED_SHARE
