"""The columns of a flat Parquet file, one row group after the other."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from evenhand.corpora.sets.parquet.compression import unpack
from evenhand.corpora.sets.parquet.thrift import Malformed, ThriftReader
from evenhand.corpora.sets.parquet.values import plain_values, run_values
from evenhand.errors import UsageError

MARK = b"PAR1"
LARGEST_FOOTER = 64 * 2**20
LARGEST_PAGE = 2**30  # bytes; writers make pages of a megabyte
MOST_VALUES = 20_000_000
DATA, DICTIONARY, DATA_2 = 0, 2, 3  # kinds of pages
PLAIN, PLAIN_DICTIONARY, RUNS_DICTIONARY = 0, 2, 8
OPTIONAL = 1


@dataclass(frozen=True, slots=True)
class Column:
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
    if tail[4:] != MARK or not 0 < length <= min(size - 8, LARGEST_FOOTER):
        raise Malformed("Its end is not that of a Parquet file; perhaps it was not downloaded whole.")
    file.seek(size - 8 - length)
    return ThriftReader(file.read(length)).read_struct()


def _columns(schema: Sequence[dict[int, Any]]) -> Iterator[Column]:
    """The leaves right under the root; what has parts is passed over with its parts."""
    at = 1
    while at < len(schema):
        element = schema[at]
        at += 1
        if element.get(5):
            at = _after(schema, at - 1)
        elif element.get(3) in (0, OPTIONAL):
            yield Column(element[4].decode("utf-8", "replace"), element.get(3) == OPTIONAL)


def _after(schema: Sequence[dict[int, Any]], at: int) -> int:
    """Where the element behind this one and all its parts stands."""
    pending = 1
    while pending and at < len(schema):
        pending += schema[at].get(5, 0) - 1
        at += 1
    return at


def _chunk(file: BinaryIO, about: dict[int, Any], column: Column) -> list[Any]:
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
        if not (0 <= head[3] <= LARGEST_PAGE and 0 <= head[2] <= LARGEST_PAGE):
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
    data: bytes, head: dict[int, Any], kind: int, column: Column, dictionary: Sequence[Any]
) -> Sequence[Any]:
    number = _number(head[1], column)
    if not column.is_optional:
        return _values(data, head[2], kind, number, dictionary)
    length = int.from_bytes(data[:4], "little")
    levels = run_values(data[4 : 4 + length], 1, number)
    return _with_gaps(levels, _values(data[4 + length :], head[2], kind, sum(levels), dictionary))


def _number(values: int, column: Column) -> int:
    if not 0 <= values <= MOST_VALUES:
        raise Malformed(f"A page of {column.name} tells of {values} values.")
    return values


def _page_2(
    page: bytes, head: dict[int, Any], about: dict[int, Any], column: Column, dictionary: Sequence[Any]
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
