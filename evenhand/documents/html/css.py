"""Style sheets of a page: which declarations hold for which element, by the cascade of CSS."""

from __future__ import annotations

import re
import time
import urllib.parse
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import tinycss2
from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError
from tinycss2.color3 import RGBA, parse_color

from evenhand.documents.draft import RGB

# What decides whether and how text is seen; everything else of a style sheet is ignored.
_USED_LIST = """
    display visibility opacity color background background-color background-image background-clip
    -webkit-background-clip -webkit-text-fill-color font font-size font-weight font-style font-family
    position inset left top right bottom text-indent margin margin-left margin-top clip clip-path overflow
    overflow-x overflow-y width height max-width max-height transform filter list-style list-style-type
    white-space content-visibility z-index zoom mso-hide line-height
"""
_USED = frozenset(_USED_LIST.split())
_FEATURE = re.compile(r"\((min|max)-(?:device-)?width\s*:\s*([\d.]+)\s*(px|em|rem)\s*\)", re.I)
_OTHER_MEDIUM = re.compile(r"\b(?:print|speech|aural|braille|embossed|tty|projection|handheld)\b", re.I)
_SCREEN_PIXELS = 1280.0
_MAX_MATCHES = 500_000
_MAX_CHARACTERS = 1_000_000
_SECONDS_TO_WALK = 10.0  # left for the page itself
_DATA_ADDRESS = re.compile(r"url\(\s*[\"']?data:[^)]*\)", re.I)
_SIMPLE = re.compile(r"(#[\w-]+)|(\.[\w-]+|\[[^\]]*\]|:(?!:)[\w-]+)|((?:^|[\s>+~(,])[A-Za-z][\w-]*)")

Value = tuple[Any, ...]
"""The tokens of a value, whitespace left out."""


class Declaration(NamedTuple):
    name: str
    value: Value
    important: bool


class _Rule(NamedTuple):
    selector: str
    declarations: tuple[Declaration, ...]
    on_screen: bool  # or only on paper


class StyleSheets:
    """All style sheets of a page, matched once; inline styles are added when an element is asked for."""

    def __init__(self, tree: LexborHTMLParser, deadline: float) -> None:
        self._inline: dict[str, tuple[Declaration, ...]] = {}
        self._matched: dict[int, list[tuple[tuple[int, ...], Declaration]]] = {}
        self.printed: set[int] = set()  # what the page switches on for paper: unseen on a screen, but nothing to hide
        self.cut = False
        order = matches = 0
        for rule in _rules(_sources(tree)):
            try:
                nodes = tree.css(rule.selector) if len(rule.selector) <= 500 else []
            except SelectolaxError:
                nodes = []  # pseudo-elements and whatever else cannot hold text of ours
            if not rule.on_screen:
                self.printed.update(node.mem_id for node in nodes)
                continue
            order += 1
            matches += len(nodes)
            if matches > _MAX_MATCHES or deadline - time.monotonic() < _SECONDS_TO_WALK:
                self.cut = True
                break
            simple = list(_SIMPLE.finditer(rule.selector))
            ids, classes, types = (sum(part[kind] is not None for part in simple) for kind in (1, 2, 3))
            rank = (ids, classes, types, order)
            for node in nodes:
                entries = self._matched.setdefault(node.mem_id, [])
                entries.extend((rank, declaration) for declaration in rule.declarations)

    def declarations(self, node: LexborNode, inline: str | None) -> tuple[tuple[str, Value], ...]:
        """What holds for an element, weakest first."""
        entries = self._matched.get(node.mem_id)
        own: tuple[Declaration, ...] = ()
        if inline:
            if inline not in self._inline:
                self._inline[inline] = tuple(_used(tinycss2.parse_blocks_contents(inline[:10_000])))
            own = self._inline[inline]
        if not entries:
            return tuple((d.name, d.value) for d in sorted(own, key=lambda d: d.important))
        ranked = [(d.important, rank, d) for rank, d in entries]
        ranked.extend((d.important, (1_000_000,), d) for d in own)
        ranked.sort(key=lambda entry: entry[:2])
        return tuple((d.name, d.value) for _, _, d in ranked)


def _sources(tree: LexborHTMLParser) -> Iterator[str]:
    """Sheets in the page itself; nothing is ever fetched."""
    for node in tree.css("style, link"):
        attributes = node.attributes
        if not _applies(attributes.get("media") or ""):
            continue
        if node.tag == "style":
            yield node.text(deep=True)
        elif "stylesheet" in (attributes.get("rel") or "").lower():
            yield _data_text(attributes.get("href") or "")


def _data_text(address: str) -> str:
    if address[:5].lower() != "data:":
        return ""
    head, _, body = address[5:].partition(",")
    try:
        if head.lower().endswith("base64"):
            return b64decode(urllib.parse.unquote_to_bytes(body)).decode("utf-8", "replace")
        return urllib.parse.unquote(body)
    except (Base64Error, ValueError):
        return ""


