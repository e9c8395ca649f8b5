"""Formatting runs of a Word file: pages of 512 bytes that say which bytes of text have which properties."""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass

_PAGE = 512


@dataclass(frozen=True, slots=True)
class Runs:
    """Properties by byte offset; the runs are sorted and do not overlap."""

    starts: list[int]
    ends: list[int]
    properties: list[bytes]

    def at(self, offset: int) -> bytes:
        index = bisect_right(self.starts, offset) - 1
        return self.properties[index] if index >= 0 and offset < self.ends[index] else b""

    def between(self, start: int, end: int) -> list[tuple[int, int, bytes]]:
        """The stretches of [start, end) with their properties, gaps included."""
        found: list[tuple[int, int, bytes]] = []
        index = max(0, bisect_right(self.starts, start) - 1)
        at = start
        while at < end and index < len(self.starts):
            first, last = max(self.starts[index], start), min(self.ends[index], end)
            if first >= end:
                break
            if last > at:
                if first > at:
                    found.append((at, first, b""))
                found.append((max(first, at), last, self.properties[index]))
                at = last
            index += 1
        if at < end:
            found.append((at, end, b""))
        return found


def read_runs(main: bytes, plc: bytes, *, paragraphs: bool, old: bool) -> Runs:
    """All runs that the index `plc` of pages leads to."""
    found: dict[int, tuple[int, bytes]] = {}
    for page in _pages(plc, old):
        data = main[page * _PAGE : (page + 1) * _PAGE]
        if len(data) == _PAGE:
            for start, end, properties in _read_page(data, paragraphs=paragraphs, old=old):
                found.setdefault(start, (end, properties))
    starts = sorted(found)
    ends = [found[start][0] for start in starts]
    for index, following in enumerate(starts[1:]):  # damaged pages overlap
        ends[index] = min(ends[index], following)
    return Runs(starts, ends, [found[start][1] for start in starts])


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
    found = []
    for index in range(count):
        offset = 2 * page[4 * (count + 1) + entry * index]
        if bounds[index] < bounds[index + 1]:
            properties = _paragraph(page, offset, old) if paragraphs else _character(page, offset)
            found.append((bounds[index], bounds[index + 1], properties))
    return found


def _character(page: bytes, offset: int) -> bytes:
    if offset == 0 or offset >= 511:
        return b""
    return page[offset + 1 : min(511, offset + 1 + page[offset])]


def _paragraph(page: bytes, offset: int, old: bool) -> bytes:
    """Style number and properties; the length counts words, by two rules."""
    if offset == 0 or offset >= 510:
        return b""
    length = page[offset]
    if length == 0 and not old:
        return page[offset + 2 : min(511, offset + 2 + 2 * page[offset + 1])]
    return page[offset + 1 : min(511, offset + (2 * length if not old else 1 + 2 * length))]
