"""The head of a Word file: where its text, tables and lists are (the "file information block")."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from evenhand.errors import CorruptDocument, EncryptedDocument

_WORD_97 = 0xA5EC
_WORD_6 = (0xA5DC, 0xA5DB)
_ENCRYPTED = 0x0100
_TABLE_1 = 0x0200
_COMPLEX = 0x0004

# Places in Word 97's array of (offset, length) pairs, and the byte where Word 6 keeps the same pair.
_PLACES = {
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
class Lengths:
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
class Head:
    old: bool  # Word 6 or 95: 8-bit text, one-byte property codes
    table_stream: str
    language: int
    is_complex: bool
    text_start: int
    text_end: int
    lengths: Lengths
    places: dict[str, tuple[int, int]]

    def part(self, name: str, table: bytes) -> bytes:
        """One structure of the table stream; empty when the file has none or points outside."""
        offset, length = self.places[name]
        return table[offset : offset + length]


def read_head(main: bytes) -> Head:
    if len(main) < 0x180:
        raise CorruptDocument
    magic, _, _, language, _, flags = struct.unpack_from("<6H", main, 0)
    old = magic in _WORD_6
    if not old and magic != _WORD_97:
        raise CorruptDocument
    if flags & _ENCRYPTED:
        raise EncryptedDocument
    text_start, text_end = struct.unpack_from("<II", main, 0x18)
    return Head(
        old=old,
        table_stream="WordDocument" if old else "1Table" if flags & _TABLE_1 else "0Table",
        language=language,
        is_complex=bool(flags & _COMPLEX),
        text_start=text_start,
        text_end=text_end,
        lengths=Lengths(*(max(0, n) for n in struct.unpack_from("<8i", main, 0x34 if old else 0x4C))),
        places={name: _place(main, old, *where) for name, where in _PLACES.items()},
    )


def _place(main: bytes, old: bool, index: int, old_offset: int | None) -> tuple[int, int]:
    at = old_offset if old else 0x9A + 8 * index
    if at is None or at + 8 > len(main):
        return 0, 0
    offset, length = struct.unpack_from("<II", main, at)
    return (offset, length) if length < 0x7FFFFFFF else (0, 0)
