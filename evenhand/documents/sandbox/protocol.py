"""How parent and child talk: a length-prefixed JSON header and a body of bytes. Nothing is ever unpickled."""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Mapping
from dataclasses import fields, replace
from math import isfinite
from operator import attrgetter
from typing import Any, NoReturn

from evenhand.errors import DOCUMENT_ERRORS
from evenhand.records.document import Document, Line

PREFIX = struct.Struct(">IQ")
RECORD = struct.Struct(">qq")  # what the forking process says of a child: its number; that it ended; status and peak
HEADER_BYTES = 64_000
BODY_BYTES = 64_000_000  # of a reply; far beyond the text a reader may return
LINE_VALUES = attrgetter(*(field.name for field in fields(Line)))
ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def pack(header: Mapping[str, Any], body: bytes) -> list[bytes]:
    """The parts to be written; the body is not copied."""
    head = json.dumps(header, separators=(",", ":")).encode()
    return [PREFIX.pack(len(head), len(body)) + head, body]


def sizes(prefix: bytes | bytearray) -> tuple[int, int]:
    """Header and body length; ValueError for lengths that no honest peer sends."""
    head, body = PREFIX.unpack(prefix)
    if head > HEADER_BYTES or body > BODY_BYTES:
        raise ValueError("frame too long")
    return head, body


def send(descriptor: int, header: Mapping[str, Any], body: bytes) -> None:
    """Write one frame to a blocking descriptor."""
    for part in pack(header, body):
        view = memoryview(part)
        while view:
            view = view[os.write(descriptor, view) :]


def receive(descriptor: int) -> tuple[dict[str, Any], bytes] | None:
    """Read one frame from a blocking descriptor; None when the other side has gone."""
    prefix = _exactly(descriptor, PREFIX.size)
    if prefix is None:
        return None
    head_bytes, body_bytes = PREFIX.unpack(prefix)
    head, body = _exactly(descriptor, head_bytes), _exactly(descriptor, body_bytes)
    if head is None or body is None:
        return None
    return json.loads(head), body


def _exactly(descriptor: int, count: int) -> bytes | None:
    parts: list[bytes] = []
    while count:
        part = os.read(descriptor, min(count, 1 << 20))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def encode_json(value: Any) -> bytes:
    # A lone surrogate is no character; replacing it keeps every offset where it was.
    return ENCODER.encode(value).encode("utf-8", "replace")


def encode_document(document: Document) -> bytes:
    """As JSON with each line a row of values: their names, a hundred times over, would double the work."""
    return encode_json(replace(document, lines=()).to_json() | {"lines": list(map(LINE_VALUES, document.lines))})


# What a child says is checked before it is believed: it has just handled a stranger's file.

# The worker writes characters as themselves; an escaped surrogate could not be printed later.
ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
STATUSES = frozenset({"parsed", "partial", "error"})


def decode_json(body: bytes) -> Any:
    """ValueError for what our own encoder does not write."""
    if ESCAPED_SURROGATE.search(body):
        raise ValueError("reply holds half a character")
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("reply is nested too deep") from error


def decode_document(body: bytes, *, file: str | None, sha256: str) -> Document:
    """What `encode_document` wrote, believed; ValueError for what has not its form."""
    data = decode_json(body)
    try:
        lines = tuple(_line(*row) for row in data["lines"])
        return replace(Document.from_json({**data, "file": file, "sha256": sha256, "lines": []}), lines=lines)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("reply is not a document") from error


def document_from(body: bytes, *, file: str | None, sha256: str) -> Document:
    """The Document in a reply, with our own name and hash; ValueError when it is not one."""
    document = decode_document(body, file=file, sha256=sha256)
    try:
        sound = _is_sound(document)
    except (TypeError, AttributeError, OverflowError) as error:
        raise ValueError("reply is not a document") from error
    if not sound:
        raise ValueError("reply contradicts itself")
    return document


def _line(start: Any, end: Any, page: Any, box: Any, *looks: Any) -> Line:
    """A line from its values in the order of the record; JSON knows no tuples."""
    font, size, bold, italic, color, marker, table, furniture, raw, confidence = looks
    return Line(
        start,
        end,
        page,
        None if box is None else tuple(box),
        font,
        size,
        bold,
        italic,
        color,
        marker,
        None if table is None else tuple(table),
        furniture,
        raw,
        confidence,
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"reply holds {name}")


def _is_sound(document: Document) -> bool:
    error = document.error
    return (
        document.status in STATUSES
        and (document.status == "error") == (error is not None)
        and (error is None or (error.code in DOCUMENT_ERRORS and isinstance(error.message, str)))
        and isinstance(document.text, str)
        and _is_text_or_none(document.format)
        and _is_count(document.pages)
        and _lines_are_sound(document.lines, len(document.text))
        and all(map(_is_text, (text for hidden in document.hidden for text in (hidden.text, hidden.reason))))
        and all(_is_count(hidden.page) for hidden in document.hidden)
        and all(map(_is_text, (text for item in document.warnings for text in (item.code, item.message))))
        and all(_is_count(n) for t in document.tables for n in (t.page, t.rows, t.columns))
        and all(isinstance(table.ruled, bool) for table in document.tables)
    )


def _lines_are_sound(lines: tuple[Line, ...], length: int) -> bool:
    previous = 0
    for line in lines:
        if not (type(line.start) is int and type(line.end) is int):
            return False
        if not previous <= line.start <= line.end <= length:
            return False
        if not _looks_are_sound(line):
            return False
        previous = line.end
    return True


def _looks_are_sound(line: Line) -> bool:
    box, table = line.box, line.table
    return (
        _is_count(line.page)
        and (box is None or (len(box) == 4 and all(map(_is_number, box))))
        and (table is None or (len(table) == 3 and all(map(_is_count, table))))
        and (line.size is None or _is_number(line.size))
        and (line.confidence is None or _is_number(line.confidence))
        and type(line.bold) is bool
        and type(line.italic) is bool
        and _is_text_or_none(line.font)
        and _is_text_or_none(line.color)
        and _is_text_or_none(line.list)
        and _is_text_or_none(line.furniture)
        and _is_text_or_none(line.raw)
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: Any) -> bool:
    return (type(value) is float or type(value) is int) and isfinite(value)  # 1e999 reads as infinite


def _is_text(value: Any) -> bool:
    return type(value) is str


def _is_text_or_none(value: Any) -> bool:
    return value is None or type(value) is str
