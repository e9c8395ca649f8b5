"""The font names of a Word file."""

from __future__ import annotations

import struct


def read_fonts(data: bytes, *, old: bool) -> list[str]:
    return _old_fonts(data) if old else _fonts(data)


def _fonts(data: bytes) -> list[str]:
    if len(data) < 4:
        return []
    (count,) = struct.unpack_from("<H", data, 0)
    names: list[str] = []
    at = 4
    while len(names) < count and at < len(data):
        size = data[at]
        entry = data[at + 1 : at + 1 + size]
        names.append(entry[39:].decode("utf-16-le", "replace").partition("\0")[0])
        at += 1 + size
    return names


def _old_fonts(data: bytes) -> list[str]:
    names: list[str] = []
    at = 2
    while at < len(data):
        size = data[at]
        names.append(data[at + 6 : at + 1 + size].partition(b"\0")[0].decode("cp1252", "replace"))
        at += 1 + size
    return names
