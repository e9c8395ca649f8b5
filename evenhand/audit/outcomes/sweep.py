"""Impact ratios for every length of the shortlist: would the groups fare differently with another cut?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.categories import UNKNOWN, Coded

POINTS = 400  # in what is written down; a curve has no more to show


@dataclass(frozen=True, slots=True)
class Sweep:
    """One row for each place at which a list can be cut: people with equal scores are in together or not at all."""

    variable: str
    names: tuple[str, ...]
    sizes: NDArray[np.int64]  # of the shortlist, people of unknown group included
    cuts: NDArray[np.float64]  # the lowest score that is in
    rates: NDArray[np.float64]  # by row and group; nan for a group of nobody
    ratios: NDArray[np.float64]  # nan while nobody of any known group is in

    def at(self, size: int) -> int:
        """The row of the longest list that is not longer; the first one if even that is."""
        return max(0, int(np.searchsorted(self.sizes, size, side="right")) - 1)

    def lowest(self) -> NDArray[np.float64]:
        """The lowest ratio of each row; nan where there is none."""
        filled = np.where(np.isnan(self.ratios), np.inf, self.ratios).min(axis=1, initial=np.inf)
        return np.where(np.isinf(filled), np.nan, filled)

    def to_json(self) -> dict[str, Any]:
        rows = self.shown()
        return {
            "variable": self.variable,
            "groups": list(self.names),
            "size": self.sizes[rows].tolist(),
            "cut": self.cuts[rows].tolist(),
            "rates": [_or_none(row) for row in self.rates[rows]],
            "ratios": [_or_none(row) for row in self.ratios[rows]],
            "cuts_measured": len(self.sizes),
        }

    def shown(self) -> NDArray[np.int64]:
        """Rows evenly spread, the first and the last among them."""
        return np.unique(np.linspace(0, len(self.sizes) - 1, min(POINTS, len(self.sizes))).astype(np.int64))


def sweep(coded: Coded, scores: NDArray[np.float64]) -> Sweep:
    """Once through the sorted list, whatever its length."""
    order = np.argsort(-scores, kind="stable")
    sorted_scores, codes = scores[order], coded.codes[order]
    ends = np.append(np.flatnonzero(np.diff(sorted_scores)), len(scores) - 1)
    selected = np.stack([np.cumsum(codes == group)[ends] for group in range(len(coded.names))], axis=1)
    n = np.bincount(codes[codes != UNKNOWN], minlength=len(coded.names))
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = selected / n
        highest = np.nanmax(np.where(n == 0, -1.0, np.nan_to_num(rates)), axis=1, keepdims=True)
        ratios = np.where(highest > 0, rates / highest, np.nan)
    return Sweep(coded.variable, coded.names, ends + 1, sorted_scores[ends], rates, ratios)


def _or_none(row: NDArray[np.float64]) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in row]
