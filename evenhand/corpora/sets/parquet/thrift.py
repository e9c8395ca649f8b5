"""Thrift's compact protocol, in which Parquet writes its headers: a struct becomes a mapping of field numbers."""

from __future__ import annotations

import struct
from typing import Any

DEEPEST = 32  # headers nest five deep
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


class Malformed(ValueError):
    """Bytes that are no Parquet."""


class ThriftReader:
    def __init__(self, data: bytes, place: int = 0) -> None:
        self.data = data
        self.place = place

    def read_struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > DEEPEST:
            raise Malformed("A header is nested too deeply.")
        fields: dict[int, Any] = {}
        number = 0
        while kind_and_step := self._byte():
            kind, step = kind_and_step & 0x0F, kind_and_step >> 4
            number = number + step if step else self._signed()
            fields[number] = kind == TRUE if kind in (TRUE, FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (I16, I32, I64):
            return self._signed()
        if kind == BINARY:
            return self._take(self._unsigned())
        if kind == STRUCT:
            return self.read_struct(depth + 1)
        if kind in (LIST, SET):
            return self._list(depth)
        if kind in (BYTE, TRUE, FALSE):
            return self._byte()
        if kind == DOUBLE:
            return struct.unpack("<d", self._take(8))[0]
        raise Malformed(f"A header has a field of the unknown kind {kind}.")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size, kind = head >> 4, head & 0x0F
        if size == 15:
            size = self._unsigned()
        if size > len(self.data) - self.place:  # every item takes a byte at least
            raise Malformed("A list in a header is longer than the file.")
        return [self._value(kind, depth + 1) for _ in range(size)]

    def _byte(self) -> int:
        return self._take(1)[0]

    def _take(self, size: int) -> bytes:
        taken = self.data[self.place : self.place + size]
        if len(taken) != size:
            raise Malformed("The file ends within a header.")
        self.place += size
        return taken

    def _unsigned(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise Malformed("A number in a header is too long.")

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)
