"""Columns of any table as a sample: who was selected, which group, and if there are such, score, band and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.eeo import is_unknown, letters
from evenhand.audit.outcomes.sample import Sample
from evenhand.errors import UsageError
from evenhand.workflows.auditing.table_file import Table

YES = frozenset({"yes", "y", "true", "t", "selected", "hired", "shortlisted", "offered", "passed", "pass"})
NO = frozenset({"no", "n", "false", "f", "notselected", "nothired", "rejected", "failed", "fail"})
MOST_BANDS = 8  # different numbers; more are put into four bands of about as many people
MOST_GROUPS = 60
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


def table_sample(table: Table, columns: TableColumns) -> tuple[Sample, int]:
    """The sample, and how many rows without an outcome are not in it."""
    if not columns.groups:
        raise UsageError("Name at least one column that holds groups with --group.")
    if columns.outcome is None and columns.score is None:
        raise UsageError("Name the column of the outcome with --outcome, or that of a score with --score.")
    outcome = _outcomes(table, columns) if columns.outcome else [False] * len(table.rows)
    kept = [at for at, value in enumerate(outcome) if value is not None]
    if not kept:
        raise UsageError(f"{table.name} has no row with an outcome.")
    bands, order = _bands(table, columns.band, kept)
    sample = Sample(
        groups={name: _groups(table, name, kept) for name in columns.groups},
        selected=np.array([outcome[at] for at in kept], dtype=np.bool_) if columns.outcome else None,
        scores=_scores(table, columns.score, kept),
        bands=bands,
        band_name=columns.band or "",
        band_order=order,
        days=_days(table, columns.time, kept),
    )
    return sample, len(table.rows) - len(kept)


def meaning(columns: TableColumns) -> str:
    """What being selected means in this table."""
    if not columns.outcome:
        return "Nobody is said to be selected: only scores are looked at."
    value = " or ".join(columns.selected) if columns.selected else "1, yes or the like"
    return f"Selected are the people with {value} in the column {columns.outcome}."


def _outcomes(table: Table, columns: TableColumns) -> list[bool | None]:
    cells = table.column(columns.outcome or "")
    if columns.selected:
        wanted = {_plain(value) for value in columns.selected}
        if not wanted & {_plain(cell) for cell in cells}:
            raise UsageError(f"No row has {columns.outcome} {' or '.join(columns.selected)}.")
        return [None if is_unknown(cell) else _plain(cell) in wanted for cell in cells]
    return [_is_yes(cell, columns.outcome or "") for cell in cells]


def _is_yes(cell: str, name: str) -> bool | None:
    if is_unknown(cell):
        return None
    plain, number = letters(cell), _number(cell)
    if number in (0, 1) or plain in YES | NO:
        return number == 1 or plain in YES
    raise UsageError(f"What does {name} {cell!r} mean? Say with --selected which values count as selected.")


def _groups(table: Table, name: str, kept: Sequence[int]) -> list[str | None]:
    values = [None if is_unknown(cell) else " ".join(cell.split()) for cell in _column(table, name, kept)]
    if len(different := set(values)) > MOST_GROUPS:
        raise UsageError(f"The column {name!r} has {len(different):,} different values, which are no groups.")
    return values


def _scores(table: Table, name: str | None, kept: Sequence[int]) -> NDArray[np.float64] | None:
    if name is None:
        return None
    cells = table.column(name)
    found = [_number(cells[at]) for at in kept]
    for at, value in zip(kept, found, strict=True):
        if value is None and not is_unknown(cells[at]):
            raise UsageError(f"Row {at + 2}: the score {cells[at]!r} is not a number.")
    return np.array([np.nan if value is None else value for value in found])


def _bands(
    table: Table, name: str | None, kept: Sequence[int]
) -> tuple[list[str | None] | None, tuple[str, ...]]:
    """As they stand, in the order of their numbers if they are numbers; many numbers in four bands."""
    if name is None:
        return None, ()
    cells = _column(table, name, kept)
    numbers = [_number(cell) for cell in cells]
    if any(number is None and not is_unknown(cell) for number, cell in zip(numbers, cells, strict=True)):
        return [None if is_unknown(cell) else cell for cell in cells], ()
    known = sorted({number for number in numbers if number is not None})
    if len(known) <= MOST_BANDS:
        names = {number: f"{number:g}" for number in known}
        return [None if number is None else names[number] for number in numbers], tuple(names.values())
    return _quartered(numbers)


def _quartered(numbers: Sequence[float | None]) -> tuple[list[str | None], tuple[str, ...]]:
    known = np.array([number for number in numbers if number is not None])
    # Where most have the same number, quarters of the people would all end there: then of the numbers.
    cuts = _cuts(known) or _cuts(np.unique(known))
    names = [f"up to {cuts[0]:g}"]
    names += [f"over {low:g} up to {high:g}" for low, high in pairwise(cuts)]
    names.append(f"over {cuts[-1]:g}")
    found = [None if number is None else names[int(np.searchsorted(cuts, number))] for number in numbers]
    return found, tuple(names)


def _cuts(known: NDArray[np.float64]) -> list[float]:
    return sorted({float(cut) for cut in np.quantile(known, QUARTERS)} - {float(known.max())})


def _days(table: Table, name: str | None, kept: Sequence[int]) -> list[date | None] | None:
    if name is None:
        return None
    cells = table.column(name)
    return [_day(cells[at], at + 2) for at in kept]


def _day(cell: str, row: int) -> date | None:
    """2026-01-31, 2026-01, or either with anything behind it."""
    if is_unknown(cell):
        return None
    text = cell if len(cell) > 7 else f"{cell}-01"
    try:
        return date.fromisoformat(text[:10])
    except ValueError as error:
        raise UsageError(f"Row {row}: {cell!r} is not a day; write it as 2026-01-31 or 2026-01.") from error


def _column(table: Table, name: str, kept: Sequence[int]) -> list[str]:
    cells = table.column(name)
    return [cells[at] for at in kept]


def _number(cell: str) -> float | None:
    """With a point or, as spreadsheets in much of Europe write it, a comma."""
    try:
        value = float(cell.replace(",", ".") if cell.count(",") == 1 and "." not in cell else cell)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _plain(cell: str) -> str:
    return " ".join(cell.casefold().split())
