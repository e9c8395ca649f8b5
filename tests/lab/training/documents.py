"""Documents for tests, made without reading a file."""

from __future__ import annotations

import hashlib

from evenhand.records import Document, Line


def plain_document(text: str, file: str | None = None) -> Document:
    """What a text file with these lines becomes."""
    lines, start = [], 0
    for row in text.split("\n"):
        if row:
            lines.append(Line(start, start + len(row), 1, None, None, None, False, False, None, None, None))
        start += len(row) + 1
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(file, sha256, "txt", 1, "parsed", text, (), tuple(lines), (), (), None)