def _rules(sources: Iterator[str]) -> Iterator[_Rule]:
    left = _MAX_CHARACTERS
    for source in sources:
        text = _DATA_ADDRESS.sub("url(data:)", source)[:left]  # pictures would cost more than all rules
        left -= len(text)
        # Old pages wrap sheets in a comment, which the grammar steps over by itself.
        parsed = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
        yield from _flat(parsed, 0, True)


def _flat(parsed: list[Any], depth: int, on_screen: bool) -> Iterator[_Rule]:
    for rule in parsed:
        if rule.type == "qualified-rule":
            declarations = tuple(_used(tinycss2.parse_blocks_contents(rule.content)))
            switches_on = any(
                d.name == "display" and d.value[0].type == "ident" and d.value[0].lower_value != "none"
                for d in declarations
            )
            if declarations and (on_screen or switches_on):
                for selector in _split(rule.prelude):
                    yield _Rule(selector, declarations, on_screen)
        elif rule.type == "at-rule" and rule.content is not None and depth < 5:
            condition = tinycss2.serialize(rule.prelude)
            on_paper = rule.lower_at_keyword == "media" and condition.strip().lower() == "print"
            applies = rule.lower_at_keyword == "media" and _applies(condition)
            if applies or on_paper or rule.lower_at_keyword in ("supports", "layer"):
                inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
                yield from _flat(inner, depth + 1, on_screen and not on_paper)


def _used(parsed: list[Any]) -> Iterator[Declaration]:
    for item in parsed:
        if item.type == "declaration" and item.lower_name in _USED:
            value = tuple(t for t in item.value if t.type not in ("whitespace", "comment"))
            if value:
                yield Declaration(item.lower_name, value, item.important)


def _split(prelude: list[Any]) -> Iterator[str]:
    for is_comma, tokens in groupby(prelude, key=lambda token: token.type == "literal" and token.value == ","):
        selector = tinycss2.serialize([token for token in tokens if token.type != "comment"]).strip()
        if selector and not is_comma:
            yield selector


def _applies(media: str) -> bool:
    """Whether a sheet or rule for these media counts on an ordinary screen."""
    if not media.strip():
        return True
    for query in media.split(","):
        negated = query.strip().lower().startswith("not ")
        holds = not _OTHER_MEDIUM.search(query)
        for kind, amount, unit in _FEATURE.findall(query):
            pixels = float(amount) * (1 if unit.lower() == "px" else 16) if amount.count(".") < 2 else 0.0
            holds = holds and (pixels <= _SCREEN_PIXELS if kind.lower() == "min" else pixels >= _SCREEN_PIXELS)
        if "prefers-color-scheme" in query and "dark" in query:
            holds = False
        if holds != negated:
            return True
    return False


# CSS values as numbers and colours.

_UNITS = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 9.6 / 2.54,
    "q": 2.4 / 2.54,
    "vw": 12.8,
    "vh": 7.2,
    "vmin": 7.2,
    "vmax": 12.8,
    "rem": 16.0,
}
_SIZES = "xx-small 9, x-small 10, small 13, medium 16, large 18, x-large 24, xx-large 32, xxx-large 48"
_SIZE_NAMES = {name: float(size) for name, size in (row.split() for row in _SIZES.split(","))}
FONT_SIZES = {"1": 10.0, "2": 13.0, "3": 16.0, "4": 18.0, "5": 24.0, "6": 32.0, "7": 48.0}
"""The size attribute of the font element."""


def pixels(token: Any, size: float, whole: float = 0.0) -> float | None:
    """A length, None for what is none; `size` is the font size for em, `whole` what a percentage is of."""
    if token.type == "number":
        return float(token.value)
    if token.type == "percentage":
        return float(token.value) * whole / 100
    if token.type != "dimension":
        return None
    unit = token.lower_unit
    if unit in ("em", "ex", "ch"):
        return float(token.value) * size * (1.0 if unit == "em" else 0.5)
    return float(token.value) * _UNITS[unit] if unit in _UNITS else None


def font_size(token: Any, parent: float) -> float | None:
    if token.type == "ident":
        name = token.lower_value
        if name in ("smaller", "larger"):
            return parent / 1.2 if name == "smaller" else parent * 1.2
        return _SIZE_NAMES.get(name, parent if name == "inherit" else None)
    return pixels(token, parent, parent)


def color(token: Any) -> tuple[RGB, float] | None:
    """Red, green, blue and opacity; None for what is no colour or depends on other properties."""
    parsed = parse_color(token)
    if not isinstance(parsed, RGBA):
        return None
    red, green, blue = (max(0, min(255, round(part * 255))) for part in parsed[:3])
    return (red, green, blue), float(parsed[3])


def words(value: Sequence[Any]) -> list[str]:
    """The identifiers of a value, in lower case."""
    return [token.lower_value for token in value if token.type == "ident"]


def attribute_color(text: str) -> RGB | None:
    """The colour of an old attribute such as bgcolor."""
    parsed = parse_color(text.strip())
    if isinstance(parsed, RGBA):
        return round(parsed.red * 255), round(parsed.green * 255), round(parsed.blue * 255)
    digits = text.strip().lstrip("#")
    try:
        return (int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)) if len(digits) == 6 else None
    except ValueError:
        return None
