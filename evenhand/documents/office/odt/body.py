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
    hide_below,
    hide_blocks,
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
    is_paragraph_off_page,
    read_box,
)
from evenhand.documents.office.odt.lists import LEVELS, Counter, ListPlace, ListStyles, OdtLists, step
from evenhand.documents.office.odt.package import TEXT, count, holds, may_hide, points, q
from evenhand.documents.office.odt.styles import (
    DEFAULT_SIZE,
    EMPTY_TEXT,
    NO_FILL,
    OdtPage,
    OdtParagraphFormat,
    OdtStyles,
    TextFormat,
    fill_color,
)
from evenhand.documents.office.package import Budget, Element
from evenhand.documents.properties import UNKNOWN, is_harmless
from evenhand.documents.symbols import as_shown

BLANKS = re.compile(r"[ \t\r\n]+")
MAX_INLINE = 60
MAX_SPACES = 200
MIN_LABEL = 3  # letters and figures of a label that may say something
MAX_COMPUTED = 40  # characters of a date, a name or a number that a program fills in by itself
MAX_ANCHOR_PAGE = 30
FAR_ASIDE = 1000.0  # points
REFERENCE_FORMS = ("name", "number", "text", "name-and-extension", "number-and-name", "full", "path", "true")
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
    hide: str | None = None


@dataclass(slots=True)
class OdtEnvironment:
    """What the stories of one document share."""

    styles: OdtStyles
    lists: ListStyles
    page: OdtPage
    layout: Callable[[str], OdtPage]  # by the name of a master page
    budget: Budget
    picture: Callable[[str], bytes | None] = lambda name: None  # how the picture of this name begins
    underlays: list[Backdrop] = field(default_factory=list)
    masters: list[str] = field(default_factory=list)  # master pages that the text asks for
    begins_on_master: bool = False  # the first of them already holds for the first paragraph
    notes: list[list[Block]] = field(default_factory=list)
    user_fields: dict[str, str] = field(default_factory=dict)  # what they show, by name


def _condition_hides(element: Element) -> str | None:
    """Whether a part of the text is left out under its condition."""
    met = holds(element.get(q("text:condition")))
    if met is None:
        return "hidden_style" if element.get(q("text:is-hidden")) == "true" else UNKNOWN
    return "hidden_style" if met or element.get(q("text:is-hidden")) == "true" else None


