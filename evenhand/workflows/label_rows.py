"""Rows of tables in files of people's own, such as labels of resumes: CSV with a head, or JSON Lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evenhand.errors import UsageError

ITEM = ("item", "file", "id", "resume")
LABEL = ("label", "level")
JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
Row = Mapping[str, str]


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """With their numbers, as a person would count them."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text.") from error
    if path.suffix.lower() in JSON_ENDINGS:
        yield from _json_rows(path, text)
        return
    for number, row in enumerate(csv.DictReader(text.splitlines()), start=2):
        yield number, {(name or "").strip().lower(): _plain(value) for name, value in row.items() if name}


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, Row]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{path}, row {number} is not JSON.") from error
        if not isinstance(row, dict):
            raise UsageError(f"{path}, row {number} is not a JSON object.")
        yield number, {str(name).lower(): "" if value is None else str(value) for name, value in row.items()}


def _plain(value: str | None) -> str:
    """Without the apostrophe that keeps a spreadsheet from computing what we wrote into a cell."""
    text = (value or "").strip()
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@") else text


def value_of(row: Row, names: Sequence[str], path: Path, number: int, *, optional: bool = False) -> str:
    for name in names:
        if value := row.get(name.lower(), "").strip():
            return value
    if optional:
        return ""
    raise UsageError(f"{path}, row {number} has nothing in a column {' or '.join(names)}.")
