"""The text of a Word file: pieces scattered over the main stream, put in order."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from evenhand.documents.charsets import code_page
from evenhand.documents.doc.fib import Head
from evenhand.errors import CorruptDocument

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
class Piece:
    start: int  # in characters of the whole text
    text: str
    offset: int  # in bytes of the main stream
    width: int  # bytes per character
    extra: bytes  # properties that apply to the whole piece


def read_pieces(main: bytes, table: bytes, head: Head, *, limit: int) -> list[Piece]:
    """All pieces up to `limit` characters."""
    extras, plc = _split(head.part("pieces", table))
    if len(plc) < 16:
        return [_whole(main, head, limit)]
    count = (len(plc) - 4) // 12
    bounds = struct.unpack_from(f"<{count + 1}I", plc, 0)
    pieces: list[Piece] = []
    for index in range(count):
        start, end = bounds[index], min(bounds[index + 1], limit)
        if start >= end:
            continue
        _, place, modifier = struct.unpack_from("<HIH", plc, 4 * (count + 1) + 8 * index)
        pieces.append(_piece(main, head, start, end - start, place, _extra(modifier, extras)))
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


def _extra(modifier: int, extras: list[bytes]) -> bytes:
    if modifier & 1 and modifier >> 1 < len(extras):
        return extras[modifier >> 1]
    return b""


def _piece(main: bytes, head: Head, start: int, count: int, place: int, extra: bytes) -> Piece:
    if head.old:
        data = main[place : place + count]
        return Piece(start, _old_text(data, head), place, 1, extra)
    if place & 0x40000000:
        offset = (place & 0x3FFFFFFF) // 2
        return Piece(start, main[offset : offset + count].decode("cp1252", "replace"), offset, 1, extra)
    data = main[place : place + 2 * count]
    return Piece(start, _units(data), place, 2, extra)


def _units(data: bytes) -> str:
    """One character per UTF-16 unit, so that positions stay as Word counts them."""
    text = data[: len(data) // 2 * 2].decode("utf-16-le", "surrogatepass")
    if len(text) < len(data) // 2:
        return "".join(map(chr, struct.unpack(f"<{len(data) // 2}H", data[: len(data) // 2 * 2])))
    return text


def _old_text(data: bytes, head: Head) -> str:
    codec = code_page(_LANGUAGE_PAGES.get(head.language & 0x3FF, 1252))
    text = data.decode(codec, "replace")
    # Double-byte text would shift all positions; better its bytes than the wrong paragraphs.
    return text if len(text) == len(data) else data.decode("cp1252", "replace")


def _whole(main: bytes, head: Head, limit: int) -> Piece:
    """A file without piece table keeps its text in one stretch."""
    data = main[head.text_start : min(head.text_end, head.text_start + limit)]
    if not data:
        raise CorruptDocument
    return Piece(0, _old_text(data, head), head.text_start, 1, b"")
