"""How parent and child talk: a length-prefixed JSON header and a body of bytes. Nothing is ever unpickled."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from typing import Any

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
