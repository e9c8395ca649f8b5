"""How parent and child talk: a length-prefixed JSON header and a body of bytes. Nothing is ever unpickled."""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import Any, NoReturn

from evenhand.errors import DOCUMENT_ERRORS
from evenhand.records.document import Document, Line

PREFIX = struct.Struct(">IQ")
HEADER_BYTES = 64_000
BODY_BYTES = 64_000_000  # of a reply; far beyond the text a reader may return


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


# What a child says is checked before it is believed: it has just handled a stranger's file.

# The worker writes characters as themselves; an escaped surrogate could not be printed later.
ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
STATUSES = frozenset({"parsed", "partial", "error"})


def document_from(body: bytes, *, file: str | None, sha256: str) -> Document:
    """The Document in a reply, with our own name and hash; ValueError when it is not one."""
    if ESCAPED_SURROGATE.search(body):
        raise ValueError("reply holds half a character")
    try:
        data = json.loads(body, parse_constant=_refuse_constant)
        lines = tuple(_line(*row) for row in data["lines"])
        bare = Document.from_json({**data, "file": file, "sha256": sha256, "lines": []})
        document = replace(bare, lines=lines)
        sound = _is_sound(document)
    except (TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
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
