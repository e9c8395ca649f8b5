"""Plain or gzipped files of text, JSON lines and CSV, read line by line."""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

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
