"""Tables that people have: CSV in whatever dialect a spreadsheet wrote, or a JSON object per line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.errors import UsageError

DELIMITERS = (",", ";", "\t", "|")
LONGEST_CELL = 131_072
LARGEST_BYTES = 512 << 20
BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class Table:
    """Every row has a value for every head, "" where there is none."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, head: str) -> list[str]:
        """By its name, whatever its capitals and the space around it."""
        wanted = _plain(head)
        found = [at for at, each in enumerate(self.heads) if _plain(each) == wanted]
        if not found:
            raise UsageError(f"{self.name} has no column {head!r}; it has {', '.join(self.heads)}.")
        return [row[found[0]].strip() for row in self.rows]


def read_table(file: Path) -> Table:
    text = _decoded(file)
    if text.lstrip().startswith("{"):
        return _from_lines(file.name, text)
    return _from_csv(file.name, text)


def _decoded(file: Path) -> str:
    try:
        data = file.read_bytes()
        if data[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(data)) as opened:
                data = opened.read(LARGEST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is damaged"
        raise UsageError(f"{file} cannot be read: {reason}.") from error
    if len(data) > LARGEST_BYTES:
        raise UsageError(f"{file} is larger than {LARGEST_BYTES >> 20} MB.")
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")  # what spreadsheets on Windows write without asking


def _from_csv(name: str, text: str) -> Table:
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    delimiter = max(DELIMITERS, key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]
    except csv.Error as error:
        raise UsageError(f"{name} cannot be read as a table: {error}.") from error
    if not rows:
        raise UsageError(f"{name} is empty.")
    # Asked here as well: readers of whole resumes raise the limit of Python's reader for everybody.
    if any(len(cell) > LONGEST_CELL for row in rows for cell in row):
        raise UsageError(
            f"{name} cannot be read as a table: a cell has more than {LONGEST_CELL:,} characters."
        )
    heads = tuple(head.strip() or f"column {at}" for at, head in enumerate(rows[0], start=1))
    many = len(heads)
    return Table(name, heads, tuple((*row[:many], *[""] * (many - len(row))) for row in rows[1:]))


def _from_lines(name: str, text: str) -> Table:
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{name}, line {number}, is not JSON.") from error
        if not isinstance(row, dict):
            raise UsageError(f"{name}, line {number}, is not an object.")
        rows.append(row)
    heads = tuple(dict.fromkeys(str(head) for row in rows for head in row))
    return Table(name, heads, tuple(tuple(_cell(row.get(head)) for head in heads) for row in rows))


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _plain(head: str) -> str:
    return " ".join(head.casefold().split())