class OdtStory:
    """One pass over one container."""

    def __init__(self, setting: OdtEnvironment) -> None:
        self._setting = setting
        self._hidden_bookmarks: set[str | None] = set()  # that have begun
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
        folded: int | None = None  # the level of the heading under which everything is folded away
        for child in container:
            if not self._setting.budget.go_on(self.page):
                break
            fresh, anchored = self._block(child, scene, place)
            if child.tag == q("text:h") and (folded is None or count(child, "text:outline-level") <= folded):
                shown = child.get(q("loext:outline-content-visible")) != "false"
                folded = None if shown else count(child, "text:outline-level")
            elif folded is not None:
                hide_blocks([*fresh, *(frame for _, frame in anchored)], "hidden_style")
            if self._setting.page.cramped and not scene.depth:
                hide_blocks(fresh, "clipped")
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
        hidden = "hidden_style" if display == "none" else None
        if display == "condition":
            hidden = _condition_hides(section)
        style = section.get(q("text:style-name"))
        for holder in self._setting.styles.chain("section", style):
            properties = holder.find(q("style:section-properties"))
            for name, value in properties.attrib.items() if properties is not None else ():
                if abs(points(str(value)) or 0.0) > FAR_ASIDE:
                    hidden = hidden or "off_page"
                elif may_hide(str(name), "section"):
                    hidden = hidden or UNKNOWN
        scene = replace(scene, hidden=scene.hidden or hidden)
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
                if inner and isinstance(inner[0], OfficeParagraph) and first is not None and marker is not None:
                    self._label(inner[0], marker, place, first, scene)
                blocks.extend(inner)
        return blocks

    def _label(
        self, paragraph: OfficeParagraph, marker: str, place: ListPlace, first: Element, scene: OdtTextContext
    ) -> None:
        """The marker of a list item; one that nobody sees is hidden text like any other."""
        level, name = place.levels.get(place.depth), first.get(q("text:style-name"))
        if level is not None and sum(map(str.isalnum, marker)) >= MIN_LABEL:
            text = level.text.over(self._setting.styles.text("paragraph", name))
            style = self._setting.styles.paragraph(name)
            look, reason = appearance(text, style, scene, self._setting.underlays)
            if reason is not None:
                paragraph.spans.insert(0, TextSpan(f"{marker} ", look, self.page, reason))
                return
        paragraph.marker = marker

    # Paragraphs

    def _paragraph(
        self, element: Element, scene: OdtTextContext, place: ListPlace | None
    ) -> tuple[OfficeParagraph, list[PlacedFrame]]:
        name = element.get(q("text:style-name"))
        style = self._setting.styles.paragraph(name)
        if style.master is not None:
            self._setting.begins_on_master = self._setting.begins_on_master or not self._begun
            self._setting.masters.append(style.master)
            self._setting.page = self._setting.layout(style.master)
        level = place.levels.get(place.depth) if place is not None else None
        if style.left is None and level is not None:
            style = style._replace(left=level.left)
        if self._begun and (style.master is not None or style.page_break):
            self.page += 1
        self._begun = True
        first_page = self.page
        pending = OdtPendingParagraph(style, scene)
        text = self._setting.styles.text("paragraph", name)
        if scene.text is not EMPTY_TEXT:
            own = self._setting.styles.text("paragraph", name, defaults=False)
            text = own.over(scene.text.over(text))
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
            hide(paragraph, pending.hide)
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
        stops = pending.format.tab_stops or ()
        near, tabs = sum(self._setting.page.left + stop < self._setting.page.width for stop in stops), 0
        for span in paragraph.spans if near < len(stops) else ():
            tabs = 0 if "\n" in span.text else tabs + span.text.count("\t")
            if tabs > near:
                span.hidden = span.hidden or "off_page"
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
        elif tag == q("text:bookmark-start"):
            if child.get(q("loext:hidden")) == "true" or child.get(q("loext:condition")):
                self._hidden_bookmarks.add(child.get(q("text:name")))
        elif tag == q("text:bookmark-end"):
            self._hidden_bookmarks.discard(child.get(q("text:name")))
        elif tag == q("text:hidden-paragraph"):
            pending.hide = pending.hide or _condition_hides(child)
        elif tag == q("text:hidden-text") and (reason := _condition_hides(child)):
            words = child.get(q("text:string-value")) or "".join(map(str, child.itertext()))
            words = self._setting.budget.take_text(words)
            pending.spans.append(TextSpan(words, SpanStyle(), self.page, reason))
        elif tag == q("text:hidden-text"):
            self._say("".join(map(str, child.itertext())), text, pending)
        elif tag not in UNSHOWN and tag.startswith((f"{{{TEXT}}}", "{urn:org:documentfoundation")):
            scene, reason = pending.scene, self._field_hidden(child)
            pending.scene = replace(scene, hidden=scene.hidden or reason) if reason else scene
            self._inline(child, text, pending, depth + 1)
            pending.scene = scene

    def _field_hidden(self, field: Element) -> str | None:
        """Why nobody sees the text that the file keeps for a field."""
        name = field.tag.rpartition("}")[2]
        if field.get(q("text:display")) not in (None, "value", "formula", *REFERENCE_FORMS):
            return "hidden_style"
        words = "".join(map(str, field.itertext())).strip()
        if name == "conditional-text":
            met = holds(field.get(q("text:condition")))
            shown = [field.get(q(f"text:string-value-if-{branch}")) for branch in ("true", "false")]
            drawn_now = shown if met is None else shown[:1] if met else shown[1:]
            return None if words in [(branch or "").strip() for branch in drawn_now] else "replaced"
        if is_harmless("odt", "computed", name):
            return "replaced" if len(words) > MAX_COMPUTED and field.get(q("text:fixed")) != "true" else None
        declared = self._setting.user_fields.get(field.get(q("text:name")) or "") if name == "user-field-get" else None
        if declared is not None and declared != words:
            return "replaced"
        return None if is_harmless("odt", "fields", name) else UNKNOWN

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
        words, unread = as_shown(words, text.font)
        words = self._setting.budget.take_text(words, self.page)
        reason = reason or ("hidden_style" if self._hidden_bookmarks else None)
        pending.spans.append(TextSpan(words, look, self.page, reason or unread))
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
        hidden = box.hidden
        if element.get(q("text:anchor-type")) == "page" and count(element, "text:anchor-page-number") > MAX_ANCHOR_PAGE:
            hidden = hidden or "off_page"
        own = self._setting.styles.text("graphic", element.get(q("draw:style-name")), defaults=False)
        scene = replace(scene, hidden=scene.hidden or hidden, room=box.room, text=own)
        if box.filled:
            scene = replace(scene, backdrop=box.colors, bare=False)
        opaque = box.picture is None or is_opaque_picture(self._setting.picture(box.picture))
        if box.covers and opaque:
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
            hide_below(blocks, box.room, box.rect.width if box.rect is not None else 0.0)
            self.page = page
            line = single_line(blocks) if element.get(q("text:anchor-type")) == "as-char" else None
            if line is not None:
                pending.spans.extend(line)
            elif blocks:
                pending.boxes.append((box.rect, TextBox(blocks)))
