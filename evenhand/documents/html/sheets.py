"""Style sheets of a page: which declarations hold for which element, by the cascade of CSS.

A rule whose condition or selector is not understood counts as applying to whatever it might match: its elements are
unclear, unless no declaration in it can hide text.
"""

from __future__ import annotations

import re
import struct
import time
import urllib.parse
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import inf
from typing import Any, NamedTuple

import tinycss2
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from evenhand.documents.draft import RGB
from evenhand.documents.html import css
from evenhand.documents.html.conditions import container, media, supports
from evenhand.documents.html.css import TABLES, Unclear, Value
from evenhand.documents.html.selectors import Selector, read_selector
from evenhand.documents.properties import UNKNOWN
from evenhand.text.folding import word_set

_HARMLESS = frozenset(TABLES["harmless"].split())
_DEAD = tuple(TABLES["dead_prefixes"])
_INERT = frozenset(TABLES["media"]["inert_rules"].split())
_MAX_MATCHES = 500_000
_MAX_CHARACTERS = 1_000_000
_MAX_NESTING = 8
_MAX_INLINE = 20_000
_MAX_SELECTOR = 2_000
_SECONDS_TO_WALK = 10.0  # left for the page itself
# Only letters that cannot end a string, a comment or a block, so that no rule is swallowed.
_DATA_ADDRESS = re.compile(r"(url\(\s*+[\"']?+data:(?!text/css))([\w+/=;,:%.~&-]{40,}+)", re.I)


class Declaration(NamedTuple):
    name: str
    value: Value
    important: bool


class _Scope(NamedTuple):
    """Where a rule stands."""

    certain: bool = True
    on_screen: bool = True  # or only on paper
    layer: tuple[float, ...] = ()
    parents: tuple[Sequence[Any], ...] | None = None
    depth: int = 0
    around: tuple[Sequence[Any], ...] | None = None  # the elements that a scope begins with


