"""Resumes for tests, line by line, with how each line looks, and their annotations."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

from evenhand.mining.annotations import Annotations
from evenhand.mining.vocabulary import Vocabulary, load_vocabulary
from evenhand.records import Document, Line
from evenhand_lab.training.miner import annotate_document

Row = str | tuple[str, dict[str, Any]]


def page(*rows: Row) -> Document:
    """A document of these lines; an empty row is a blank line. A row may say how it looks: ("A", {"bold": True})."""
    lines, texts, start = [], [], 0
    for row in rows:
        text, look = row if isinstance(row, tuple) else (row, {})
        texts.append(text)
        if text:
            usual: dict[str, Any] = {"box": (50.0, start, 500.0, start + 10.0), "size": 10.0, "color": "#000000"}
            given = {"font": None, "bold": False, "italic": False, "list": None, "table": None} | usual | look
            lines.append(Line(start=start, end=start + len(text), page=1, **given))
        start += len(text) + 1
    text = "\n".join(texts)
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Document(None, sha256, "pdf", 1, "parsed", text, (), tuple(lines), (), (), None)


@cache
def vocabulary() -> Vocabulary:
    return load_vocabulary()


def annotated(*rows: Row) -> Annotations:
    return annotate_document(page(*rows), vocabulary(), None)
