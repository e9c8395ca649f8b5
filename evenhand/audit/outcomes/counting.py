"""How many of each group there are and how many of them were selected, over all or within strata; by fairlearn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.categories import UNKNOWN, Coded

Flags = NDArray[np.bool_]
MINIMUM = 30
"""People; a rate of fewer says little, and a ratio of two such rates less."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one variable: for each group its people and those of them who were selected."""

    variable: str
    names: tuple[str, ...]
    n: tuple[int, ...]
    selected: tuple[int, ...]
    unknown: int = 0

    @property
    def known(self) -> int:
        return sum(self.n)


def count_selected(coded: Coded, selected: Flags) -> Counts:
    [counts] = count_within(coded, selected, np.zeros(len(selected), dtype=np.int64), 1)
    return counts


def count_within(coded: Coded, selected: Flags, strata: NDArray[np.int64], number: int) -> list[Counts]:
    """For each stratum 0..number-1; a stratum of UNKNOWN belongs to none."""
    n = np.zeros((number, len(coded.names)), dtype=np.int64)
    chosen = n.copy()
    known = (coded.codes != UNKNOWN) & (strata != UNKNOWN)
    if known.any():
        for (stratum, group), (people, rate) in _by_group(
            selected[known], coded.codes[known], strata[known]
        ).items():
            n[stratum, group] = people
            chosen[stratum, group] = round(
                people * rate
            )  # a rate is a count over a count: this gives it back
    unknown = np.bincount(strata[(coded.codes == UNKNOWN) & (strata != UNKNOWN)], minlength=number)
    return [
        Counts(
            coded.variable,
            coded.names,
            tuple(map(int, n[at])),
            tuple(map(int, chosen[at])),
            int(unknown[at]),
        )
        for at in range(number)
    ]


def _by_group(
    selected: Flags, groups: NDArray[np.int64], strata: NDArray[np.int64]
) -> dict[tuple[int, int], tuple[int, float]]:
    from fairlearn.metrics import MetricFrame, count, selection_rate  # noqa: PLC0415 - brings pandas: seconds

    frame = MetricFrame(
        metrics={"count": count, "rate": selection_rate},
        y_true=selected,  # not used by either metric, but asked for
        y_pred=selected,
        # Named columns: of a bare array with one person fairlearn would squeeze the person out.
        sensitive_features={"group": groups},
        control_features={"stratum": strata},
    ).by_group
    cells = zip(frame.index, frame["count"], frame["rate"], strict=True)
    return {
        (int(stratum), int(group)): (int(people), float(rate))
        for (stratum, group), people, rate in cells
        if people > 0  # what no one is in has no number there at all
    }
