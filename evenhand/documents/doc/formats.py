"""Character and paragraph formats of a Word file: styles first, then what runs and paragraphs change."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evenhand.documents.doc.structures import color_value, iterate, number, palette_color, shade, shade_80
from evenhand.documents.draft import CLIPPED_LINE, LINE_HEIGHT, RGB, WHITE, letters_hidden, to_hex, too_close
from evenhand.documents.flow import USUAL_SIZE, CharacterStyle
from evenhand.documents.properties import UNKNOWN, is_harmless

_MAX_BASES = 20


class Characters(NamedTuple):
    """How characters are drawn."""

    font: int | None = None
    size: int = 20  # half points
    bold: bool = False
    italic: bool = False
    vanish: bool = False
    deleted: bool = False
    color: RGB | None = None
    shade: RGB | None = None
    scale: int = 100
    spacing: int = 0  # twips between characters
    raised: int = 0  # half points above the line
    script: int = 0  # 1 for raised, 2 for lowered letters
    fitted: int = 0  # twips that the text is fitted into
    combined: bool = False  # two lines in one
    unknown: bool = False  # formatted in a way that may hide it
    special: bool = False
    symbol: tuple[int, int] | None = None  # font, character


class DocParagraphFormat(NamedTuple):
    """How a paragraph stands."""

    style: int = 0
    in_table: bool = False
    ends_row: bool = False
    depth: int = 0
    ends_inner_cell: bool = False
    ends_inner_row: bool = False
    level: int = 0
    list: int = 0
    before: int = 0
    after: int = 0
    contextual: bool = False
    left: int = 0
    first: int = 0
    frame_x: int = 0
    frame_y: int = 0
    frame_width: int = 0
    frame_height: int = 0
    multiple: bool = False  # the line height counts lines
    unknown: bool = False
    line: int = 0
    line_exact: bool = False
    shade: RGB | None = None
    new_page: bool = False
    fills: tuple[RGB | None, ...] = ()
    row_height: int = 0
    row_left: int = 0
    merged: tuple[bool, ...] = ()  # cells that go on from one above or before them
    ruled: bool = False


_TOGGLES = {0x0835: "bold", 0x0836: "italic", 0x083C: "vanish", 0x0818: "vanish", 0x0800: "deleted"}
_NUMBERS = {0x4A43: "size", 0x4A4F: "font", 0x4852: "scale"}
_DRAWN: dict[int, tuple[str, Callable[[bytes], object]]] = {
    0x2A42: ("color", lambda operand: palette_color(operand[0])),
    0x6870: ("color", color_value),
    0x2A0C: ("shade", lambda operand: palette_color(operand[0])),  # highlighted
    0x4866: ("shade", shade_80),
    0xCA71: ("shade", shade),
    0x4845: ("raised", lambda operand: number(operand, signed=True)),
    0x2A48: ("script", lambda operand: operand[0]),
    0xCA76: ("fitted", lambda operand: number(operand[:4])),
    0xCA78: ("combined", lambda operand: bool(operand[:1] and operand[0] & 2)),
    0x8840: ("spacing", lambda operand: number(operand, signed=True)),
    0x0855: ("special", lambda operand: operand[0] != 0),
}
_SYMBOL, _STYLE, _PLAIN = 0x6A09, 0x4A30, 0x2A33


def apply_characters(start: Characters, data: bytes, styles: DocStyles) -> Characters:
    """`start` with the properties of `data`; toggles look at the style they stand on."""
    changed: dict[str, object] = {}
    base = start
    for code, operand in iterate(data, old=styles.old):
        if code in _TOGGLES:
            value, before = operand[0], getattr(base, _TOGGLES[code])
            changed[_TOGGLES[code]] = before if value == 0x80 else not before if value == 0x81 else value != 0
        elif code in _NUMBERS:
            changed[_NUMBERS[code]] = number(operand)
        elif code in _DRAWN:
            name, read = _DRAWN[code]
            changed[name] = read(operand)
        elif code == _SYMBOL and len(operand) >= 3:
            changed.update(symbol=(number(operand[:2]), number(operand[2:4])), special=True)
        elif code == _STYLE:
            base = styles.with_character_style(start, number(operand))
            changed.update({k: v for k, v in base._asdict().items() if v != getattr(start, k)})
        elif code == _PLAIN:
            changed, base = {}, start
        elif may_hide(code, "characters"):
            changed["unknown"] = True
    return base._replace(**changed) if changed else start  # type: ignore[arg-type]


_FLAGS = {
    0x2416: "in_table",
    0x2417: "ends_row",
    0x244B: "ends_inner_cell",
    0x244C: "ends_inner_row",
    0x246D: "contextual",
    0x2407: "new_page",
}
_AMOUNTS = {
    0x6649: ("depth", True),
    0x260A: ("level", False),
    0x460B: ("list", True),
    0xA413: ("before", False),
    0xA414: ("after", False),
    0x840F: ("left", True),
    0x845E: ("left", True),
    0x8411: ("first", True),
    0x8460: ("first", True),
    0x8418: ("frame_x", True),
    0x8419: ("frame_y", True),
    0x841A: ("frame_width", False),
    0x442B: ("frame_height", False),
    0x9601: ("row_left", True),
    0x9407: ("row_height", True),
}
_LINE, _P_SHADE_80, _P_SHADE, _CELL_SHADES_80, _CELL_SHADES = 0x6412, 0x442D, 0xC64D, 0xD609, 0xD612
_BORDERS = (0xD605, 0xD613)
_TABLE = 0xD608
_KINDS = {"paragraph": 1, "characters": 2}


def apply_paragraph(start: DocParagraphFormat, data: bytes, *, old: bool) -> DocParagraphFormat:
    changed: dict[str, object] = {}
    for code, operand in iterate(data, old=old):
        if code in _FLAGS:
            changed[_FLAGS[code]] = operand[0] != 0
        elif code in _AMOUNTS:
            name, signed = _AMOUNTS[code]
            changed[name] = number(operand, signed=signed)
        elif code == _LINE:
            changed.update(line=number(operand[:2], signed=True), multiple=number(operand[2:4]) == 1)
        elif code in (_P_SHADE_80, _P_SHADE):
            changed["shade"] = shade_80(operand) if code == _P_SHADE_80 else shade(operand)
        elif code == _CELL_SHADES_80:
            changed["fills"] = tuple(shade_80(operand[i : i + 2]) for i in range(0, len(operand) - 1, 2))
        elif code == _CELL_SHADES:
            changed["fills"] = tuple(shade(operand[i : i + 10]) for i in range(0, len(operand) - 9, 10))
        elif code in _BORDERS:
            changed["ruled"] = any(operand)
        elif code == _TABLE:
            changed["merged"] = _merged(operand)
        elif may_hide(code, "paragraph"):
            changed["unknown"] = True
    return start._replace(**changed) if changed else start  # type: ignore[arg-type]


def may_hide(code: int, holder: str) -> bool:
    """Whether a property is of this kind, and nobody can say that it leaves text visible."""
    return code >> 10 & 7 == _KINDS[holder] and not is_harmless("doc", holder, f"{code:04x}")


def _merged(operand: bytes) -> tuple[bool, ...]:
    """Which cells of a row go on from a cell before them, or from one above."""
    count = operand[0] if operand else 0
    flags = (number(operand[at : at + 2]) for at in range(3 + 2 * count, len(operand) - 1, 20))
    return tuple(bool(flag & 0x02) or flag & 0x60 == 0x20 for flag, _ in zip(flags, range(count), strict=False))


class DocStyles:
    """The style sheet; formats of a style are worked out when first asked for."""

    def __init__(self, data: bytes, *, old: bool) -> None:
        self.old = old
        self._styles = _read_styles(data, old)
        self._formats: dict[int, tuple[Characters, DocParagraphFormat]] = {}

    def formats(self, style: int) -> tuple[Characters, DocParagraphFormat]:
        if style not in self._formats:
            characters, paragraph = Characters(), DocParagraphFormat(style=style)
            for base in self._chain(style):
                characters = apply_characters(characters, base.characters, self)
                paragraph = apply_paragraph(paragraph, base.paragraph, old=self.old)
            self._formats[style] = characters, paragraph
        return self._formats[style]

    def with_character_style(self, start: Characters, style: int) -> Characters:
        for base in self._chain(style):
            if base.kind == 2:
                start = apply_characters(start, base.characters, self)
        return start

    def _chain(self, style: int) -> list[_Style]:
        """The style with those it is based on, the last of them first."""
        chain: list[int] = []
        while style in self._styles and style not in chain and len(chain) < _MAX_BASES:
            chain.append(style)
            style = self._styles[style].base
        return [self._styles[number] for number in reversed(chain)]


class _Style(NamedTuple):
    kind: int
    base: int
    paragraph: bytes
    characters: bytes


def _read_styles(data: bytes, old: bool) -> dict[int, _Style]:
    if len(data) < 6:
        return {}
    head, count, base_size = struct.unpack_from("<HHH", data, 0)
    styles: dict[int, _Style] = {}
    at = 2 + head
    for index in range(count):
        if at + 2 > len(data):
            break
        (length,) = struct.unpack_from("<H", data, at)
        entry = data[at + 2 : at + 2 + length]
        at += 2 + length
        if len(entry) > base_size >= 8:
            styles[index] = _read_style(entry, base_size, old)
    return styles


def _read_style(entry: bytes, base_size: int, old: bool) -> _Style:
    _, kind_base, upx_next = struct.unpack_from("<HHH", entry, 0)
    at = base_size
    if old:
        at += 2 + entry[at]
    else:
        at += 4 + 2 * number(entry[at : at + 2])
    parts = []
    for _ in range(upx_next & 15):
        at += at & 1
        length = number(entry[at : at + 2])
        parts.append(entry[at + 2 : at + 2 + length])
        at += 2 + length
    kind = kind_base & 15
    paragraph = parts[0][2:] if kind == 1 and parts else b""
    characters = parts[1] if kind == 1 and len(parts) > 1 else parts[0] if kind == 2 and parts else b""
    # A style must not name a style of its own, or it could recurse into itself.
    return _Style(kind, kind_base >> 4, paragraph, b"" if characters.startswith(b"\x30\x4a") else characters)


# The look of characters in a Word file, with the reason when nobody can see them.

_FAR_TWIPS = 14_400
_SCRIPT, _COMBINED = 0.65, 0.5  # size of raised letters, and of two lines in one
_SINGLE_LINE = 240


class ParagraphContext(NamedTuple):
    """What surrounds a paragraph: the cell or box it stands in."""

    fill: RGB | None = None
    see_through: bool = False
    hidden: str | None = None
    room: float | None = None  # points of height that do not grow


NOWHERE = ParagraphContext()
"""On the page itself."""


class DocCharacterStyles:
    def __init__(self, fonts: Sequence[str]) -> None:
        self.fonts = fonts
        self._made: dict[tuple[object, ...], CharacterStyle] = {}

    def font_name(self, number: int | None) -> str | None:
        return self.fonts[number] if number is not None and number < len(self.fonts) else None

    def look(self, characters: Characters, paragraph: DocParagraphFormat, place: ParagraphContext) -> CharacterStyle:
        key = (characters, paragraph, place)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = CharacterStyle(
                font=self.font_name(characters.font),
                size=characters.size / 2,
                bold=characters.bold,
                italic=characters.italic,
                color=to_hex(characters.color) if characters.color else None,
                hidden=_hidden(characters, paragraph, place),
            )
        return made


def _hidden(characters: Characters, paragraph: DocParagraphFormat, place: ParagraphContext) -> str | None:
    if characters.vanish:
        return "hidden_style"
    if place.hidden:
        return place.hidden
    if characters.unknown or paragraph.unknown:
        return UNKNOWN
    asides = (paragraph.left, paragraph.left + paragraph.first, paragraph.frame_x / 2, paragraph.frame_y / 2)
    if any(abs(aside) > _FAR_TWIPS for aside in asides):
        return "off_page"
    size = characters.size / 2 or USUAL_SIZE
    heights = [place.room]
    if paragraph.line:  # below zero is an exact height
        share = paragraph.line / _SINGLE_LINE * LINE_HEIGHT * size if paragraph.multiple else size
        heights.append(-paragraph.line / 20 if paragraph.line < 0 else share)
    if paragraph.frame_height and not paragraph.frame_height & 0x8000:
        heights.append(paragraph.frame_height / 20)
    reason = letters_hidden(
        size,
        script=_COMBINED if characters.combined else _SCRIPT if characters.script else 1.0,
        scale=characters.scale / 100,
        spacing=characters.spacing / 20,
        raised=characters.raised / 2,
        heights=heights,
    )
    if reason or 0 < paragraph.frame_width < CLIPPED_LINE * size * 20:
        return reason or "clipped"
    background = characters.shade or paragraph.shade or place.fill
    if background is None and not place.see_through:
        background = WHITE
    if characters.color and background and too_close(characters.color, background):
        return "background_color"
    return None


# Formatting runs of a Word file: pages of 512 bytes that say which bytes of text have which properties.

_PAGE = 512


@dataclass(frozen=True, slots=True)
class PropertyRuns:
    """Properties by byte offset; the runs are sorted and do not overlap."""

    starts: list[int]
    ends: list[int]
    properties: list[bytes]

    def at(self, offset: int) -> bytes:
        index = bisect_right(self.starts, offset) - 1
        return self.properties[index] if index >= 0 and offset < self.ends[index] else b""

    def between(self, start: int, end: int) -> list[tuple[int, int, bytes]]:
        """The stretches of [start, end) with their properties, gaps included."""
        stretches: list[tuple[int, int, bytes]] = []
        index = max(0, bisect_right(self.starts, start) - 1)
        at = start
        while at < end and index < len(self.starts):
            first, last = max(self.starts[index], start), min(self.ends[index], end)
            if first >= end:
                break
            if last > at:
                if first > at:
                    stretches.append((at, first, b""))
                stretches.append((max(first, at), last, self.properties[index]))
                at = last
            index += 1
        if at < end:
            stretches.append((at, end, b""))
        return stretches


def read_runs(main: bytes, plc: bytes, *, paragraphs: bool, old: bool) -> PropertyRuns:
    """All runs that the index `plc` of pages leads to."""
    runs: dict[int, tuple[int, bytes]] = {}
    for page in _pages(plc, old):
        data = main[page * _PAGE : (page + 1) * _PAGE]
        if len(data) == _PAGE:
            for start, end, properties in _read_page(data, paragraphs=paragraphs, old=old):
                runs.setdefault(start, (end, properties))
    starts = sorted(runs)
    ends = [runs[start][0] for start in starts]
    for index, following in enumerate(starts[1:]):  # damaged pages overlap
        ends[index] = min(ends[index], following)
    return PropertyRuns(starts, ends, [runs[start][1] for start in starts])


def _pages(plc: bytes, old: bool) -> list[int]:
    width = 2 if old else 4
    count = (len(plc) - 4) // (4 + width)
    if count <= 0:
        return []
    numbers = struct.unpack_from(f"<{count}{'H' if old else 'I'}", plc, 4 * (count + 1))
    return list(dict.fromkeys(page & 0x3FFFFF for page in numbers))


def _read_page(page: bytes, *, paragraphs: bool, old: bool) -> list[tuple[int, int, bytes]]:
    count = page[511]
    entry = (7 if old else 13) if paragraphs else 1
    if count == 0 or 4 * (count + 1) + entry * count > 511:
        return []
    bounds = struct.unpack_from(f"<{count + 1}I", page, 0)
    runs = []
    for index in range(count):
        offset = 2 * page[4 * (count + 1) + entry * index]
        if bounds[index] < bounds[index + 1]:
            if paragraphs:
                properties = _paragraph(page, offset, old)
            else:
                properties = page[offset + 1 : min(511, offset + 1 + page[offset])] if 0 < offset < 511 else b""
            runs.append((bounds[index], bounds[index + 1], properties))
    return runs


def _paragraph(page: bytes, offset: int, old: bool) -> bytes:
    """Style number and properties; the length counts words, by two rules."""
    if offset == 0 or offset >= 510:
        return b""
    length = page[offset]
    if length == 0 and not old:
        return page[offset + 2 : min(511, offset + 2 + 2 * page[offset + 1])]
    return page[offset + 1 : min(511, offset + (2 * length if not old else 1 + 2 * length))]