class StyleSheets:
    """All style sheets of a page, matched once; inline styles are added when an element is asked for."""

    def __init__(self, tree: LexborHTMLParser, deadline: float, parts: Mapping[str, str]) -> None:
        self.printed: set[int] = set()  # what the page switches on for paper: unseen on a screen, but nothing to hide
        self.unclear: dict[int, str] = {}  # elements that a rule which is not understood may hide, and the reason
        self.generated: dict[tuple[int, str], list[Declaration]] = {}  # boxes before and after the content
        self.keyframes: dict[str, tuple[bool, tuple[Declaration, ...]]] = {}
        self.registered: dict[str, Value | None] = {}
        self.odd_fonts: set[str] = set()
        self.inks: dict[int, tuple[RGB, ...]] = {}  # colours that such a rule gives an element
        self._addresses: list[str] = []
        self.external = self.cut = self.styles_host = False
        self._tree, self._deadline, self._parts = tree, deadline, parts
        self._inline: dict[str, tuple[Declaration, ...]] = {}
        self._declared: dict[tuple[int, str | None], tuple[Declaration, ...]] = {}
        self._matched: dict[int, list[tuple[tuple[Any, ...], Declaration]]] = {}
        self._layers: dict[tuple[str, ...], float] = {}
        self._order = self._matches = 0
        self._left = _MAX_CHARACTERS
        title = ""
        for node in tree.css("style, link"):
            attributes = node.attributes
            applies = media(css.solid(tinycss2.parse_component_value_list(attributes.get("media") or "")))
            kind = (attributes.get("type") or "text/css").strip().lower()
            name = attributes.get("title") or ""
            title = title or name
            is_sheet = kind == "text/css" and "disabled" not in attributes
            certain = applies is True and name in ("", title) and not _in_noscript(node)
            if applies is False or not is_sheet:
                continue
            if node.tag == "style":
                self._read(node.text(deep=True), _Scope(certain))
            elif (relation := (attributes.get("rel") or "").lower().split()) and "stylesheet" in relation:
                certain = certain and "alternate" not in relation
                self._fetch(attributes.get("href") or "", _Scope(certain))

    def declarations(self, node: LexborNode, inline: str | None) -> tuple[Declaration, ...]:
        """What holds for an element, weakest first."""
        key = (node.mem_id, inline)
        if key not in self._declared:
            self._declared[key] = self._ranked(node, inline)
        return self._declared[key]

    def _ranked(self, node: LexborNode, inline: str | None) -> tuple[Declaration, ...]:
        entries = self._matched.get(node.mem_id)
        own: tuple[Declaration, ...] = ()
        if inline:
            if inline not in self._inline:
                self._inline[inline] = _inline_declarations(inline)
            own = self._inline[inline]
        if not entries:
            return tuple(sorted(own, key=lambda d: d.important)) if any(d.important for d in own) else own
        ranked = [
            (d.important, 0, tuple(-part for part in layer) if d.important else layer, *rank, d)
            for (layer, *rank), d in entries
        ]
        ranked.extend((d.important, 1, (), (), 0, d) for d in own)
        ranked.sort(key=lambda entry: entry[:5])
        return tuple(entry[5] for entry in ranked)

    def _fetch(self, address: str, scope: _Scope) -> None:
        """Take a sheet that stands in the file itself; nothing is ever fetched."""
        text = self._parts.get(address.removeprefix("cid:"), "") or _data_bytes(address).decode("utf-8", "replace")
        if text:
            self._read(text, scope)
        elif address and address[:5].lower() != "data:":
            self.external = True

    def _read(self, source: str, scope: _Scope) -> None:
        # Pictures and fonts would cost more than all rules.
        text = _DATA_ADDRESS.sub(lambda match: f"{match[1]}{self._set_aside(match[2])}", source)
        self.cut = self.cut or len(text) > self._left
        text = text[: self._left]
        self._left -= len(text)
        # Old pages wrap sheets in a comment, which the grammar steps over by itself.
        self._items(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True), scope)

    def _set_aside(self, address: str) -> str:
        self._addresses.append(address)
        return f"#{len(self._addresses) - 1}"

    def _items(self, items: Iterable[Any], scope: _Scope) -> None:
        for is_declaration, group in groupby(items, key=lambda item: item.type == "declaration"):
            if is_declaration:
                if scope.parents:
                    self._apply(scope.parents, tuple(_used(group)), scope)
                continue
            for item in group:
                if item.type == "qualified-rule":
                    self._rule(item, scope)
                elif item.type == "at-rule":
                    self._at_rule(item, scope)

    def _rule(self, rule: Any, scope: _Scope) -> None:
        if scope.depth > _MAX_NESTING:
            self.cut = True
            return
        selectors = tuple(_nested(part, scope.parents) for part in css.split(rule.prelude))
        if scope.around and not scope.parents:
            selectors = tuple(_nested(part, scope.around, is_it) for part in selectors for is_it in (False, True))
        items = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        self._items(items, scope._replace(parents=selectors, depth=scope.depth + 1))

    def _at_rule(self, rule: Any, scope: _Scope) -> None:
        keyword = rule.lower_at_keyword.removeprefix("-webkit-").removeprefix("-moz-").removeprefix("-ms-")
        prelude = css.solid(rule.prelude)
        if keyword in _INERT:
            self._define(keyword, rule, prelude, scope)
            return
        if rule.content is None:
            if keyword == "layer":
                for part in css.split(prelude):
                    self._layer(part, scope)
            return
        inner = scope._replace(depth=scope.depth + 1)
        if keyword == "layer":
            inner = inner._replace(layer=self._layer(prelude, scope))
        elif keyword == "media" and [*css.words(prelude), len(prelude)] == ["print", 1]:
            inner = inner._replace(on_screen=False)
        else:
            evaluate = {"media": media, "supports": supports, "container": container}.get(keyword)
            applies = evaluate(prelude) if evaluate else None
            if applies is False:
                return
            inner = inner._replace(certain=scope.certain and applies is True)
            if keyword == "scope":
                roots = [css.split(token.content) for token in prelude[:1] if token.type == "() block"]
                inner = inner._replace(parents=None, around=tuple(roots[0]) if roots else None, certain=False)
        if inner.depth > _MAX_NESTING:
            self.cut = True
            return
        parse = tinycss2.parse_blocks_contents if inner.parents else tinycss2.parse_rule_list
        self._items(parse(rule.content, skip_comments=True, skip_whitespace=True), inner)

    def _layer(self, name: Sequence[Any], scope: _Scope) -> tuple[float, ...]:
        path = scope.layer
        for word in css.words(name) or [f"\0{len(self._layers)}"]:
            key = (*map(str, path), word)
            path = (*path, self._layers.setdefault(key, float(len(self._layers))))
        return path

    def _define(self, keyword: str, rule: Any, prelude: Value, scope: _Scope) -> None:
        """Rules that style nothing by themselves."""
        if keyword == "import":
            address = next((t.arguments[0] if t.type == "function" and t.arguments else t for t in prelude), None)
            certain = scope.certain and len(prelude) == 1
            if address is not None and address.type in ("string", "url") and scope.depth < _MAX_NESTING:
                self._fetch(address.value, scope._replace(certain=certain, depth=scope.depth + 1))
            return
        if keyword not in ("keyframes", "property", "font-face") or rule.content is None:
            return
        name = str(getattr(prelude[0], "value", "")) if prelude else ""
        if keyword == "keyframes":
            self.keyframes[name] = _keyframes(rule.content)
            return
        items = tinycss2.parse_blocks_contents(rule.content)
        given = {d.lower_name: css.solid(d.value) for d in items if d.type == "declaration"}
        if keyword == "property":
            is_free = [getattr(token, "value", "") for token in given.get("syntax", ())] == ["*"]
            if css.words(given.get("inherits", ())) == ["false"] or not is_free:
                self.registered[name] = given.get("initial-value", css.NOTHING) if is_free else None
        elif not all(
            _is_whole(given[name][0]) for name in ("size-adjust", "ascent-override") if given.get(name)
        ) or any(
            not self._has_shapes(css.address(token))
            for token in given.get("src", ())
            if css.address(token)[:5] == "data:"
        ):
            self.odd_fonts.update(str(getattr(t, "value", "")).lower() for t in given.get("font-family", ()))

    def _has_shapes(self, address: str) -> bool:
        head, is_short, place = address.partition("#")
        return _font_has_shapes(
            _data_bytes(head + self._addresses[int(place)] if is_short and place.isdecimal() else address)
        )

    def _apply(self, selectors: Sequence[Sequence[Any]], declarations: tuple[Declaration, ...], scope: _Scope) -> None:
        if not declarations or self.cut:
            return
        read = [read_selector(selector) for selector in selectors]
        plain = all(map(is_plain, declarations))
        self.styles_host = self.styles_host or (not plain and any(map(_leaves_shadow, selectors)))
        certain = scope.certain and all(selector.certain for selector in read)
        if not scope.on_screen:
            if any(d.name == "display" and "none" not in css.words(d.value) for d in declarations):
                self.printed.update(node.mem_id for selector in read for node in self._select(selector))
            return
        self._order += 1
        for selector in read:
            if selector.possible and not (plain and (not certain or selector.part)):
                self._match(selector, declarations, certain, scope)

    def _match(self, selector: Selector, declarations: tuple[Declaration, ...], certain: bool, scope: _Scope) -> None:
        nodes = self._select(selector)
        self._matches += len(nodes)
        if self._matches > _MAX_MATCHES or self._deadline - time.monotonic() < _SECONDS_TO_WALK:
            self.cut = True
        elif selector.part in ("before", "after"):
            for node in nodes:
                self.generated.setdefault((node.mem_id, selector.part), []).extend(declarations)
        elif not certain or selector.part:
            inks = _inks(declarations)
            reason = _likely_reason(declarations)
            for node in nodes:
                if inks is None:
                    self.unclear.setdefault(node.mem_id, reason)
                else:
                    self.inks[node.mem_id] = (*self.inks.get(node.mem_id, ())[:8], *inks)
        else:
            rank = ((*scope.layer, inf), selector.rank, self._order)
            for node in nodes:
                entries = self._matched.setdefault(node.mem_id, [])
                entries.extend((rank, declaration) for declaration in declarations)

    def _select(self, selector: Selector) -> list[LexborNode]:
        try:
            return self._tree.css(selector.text)
        except SelectolaxError:
            self.unclear |= {node.mem_id: UNKNOWN for node in self._tree.css("*")}
            return []


