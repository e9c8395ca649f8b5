"""Numbers and bullets of Word lists: they are not in the text, they are counted while reading."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evenhand.documents.doc.structures import iterate, number
from evenhand.documents.list_markers import letters, roman
from evenhand.documents.symbols import is_sign_font, sign

_BULLET, _NONE = 23, 255
_SPELLED: dict[int, Callable[[int], str]] = {
    1: roman,
    2: lambda value: roman(value).lower(),
    3: lambda value: letters(value).upper(),
    4: letters,
    22: lambda value: f"{value:02d}",
}
_LEVEL_BYTES = 28
_MAX_LISTS = 4_000


@dataclass(frozen=True, slots=True)
class DocListLevel:
    start: int
    format: int
    pattern: str  # characters 0 to 8 stand for the numbers of those levels
    font: int | None
    legal: bool
    properties: bytes = b""  # of the label


@dataclass(slots=True)
class ListOverride:
    """A list as paragraphs refer to it; several uses may share one list and its counters."""

    list_id: int
    levels: dict[int, DocListLevel]  # that replace those of the list
    restarts: dict[int, int]


class DocLists:
    """Counts through the lists of one document."""

    def __init__(self, lists: bytes, uses: bytes, table: bytes, place: int, fonts: Sequence[str]) -> None:
        self._levels = _read_lists(lists, table, place)
        self._uses = _read_uses(uses)
        self._fonts = fonts
        self._counters: dict[int, list[int | None]] = {}
        self._restarted: set[tuple[int, int]] = set()

    def marker(self, use: int, level: int) -> str | None:
        """The marker of the next item; None when it shows nothing."""
        if not 0 < use <= len(self._uses) or not 0 <= level < 9:
            return None
        chosen = self._uses[use - 1]
        levels = {**dict(enumerate(self._levels.get(chosen.list_id, ()))), **chosen.levels}
        shape = levels.get(level)
        if shape is None:
            return None
        self._count(use, chosen, level, levels)
        if shape.format != _BULLET:
            return self._number(shape, levels, chosen) or None
        font = self._fonts[shape.font] if shape.font is not None and shape.font < len(self._fonts) else None
        character = shape.pattern[:1]
        if character and (is_sign_font(font) or "\uf000" <= character <= "\uf0ff"):
            return sign(ord(character), font) or "•"
        return "◦" if character == "o" else shape.pattern.strip() or None

    def label(self, use: int, level: int) -> bytes:
        """The character properties of the marker."""
        chosen = self._uses[use - 1]
        levels = {**dict(enumerate(self._levels.get(chosen.list_id, ()))), **chosen.levels}
        return levels[level].properties if level in levels else b""

    def _count(self, use: int, chosen: ListOverride, level: int, levels: dict[int, DocListLevel]) -> None:
        counters = self._counters.setdefault(chosen.list_id, [None] * 9)
        restart = chosen.restarts.get(level)
        if restart is not None and (use, level) not in self._restarted:
            self._restarted.add((use, level))
            counters[level] = restart
        else:
            current = counters[level]
            counters[level] = levels[level].start if current is None else current + 1
        for higher in range(level):
            if counters[higher] is None and higher in levels:
                counters[higher] = levels[higher].start
        counters[level + 1 :] = [None] * (8 - level)

    def _number(self, shape: DocListLevel, levels: dict[int, DocListLevel], chosen: ListOverride) -> str:
        counters = self._counters[chosen.list_id]
        parts = []
        for character in shape.pattern[:60]:
            level = ord(character)
            if level > 8:
                parts.append(character)
            elif level in levels and levels[level].format != _NONE:
                counted = counters[level]
                value = levels[level].start if counted is None else counted
                parts.append(str(value) if shape.legal else _SPELLED.get(levels[level].format, str)(value))
        return "".join(parts).strip()


def _read_lists(lists: bytes, table: bytes, place: int) -> dict[int, list[DocListLevel]]:
    """Levels by list; they follow the index of lists, beyond its stated length."""
    if len(lists) < 2:
        return {}
    count = min(number(lists[:2]), (len(lists) - 2) // 28, _MAX_LISTS)
    at = place + 2 + 28 * count
    levels_of: dict[int, list[DocListLevel]] = {}
    for index in range(count):
        (list_id,) = struct.unpack_from("<i", lists, 2 + 28 * index)
        simple = lists[2 + 28 * index + 26] & 1
        levels: list[DocListLevel] = []
        for _ in range(1 if simple else 9):
            read = _read_level(table, at)
            if read is None:
                return levels_of
            level, at = read
            levels.append(level)
        levels_of[list_id] = levels
    return levels_of


def _read_level(data: bytes, at: int) -> tuple[DocListLevel, int] | None:
    if at + _LEVEL_BYTES + 2 > len(data):
        return None
    start, shape, flags = struct.unpack_from("<iBB", data, at)
    characters_length, paragraph_length = data[at + 24], data[at + 25]
    at += _LEVEL_BYTES + paragraph_length
    properties = data[at : at + characters_length]
    font = next((number(operand) for code, operand in iterate(properties) if code == 0x4A4F), None)
    at += characters_length
    length = number(data[at : at + 2])
    if at + 2 + 2 * length > len(data):
        return None
    pattern = data[at + 2 : at + 2 + 2 * length].decode("utf-16-le", "replace")
    return DocListLevel(start, shape, pattern, font, bool(flags & 4), properties), at + 2 + 2 * length


def _read_uses(data: bytes) -> list[ListOverride]:
    if len(data) < 4:
        return []
    count = min(number(data[:4]), (len(data) - 4) // 16, _MAX_LISTS)
    uses = [ListOverride(struct.unpack_from("<i", data, 4 + 16 * i)[0], {}, {}) for i in range(count)]
    at = 4 + 16 * count
    for index, use in enumerate(uses):
        changes = data[4 + 16 * index + 12]
        at += 4
        for _ in range(changes):
            if at + 8 > len(data):
                return uses
            start, flags = struct.unpack_from("<iI", data, at)
            at += 8
            if flags & 0x20:
                read = _read_level(data, at)
                if read is None:
                    return uses
                use.levels[flags & 15], at = read
            elif flags & 0x10:
                use.restarts[flags & 15] = start
    return uses
