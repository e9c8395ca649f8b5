"""The head of a Word file: where its text, tables and lists are (the "file information block")."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.documents.charsets import code_page
from evenhand.documents.draft import RGB
from evenhand.errors import CorruptDocument, EncryptedDocument

_WORD_97 = 0xA5EC
_WORD_6 = (0xA5DC, 0xA5DB)
_ENCRYPTED = 0x0100
_TABLE_1 = 0x0200
_COMPLEX = 0x0004

# Places in Word 97's array of (offset, length) pairs, and the byte where Word 6 keeps the same pair.
_PLACES: dict[str, tuple[int, int | None]] = {
    "styles": (1, 0x60),
    "headers": (11, 0xB0),
    "character_runs": (12, 0xB8),
    "paragraph_runs": (13, 0xC0),
    "fonts": (15, 0xD0),
    "pieces": (33, 0x160),
    "anchors": (40, None),
    "header_anchors": (41, None),
    "drawings": (50, None),
    "boxes": (56, None),
    "header_boxes": (58, None),
    "lists": (73, None),
    "list_uses": (74, None),
}


@dataclass(frozen=True, slots=True)
class StoryLengths:
    """Characters in each story; the stories follow one another in this order."""

    body: int
    notes: int
    headers: int
    macros: int
    comments: int
    endnotes: int
    boxes: int
    header_boxes: int


@dataclass(frozen=True, slots=True)
class FileInfoBlock:
    old: bool  # Word 6 or 95: 8-bit text, one-byte property codes
    table_stream: str
    language: int
    is_complex: bool
    text_start: int
    text_end: int
    lengths: StoryLengths
    places: dict[str, tuple[int, int]]

    def part(self, name: str, table: bytes) -> bytes:
        """One structure of the table stream; empty when the file has none or points outside."""
        offset, length = self.places[name]
        return table[offset : offset + length]


def read_head(main: bytes) -> FileInfoBlock:
    if len(main) < 0x180:
        raise CorruptDocument
    magic, _, _, language, _, flags = struct.unpack_from("<6H", main, 0)
    old = magic in _WORD_6
    if not old and magic != _WORD_97:
        raise CorruptDocument
    if flags & _ENCRYPTED:
        raise EncryptedDocument
    text_start, text_end = struct.unpack_from("<II", main, 0x18)
    return FileInfoBlock(
        old=old,
        table_stream="WordDocument" if old else "1Table" if flags & _TABLE_1 else "0Table",
        language=language,
        is_complex=bool(flags & _COMPLEX),
        text_start=text_start,
        text_end=text_end,
        lengths=StoryLengths(*(max(0, n) for n in struct.unpack_from("<8i", main, 0x34 if old else 0x4C))),
        places={name: _place(main, old, *where) for name, where in _PLACES.items()},
    )


def _place(main: bytes, old: bool, index: int, old_offset: int | None) -> tuple[int, int]:
    at = old_offset if old else 0x9A + 8 * index
    if at is None or at + 8 > len(main):
        return 0, 0
    offset, length = struct.unpack_from("<II", main, at)
    return (offset, length) if length < 0x7FFFFFFF else (0, 0)


# Word's property codes ("sprm"): the few that decide how text looks, where it stands, whether it is seen.

# Length of the operand by the top three bits of a two-byte code; 6 means "its first byte says".
_LENGTHS = (1, 1, 2, 4, 2, 2, -1, 3)
_TABLE_DEFINITION = 0xD608
_TAB_CHANGE = 0xC615

# Word 6 codes: operand lengths (-1: first byte says), and the Word 97 code of those that matter here.
_OLD_LENGTHS = {
    **dict.fromkeys((3, 12, 15, 23, 68, 74, 81, 82, 103, *range(187, 194)), -1),
    83: 0,
    **dict.fromkeys((*range(4, 12), 13, 14, 24, 25, 29, 44, 50, 51, 65, 66, 67, 71, 75, *range(85, 93), 94), 1),
    **dict.fromkeys((*range(98, 103), 104, 105, 106, 185, 186), 1),
    **dict.fromkeys((2, 16, 17, 18, 19, 21, 22, 26, 27, 28, *range(30, 44), *range(45, 50)), 2),
    **dict.fromkeys((69, 72, 80, 93, 96, 97, 107, 182, 183, 184), 2),
    **dict.fromkeys((73, 95), 3),
    **dict.fromkeys((20, 70), 4),
}
_OLD_CODES_LIST = """
    2 4600, 17 840F, 20 6412, 21 A413, 22 A414, 24 2416, 25 2417, 65 0800, 74 6A09, 80 4A30, 85 0835, 86 0836,
    92 083C, 93 4A4F, 98 2A42, 99 4A43