def _leaves_shadow(selector: Sequence[Any]) -> bool:
    text = tinycss2.serialize(selector).lower()
    return ":host" in text or "slotted" in text


def _in_noscript(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None and parent.tag != "noscript":
        parent = parent.parent
    return parent is not None


def _data_bytes(address: str) -> bytes:
    head, _, body = address[5:].partition(",")
    data = urllib.parse.unquote_to_bytes(body) if address[:5].lower() == "data:" else b""
    try:
        return b64decode(data) if head.lower().endswith("base64") else data
    except (Base64Error, ValueError):
        return b""


def _likely_reason(declarations: Iterable[Declaration]) -> str:
    """Why text is not seen if the rule applies."""
    for name, value, _ in declarations:
        if (name, css.word(value)) in (("display", "none"), ("visibility", "hidden")):
            return "hidden_style"
        if name == "color" and len(value) == 1 and css.is_color(value[0]) and not css.color(value[0])[1]:
            return "transparent"
    return UNKNOWN


def _inks(declarations: Iterable[Declaration]) -> tuple[RGB, ...] | None:
    """The colours that declarations give text, None if they can do more than that."""
    inks = []
    for declaration in declarations:
        if declaration.name == "color" and len(declaration.value) == 1 and css.is_color(declaration.value[0]):
            colour, alpha = css.color(declaration.value[0])
            if alpha < 1 or css.word(declaration.value) == "currentcolor":
                return None
            inks.append(colour)
        elif not is_plain(declaration):
            return None
    return tuple(inks)


def _nested(selector: Sequence[Any], parents: Sequence[Sequence[Any]] | None, is_it: bool = False) -> Sequence[Any]:
    """A selector within a rule, with that rule's own selector in place of the ampersand, or for the same element."""
    if parents is None:
        return selector
    inner = ", ".join(tinycss2.serialize(parent) for parent in parents)
    whole = f":is({inner})"
    text = tinycss2.serialize(selector).strip()
    if len(whole) + len(text) > _MAX_SELECTOR:
        return list(tinycss2.parse_component_value_list("&"))  # anything
    if "&" in text or ":scope" in text:
        text = text.replace("&", whole).replace(":scope", whole)
    else:
        text = f"{text}{whole}" if is_it else f"{whole} {text}"
    return list(tinycss2.parse_component_value_list(text[: 4 * _MAX_SELECTOR]))


def _inline_declarations(text: str) -> tuple[Declaration, ...]:
    if len(text) > _MAX_INLINE:
        text = _DATA_ADDRESS.sub(r"\1", text)
    if len(text) > _MAX_INLINE:
        return (Declaration("style", (), True),)  # no property: not understood
    return tuple(_used(tinycss2.parse_blocks_contents(text)))


def _used(parsed: Iterable[Any]) -> Iterator[Declaration]:
    """Declarations that may decide whether and how text is seen."""
    for item in parsed:
        if item.type != "declaration":
            continue
        name = item.lower_name
        if name.startswith("--"):
            yield Declaration(item.name, css.solid(item.value), item.important)
            continue
        name = name.removeprefix("-webkit-").removeprefix("-epub-")
        bare = name.removeprefix("-moz-")
        is_dead = bare != name and not bare.startswith(("transform", "animation"))  # but Firefox knows these
        if bare in _HARMLESS or name.startswith(_DEAD) or is_dead:
            continue
        value = css.solid(item.value)
        if value:
            yield Declaration(TABLES["aliases"].get(name, name), value, item.important)


def _keyframes(content: Sequence[Any]) -> tuple[bool, tuple[Declaration, ...]]:
    """Whether no step can hide text, and what holds at the end."""
    steps: list[tuple[str, tuple[Declaration, ...]]] = []
    for rule in tinycss2.parse_rule_list(content, skip_comments=True, skip_whitespace=True):
        if rule.type == "qualified-rule":
            steps.append(
                (tinycss2.serialize(rule.prelude).lower(), tuple(_used(tinycss2.parse_blocks_contents(rule.content))))
            )
    end = [d for prelude, declarations in steps for d in declarations if re.search(r"\bto\b|\b100%", prelude)]
    return all(is_plain(d) for _, declarations in steps for d in declarations), tuple(end)


def _is_whole(token: Any) -> bool:
    return bool(token.type == "percentage" and 70 <= token.value <= 150)


def is_plain(declaration: Declaration) -> bool:
    """Whether a declaration cannot hide text, whatever else holds."""
    rule = TABLES["plain"].get(declaration.name)
    if rule is None:
        return _in_tables(declaration.name, declaration.value, 16.0) is True
    if isinstance(rule, str):
        return rule == "*" or all(t.type == "ident" and t.lower_value in rule.split() for t in declaration.value)
    return within(declaration.value, rule, 16.0)


def _in_tables(name: str, value: Value, size: float) -> bool | None:
    """Whether a property that is judged by its value alone leaves text visible; None for other properties."""
    if name in TABLES["words"]:
        allowed = (*TABLES["words"][name].split(), *_ORDINARY)
        return all(token.serialize().lower() in allowed for token in value)
    if name in TABLES["pixels"]:
        return within(value, TABLES["pixels"][name], size)
    if name in TABLES["ems"]:
        low, high = TABLES["ems"][name]
        return within(value, (low * size, high * size), size)
    return None


leaves_visible = _in_tables
_ORDINARY = ("inherit", "initial", "unset", "revert", "revert-layer")
_LENGTH_WORDS = word_set("""
    normal auto none thin medium thick solid dotted dashed double groove ridge inset outset hidden underline
    overline line-through blink wavy from-font left right top bottom center baseline sub super text-top
    text-bottom middle cover contain max-content min-content fit-content small large smaller larger x-small
    x-large xx-large stretch fill-available inside outside -webkit-fill-available
""") | set(_ORDINARY)


def within(value: Value, bounds: Sequence[float], size: float) -> bool:
    """Whether a value is made of ordinary words, colours, and lengths in this range."""
    for token in value:
        if token.type == "literal" and token.value in ",/":
            continue
        if token.type == "ident" and token.lower_value in _LENGTH_WORDS:
            continue
        try:
            number, kind = css.quantity(token, size)
            number = css.pixels(token, size) if kind == "percentage" else number
        except Unclear:
            if css.is_color(token):
                continue
            return False
        if not bounds[0] <= number <= bounds[1]:
            return False
    return True


_OUTLINES = (b"glyf", b"CFF ", b"CFF2", b"SVG ", b"CBDT", b"sbix", b"COLR")
_MIN_BYTES = 1_000  # the shapes of an alphabet take more
_MAX_TABLES = 100


def _font_has_shapes(data: bytes) -> bool:
    """Whether a font holds enough outlines for letters; one without any shows text as nothing."""
    if data[:4] == b"wOF2":  # packed as a whole
        return len(data) > 4 * _MIN_BYTES
    is_woff = data[:4] == b"wOFF"
    start, step, place = (44, 20, 12) if is_woff else (12, 16, 12)
    try:
        (count,) = struct.unpack_from(">H", data, 12 if is_woff else 4)
        tables = range(start, start + step * min(count, _MAX_TABLES), step)
        return any(
            data[t : t + 4] in _OUTLINES and struct.unpack_from(">I", data, t + place)[0] >= _MIN_BYTES for t in tables
        )
    except struct.error:
        return False
