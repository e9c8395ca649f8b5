"""The columns of a flat Parquet file, one row group after the other."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from evenhand.errors import UsageError

# Thrift's compact protocol, in which Parquet writes its headers: a struct becomes a mapping of field numbers.


MAX_DEPTH = 32  # headers nest five deep
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


class Malformed(ValueError):
    """Bytes that are no Parquet."""


class ThriftReader:
    def __init__(self, data: bytes, place: int = 0) -> None:
        self.data = data
        self.place = place

    def read_struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > MAX_DEPTH:
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


# What pages are packed with: nothing, Snappy or gzip.

UNPACKED, SNAPPY, GZIP = 0, 1, 2
OTHERS = {3: "LZO", 4: "Brotli", 5: "LZ4", 6: "Zstandard", 7: "LZ4"}


def unpack(data: bytes, codec: int, size: int) -> bytes:
    """To exactly `size` bytes, which the page's header tells; never to more."""
    if codec == UNPACKED:
        found = data
    elif codec == SNAPPY:
        found = unpack_snappy(data, size)
    elif codec == GZIP:
        try:
            found = zlib.decompressobj(wbits=31).decompress(data, size)
        except zlib.error as damage:
            raise Malformed(f"A page is damaged: {damage}") from damage
    else:
        raise Malformed(f"It is packed with {OTHERS.get(codec, codec)}; Snappy, gzip or nothing was expected.")
    if len(found) != size:
        raise Malformed("A page is damaged: its length is not what its header tells.")
    return found


def unpack_snappy(data: bytes, size: int) -> bytes:
    """A length, then stretches that stand here or are repeated from before."""
    place = _skip_length(data)
    found = bytearray()
    while place < len(data) and len(found) <= size:
        tag = data[place]
        place += 1
        if tag & 3 == 0:
            length, place = _literal_length(data, place, tag >> 2)
            found += data[place : place + length]
            place += length
            continue
        extra = (0, 1, 2, 4)[tag & 3]
        number = int.from_bytes(data[place : place + extra], "little")
        place += extra
        if tag & 3 == 1:
            _repeat(found, length=4 + (tag >> 2 & 7), back=(tag >> 5) << 8 | number)
        else:
            _repeat(found, length=1 + (tag >> 2), back=number)
    return bytes(found)


def _skip_length(data: bytes) -> int:
    for place, byte in enumerate(data[:5]):
        if byte < 0x80:
            return place + 1
    raise Malformed("A page is damaged.")


def _literal_length(data: bytes, place: int, short: int) -> tuple[int, int]:
    if short < 60:
        return short + 1, place
    extra = short - 59
    return int.from_bytes(data[place : place + extra], "little") + 1, place + extra


