"""The markup of a web page out of its bytes: charset, single-file web pages, and a limit on nesting."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from typing import NamedTuple

from evenhand.documents.charsets import decode, known_codec
from evenhand.documents.flow import Cell
from evenhand.documents.list_markers import letters, roman

_META = re.compile(rb"<meta[^>]{0,200}?charset\s*+=\s*+[\"']?\s*+([A-Za-z0-9_.:-]{2,40})", re.I)
_XML_ENCODING = re.compile(rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]{2,40})", re.I)
_MIME = re.compile(rb"(?:[A-Za-z][A-Za-z-]*:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*)*?mime-version:", re.I)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*+)([^<>]*+)>")
_VOID_LIST = "area base br col embed hr img input link meta param source track wbr p li dt dd option tr td th"
_VOID = frozenset(_VOID_LIST.split())
# Browsers stop nesting at a few hundred levels; a parser that does not would take hours.
_MAX_DEPTH = 400
_FEW_TAGS = 2_000
_LONG_TAG = 20_000
_MAX_ATTRIBUTES = 1_000


class HtmlSource(NamedTuple):
    """The markup as text, and the style sheets that came with it by their names."""

    markup: str
    sheets: Mapping[str, str]


def read_source(data: bytes) -> HtmlSource:
    sheets: dict[str, str] = {}
    if _MIME.match(data[:8192].lstrip()):
        data, declared = _web_page_of(data, sheets)
    else:
        declared = _declared(data[:4096])
    return HtmlSource(_flatten(_shorten(decode(data, declared))), sheets)


def _declared(head: bytes) -> str | None:
    name = _META.search(head.replace(b"\0", b"")) or _XML_ENCODING.match(head)
    return known_codec(name[1].decode("ascii")) if name else None


def _web_page_of(data: bytes, sheets: dict[str, str]) -> tuple[bytes, str | None]:
    """The page in a single-file web page, which is a mail of related parts."""
    message: Message = email.message_from_bytes(data, policy=email.policy.compat32)
    page: tuple[bytes, str | None] | None = None
    for part in message.walk():
        payload = part.get_payload(decode=True)
        charset = part.get_content_charset()
        if not isinstance(payload, bytes):
            continue
        if part.get_content_type() == "text/html" and page is None:
            page = payload, (known_codec(charset) if charset else None) or _declared(payload[:4096])
        elif part.get_content_type() == "text/css":
            names = (part.get("Content-Location") or "", (part.get("Content-ID") or "").strip("<> "))
            sheets.update((name, decode(payload, charset)) for name in names if name)
    return page or (data, None)


def _shorten(markup: str) -> str:
    """Markup without tags of thousands of attributes, which a parser compares each with each."""
    if markup.count("=") < _MAX_ATTRIBUTES or len(markup) < _LONG_TAG:
        return markup
    parts = markup.split("<")
    for position, part in enumerate(parts):
        if len(part) > _LONG_TAG and part.count("=") > _MAX_ATTRIBUTES and part[:1].isalpha():
            parts[position] = part[:_LONG_TAG] + ">" + part.rpartition(">")[2]
    return "<".join(parts)


def _flatten(markup: str) -> str:
    """Markup without the tags that would nest deeper than any page does."""
    if markup.count("<") < _FEW_TAGS:
        return markup
    depth = 0

    def keep(match: re.Match[str]) -> str:
        nonlocal depth
        if match[2].lower() in _VOID or match[3].endswith("/"):
            return match[0]
        if match[1]:
            depth = max(0, depth - 1)
            return match[0]
        depth += 1
        return match[0] if depth <= _MAX_DEPTH else ""

    return _TAG.sub(keep, markup)


# Where the cells of an HTML table stand, with rows and columns they span.

_MAX_COLUMNS = 1_000


@dataclass(slots=True)
class HtmlTable:
    """A table being read."""

    table: int
    row: int = -1
    column: int = 0
    collapsed: set[int] = field(default_factory=set)  # columns that are not shown
    _columns: int = 0
    _taken: dict[int, int] = field(default_factory=dict)  # column to the rows it is still taken for
    _fresh: dict[int, int] = field(default_factory=dict)  # taken by cells of this row

    def add_column(self, columns: int, *, collapsed: bool) -> None:
        self.collapsed.update(range(self._columns, self._columns + columns) if collapsed else ())
        self._columns = min(self._columns + columns, _MAX_COLUMNS)

    def next_row(self) -> None:
        self.row += 1
        self.column = 0
        self._taken = {c: n - 1 for c, n in self._taken.items() if n > 1}
        self._taken.update(self._fresh)
        self._fresh = {}

    def next_cell(self, columns: int, rows: int) -> Cell:
        if self.row < 0:
            self.next_row()
        while self.column in self._taken:
            self.column += 1
        cell = (self.table, self.row, min(self.column, _MAX_COLUMNS))
        for column in range(self.column, min(self.column + columns, _MAX_COLUMNS)):
            if rows > 1:
                self._fresh[column] = rows - 1
        self.column += columns
        return cell


def span(text: str | None) -> int:
    """A colspan or rowspan; 1 when it makes no sense."""
    try:
        return max(1, min(_MAX_COLUMNS, int(text or "1")))
    except ValueError:
        return 1


# Markers of HTML lists, counted as browsers count them.

_BULLETS = {"disc": "•", "circle": "◦", "square": "▪"}
_BY_DEPTH = ("disc", "circle", "square")
_TYPES = {"1": "decimal", "a": "lower-alpha", "A": "upper-alpha", "i": "lower-roman", "I": "upper-roman"}


@dataclass(slots=True)
class List:
    """A list being read."""

    ordered: bool
    depth: int
    type: str | None
    number: int
    step: int

    def marker(self, value: str | None, style: str | None) -> str | None:
        """The marker of the next item."""
        if value is not None and _integer(value) is not None:
            self.number = _integer(value) or 0
        number = self.number
        self.number += self.step
        kind = style or self.type or ("decimal" if self.ordered else _BY_DEPTH[min(self.depth, 2)])
        return spell(kind, number)


def open_list(tag: str, attributes: Mapping[str, str | None], depth: int, items: int) -> List:
    start = _integer(attributes.get("start") or "")
    backwards = "reversed" in attributes
    given = attributes.get("type") or ""
    return List(
        ordered=tag == "ol",
        depth=depth,
        type=_TYPES.get(given, given.lower() or None),
        number=start if start is not None else items if backwards else 1,
        step=-1 if backwards else 1,
    )


def spell(kind: str, number: int) -> str | None:
    """A marker of this list-style-type; None for none."""
    if kind.startswith('"'):
        return kind[1:].strip() or None
    if kind == "none":
        return None
    if kind in _BULLETS:
        return _BULLETS[kind]
    if kind.endswith(("alpha", "latin")):
        spelled = letters(number)
        return (spelled.upper() if kind.startswith("upper") else spelled) + "."
    if kind.endswith("roman"):
        return (roman(number) if kind.startswith("upper") else roman(number).lower()) + "."
    if kind == "decimal-leading-zero":
        return f"{number:02d}."
    return f"{number}." if kind == "decimal" else "•"


def _integer(text: str) -> int | None:
    try:
        return max(-100_000, min(100_000, int(text.strip())))
    except ValueError:
        return None
