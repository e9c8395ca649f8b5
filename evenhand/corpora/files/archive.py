"""Zip files whose bytes depend on nothing but their content."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

EARLIEST = (1980, 1, 1, 0, 0, 0)
UNIX = 3


def pack(parts: Iterable[tuple[str, str]], *, stored: str | None = None) -> bytes:
    """Parts in the given order; the one named `stored` is not compressed."""
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, text in parts:
            info = ZipInfo(name, EARLIEST)
            info.create_system = UNIX
            info.external_attr = 0o644 << 16
            info.compress_type = ZIP_STORED if name == stored else ZIP_DEFLATED
            archive.writestr(info, text.encode("utf-8"))
    return stream.getvalue()
