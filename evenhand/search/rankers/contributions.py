"""Scores of many resumes as a table of addends, explained only where somebody looks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.records.ranking import Part, Score

Reason = Callable[[int, int], str | None]  # of row and column

GRID = 2.0**-40
"""Addends are multiples of this (about 1e-12), so that sums are exact. With rounded sums, two resumes a last bit apart
could become equal when both are given the same bonus, and one of them fall behind the other by its key."""
_EXACT_BELOW = 2.0**12


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """One row per resume, one column per addend; a resume's score is the sum of its row."""

    names: tuple[str, ...]  # of the columns
    values: NDArray[np.float64]  # resumes x columns
    reason: Reason
    always: int = 0  # columns, from the first, that are told even where they are 0: "0 of 7" says much

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", np.rint(self.values / GRID) * GRID)

    def totals(self) -> list[float]:
        """The exact sums: the very numbers that `Score.value` gives, so order and display cannot disagree."""
        if np.abs(self.values).sum(axis=1).max(initial=0.0) < _EXACT_BELOW:
            totals: list[float] = self.values.sum(axis=1).tolist()
            return totals
        return [math.fsum(row) for row in self.values.tolist()]

    def score(self, row: int) -> Score:
        """The largest addend first; those that are 0 only where they are always told."""
        values = self.values[row]
        told = {*range(self.always), *np.flatnonzero(values).tolist()}
        columns = sorted(told, key=lambda at: (-abs(values[at]), self.names[at]))
        return Score(tuple(Part(self.names[at], float(values[at]), self.reason(row, at)) for at in columns))

    def scores(self) -> list[Score]:
        return [self.score(row) for row in range(len(self.values))]


def join(tables: Sequence[Contributions]) -> Contributions:
    """Tables of the same resumes side by side."""
    starts = np.cumsum([0] + [len(table.names) for table in tables])

    def reason(row: int, column: int) -> str | None:
        at = int(np.searchsorted(starts, column, side="right")) - 1
        return tables[at].reason(row, column - int(starts[at]))

    names = tuple(name for table in tables for name in table.names)
    values = np.hstack([table.values for table in tables])
    return Contributions(names, values, reason, tables[0].always)


def order(totals: Sequence[float], keys: Sequence[str]) -> list[int]:
    """Rows from the highest score down. Equal scores go by the caller's keys, never by chance."""
    return sorted(range(len(totals)), key=lambda row: (-totals[row], keys[row]))
