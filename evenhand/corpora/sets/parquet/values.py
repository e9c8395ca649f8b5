"""Values out of the bytes of a page: plain ones, and runs of small numbers that point into a dictionary."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from evenhand.corpora.sets.parquet.thrift import Malformed

BOOLEAN, INT32, INT64, FLOAT, DOUBLE, BYTES = 0, 1, 2, 4, 5, 6
_NUMBERS = {INT32: ("i", 4), INT64: ("q", 8), FLOAT: ("f", 4), DOUBLE: ("d", 8)}


def plain_values(data: bytes, kind: int, number: int) -> Sequence[Any]:
    if kind in _NUMBERS:
        letter, size = _NUMBERS[kind]
        if len(data) < size * number:
            raise Malformed("A page is too short.")
        return struct.unpack_from(f"<{number}{letter}", data)
    if kind == BYTES:
        return _texts(data, number)
    if kind == BOOLEAN:
        return [bool(data[at // 8] >> at % 8 & 1) for at in range(number)]
    raise Malformed(f"A column has the kind {kind}, which is not read.")


def _texts(data: bytes, number: int) -> list[str]:
    texts: list[str] = []
    place = 0
    for _ in range(number):
        end = place + 4 + int.from_bytes(data[place : place + 4], "little")
        if end > len(data) or place + 4 > len(data):
            raise Malformed("A page is too short.")
        texts.append(data[place + 4 : end].decode("utf-8", "replace"))
        place = end
    return texts


def run_values(data: bytes, width: int, number: int) -> list[int]:
    """Runs of one number, and numbers of `width` bits packed in eights, in turn."""
    found: list[int] = []
    place, size = 0, (width + 7) // 8
    while len(found) < number:
        head, place = _unsigned(data, place)
        if head & 1:
            eights = head >> 1
            packed = int.from_bytes(data[place : place + eights * width], "little")
            wanted = min(eights * 8, number - len(found))
            mask = (1 << width) - 1
            found += _unpacked(packed, width, wanted, mask)
            place += eights * width
        else:
            value = int.from_bytes(data[place : place + size], "little")
            found += [value] * min(head >> 1, number - len(found))
            place += size
    return found


def _unpacked(packed: int, width: int, number: int, mask: int) -> list[int]:
    """In chunks of 64 numbers: shifting one huge number again and again would take the square of its length."""
    found: list[int] = []
    data = packed.to_bytes((packed.bit_length() + 7) // 8, "little")
    step = 8 * width  # bytes of 64 numbers
    for at in range(0, number, 64):
        start = at // 64 * step
        chunk = int.from_bytes(data[start : start + step], "little")
        found += [chunk >> width * item & mask for item in range(min(64, number - at))]
    return found


def _unsigned(data: bytes, place: int) -> tuple[int, int]:
    value, shift = 0, 0
    while True:
        if place >= len(data) or shift > 35:
            raise Malformed("A page is too short.")
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
