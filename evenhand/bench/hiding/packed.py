"""Archives for office files, and a picture to put into them."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping


def pack(members: Mapping[str, str | bytes]) -> bytes:
    """A ZIP file that is the same every time; the first member is stored as it is, as ODF wants it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for place, (name, content) in enumerate(members.items()):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED if place else zipfile.ZIP_STORED
            archive.writestr(entry, content)
    return out.getvalue()


def png(red: int, green: int, blue: int) -> bytes:
    """An opaque picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    rows = (b"\x00" + bytes((red, green, blue)) * 8) * 8
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


PNG = png(240, 240, 240)