"""
_OLD_CODES = {int(old): int(new, 16) for old, new in (row.split() for row in _OLD_CODES_LIST.split(","))}

_COLORS = (
    *(None, (0, 0, 0), (0, 0, 255), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0)),
    *((255, 255, 0), (255, 255, 255), (0, 0, 128), (0, 128, 128), (0, 128, 0), (128, 0, 128)),
    *((128, 0, 0), (128, 128, 0), (128, 128, 128), (192, 192, 192)),
)
_PATTERN_SHARES = (0, 100, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90)


def iterate(data: bytes, *, old: bool = False) -> Iterator[tuple[int, bytes]]:
    """Each property code with its operand; Word 6 codes come out as those of Word 97."""
    at = 0
    while at + (1 if old else 2) <= len(data):
        if old:
            code, length, at = data[at], _OLD_LENGTHS.get(data[at], -2), at + 1
        else:
            (code,) = struct.unpack_from("<H", data, at)
            length, at = _LENGTHS[code >> 13], at + 2
        if length == -2 or at > len(data):
            return
        if length == -1:
            length, at = _variable(data, at, code)
        operand = data[at : at + length]
        at += length
        if len(operand) < length:
            return
        if not old:
            yield code, operand
        elif code in _OLD_CODES:
            yield _OLD_CODES[code], operand


def _variable(data: bytes, at: int, code: int) -> tuple[int, int]:
    """Length and start of an operand that begins with its own length."""
    if at >= len(data):
        return 0, at
    if code == _TABLE_DEFINITION and at + 2 <= len(data):
        (length,) = struct.unpack_from("<H", data, at)
        return max(0, length - 1), at + 2
    if code == _TAB_CHANGE and data[at] == 255:  # too long for a byte: count the tabs instead
        deleted = data[at + 1] if at + 1 < len(data) else 0
        added_at = at + 2 + 4 * deleted
        added = data[added_at] if added_at < len(data) else 0
        return 2 + 4 * deleted + 3 * added, at + 1
    return data[at], at + 1


def number(operand: bytes, *, signed: bool = False) -> int:
    return int.from_bytes(operand, "little", signed=signed)


def palette_color(index: int) -> RGB | None:
    return _COLORS[index] if 0 < index < len(_COLORS) else None


def color_value(operand: bytes) -> RGB | None:
    """Red, green, blue, and a byte that says "automatic"."""
    if len(operand) < 4 or operand[3] == 0xFF:
        return None
    return operand[0], operand[1], operand[2]


def shade_80(operand: bytes) -> RGB | None:
    value = number(operand[:2])
    return _mix(palette_color(value & 31), palette_color(value >> 5 & 31), value >> 10)


def shade(operand: bytes) -> RGB | None:
    if len(operand) < 10:
        return None
    return _mix(color_value(operand[0:4]), color_value(operand[4:8]), number(operand[8:10]))


def _mix(front: RGB | None, back: RGB | None, pattern: int) -> RGB | None:
    share = _PATTERN_SHARES[pattern] if pattern < len(_PATTERN_SHARES) else 50
    if share == 0 or (front is None and back is None and pattern != 1):
        return back
    over, under = front or (0, 0, 0), back or (255, 255, 255)
    red, green, blue = ((a * share + b * (100 - share)) // 100 for a, b in zip(over, under, strict=True))
    return red, green, blue


# The font names of a Word file.


def read_fonts(data: bytes, *, old: bool) -> list[str]:
    """Each entry begins with its length; newer ones are counted, and keep their name further on."""
    count = len(data) if old else number(data[:2]) if len(data) >= 4 else 0
    names: list[str] = []
    at = 2 if old else 4
    while len(names) < count and at < len(data):
        entry = data[at + 1 : at + 1 + data[at]]
        if old:
            names.append(entry[5:].partition(b"\0")[0].decode("cp1252", "replace"))
        else:
            names.append(entry[39:].decode("utf-16-le", "replace").partition("\0")[0])
        at += 1 + data[at]
    return names


# The text of a Word file: pieces scattered over the main stream, put in order.

# The code page Word 6 used for the main language of the document (low ten bits of the language number).
_LANGUAGE_PAGES = {
    **dict.fromkeys((0x19, 0x22, 0x23, 0x02, 0x2F), 1251),
    **dict.fromkeys((0x05, 0x15, 0x0E, 0x1B, 0x24, 0x1A, 0x18, 0x1C), 1250),
    0x08: 1253,
    0x1F: 1254,
    0x0D: 1255,
    0x01: 1256,
    0x11: 932,
    0x12: 949,
    0x04: 936,
    0x1E: 874,
    **dict.fromkeys((0x25, 0x26, 0x27), 1257),
}


@dataclass(frozen=True, slots=True)
class DocPiece:
    start: int  # in characters of the whole text
    text: str
    offset: int  # in bytes of the main stream
    width: int  # bytes per character
    extra: bytes  # properties that apply to the whole piece


def read_pieces(main: bytes, table: bytes, head: FileInfoBlock, *, limit: int) -> list[DocPiece]:
    """All pieces up to `limit` characters."""
    extras, plc = _split(head.part("pieces", table))
    if len(plc) < 16:  # a file without piece table keeps its text in one stretch
        data = main[head.text_start : min(head.text_end, head.text_start + limit)]
        if not data:
            raise CorruptDocument
        return [DocPiece(0, _old_text(data, head), head.text_start, 1, b"")]
    count = (len(plc) - 4) // 12
    bounds = struct.unpack_from(f"<{count + 1}I", plc, 0)
    pieces: list[DocPiece] = []
    for index in range(count):
        start, end = bounds[index], min(bounds[index + 1], limit)
        if start >= end:
            continue
        _, place, modifier = struct.unpack_from("<HIH", plc, 4 * (count + 1) + 8 * index)
        extra = extras[modifier >> 1] if modifier & 1 and modifier >> 1 < len(extras) else b""
        width, length = 1, end - start
        if head.old:
            text = _old_text(main[place : place + length], head)
        elif place & 0x40000000:
            place = (place & 0x3FFFFFFF) // 2
            text = main[place : place + length].decode("cp1252", "replace")
        else:
            width, text = 2, _units(main[place : place + 2 * length])
        pieces.append(DocPiece(start, text, place, width, extra))
        if bounds[index + 1] > limit:
            break
    if not pieces:
        raise CorruptDocument
    return pieces


def _split(clx: bytes) -> tuple[list[bytes], bytes]:
    """Property lists that pieces refer to, and the piece table itself."""
    extras: list[bytes] = []
    at = 0
    while at + 5 <= len(clx):
        if clx[at] == 1:
            (length,) = struct.unpack_from("<H", clx, at + 1)
            extras.append(clx[at + 3 : at + 3 + length])
            at += 3 + length
        elif clx[at] == 2:
            (length,) = struct.unpack_from("<I", clx, at + 1)
            return extras, clx[at + 5 : at + 5 + length]
        else:
            break
    return extras, b""


def _units(data: bytes) -> str:
    """One character per UTF-16 unit, so that positions stay as Word counts them."""
    text = data[: len(data) // 2 * 2].decode("utf-16-le", "surrogatepass")
    if len(text) < len(data) // 2:
        return "".join(map(chr, struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])))
    return text


def _old_text(data: bytes, head: FileInfoBlock) -> str:
    codec = code_page(_LANGUAGE_PAGES.get(head.language & 0x3FF, 1252))
    text = data.decode(codec, "replace")
    # Double-byte text would shift all positions; better its bytes than the wrong paragraphs.
    return text if len(text) == len(data) else data.decode("cp1252", "replace")
