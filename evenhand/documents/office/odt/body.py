"""Walks the text of an ODT in document order and gives its blocks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from evenhand.documents.office.blocks import Backdrop, Block, OfficeParagraph, SpanStyle, TextBox, TextSpan
from evenhand.documents.office.boxes import (
    OpaqueShapes,
    PlacedFrame,
    Rect,
    arrange,
    estimate,
    hide,
    is_opaque_picture,
    lowered,
    single_line,
)
from evenhand.documents.office.odt.frames import (
    DRAWN,
    FRAME,
    GROUP,
    LINK,
    SHAPES,
    OdtTables,
    OdtTextContext,
    appearance,
    has_text,
    is_paragraph_off_page,
    read_box,
)
from evenhand.documents.office.odt.lists import LEVELS, Counter, ListPlace, ListStyles, OdtLists, step
from evenhand.documents.office.odt.package import count, q
from evenhand.documents.office.odt.styles import (
    DEFAULT_SIZE,
    NO_FILL,
    OdtPage,
    OdtParagraphFormat,
    OdtStyles,
    TextFormat,
    fill_color,
)
from evenhand.documents.office.package import Budget, Element
from evenhand.documents.symbols import drawn

BLANKS = re.compile(r"[ \t\r\n]+")
MAX_INLINE = 60
MAX_SPACES = 200
PARAGRAPHS = {q("text:p"), q("text:h")}
# Everything else of the text namespace is a field or a wrapper, and shows what it contains.
UNSHOWN = {
    q(name)
    for name in (
        "office:annotation", "office:annotation-end", "text:tracked-changes", "text:note-citation",
        "text:ruby-text", "text:script", "office:event-listeners", "svg:title", "svg:desc", "text:bookmark",
        "text:table-of-content-source", "office:forms", "text:variable-decls", "text:sequence-decls",
        "text:user-field-decls", "text:dde-connection-decls", "text:alphabetical-index-auto-mark-file",
        "text:toc-mark", "text:alphabetical-index-mark", "text:change", "text:change-start",
        "text:change-end", "text:index-source",
    )
}  # fmt: skip
_INDEX_NAMES = """
    table-of-content illustration-index table-index object-index user-index alphabetical-index bibliography
    index-body index-title