def _repeat(found: bytearray, *, length: int, back: int) -> None:
    if not 0 < back <= len(found):
        raise Malformed("A page is damaged.")
    start = len(found) - back
    if back >= length:
        found += found[start : start + length]
    else:  # it repeats what it is writing
        found += (bytes(found[start:]) * (length // back + 1))[:length]


# Values out of the bytes of a page: plain ones, and runs of small numbers that point into a dictionary.

BOOLEAN, INT32, INT64, FLOAT, DOUBLE_TYPE, BYTES = 0, 1, 2, 4, 5, 6
_NUMBERS = {INT32: ("i", 4), INT64: ("q", 8), FLOAT: ("f", 4), DOUBLE_TYPE: ("d", 8)}


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


MARK = b"PAR1"
MAX_FOOTER_BYTES = 64 * 2**20
MAX_PAGE_BYTES = 2**30  # bytes; writers make pages of a megabyte
MAX_VALUES = 20_000_000
DATA, DICTIONARY, DATA_2 = 0, 2, 3  # kinds of pages
PLAIN, PLAIN_DICTIONARY, RUNS_DICTIONARY = 0, 2, 8
OPTIONAL = 1


@dataclass(frozen=True, slots=True)
class ParquetColumn:
    name: str
    is_optional: bool


def parquet_rows(path: Path, *, columns: Collection[str] | None = None) -> Iterator[dict[str, Any]]:
    """Those of the named columns that there are, or all; columns of lists or records are not read."""
    try:
        with path.open("rb") as file:
            yield from _rows(file, columns)
    # A damaged header lacks a field, or has a text where a number should be.
    except (ValueError, LookupError, TypeError, AttributeError, RuntimeError, struct.error) as damage:
        said = str(damage) if isinstance(damage, Malformed) else "It is damaged."
        raise UsageError(f"{path.name} is no Parquet file that can be read: {said}") from damage


def _rows(file: BinaryIO, wanted: Collection[str] | None) -> Iterator[dict[str, Any]]:
    footer = _footer(file)
    known = {each.name: each for each in _columns(footer.get(2, []))}
    for group in footer.get(4, []):
        found: dict[str, Sequence[Any]] = {}
        for chunk in group.get(1, []):
            about = chunk.get(3, {})
            name = b".".join(about.get(3, [])).decode("utf-8", "replace")
            if name in known and (wanted is None or name in wanted):
                found[name] = _chunk(file, about, known[name])
        names = list(found)
        yield from (dict(zip(names, row, strict=True)) for row in zip(*found.values(), strict=True))


def _footer(file: BinaryIO) -> dict[int, Any]:
    size = file.seek(0, 2)
    if size < 12:
        raise Malformed("It is too short.")
    file.seek(size - 8)
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != MARK or not 0 < length <= min(size - 8, MAX_FOOTER_BYTES):
        raise Malformed("Its end is not that of a Parquet file; perhaps it was not downloaded whole.")
    file.seek(size - 8 - length)
    return ThriftReader(file.read(length)).read_struct()


def _columns(schema: Sequence[dict[int, Any]]) -> Iterator[ParquetColumn]:
    """The leaves right under the root; what has parts is passed over with its parts."""
    at = 1
    while at < len(schema):
        element = schema[at]
        at += 1
        if element.get(5):
            at = _after(schema, at - 1)
        elif element.get(3) in (0, OPTIONAL):
            yield ParquetColumn(element[4].decode("utf-8", "replace"), element.get(3) == OPTIONAL)


def _after(schema: Sequence[dict[int, Any]], at: int) -> int:
    """Where the element behind this one and all its parts stands."""
    pending = 1
    while pending and at < len(schema):
        pending += schema[at].get(5, 0) - 1
        at += 1
    return at


def _chunk(file: BinaryIO, about: dict[int, Any], column: ParquetColumn) -> list[Any]:
    """One column of one row group: perhaps a dictionary, then pages."""
    start = min(about[9], about.get(11) or about[9])
    file.seek(start)
    data = file.read(about[7])
    dictionary: Sequence[Any] = ()
    values: list[Any] = []
    place = 0
    while len(values) < about[5]:
        reader = ThriftReader(data, place)
        head = reader.read_struct()
        if not (0 <= head[3] <= MAX_PAGE_BYTES and 0 <= head[2] <= MAX_PAGE_BYTES):
            raise Malformed("A page is too large.")
        page = data[reader.place : reader.place + head[3]]
        place = reader.place + head[3]
        if head[1] == DICTIONARY:
            dictionary = plain_values(unpack(page, about[4], head[2]), about[1], head[7][1])
        elif head[1] == DATA:
            values += _page(unpack(page, about[4], head[2]), head[5], about[1], column, dictionary)
        elif head[1] == DATA_2:
            values += _page_2(page, head, about, column, dictionary)
    return values


def _page(
    data: bytes, head: dict[int, Any], kind: int, column: ParquetColumn, dictionary: Sequence[Any]
) -> Sequence[Any]:
    number = _number(head[1], column)
    if not column.is_optional:
        return _values(data, head[2], kind, number, dictionary)
    length = int.from_bytes(data[:4], "little")
    levels = run_values(data[4 : 4 + length], 1, number)
    return _with_gaps(levels, _values(data[4 + length :], head[2], kind, sum(levels), dictionary))


def _number(values: int, column: ParquetColumn) -> int:
    if not 0 <= values <= MAX_VALUES:
        raise Malformed(f"A page of {column.name} tells of {values} values.")
    return values


def _page_2(
    page: bytes, head: dict[int, Any], about: dict[int, Any], column: ParquetColumn, dictionary: Sequence[Any]
) -> Sequence[Any]:
    """The newer form: levels stand before what is packed."""
    facts = head[8]
    _number(facts[1], column)
    border = facts[5] + facts[6]
    codec = about[4] if facts.get(7, True) else 0
    data = unpack(page[border:], codec, head[2] - border)
    found = _values(data, facts[4], about[1], facts[1] - facts[2], dictionary)
    if not column.is_optional:
        return found
    return _with_gaps(run_values(page[facts[6] : border], 1, facts[1]), found)


def _values(data: bytes, encoding: int, kind: int, number: int, dictionary: Sequence[Any]) -> Sequence[Any]:
    if encoding == PLAIN:
        return plain_values(data, kind, number)
    if encoding not in (PLAIN_DICTIONARY, RUNS_DICTIONARY):
        raise Malformed(f"Its values are written in the form {encoding}, which is not read.")
    if not number:
        return []
    try:
        return [dictionary[at] for at in run_values(data[1:], data[0], number)]
    except IndexError:
        raise Malformed("A page points outside its dictionary.") from None


def _with_gaps(levels: Sequence[int], values: Sequence[Any]) -> list[Any]:
    there = iter(values)
    return [next(there) if level else None for level in levels]
