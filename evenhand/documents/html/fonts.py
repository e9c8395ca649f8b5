"""Fonts that a page brings along: whether they can draw letters at all."""

from __future__ import annotations

import struct

_OUTLINES = (b"glyf", b"CFF ", b"CFF2", b"SVG ", b"CBDT", b"sbix", b"COLR")
_MIN_BYTES = 1_000  # the shapes of an alphabet take more
_MAX_TABLES = 100


def has_shapes(data: bytes) -> bool:
    """Whether a font holds enough outlines for letters; one without any shows text as nothing."""
    if data[:4] == b"wOF2":  # packed as a whole
        return len(data) > 4 * _MIN_BYTES
    is_woff = data[:4] == b"wOFF"
    start, step, place = (44, 20, 12) if is_woff else (12, 16, 12)
    try:
        (count,) = struct.unpack_from(">H", data, 12 if is_woff else 4)
        tables = range(start, start + step * min(count, _MAX_TABLES), step)
        return any(
            data[t : t + 4] in _OUTLINES and struct.unpack_from(">I", data, t + place)[0] >= _MIN_BYTES for t in tables
        )
    except struct.error:
        return False
