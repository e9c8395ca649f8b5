"""Writes small Word 97 and Word 6 files: an OLE container, text, formatting runs, fonts and lists."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

_SECTOR = 512
_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def compound_file(streams: dict[str, bytes]) -> bytes:
    """An OLE file; streams are padded to the size from which they are kept in whole sectors."""
    padded = {name: data.ljust(4096, b"\0") for name, data in streams.items()}
    chains: list[list[int]] = []
    body = b""
    next_sector = 0
    for data in padded.values():
        count = -(-len(data) // _SECTOR)
        chains.append(list(range(next_sector, next_sector + count)))
        body += data.ljust(count * _SECTOR, b"\0")
        next_sector += count
    entries = [_entry("Root Entry", 5, _END, 0, child=1)]
    for number, (name, data) in enumerate(padded.items(), start=1):
        sibling = number + 1 if number < len(padded) else _FREE
        entries.append(_entry(name, 2, chains[number - 1][0], len(data), sibling=sibling))
    directory = b"".join(entries)
    directory_sectors = -(-len(directory) // _SECTOR)
    chains.append(list(range(next_sector, next_sector + directory_sectors)))
    first_directory = next_sector
    body += directory.ljust(directory_sectors * _SECTOR, b"\0")
    next_sector += directory_sectors
    fat_sectors = -(-(next_sector + 8) // 127)
    fat = [_FREE] * (fat_sectors * 128)
    for chain in chains:
        for here, there in zip(chain, [*chain[1:], _END], strict=True):
            fat[here] = there
    for number in range(fat_sectors):
        fat[next_sector + number] = _FAT
    body += struct.pack(f"<{len(fat)}I", *fat)
    fat_places = [next_sector + number for number in range(fat_sectors)] + [_FREE] * (109 - fat_sectors)
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 16
    header += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIII", 0, fat_sectors, first_directory, 0, 4096, _END, 0, _END, 0)
    return header + struct.pack("<109I", *fat_places) + body


def _entry(name: str, kind: int, start: int, size: int, *, child: int = _FREE, sibling: int = _FREE) -> bytes:
    raw = name.encode("utf-16-le")
    data = raw.ljust(64, b"\0") + struct.pack("<HBBIII", len(raw) + 2, kind, 1, _FREE, sibling, child)
    return data + b"\0" * 36 + struct.pack("<IQ", start, size)


def code(number: int, operand: bytes) -> bytes:
    """One property of Word 97."""
    return struct.pack("<H", number) + operand


BOLD = code(0x0835, b"\1")
ITALIC = code(0x0836, b"\1")
VANISH = code(0x083C, b"\1")
DELETED = code(0x0800, b"\1")
SPECIAL = code(0x0855, b"\1")


def size(half_points: int) -> bytes:
    return code(0x4A43, struct.pack("<H", half_points))


def color(red: int, green: int, blue: int) -> bytes:
    return code(0x6870, bytes((red, green, blue, 0)))


def font(number: int) -> bytes:
    return code(0x4A4F, struct.pack("<H", number))


IN_TABLE = code(0x2416, b"\1") + code(0x6649, struct.pack("<i", 1))
ROW_END = IN_TABLE + code(0x2417, b"\1")


def cell_fills(*colors: tuple[int, int, int]) -> bytes:
    shades = b"".join(b"\0\0\0\xff" + bytes(c) + b"\0" + b"\0\0" for c in colors)
    return code(0xD612, bytes((len(shades),)) + shades)


def list_item(use: int, level: int = 0) -> bytes:
    return code(0x260A, bytes((level,))) + code(0x460B, struct.pack("<h", use))


@dataclass
class WordFile:
    """Paragraphs of (text, character properties) runs; each run of a paragraph shares its properties."""

    fonts: tuple[str, ...] = ("Arial", "Symbol")
    encrypted: bool = False
    _text: str = ""
    _characters: list[tuple[int, bytes]] = field(default_factory=list)  # length, properties
    _paragraphs: list[tuple[int, bytes]] = field(default_factory=list)
    _stories: list[int] = field(default_factory=list)  # where body, notes and headers end
    _lists: list[list[tuple[int, str, int]]] = field(default_factory=list)
    _header_bounds: tuple[int, ...] = ()

    def paragraph(self, *runs: str | tuple[str, bytes], properties: bytes = b"", mark: str = "\r") -> WordFile:
        length = 0
        for run in (*runs, mark):
            text, look = (run, b"") if isinstance(run, str) else run
            units = len(text.encode("utf-16-le")) // 2
            self._text += text
            self._characters.append((units, look))
            length += units
        self._paragraphs.append((length, properties))
        return self

    def row(self, *cells: str | tuple[str, bytes], properties: bytes = b"") -> WordFile:
        for cell in cells:
            self.paragraph(cell, properties=IN_TABLE, mark="\x07")
        return self.paragraph(properties=ROW_END + properties, mark="\x07")

    def add_list(self, *levels: tuple[int, str, int]) -> int:
        """Levels of (number format, pattern, font); the number by which paragraphs refer to the list."""
        self._lists.append(list(levels))
        return len(self._lists)

    def headers(self, header: str, footer: str) -> WordFile:
        """A header and a footer for odd pages, after six empty separators and an empty even header."""
        self._stories.append(self._units())
        self.paragraph(header)
        self.paragraph(footer)
        first, second = len(header) + 1, len(footer) + 1
        self._header_bounds = (
            *[0] * 8,
            first,
            first,
            first + second,
            first + second,
            first + second,
            first + second + 1,
        )
        return self

    def build(self) -> bytes:
        if not self._stories:
            self._stories.append(self._units())
        start = 0x800
        text = self._text.encode("utf-16-le")
        main = bytearray(b"\0" * start) + text
        main += b"\0" * (-len(main) % _SECTOR)
        table = bytearray(b"\0" * 16)
        places: dict[int, tuple[int, int]] = {}

        def put(index: int, data: bytes) -> None:
            places[index] = (len(table), len(data))
            table.extend(data)

        put(12, self._pages(main, start, self._characters, paragraphs=False))
        put(13, self._pages(main, start, self._paragraphs, paragraphs=True))
        put(15, self._font_table())
        pieces = struct.pack("<II", 0, len(text) // 2) + struct.pack("<HIH", 0, start, 0)
        put(33, b"\x02" + struct.pack("<I", len(pieces)) + pieces)
        if self._header_bounds:
            put(11, struct.pack(f"<{len(self._header_bounds)}I", *self._header_bounds))
        if self._lists:
            heads, levels = self._list_tables()
            places[73] = (len(table), len(heads))
            table.extend(heads + levels)
            put(74, self._list_uses())
        self._write_head(main, places)
        return compound_file({"WordDocument": bytes(main), "1Table": bytes(table)})

    def _units(self) -> int:
        return len(self._text.encode("utf-16-le")) // 2

    def _write_head(self, main: bytearray, places: dict[int, tuple[int, int]]) -> None:
        flags = 0x0200 | (0x0100 if self.encrypted else 0)
        struct.pack_into("<6H", main, 0, 0xA5EC, 0xC1, 0, 0x409, 0, flags)
        body = self._stories[0]
        struct.pack_into("<8i", main, 0x4C, body, 0, self._units() - body, 0, 0, 0, 0, 0)
        for index, (offset, length) in places.items():
            struct.pack_into("<II", main, 0x9A + 8 * index, offset, length)

    def _pages(self, main: bytearray, start: int, runs: list[tuple[int, bytes]], *, paragraphs: bool) -> bytes:
        """Formatting pages appended to the main stream, a few runs on each; returns their index."""
        bounds = [start]
        numbers = []
        for first in range(0, len(runs), 4):
            chosen = runs[first : first + 4]
            offsets = [bounds[-1]]
            for length, _ in chosen:
                offsets.append(offsets[-1] + 2 * length)
            numbers.append(len(main) // _SECTOR)
            main.extend(_page(offsets, [data for _, data in chosen], paragraphs))
            bounds.append(offsets[-1])
        return struct.pack(f"<{len(bounds)}I", *bounds) + struct.pack(f"<{len(numbers)}I", *numbers)

    def _font_table(self) -> bytes:
        data = struct.pack("<HH", len(self.fonts), 0)
        for name in self.fonts:
            entry = b"\0" * 39 + name.encode("utf-16-le") + b"\0\0"
            data += bytes((len(entry),)) + entry
        return data

    def _list_tables(self) -> tuple[bytes, bytes]:
        heads = struct.pack("<H", len(self._lists))
        levels = b""
        for number, shapes in enumerate(self._lists, start=1):
            heads += struct.pack("<ii", number, 0) + b"\0" * 18 + b"\0\0"
            for format_, pattern, font_number in (shapes + [shapes[-1]] * 9)[:9]:
                look = font(font_number)
                levels += struct.pack("<iBB", 1, format_, 0) + b"\0" * 18 + bytes((len(look), 0, 0, 0)) + look
                levels += struct.pack("<H", len(pattern)) + pattern.encode("utf-16-le")
        return heads, levels

    def _list_uses(self) -> bytes:
        count = len(self._lists)
        data = struct.pack("<I", count)
        data += b"".join(struct.pack("<i", number) + b"\0" * 12 for number in range(1, count + 1))
        return data + b"\xff\xff\xff\xff" * count


def _page(offsets: list[int], properties: list[bytes], paragraphs: bool) -> bytes:
    count = len(properties)
    page = bytearray(_SECTOR)
    struct.pack_into(f"<{count + 1}I", page, 0, *offsets)
    at = 510
    for index, data in enumerate(properties):
        entry = _paragraph_entry(data) if paragraphs else bytes((len(data),)) + data
        at = (at - len(entry)) // 2 * 2
        page[at : at + len(entry)] = entry
        page[4 * (count + 1) + (13 if paragraphs else 1) * index] = at // 2
    page[511] = count
    return bytes(page)


def _paragraph_entry(data: bytes) -> bytes:
    """Style number and properties; an odd length and an even one are written by different rules."""
    content = b"\0\0" + data
    if len(content) % 2:
        return bytes(((len(content) + 1) // 2,)) + content
    return bytes((0, len(content) // 2)) + content


def old_word_file(text: str, characters: list[tuple[int, bytes]], codec: str = "cp1252") -> bytes:
    """A Word 95 file with one stretch of 8-bit text and character runs in its one-byte codes."""
    start = 0x400
    raw = text.encode(codec)
    main = bytearray(b"\0" * start) + raw
    main += b"\0" * (-len(main) % _SECTOR)
    offsets = [start]
    for length, _ in characters:
        offsets.append(offsets[-1] + length)
    number = len(main) // _SECTOR
    main.extend(_page(offsets, [data for _, data in characters], paragraphs=False))
    plc = struct.pack("<IIH", start, offsets[-1], number)
    struct.pack_into("<6H", main, 0, 0xA5DC, 104, 0, 0x419 if codec == "cp1251" else 0x409, 0, 0)
    struct.pack_into("<II", main, 0x18, start, start + len(raw))
    struct.pack_into("<8i", main, 0x34, len(raw), 0, 0, 0, 0, 0, 0, 0)
    struct.pack_into("<II", main, 0xB8, len(main), len(plc))
    main.extend(plc)
    return compound_file({"WordDocument": bytes(main)})
