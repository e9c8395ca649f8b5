"""A web page to a Draft: the tree is walked without recursion, block by block, as a browser would show it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.flow import Cell, CharacterStyle, DocumentBuilder, Run
from evenhand.documents.html.boxes import HtmlStyle, Window, covers
from evenhand.documents.html.css import Unclear, Value, Variables
from evenhand.documents.html.drawing import drawn, presentation
from evenhand.documents.html.markup import HtmlTable, List, open_list, read_source, span
from evenhand.documents.html.sheets import Declaration, StyleSheets
from evenhand.documents.html.style import NEVER_TEXT, cascade, choose, derive
from evenhand.documents.properties import UNKNOWN
from evenhand.documents.symbols import is_sign_font, sign

_SPACES = re.compile(r"[ \t\n\r\f]+")
_ACTIVE_TAGS = "iframe, frame, object, embed, applet, meta[http-equiv=refresh i]"
_DATA_SCRIPTS = ("json", "template", "text/x-", "html")
_HANDLER = re.compile(r"on[a-z]{3,}$")
_WITH_GAP_LIST = "p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr figure fieldset section article"
_WITH_GAP = frozenset(_WITH_GAP_LIST.split())
_ACTIVE = "The page holds scripts, frames or embedded objects; nothing of it was run or fetched."
_OTHER_FIELDS = "hidden password checkbox radio file image color range reset date month week time datetime-local number"
_NO_FIELD_TEXT = frozenset(_OTHER_FIELDS.split())
_FIELD_LETTERS = 20
_MAX_SHADOWS = 50
_NO_VARIABLES = Variables()


def read_html(data: bytes, limits: ReadLimits) -> DocumentDraft:
    source = read_source(data)
    tree = LexborHTMLParser(source.markup)
    flow = DocumentBuilder("html", limits)
    kinds = [(node.attributes.get("type") or "").lower() for node in tree.css("script")]
    runs_scripts = any(not any(word in kind for word in _DATA_SCRIPTS) for kind in kinds)
    if runs_scripts or tree.css_first(_ACTIVE_TAGS) is not None:
        flow.warn("active_content", _ACTIVE)
    page = HtmlPage(tree, flow, source.sheets)
    if tree.root is not None:
        page.walk(tree.root)
    return flow.finish()


@dataclass(slots=True)
class _Open:
    """What has to be undone when an element ends."""

    tag: str
    style: HtmlStyle
    is_block: bool
    gap: bool
    cell: Cell | None
    in_flex: bool
    window: Window | None
    start: float  # how far the window around was filled


class _Scope(NamedTuple):
    """Whose style sheets hold from here on, and what stands in the slots."""

    sheets: StyleSheets
    light: tuple[list[LexborNode], HtmlStyle, StyleSheets] | None


class HtmlPage:
    """The walk over one page: the line being built, and the lists and tables that are open."""

    def __init__(self, tree: LexborHTMLParser, flow: DocumentBuilder, sheets: Mapping[str, str]) -> None:
        self._flow = flow
        self._sheets = StyleSheets(tree, flow.deadline, sheets)
        self._light: tuple[list[LexborNode], HtmlStyle, StyleSheets] | None = None
        self._shadows: list[LexborHTMLParser] = []  # as long as one is in use it must stay
        self._window: Window | None = None
        self._runs: list[Run] = []
        self._ends_with_space = True
        self._gap = False
        self._marker: str | None = None
        self._lists: list[List] = []
        self._grids: list[HtmlTable | None] = []  # None for tables nested too deeply
        self._cell: Cell | None = None
        self._styles: dict[tuple[object, ...], HtmlStyle] = {}
        self._choices: dict[tuple[int, ...], tuple[Sequence[Declaration], dict[str, Value]]] = {}
        self._looks: dict[HtmlStyle, CharacterStyle] = {}
        self._active = False
        self._unfolded: set[str] = set()  # names of details

    def walk(self, root: LexborNode) -> None:
        """Depth first; the stack holds elements to enter and, as _Open, elements to leave."""
        stack: list[tuple[LexborNode, HtmlStyle] | _Open | _Scope] = [(root, HtmlStyle())]
        while stack and not self._flow.full:
            item = stack.pop()
            if isinstance(item, _Open):
                self._leave(item)
                continue
            if isinstance(item, _Scope):
                self._sheets, self._light = item
                continue
            node, style = item
            if node.is_text_node:
                self._text(node.text_content or "", style)
            elif node.is_element_node:
                entered = self._enter(node, style)
                if entered is not None:
                    stack.append(entered)
                    stack.extend(reversed(self._inside(node, entered.style)))
        self._end_line()
        if self._active:
            self._flow.warn("active_content", _ACTIVE)
        if self._sheets.cut:
            self._flow.warn(
                "truncated", "The page has more style rules than are read; its text may be hidden by the rest."
            )

    def _inside(self, node: LexborNode, style: HtmlStyle) -> list[tuple[LexborNode, HtmlStyle] | _Open | _Scope]:
        """What an element shows, in order: its children, those of its shadow root, or what stands in a slot."""
        children = _children(node)
        here = _Scope(self._sheets, self._light)
        if node.tag == "slot" and self._light:
            light, _, sheets = self._light
            name = node.attributes.get("name") or ""
            slotted = [
                child
                for child in light
                if ((child.attributes.get("slot") if child.is_element_node else "") or "") == name
            ]
            if slotted:
                return [_Scope(sheets, None), *((child, style) for child in slotted), here]
        root = next((c for c in children if c.tag == "template" and "shadowrootmode" in c.attributes), None)
        if root is None or style.hidden or len(self._shadows) >= _MAX_SHADOWS:
            styles = self._child_styles(node, children, style)
            return list(zip(children, styles, strict=True))
        shadow = LexborHTMLParser((root.html or "").partition(">")[2])
        self._shadows.append(shadow)
        sheets = StyleSheets(shadow, self._flow.deadline, {})
        if sheets.styles_host or shadow.body is None:
            style = style._replace(hidden=UNKNOWN)
        light = [child for child in children if child.tag != "template"]
        inner = [(child, style) for child in _children(shadow.body)] if shadow.body else []
        return [_Scope(sheets, (light, style, self._sheets)), *inner, here]

    def _enter(self, node: LexborNode, parent: HtmlStyle) -> _Open | None:
        tag = node.tag or ""
        if tag in NEVER_TEXT:
            return None
        attributes = node.attributes
        if tag == "br":
            self._break()
            return None
        style = self._style(node, tag, attributes, parent)
        if style.display == "none" and node.mem_id in self._sheets.printed:
            return None
        if tag == "input":  # shows what is typed in
            self._field(attributes, style)
            return None
        if tag == "select":  # closed, it shows one of its options
            options = node.css("option")
            chosen = [option for option in options if "selected" in option.attributes] or options[:1]
            self._text(" ".join(option.text(deep=True) for option in chosen), style)
            return None
        for name, value in attributes.items():
            if _HANDLER.match(name) or (name == "href" and (value or "").lstrip()[:11].lower() == "javascript:"):
                self._active = True
        is_block = style.display not in ("inline", "contents", "inline-block", "inline-flex", "none")
        around = parent.window
        start = around.used if around else 0.0
        opened = _Open(tag, style, is_block, tag in _WITH_GAP, self._cell, "flex" in parent.display, around, start)
        if is_block:
            self._end_line(gap=opened.gap and tag != "li")
            if around:
                around.used += style.above
        elif opened.in_flex and self._runs:
            self._append("\t", style)
        self._open_structure(node, tag, attributes, style)
        if self._cell != opened.cell and self._cell and (grid := self._grids[-1]) and self._cell[2] in grid.collapsed:
            opened.style = style._replace(hidden="hidden_style")
        return opened

    def _field(self, attributes: Mapping[str, str | None], style: HtmlStyle) -> None:
        value, kind = attributes.get("value") or "", (attributes.get("type") or "").strip().lower()
        if not value or (kind in _NO_FIELD_TEXT and not (kind == "number" and value.strip().isdecimal())):
            return
        if kind not in ("submit", "button"):  # shows as much as it has room for
            room = max(_FIELD_LETTERS, span(attributes.get("size"))) * 1.5
            if style.window:
                room = style.window.width / style.size * 2
            if len(value) > room:
                style = style._replace(hidden=style.hidden or "clipped")
        self._text(f" {value} ", style)

    def _leave(self, opened: _Open) -> None:
        if opened.is_block:
            self._end_line()
            if opened.window:
                opened.window.used = max(opened.window.used, opened.start + opened.style.tall)
            self._gap = self._gap or (opened.gap and self._cell is None) or opened.tag == "hr"
        elif opened.style.display.startswith("inline-") and not self._ends_with_space:
            self._append(" ", opened.style)
        if opened.tag in ("ul", "ol", "menu", "dir") and self._lists:
            self._lists.pop()
            self._gap = self._gap and not self._lists
        elif opened.tag == "table" and self._grids:
            self._grids.pop()
        elif opened.tag == "li":
            self._marker = None
        self._cell = opened.cell

    def _open_structure(
        self, node: LexborNode, tag: str, attributes: Mapping[str, str | None], style: HtmlStyle
    ) -> None:
        if tag in ("ul", "ol", "menu", "dir"):
            items = sum(1 for child in _children(node) if child.tag == "li") if "reversed" in attributes else 0
            self._gap = self._gap and not self._lists
            self._lists.append(open_list(tag, attributes, len(self._lists), items))
        elif tag == "li" and style.display == "list-item":
            opened = self._lists[-1] if self._lists else List(False, 0, None, 1, 1)
            self._marker = opened.marker(attributes.get("value"), style.list_type)
        elif tag == "table":
            parent = self._cell[0] if self._cell else None
            ruled = (attributes.get("border") or "0").strip() not in ("", "0")
            is_deep = len(self._grids) >= self._flow.limits.nesting
            self._grids.append(None if is_deep else HtmlTable(self._flow.new_table(parent, ruled=ruled)))
        elif tag == "col" and self._grids and (grid := self._grids[-1]):
            grid.add_column(span(attributes.get("span")), collapsed=not style.visible or style.hidden is not None)
        elif tag == "tr" and self._grids and (grid := self._grids[-1]):
            grid.next_row()
        elif tag in ("td", "th") and self._grids and (grid := self._grids[-1]):
            self._cell = grid.next_cell(span(attributes.get("colspan")), span(attributes.get("rowspan")))
            self._flow.mark_cell(self._cell)

    def _style(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None], parent: HtmlStyle) -> HtmlStyle:
        declarations = self._sheets.declarations(node, attributes.get("style"))
        if parent.drawing or tag == "svg":
            declarations = (*presentation(attributes), *declarations)
        unclear = UNKNOWN if self._sheets.cut else self._sheets.unclear.get(node.mem_id)
        # Elements of the same look are looked at once, but a box that cuts off is filled by its own text.
        bare = all(name in ("class", "id", "style") for name in attributes)
        key = (parent, tag, unclear, *map(id, declarations))
        style = self._styles.get(key) if bare else None
        if style is None:
            style = derive(parent, tag, attributes)
            if declarations or self._sheets.registered:
                style = cascade(style, parent, declarations, self._sheets)
                bare = bare and style.window is parent.window
            if node.mem_id in self._sheets.inks:
                style = style._replace(inks=(*style.inks, *self._sheets.inks[node.mem_id]))
                bare = False
            if tag == "html":
                style = style._replace(root=style.size)
            if unclear:
                style = style._replace(hidden=style.hidden or unclear)
            if style.display == "none" and not style.hidden:
                style = style._replace(hidden="hidden_style")
            if style.drawing and not style.hidden:
                style = drawn(node, tag, attributes, style)
            if bare:
                self._styles[key] = style
        return style

    def _child_styles(self, node: LexborNode, children: list[LexborNode], style: HtmlStyle) -> list[HtmlStyle]:
        """What each child inherits; those that another one lies over are covered, those that open on demand closed."""
        styles = [style] * len(children)
        if style.hidden:
            return styles
        if node.tag == "details" and not self._is_open(node.attributes):
            shown = next((place for place, child in enumerate(children) if child.tag == "summary"), -1)
            closed = style._replace(hidden="hidden_style")
            return [style if place == shown else closed for place in range(len(children))]
        under = style._replace(hidden="covered")
        for part in ("before", "after"):
            box = self._sheets.generated.get((node.mem_id, part))
            if box and style.positioned and covers("", self._chosen(box)) == "all":
                return [under] * len(children)
        declared = [
            self._chosen(self._sheets.declarations(child, child.attributes.get("style")))
            if child.is_element_node and child.tag not in NEVER_TEXT
            else {}
            for child in children
        ]
        for place, chosen in enumerate(declared):
            way = covers(children[place].tag or "", chosen) if chosen else None
            # Over the page itself such a cover is one that scripts take away when the page has loaded.
            if way == "all" and style.positioned and node.tag not in ("html", "body"):
                # A child put on a layer of its own may lie above.
                styles = [
                    under if other < place and "z-index" not in declared[other] else known
                    for other, known in enumerate(styles)
                ]
            elif way == "beside" and not (children[place].text(deep=True) or "").strip():
                _cover_beside(place, children, declared, styles, under)
        return styles

    def _is_open(self, attributes: Mapping[str, str | None]) -> bool:
        """Whether details are unfolded: of those with one name only the first that asks for it."""
        name = attributes.get("name")
        is_open = "open" in attributes and not (name and name in self._unfolded)
        if is_open and name:
            self._unfolded.add(name)
        return is_open

    def _chosen(self, declarations: Sequence[Declaration]) -> dict[str, Value]:
        key = tuple(map(id, declarations))
        if key not in self._choices:
            chosen: dict[str, Value] = {}
            with suppress(Unclear):
                chosen = choose(declarations, _NO_VARIABLES)
            self._choices[key] = (declarations, chosen)  # as long as they are here no others have their ids
        return self._choices[key][1]

    def _text(self, text: str, style: HtmlStyle) -> None:
        if style.preserves:
            lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            for position, line in enumerate(lines):
                if position:
                    self._break()
                if line:
                    self._append(line, style)
            return
        text = _SPACES.sub(" ", text)
        if is_sign_font(style.font) and len(text.strip()) == 1:  # the bullets of pages that Word wrote
            text = sign(ord(text.strip()), style.font) or text
        if self._ends_with_space:
            text = text.removeprefix(" ")
        if text:
            self._append(text, style)

    def _append(self, text: str, style: HtmlStyle) -> None:
        window = self._window = style.window
        if window and not style.hidden and text.strip():
            seen = window.room(text, style)
            if seen < len(text):
                self._append_run(text[:seen], style)
                style = style._replace(hidden="clipped")
                text = text[seen:]
        self._append_run(text, style)

    def _append_run(self, text: str, style: HtmlStyle) -> None:
        if not text:
            return
        look = self._looks.get(style)
        if look is None:
            look = self._looks[style] = style.look()
        self._runs.append((text, look))
        self._ends_with_space = text[-1] in " \t"

    def _break(self) -> None:
        """A line ends here; a second break in a row leaves a gap."""
        if self._runs:
            self._end_line()
        else:
            self._gap = True

    def _end_line(self, *, gap: bool = False) -> None:
        if any(text.strip() for text, _ in self._runs):
            visible = any(look.hidden is None and text.strip() for text, look in self._runs)
            self._flow.add(self._runs, marker=self._marker, gap=self._gap, cell=self._cell)
            if visible:
                self._gap = False
                self._marker = None
        if self._window:
            self._window.end_line()
        self._runs = []
        self._ends_with_space = True
        self._gap = self._gap or (gap and self._cell is None)


def _children(node: LexborNode) -> list[LexborNode]:
    children = []
    child = node.child
    while child is not None:
        children.append(child)
        child = child.next
    return children


def _cover_beside(
    place: int, children: list[LexborNode], declared: list[dict[str, Value]], styles: list[HtmlStyle], under: HtmlStyle
) -> None:
    """Mark what stands next to a box that lies over it."""
    for step in (-1, 1):
        other = place + step
        while 0 <= other < len(children) and not (children[other].text(deep=True) or "").strip():
            other += step
        if 0 <= other < len(children) and not {"z-index", "position"} & declared[other].keys():
            styles[other] = under
        if "top" in declared[place] or "margin-top" in declared[place]:
            return  # drawn up over what stands before
