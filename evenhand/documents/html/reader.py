"""A web page to a Draft: the tree is walked without recursion, block by block, as a browser would show it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from evenhand.documents.draft import DocumentDraft, ReadLimits
from evenhand.documents.flow import Cell, CharacterStyle, DocumentBuilder, Run
from evenhand.documents.html.css import StyleSheets
from evenhand.documents.html.markup import HtmlTable, List, open_list, read_source, span
from evenhand.documents.html.style import NEVER_TEXT, HtmlStyle, cascade, derive, is_lid
from evenhand.documents.symbols import is_sign_font, sign

_SPACES = re.compile(r"[ \t\n\r\f]+")
_ACTIVE_TAGS = "iframe, frame, object, embed, applet, meta[http-equiv=refresh i]"
_DATA_SCRIPTS = ("json", "template", "text/x-", "html")
_HANDLER = re.compile(r"on[a-z]{3,}$")
_WITH_GAP_LIST = "p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre hr figure fieldset section article"
_WITH_GAP = frozenset(_WITH_GAP_LIST.split())
_ACTIVE = "The page holds scripts, frames or embedded objects; nothing of it was run or fetched."
_FIELD_VALUES = frozenset(("text", "email", "tel", "url", "number", "date", "search", "submit", "button", "month", ""))


def read_html(data: bytes, limits: ReadLimits) -> DocumentDraft:
    tree = LexborHTMLParser(read_source(data))
    flow = DocumentBuilder("html", limits)
    kinds = [(node.attributes.get("type") or "").lower() for node in tree.css("script")]
    runs_scripts = any(not any(word in kind for word in _DATA_SCRIPTS) for kind in kinds)
    if runs_scripts or tree.css_first(_ACTIVE_TAGS) is not None:
        flow.warn("active_content", _ACTIVE)
    page = HtmlPage(tree, flow)
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


class HtmlPage:
    """The walk over one page: the line being built, and the lists and tables that are open."""

    def __init__(self, tree: LexborHTMLParser, flow: DocumentBuilder) -> None:
        self._flow = flow
        self._sheets = StyleSheets(tree, flow.deadline)
        self._runs: list[Run] = []
        self._ends_with_space = True
        self._gap = False
        self._marker: str | None = None
        self._lists: list[List] = []
        self._grids: list[HtmlTable | None] = []  # None for tables nested too deeply
        self._cell: Cell | None = None
        self._styles: dict[tuple[object, ...], HtmlStyle] = {}
        self._looks: dict[HtmlStyle, CharacterStyle] = {}
        self._active = False

    def walk(self, root: LexborNode) -> None:
        """Depth first; the stack holds elements to enter and, as _Open, elements to leave."""
        stack: list[tuple[LexborNode, HtmlStyle] | _Open] = [(root, HtmlStyle())]
        while stack and not self._flow.full:
            item = stack.pop()
            if isinstance(item, _Open):
                self._leave(item)
                continue
            node, style = item
            if node.is_text_node:
                self._text(node.text_content or "", style)
            elif node.is_element_node:
                entered = self._enter(node, style)
                if entered is not None:
                    stack.append(entered)
                    children = _children(node)
                    styles = self._child_styles(node, children, entered.style)
                    stack.extend(reversed(list(zip(children, styles, strict=True))))
        self._end_line()
        if self._active:
            self._flow.warn("active_content", _ACTIVE)
        if self._sheets.cut:
            self._flow.warn("truncated", "The page has more style rules than were applied.")

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
            value = attributes.get("value")
            if value and (attributes.get("type") or "").lower() in _FIELD_VALUES:
                self._text(f" {value} ", style)
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
        opened = _Open(tag, style, is_block, tag in _WITH_GAP, self._cell, "flex" in parent.display)
        if is_block:
            self._end_line(gap=opened.gap and tag != "li")
        elif opened.in_flex and self._runs:
            self._append("\t", style)
        self._open_structure(node, tag, attributes, style)
        return opened

    def _leave(self, opened: _Open) -> None:
        if opened.is_block:
            self._end_line()
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
        elif tag == "tr" and self._grids and (grid := self._grids[-1]):
            grid.next_row()
        elif tag in ("td", "th") and self._grids and (grid := self._grids[-1]):
            self._cell = grid.next_cell(span(attributes.get("colspan")), span(attributes.get("rowspan")))
            self._flow.mark_cell(self._cell)

    def _style(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None], parent: HtmlStyle) -> HtmlStyle:
        declarations = self._sheets.declarations(node, attributes.get("style"))
        if not declarations and not attributes:
            key = (parent, tag)
            if key not in self._styles:
                self._styles[key] = derive(parent, tag, attributes)
            style = self._styles[key]
        else:
            style = cascade(derive(parent, tag, attributes), parent, declarations)
        if style.display == "none" and not style.hidden:
            style = style._replace(hidden="hidden_style")
        return style

    def _child_styles(self, node: LexborNode, children: list[LexborNode], style: HtmlStyle) -> list[HtmlStyle]:
        """What each child inherits; those under a later one that lies over everything are covered."""
        # On the page itself such a cover is one that scripts take away when the page has loaded.
        if not style.positioned or node.tag in ("html", "body"):
            return [style] * len(children)
        declared = [
            dict(self._sheets.declarations(child, child.attributes.get("style"))) if child.is_element_node else {}
            for child in children
        ]
        lids = [place for place, chosen in enumerate(declared) if is_lid(chosen)]
        under = style._replace(hidden=style.hidden or "covered")
        # A child put on a layer of its own may lie above.
        return [
            under if lids and place < lids[-1] and "z-index" not in chosen else style
            for place, chosen in enumerate(declared)
        ]

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
