"""Columns of any table as a sample: who was selected, which group, and if there are such, score, band and time."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.counting import Sample
from evenhand.audit.outcomes.ll144 import is_unknown, letters
from evenhand.errors import UsageError

# Tables that people have: CSV in whatever dialect a spreadsheet wrote, or a JSON object per line.

DELIMITERS = (",", ";", "\t", "|")
MAX_CELL_LENGTH = 131_072
MAX_TABLE_BYTES = 512 << 20
BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """Every row has a value for every head, "" where there is none."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, head: str) -> list[str]:
        """By its name, whatever its capitals and the space around it."""
        wanted = _plain(head)
        places = [at for at, head in enumerate(self.heads) if _plain(head) == wanted]
        if not places:
            raise UsageError(f"{self.name} has no column {head!r}; it has {', '.join(self.heads)}.")
        return [row[places[0]].strip() for row in self.rows]


def read_table(file: Path) -> OutcomeTable:
    text = _decoded(file)
    return (_from_lines if text.lstrip().startswith("{") else _from_csv)(file.name, text)


def _decoded(file: Path) -> str:
    try:
        data = file.read_bytes()
        if data[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(data)) as opened:
                data = opened.read(MAX_TABLE_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or "it is damaged"
        raise UsageError(f"{file} cannot be read: {reason}.") from error
    if len(data) > MAX_TABLE_BYTES:
        raise UsageError(f"{file} is larger than {MAX_TABLE_BYTES >> 20} MB.")
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")  # what spreadsheets on Windows write without asking


def _from_csv(name: str, text: str) -> OutcomeTable:
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
    if any(len(cell) > MAX_CELL_LENGTH for row in rows for cell in row):
        raise UsageError(f"{name} cannot be read as a table: a cell has more than {MAX_CELL_LENGTH:,} characters.")
    heads = tuple(head.strip() or f"column {at}" for at, head in enumerate(rows[0], start=1))
    many = len(heads)
    return OutcomeTable(name, heads, tuple((*row[:many], *[""] * (many - len(row))) for row in rows[1:]))


def _from_lines(name: str, text: str) -> OutcomeTable:
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

    def cell(value: Any) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return "" if value is None else str(value)

    return OutcomeTable(name, heads, tuple(tuple(cell(row.get(head)) for head in heads) for row in rows))


YES = frozenset({"yes", "y", "true", "t", "selected", "hired", "shortlisted", "offered", "passed", "pass"})
NO = frozenset({"no", "n", "false", "f", "notselected", "nothired", "rejected", "failed", "fail"})
MAX_BANDS = 8  # different numbers; more are put into four bands of about as many people
MAX_GROUPS = 60
QUARTERS = (0.25, 0.5, 0.75)


@dataclass(frozen=True, slots=True)
class TableColumns:
    """Names of columns. `selected` are the values of the outcome that count; yes, 1, hired... if not given."""

    outcome: str | None
    groups: tuple[str, ...]
    selected: tuple[str, ...] = ()
    score: str | None = None
    band: str | None = None
    time: str | None = None


def table_sample(table: OutcomeTable, columns: TableColumns) -> tuple[Sample, int]:
    """The sample, and how many rows without an outcome are not in it."""
    if not columns.groups:
        raise UsageError("Name at least one column that holds groups with --group.")
    if columns.outcome is None and columns.score is None:
        raise UsageError("Name the column of the outcome with --outcome, or that of a score with --score.")
    outcome = _outcomes(table, columns) if columns.outcome else [False] * len(table.rows)
    row_numbers = [at for at, value in enumerate(outcome) if value is not None]
    if not row_numbers:
        raise UsageError(f"{table.name} has no row with an outcome.")
    bands, order = _bands(table, columns.band, row_numbers)
    sample = Sample(
        groups={name: _groups(table, name, row_numbers) for name in columns.groups},
        selected=np.array([outcome[at] for at in row_numbers], dtype=np.bool_) if columns.outcome else None,
        scores=_scores(table, columns.score, row_numbers),
        bands=bands,
        band_name=columns.band or "",
        band_order=order,
        days=_days(table, columns.time, row_numbers),
    )
    return sample, len(table.rows) - len(row_numbers)


def meaning(columns: TableColumns) -> str:
    """What being selected means in this table."""
    if not columns.outcome:
        return "Nobody is said to be selected: only scores are looked at."
    value = " or ".join(columns.selected) if columns.selected else "1, yes or the like"
    return f"Selected are the people with {value} in the column {columns.outcome}."


def _outcomes(table: OutcomeTable, columns: TableColumns) -> list[bool | None]:
    cells = table.column(columns.outcome or "")
    if columns.selected:
        wanted = {_plain(value) for value in columns.selected}
        if not wanted & {_plain(cell) for cell in cells}:
            raise UsageError(f"No row has {columns.outcome} {' or '.join(columns.selected)}.")
        return [None if is_unknown(cell) else _plain(cell) in wanted for cell in cells]
    outcomes: list[bool | None] = []
    for cell in cells:
        plain, number = letters(cell), _number(cell)
        if not is_unknown(cell) and number not in (0, 1) and plain not in YES | NO:
            raise UsageError(
                f"What does {columns.outcome} {cell!r} mean? Say with --selected which values count as selected."
            )
        outcomes.append(None if is_unknown(cell) else number == 1 or plain in YES)
    return outcomes


def _groups(table: OutcomeTable, name: str, row_numbers: Sequence[int]) -> list[str | None]:
    column = table.column(name)
    values = [None if is_unknown(column[at]) else " ".join(column[at].split()) for at in row_numbers]
    if len(different := set(values)) > MAX_GROUPS:
        raise UsageError(f"The column {name!r} has {len(different):,} different values, which are no groups.")
    return values


def _scores(table: OutcomeTable, name: str | None, row_numbers: Sequence[int]) -> NDArray[np.float64] | None:
    if name is None:
        return None
    cells = table.column(name)
    numbers = [_number(cells[at]) for at in row_numbers]
    for at, value in zip(row_numbers, numbers, strict=True):
        if value is None and not is_unknown(cells[at]):
            raise UsageError(f"Row {at + 2}: the score {cells[at]!r} is not a number.")
    return np.array([np.nan if value is None else value for value in numbers])


def _bands(
    table: OutcomeTable, name: str | None, row_numbers: Sequence[int]
) -> tuple[list[str | None] | None, tuple[str, ...]]:
    """As they stand, in the order of their numbers if they are numbers; many numbers in four bands."""
    if name is None:
        return None, ()
    column = table.column(name)
    cells = [column[at] for at in row_numbers]
    numbers = [_number(cell) for cell in cells]
    if any(number is None and not is_unknown(cell) for number, cell in zip(numbers, cells, strict=True)):
        return [None if is_unknown(cell) else cell for cell in cells], ()
    known = sorted({number for number in numbers if number is not None})
    if len(known) <= MAX_BANDS:
        names = {number: f"{number:g}" for number in known}
        return [None if number is None else names[number] for number in numbers], tuple(names.values())
    # Where most have the same number, quarters of the people would all end there: then of the numbers.
    for values in ([number for number in numbers if number is not None], known):
        cuts = sorted({float(cut) for cut in np.quantile(values, QUARTERS)} - {float(known[-1])})
        if cuts:
            break
    quarters = [f"over {low:g} up to {high:g}" for low, high in pairwise(cuts)]
    quarters = [f"up to {cuts[0]:g}", *quarters, f"over {cuts[-1]:g}"]
    bands = [None if number is None else quarters[int(np.searchsorted(cuts, number))] for number in numbers]
    return bands, tuple(quarters)


def _days(table: OutcomeTable, name: str | None, row_numbers: Sequence[int]) -> list[date | None] | None:
    """From 2026-01-31, 2026-01, or either with anything behind it."""
    if name is None:
        return None
    cells = table.column(name)
    days: list[date | None] = []
    for at in row_numbers:
        cell = cells[at]
        text = cell if len(cell) > 7 else f"{cell}-01"
        try:
            days.append(None if is_unknown(cell) else date.fromisoformat(text[:10]))
        except ValueError as error:
            raise UsageError(f"Row {at + 2}: {cell!r} is not a day; write it as 2026-01-31 or 2026-01.") from error
    return days


def _number(cell: str) -> float | None:
    """With a point or, as spreadsheets in much of Europe write it, a comma."""
    try:
        value = float(cell.replace(",", ".") if cell.count(",") == 1 and "." not in cell else cell)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _plain(cell: str) -> str:
    return " ".join(cell.casefold().split())
