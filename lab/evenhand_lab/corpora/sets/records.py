"""What the readers of labelled sets give: texts with labels, texts with spans, lines, job ads, judgments."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO


@dataclass(frozen=True, slots=True)
class LabelledRecord:
    """A text with the labels of its document; `source` tells where in the set it is from, or how it was labelled."""

    id: str
    text: str
    labels: tuple[str, ...]
    source: str = ""
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class RecordSpan:
    """Half-open code point offsets into the record's text."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """A text with places in it; spans are in order and none overlaps another of the same layer."""

    id: str
    source: str
    text: str
    spans: tuple[RecordSpan, ...]


@dataclass(frozen=True, slots=True)
class Judgment:
    resume: str
    grade: int  # 0 not suitable, 1 related, 2 qualified with a gap, 3 clearly qualified
    reason: str
    file: Path


@dataclass(frozen=True, slots=True)
class JudgedJob:
    id: str
    title: str
    text: str
    judgments: tuple[Judgment, ...]


# Plain or gzipped files of text, JSON lines and CSV, read line by line.

csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # whole resumes stand in one cell


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    """The file, or its gzipped form beside it; what is no UTF-8 is shown as such, not fatal."""
    gzipped = path if path.suffix == ".gz" else path.with_name(path.name + ".gz")
    if gzipped.exists():
        with gzip.open(gzipped, "rt", encoding="utf-8", errors="replace", newline="") as file:
            yield file
    else:
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            yield file


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with open_text(path) as file:
        for line in file:
            if line.strip():
                yield json.loads(line)


def csv_rows(path: Path) -> Iterator[dict[str, str]]:
    with open_text(path) as file:
        yield from csv.DictReader(file)