"""
INDEXES = {q(f"text:{name}") for name in _INDEX_NAMES.split()}


@dataclass(slots=True)
class OdtPendingParagraph:
    """A paragraph while its text is gathered."""

    format: OdtParagraphFormat
    scene: OdtTextContext
    spans: list[TextSpan] = field(default_factory=list)
    boxes: list[PlacedFrame] = field(default_factory=list)
    after_blank: bool = True  # the next blank is swallowed, as at the start of a paragraph
    covers: list[Rect] = field(default_factory=list)  # opaque shapes in front of the text
    hide: bool = False


@dataclass(slots=True)
class OdtEnvironment:
    """What the stories of one document share."""

    styles: OdtStyles
    lists: ListStyles
    page: OdtPage
    budget: Budget
    picture: Callable[[str], bytes | None] = lambda name: None  # how the picture of this name begins
    underlays: list[Backdrop] = field(default_factory=list)
    masters: list[str] = field(default_factory=list)  # master pages that the text asks for
    begins_on_master: bool = False  # the first of them already holds for the first paragraph
    notes: list[list[Block]] = field(default_factory=list)


class OdtStory:
    """One pass over one container."""

    def __init__(self, setting: OdtEnvironment) -> None:
        self._setting = setting
        self._looks: dict[tuple[TextFormat, OdtParagraphFormat, OdtTextContext], tuple[SpanStyle, str | None]] = {}
        self._outline: Counter = [None] * LEVELS
        self._lists = OdtLists(setting.lists, setting.styles)
        self._tables = OdtTables(setting.styles, setting.budget, self.blocks)
        self._begun = False
        self._covers = OpaqueShapes(setting.page.text_width)
        self._covers_page = 1
        self.page = 1

    def read(self, container: Element) -> list[Block]:
        return self.blocks(container, OdtTextContext(self._setting.page.backdrop))

    def blocks(self, container: Element, scene: OdtTextContext, place: ListPlace | None = None) -> list[Block]:
        blocks: list[Block] = []
        boxes: list[PlacedFrame] = []
        blank_lines = 0
        for child in container:
            if not self._setting.budget.go_on(self.page):
                break
            fresh, anchored = self._block(child, scene, place)
            # Frames hung on blank lines are one page layout; text between them ends it.
            if any(not isinstance(block, OfficeParagraph) or block.has_text() for block in fresh):
                blocks.extend(arrange(boxes))
                boxes, blank_lines = [], 0
            blocks.extend(fresh)
            boxes.extend(lowered(anchored, blank_lines))
            blank_lines += bool(fresh)
        blocks.extend(arrange(boxes))
        return blocks

    def _block(
        self, child: Element, scene: OdtTextContext, place: ListPlace | None
    ) -> tuple[list[Block], list[PlacedFrame]]:
        tag = child.tag
        if tag in PARAGRAPHS:
            paragraph, boxes = self._paragraph(child, scene, place)
            return [paragraph], boxes
        if tag in DRAWN:
            pending = OdtPendingParagraph(OdtParagraphFormat(), scene)
            self._drawn(child, pending, 0)
            return [], pending.boxes
        if tag == q("text:soft-page-break"):
            self.page += 1
        elif not self._setting.budget.may_enter(scene.depth + 1):
            return [], []
        inner = replace(scene, depth=scene.depth + 1)
        if tag == q("text:list"):
            return self._list(child, inner, place), []
        if tag == q("table:table"):
            grid, self.page = self._tables.read(child, inner, self.page, lambda: self.page, self._turn_to)
            return [grid], []
        if tag == q("text:section"):
            return self.blocks(child, self._section_scene(child, inner), place), []
        if tag in INDEXES:
            return self.blocks(child, inner, place), []
        if tag == q("text:numbered-paragraph"):
            marker = self._lists.number(child)
            blocks = self.blocks(child, inner)
            if blocks and isinstance(blocks[0], OfficeParagraph):
                blocks[0].marker = marker
            return blocks, []
        return [], []

    def _turn_to(self, page: int) -> None:
        self.page = page

    def _section_scene(self, section: Element, scene: OdtTextContext) -> OdtTextContext:
        display = section.get(q("text:display"))
        if display == "none" or (display == "condition" and section.get(q("text:is-hidden")) == "true"):
            scene = replace(scene, hidden=scene.hidden or "hidden_style")
        style = section.get(q("text:style-name"))
        color = fill_color(
            self._setting.styles.property("section", style, "style:section-properties", "fo:background-color")
        )
        if color is not None and color != NO_FILL:
            scene = replace(scene, backdrop=(color,), bare=False)
        return scene

    # Lists

    def _list(self, element: Element, scene: OdtTextContext, outer: ListPlace | None) -> list[Block]:
        place = self._lists.place(element, outer)
        blocks: list[Block] = []
        for item in element:
            if item.tag == q("text:list-header"):
                blocks.extend(self.blocks(item, scene, replace(place, levels={})))
            elif item.tag == q("text:list-item"):
                first = next((child for child in item if isinstance(child.tag, str)), None)
                marker = None
                if first is not None and first.tag in PARAGRAPHS:
                    start = count(item, "text:start-value") if item.get(q("text:start-value")) else None
                    marker = step(place.counter, place.depth, place.levels, start=start)
                inner = self.blocks(item, scene, place)
                if inner and isinstance(inner[0], OfficeParagraph) and marker is not None:
                    inner[0].marker = marker
                blocks.extend(inner)
        return blocks

    # Paragraphs

    def _paragraph(
        self, element: Element, scene: OdtTextContext, place: ListPlace | None
    ) -> tuple[OfficeParagraph, list[PlacedFrame]]:
        name = element.get(q("text:style-name"))
        style = self._setting.styles.paragraph(name)
        if style.master is not None:
            self._setting.begins_on_master = self._setting.begins_on_master or not self._begun
            self._setting.masters.append(style.master)
        if self._begun and (style.master is not None or style.page_break):
            self.page += 1
        self._begun = True
        first_page = self.page
        pending = OdtPendingParagraph(style, scene)
        text = self._setting.styles.text("paragraph", name)
        self._inline(element, text, pending, 0)
        heading = element.tag == q("text:h") or style.outline is not None
        paragraph = OfficeParagraph(
            pending.spans,
            next((span.page for span in pending.spans if span.text.strip()), first_page),
            before=style.before or 0.0,
            after=style.after or 0.0,
            heading=heading,
            style=name,
            contextual=bool(style.contextual),
        )
        if pending.hide:
            hide(paragraph, "hidden_style")
        if not scene.depth:
            self._hide_by_place(paragraph, pending)
        if element.tag == q("text:h") and place is None and element.get(q("text:is-list-header")) != "true":
            depth = max(count(element, "text:outline-level") - 1, 0)
            paragraph.marker = step(self._outline, depth, self._setting.lists.outline)
        return paragraph, pending.boxes

    def _hide_by_place(self, paragraph: OfficeParagraph, pending: OdtPendingParagraph) -> None:
        """Text set off the paper, or under a shape that stands in front of it."""
        length = sum(len(span.text) for span in paragraph.spans)
        if length and is_paragraph_off_page(pending.format, self._setting.page, length):
            hide(paragraph, "off_page")
        if self._covers_page != paragraph.page:
            self._covers.shapes = []
        self._covers_page = paragraph.page
        self._covers.add(pending.covers)
        if not self._covers.shapes:
            return
        page = self._setting.page
        start = page.left + (pending.format.left or 0.0)
        align = pending.format.align or "start"
        text = estimate(paragraph, start=start, width=page.text_width, align=align, size=DEFAULT_SIZE)
        if self._covers.hides(text):
            hide(paragraph, "covered")
        self._covers.pass_by(text.height + max(paragraph.before, paragraph.after))

    def _inline(self, parent: Element, text: TextFormat, pending: OdtPendingParagraph, depth: int) -> None:
        if depth > MAX_INLINE:
            self._setting.budget.too_deep = True
            return
        self._say(parent.text, text, pending)
        for child in parent:
            if isinstance(child.tag, str):
                self._inline_child(child, text, pending, depth)
            self._say(child.tail, text, pending)

    def _inline_child(self, child: Element, text: TextFormat, pending: OdtPendingParagraph, depth: int) -> None:
        tag = child.tag
        if tag == q("text:s"):
            self._add(" " * min(count(child, "text:c"), MAX_SPACES), text, pending)
        elif tag == q("text:tab"):
            self._add("\t", text, pending)
        elif tag == q("text:line-break"):
            self._add("\n", text, pending)
        elif tag == q("text:soft-page-break"):
            self.page += 1
        elif tag == q("text:span"):
            own = self._setting.styles.text("text", child.get(q("text:style-name")))
            self._inline(child, own.over(text), pending, depth + 1)
        elif tag == q("text:note"):
            body, level = child.find(q("text:note-body")), pending.scene.depth + 1
            if body is not None and self._setting.budget.may_enter(level):
                page = self.page
                self._setting.notes.append(self.blocks(body, replace(pending.scene, depth=level)))
                self.page = page
        elif tag in DRAWN:
            self._drawn(child, pending, 0)
        elif tag == q("text:hidden-paragraph"):
            pending.hide = pending.hide or child.get(q("text:is-hidden")) == "true"
        elif tag == q("text:hidden-text") and child.get(q("text:is-hidden")) == "true":
            words = child.get(q("text:string-value")) or "".join(map(str, child.itertext()))
            words = self._setting.budget.take_text(words)
            pending.spans.append(TextSpan(words, SpanStyle(), self.page, "hidden_style"))
        elif tag in (q("text:hidden-text"), q("text:conditional-text")):
            self._say("".join(map(str, child.itertext())), text, pending)
        elif tag not in UNSHOWN and tag.startswith(
            ("{urn:oasis:names:tc:opendocument:xmlns:text", "{urn:org:documentfoundation")
        ):
            self._inline(child, text, pending, depth + 1)

    def _say(self, raw: str | None, text: TextFormat, pending: OdtPendingParagraph) -> None:
        """Ordinary characters: runs of blanks count as one, also across the borders of spans."""
        if not raw:
            return
        words = BLANKS.sub(" ", raw)
        if pending.after_blank and words.startswith(" "):
            words = words[1:]
        if words:
            self._add(words, text, pending)
            pending.after_blank = words.endswith(" ")

    def _add(self, words: str, text: TextFormat, pending: OdtPendingParagraph) -> None:
        if not words:
            return
        key = (text, pending.format, pending.scene)
        if key not in self._looks:
            self._looks[key] = appearance(text, pending.format, pending.scene, self._setting.underlays)
        look, reason = self._looks[key]
        words = self._setting.budget.take_text(drawn(words, text.font), self.page)
        pending.spans.append(TextSpan(words, look, self.page, reason))
        pending.after_blank = False

    # Frames

    def _drawn(self, element: Element, pending: OdtPendingParagraph, depth: int) -> None:
        if element.tag in (GROUP, LINK):
            for child in element:
                if child.tag in DRAWN and depth < MAX_INLINE:
                    self._drawn(child, pending, depth + 1)
            return
        scene = replace(pending.scene, depth=pending.scene.depth + 1)
        if not self._setting.budget.may_enter(scene.depth):
            return
        box = read_box(element, self._setting.styles, self._setting.page)
        scene = replace(scene, hidden=scene.hidden or box.hidden)
        if box.filled:
            scene = replace(scene, backdrop=box.colors, bare=False)
        opaque = box.picture is None or is_opaque_picture(self._setting.picture(box.picture))
        if box.covers and opaque and not has_text(element):
            pending.covers.append(box.covers)
        # Of a frame's alternatives only the first is ever drawn; other shapes hold their text themselves.
        content: Element | None = element if element.tag in SHAPES else None
        if element.tag == FRAME:
            drawn_child = (c for c in element if isinstance(c.tag, str) and c.tag.startswith("{urn:oasis"))
            content = next(drawn_child, None)
            content = content if content is not None and content.tag == q("draw:text-box") else None
        if content is not None:
            page = self.page
            blocks = self.blocks(content, scene)
            self.page = page
            line = single_line(blocks) if element.get(q("text:anchor-type")) == "as-char" else None
            if line is not None:
                pending.spans.extend(line)
            elif blocks:
                pending.boxes.append((box.rect, TextBox(blocks)))
