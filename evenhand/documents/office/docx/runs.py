"""The inside of a paragraph: runs, fields, links, symbols and the drawings anchored among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from evenhand.documents import symbols
from evenhand.documents.draft import MEAN_WIDTH, NARROWEST, letters_hidden
from evenhand.documents.flow import result_hidden
from evenhand.documents.office.blocks import Block, OfficeParagraph, SpanStyle, TextBox, TextSpan
from evenhand.documents.office.boxes import (
    MIN_COVERED_SHARE,
    WHOLE_PAGE,
    PlacedFrame,
    Rect,
    arrange,
    hide_below,
    hide_blocks,
    is_opaque_picture,
    single_line,
)
from evenhand.documents.office.docx.context import DocxEnvironment, DocxTextContext, appearance, ink_hidden
from evenhand.documents.office.docx.package import (
    ALTERNATIVES,
    DGM,
    FALSE,
    WP,
    A,
    DocxPackage,
    M,
    R,
    chosen,
    integer,
    points,
    value,
    w,
)
from evenhand.documents.office.docx.shapes import (
    DocxShape,
    drawing_hidden,
    drawn_shapes,
    fill_behind,
    shape_fill,
    vml_shapes,
)
from evenhand.documents.office.docx.styles import (
    DEFAULT_SIZE,
    EMPTY_RUN,
    DocxParagraphFormat,
    RunFormat,
    combine,
    over,
    read_run,
)
from evenhand.documents.office.docx.theme import attribute, local
from evenhand.documents.office.package import Element
from evenhand.documents.properties import UNKNOWN, is_harmless

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
    length: int = 0  # of the result so far


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

    def hidden(self, length: int) -> str | None:
        """Why nobody sees the next characters, which belong to the results of all open fields."""
        reason = None
        for opened in self._open:
            opened.length += length
            reason = reason or result_hidden(opened.instruction, opened.length)
        return reason

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
}  # fmt: skip
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
    fitted: dict[tuple[float, str], list[TextSpan]] = field(default_factory=dict)  # spans that share a fixed width

    def hide_fitted(self) -> None:
        """Spans that are pressed into too little width."""
        for (width, _), spans in self.fitted.items():
            natural = sum(len(span.text) * (span.look.size or DEFAULT_SIZE) * MEAN_WIDTH for span in spans)
            for span in spans if width < NARROWEST * natural else ():
                span.hidden = span.hidden or "tiny"

    @contextmanager
    def within(self, hidden: str | None) -> Iterator[None]:
        """While something is read that nobody sees for this reason."""
        scene = self.scene
        if hidden is not None:
            self.scene = replace(scene, hidden=scene.hidden or hidden)
        yield
        self.scene = scene

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
                code = child.get(w("instr")) or "" if tag == w("fldSimple") else ""
                self.fields.note(code)
                length = sum(len(part.text or "") for part in child.iter(w("t"))) if code else 0
                with pending.within(result_hidden(code, length)):
                    self.read(child, pending, depth + 1)
            elif tag == w("sdt"):
                content = child.find(w("sdtContent"))
                if content is not None:
                    with pending.within(control_hidden(child, content, self._setting.package)):
                        self.read(content, pending, depth + 1)
            elif tag == ALTERNATIVES:
                branch = chosen(child)
                if branch is not None:
                    self.read(branch, pending, depth + 1)
            elif isinstance(tag, str) and tag.startswith(f"{{{M}}}"):
                self._math(child, pending, depth)

    def _math(self, element: Element, pending: DocxPendingParagraph, depth: int) -> None:
        """A formula, with the parts of it that are left blank."""
        name = local(element)
        if depth > MAX_DEPTH or name.endswith("Pr"):
            return
        if name == "r":
            look = self._format(element.find(w("rPr")), pending)
            for part in element.iter(MATH_TEXT):
                self._say(part.text or "", look, pending)
            return
        properties = element.find(f"{{{M}}}{name}Pr")
        shown = properties.find(f"{{{M}}}show") if properties is not None else None
        phantom = name == "phant" and (shown is None or (attribute(shown, "val") or "on") in FALSE)
        hidden = (
            {local(mark).removesuffix("Hide") for mark in properties if _is_math_on(mark)}
            if properties is not None
            else ()
        )
        for child in element:
            kind = local(child)
            blank = phantom or kind in hidden
            known = is_harmless("docx", "math", kind) or kind == "phant"
            with pending.within("hidden_style" if blank else None if known else UNKNOWN):
                self._math(child, pending, depth + 1)

    def _run(self, run: Element, pending: DocxPendingParagraph, depth: int) -> None:
        self._content(run, self._format(run.find(w("rPr")), pending), pending, depth)

    def _format(self, properties: Element | None, pending: DocxPendingParagraph) -> RunFormat:
        direct = read_run(properties, self._setting.theme)
        key = (direct, pending.run)
        if key not in self._formats:
            styled = combine(self._setting.styles.run(direct.style), pending.run)
            self._formats[key] = over(direct, styled if direct.style else pending.run)
        return self._formats[key]

    def _content(self, run: Element, look: RunFormat, pending: DocxPendingParagraph, depth: int) -> None:
        for child in run:
            tag = child.tag
            if tag == w("t"):
                text = child.text or ""
                if "\n" in text:  # a line break in the source is not one on the page
                    text = " ".join(text.split("\n") if child.get(SPACE) == "preserve" else text.split())
                text, reason = symbols.as_shown(text, look.font)
                with pending.within(reason):
                    self._say(text, look, pending)
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
        reason = self.fields.hidden(len(text)) or reason
        pending.spans.append(TextSpan(self._setting.budget.take_text(text, page), style, page, reason))
        if look.fit is not None:
            pending.fitted.setdefault(look.fit, []).append(pending.spans[-1])

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
        hidden = drawing_hidden(drawing, self._setting.page)
        for reference in drawing.iter(f"{{{DGM}}}relIds"):
            relation = self._setting.package.relations(self._part_name).get(reference.get(f"{{{R}}}dm") or "")
            if relation is None or relation.external:
                continue
            data = self._setting.package.part(relation.target)
            points = data.iter(f"{{{DGM}}}pt") if data is not None else ()
            paragraphs = (line for p in points if p.get("type") in SHOWN_POINTS for line in p.iter(f"{{{A}}}p"))
            lines = [self._diagram_line(line, hidden, pending) for line in paragraphs]
            pending.boxes.append((None, TextBox([line for line in lines if line.spans])))

    def _diagram_line(self, line: Element, hidden: str | None, pending: DocxPendingParagraph) -> OfficeParagraph:
        paragraph = OfficeParagraph(page=self._progress.page)
        for run in line.iter(f"{{{A}}}r"):
            text = "".join(part.text or "" for part in run.iter(f"{{{A}}}t"))
            properties = run.find(f"{{{A}}}rPr")
            size = points(properties.get("sz"), per_point=100) if properties is not None else None
            reason = hidden or (letters_hidden(size) if size is not None else None)
            fill = shape_fill(properties, None, self._setting.theme)
            if properties is not None and any(local(part) in ("noFill", "solidFill") for part in properties):
                reason = reason or ("transparent" if fill is None else None)
            paragraph.spans.extend(self._plain(text, pending, reason).spans if text.strip() else ())
        return paragraph

    def _boxes(self, shapes: Iterator[DocxShape], pending: DocxPendingParagraph) -> list[PlacedFrame]:
        drawn = list(shapes)
        boxes: list[PlacedFrame] = []
        for index, shape in enumerate(drawn):
            if shape.text:
                boxes.append((shape.rect, TextBox([self._word_art(shape, pending)])))
            if shape.front and shape.rect is not None and not shape.hidden and self._is_opaque(shape):
                sheet = self._setting.page
                whole = Rect(sheet.left, sheet.top, sheet.text_width, max(sheet.height - sheet.top - sheet.bottom, 1.0))
                pending.tops.append(shape)
                if not shape.rect.floating and shape.rect.overlap(whole) >= WHOLE_PAGE:
                    pending.page_covered = True
            if shape.content is not None and self._setting.budget.may_enter(pending.scene.depth + 1):
                below = drawn[max(0, index - MAX_COMPARED_SHAPES) : index]
                above = drawn[index + 1 : index + MAX_COMPARED_SHAPES]
                scene = self._box_scene(shape, below, above, pending.scene)
                page = self._progress.page
                frame = TextBox(self._read_inner(shape.content, scene))
                if shape.rect is not None and not shape.grows:
                    hide_below(frame.blocks, shape.rect.height, shape.rect.width)
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

    def _word_art(self, shape: DocxShape, pending: DocxPendingParagraph) -> OfficeParagraph:
        """Letters drawn as a shape; they are seen by their fill or by the line around them."""
        backdrop, underlays = pending.scene.backdrop, self._setting.underlays
        colors = shape.fill.colors if shape.fill is not None else ()
        reason = ("transparent" if colors == () else None) or ink_hidden(
            tuple((color, 1.0) for color in colors or ()), backdrop, underlays
        )
        if shape.stroke is not None and not ink_hidden(((shape.stroke, 1.0),), backdrop, underlays):
            reason = None
        return self._plain(shape.text or "", pending, shape.hidden or reason)

    def _plain(self, text: str, pending: DocxPendingParagraph, reason: str | None) -> OfficeParagraph:
        text, page = self._setting.budget.take_text(text), self._progress.page
        look, reason = SpanStyle(font=pending.run.font), pending.scene.hidden or reason
        return OfficeParagraph([TextSpan(text, look, page, reason)], page)


def _is_math_on(mark: Element) -> bool:
    return local(mark).endswith("Hide") and (attribute(mark, "val") or "on") not in FALSE


MAX_PLACEHOLDER = 60  # characters
PROPERTY_STORES = ("6c3c8bc8", "6668398d", "55af091b")  # of the package itself


def control_hidden(control: Element, content: Element, package: DocxPackage) -> str | None:
    """Word shows what a control is bound to instead of what the text keeps for it."""
    properties = control.find(w("sdtPr"))
    binding = (
        next((child for child in properties if local(child) == "dataBinding"), None) if properties is not None else None
    )
    if properties is None or binding is None:
        return None
    text = " ".join("".join(part.text or "" for part in content.iter(w("t"))).split())
    labels = {item.get(w("displayText")) or "" for item in properties.iter(w("listItem"))}
    is_note = properties.find(w("showingPlcHdr")) is not None or properties.find(w("date")) is not None
    if not text or text in labels or (is_note and len(text) <= MAX_PLACEHOLDER):
        return None
    store = (attribute(binding, "storeItemID") or "").strip("{}").lower()
    described, texts = package.stored_texts
    exists = store.startswith(PROPERTY_STORES) or (store and store.encode() in described)
    return "replaced" if exists and text not in texts else None


def lies_over(top: DocxShape, shape: DocxShape) -> bool:
    """Whether nearly all of a shape is behind another; both must be placed from the same corner."""
    if top.rect is None or shape.rect is None or top.rect.floating != shape.rect.floating:
        return False
    return top.rect.overlap(shape.rect) >= MIN_COVERED_SHARE
