"""Whether confidence means the same in every group: ECE and over-confidence by group, and reliability with counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy.stats import hypergeom  # type: ignore[import-untyped]

from evenhand.audit.models.gaps import MIN_GROUP_SIZE
from evenhand.audit.statistics import (
    DRAWS,
    UNKNOWN,
    Bools,
    Estimate,
    Floats,
    Rate,
    around,
    holm_adjusted,
    newcombe_estimate,
    share_at_least,
    wilson_rate,
)

BINS = 10  # of equal width; fewer than for a whole test set, because a group is smaller


@dataclass(frozen=True, slots=True)
class GroupBin:
    """Resumes of a group whose confidence lies above `low` and up to `high`: how sure, and how often right."""

    low: float
    high: float
    confidence: float
    accuracy: Rate


@dataclass(frozen=True, slots=True)
class GroupCalibration:
    """`over` is mean confidence less accuracy: above 0 the model is surer than it is right. Gaps are to the others."""

    group: str
    resumes: int
    ece: Estimate
    ece_gap: float | None
    ece_p: float | None
    over: Estimate
    over_gap: Estimate
    over_p: float | None
    bins: tuple[GroupBin, ...]

    @property
    def is_enough(self) -> bool:
        return self.over_gap.value is not None


def measure_calibration(
    confidence: Floats, right: Bools, groups: Sequence[str], *, seed: int = 0, draws: int = DRAWS
) -> tuple[GroupCalibration, ...]:
    """One per group, by name; an empty name is left out. Intervals by bootstrap, p by shuffling who is in the group."""
    given = np.asarray(groups)
    known = given != ""
    sure, hit, names = confidence[known], right[known], given[known]
    return tuple(
        _calibration(sure, hit, names == name, str(name), np.random.default_rng((seed, place)), draws)
        for place, name in enumerate(sorted(set(names.tolist())))
    )


def _calibration(
    sure: Floats, right: Bools, inside: Bools, group: str, rng: np.random.Generator, draws: int
) -> GroupCalibration:
    size, rest = int(inside.sum()), int((~inside).sum())
    bins = reliability(sure[inside], right[inside])
    if min(size, rest) < MIN_GROUP_SIZE:
        return GroupCalibration(group, size, UNKNOWN, None, None, UNKNOWN, UNKNOWN, None, bins)
    places, excess = bin_places(sure), sure - right
    own, others = np.flatnonzero(inside), np.flatnonzero(~inside)
    own_draws = own[rng.integers(0, size, (draws, size))]
    other_draws = others[rng.integers(0, rest, (draws, rest))]
    own_over, over_draws = float(excess[own].mean()), excess[own_draws].mean(axis=1)
    own_ece = _ece(places, excess, own[None, :])[0]
    ece, over = around(own_ece, _ece(places, excess, own_draws)), around(own_over, over_draws)
    over_gap = around(float(own_over - excess[others].mean()), over_draws - excess[other_draws].mean(axis=1))
    ece_gap = float(own_ece - _ece(places, excess, others[None, :])[0])
    shuffles = rng.permuted(np.tile(np.arange(len(sure)), (draws, 1)), axis=1)
    mine, theirs = shuffles[:, :size], shuffles[:, size:]
    by_chance = _ece(places, excess, mine) - _ece(places, excess, theirs)
    over_by_chance = excess[mine].mean(axis=1) - excess[theirs].mean(axis=1)
    ece_p = share_at_least(abs(ece_gap), np.abs(by_chance))
    over_p = share_at_least(abs(over_gap.value or 0.0), np.abs(over_by_chance))
    return GroupCalibration(group, size, ece, ece_gap, ece_p, over, over_gap, over_p, bins)


def bin_places(confidence: Floats) -> Any:
    return np.clip(np.ceil(confidence * BINS).astype(int) - 1, 0, BINS - 1)


def _ece(places: Any, excess: Floats, rows: Any) -> Floats:
    """Per row of `rows`. Within a bin, count times |mean confidence - accuracy| is |sum of (confidence - right)|."""
    total = np.zeros(len(rows))
    where, what = places[rows], excess[rows]
    for place in range(BINS):
        total += np.abs(np.where(where == place, what, 0.0).sum(axis=1))
    return np.asarray(total / max(rows.shape[1], 1), np.float64)


def reliability(confidence: Floats, right: Bools) -> tuple[GroupBin, ...]:
    """Bins that hold anybody."""
    places = bin_places(confidence)
    bins = []
    for place in np.unique(places).tolist():
        rows = places == place
        accuracy = wilson_rate(int(right[rows].sum()), int(rows.sum()))
        bins.append(GroupBin(place / BINS, (place + 1) / BINS, float(confidence[rows].mean()), accuracy))
    return tuple(bins)


# Where the errors are: every slice of up to three conditions is looked at, and what chance would give is taken off.

MIN_SLICE_SIZE = 20  # resumes of a slice
DEPTH = 3
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Slice:
    """`errors` of the slice against those of `others`: resumes that differ from it in the group alone, or where no
    condition is a group all the rest. `p` is corrected for every slice that was looked at."""

    conditions: tuple[tuple[str, str], ...]
    errors: Rate
    others: Rate
    gap: Estimate
    raw_p: float
    p: float


@dataclass(frozen=True, slots=True)
class Slices:
    """The worst first, and how many were looked at."""

    worst: tuple[Slice, ...]
    searched: int


def find_slices(
    wrong: Bools,
    features: Mapping[str, Sequence[str]],
    *,
    depth: int = DEPTH,
    least: int = MIN_SLICE_SIZE,
    shown: int = SHOWN,
    groups: Sequence[str] = (),
) -> Slices:
    """Of slices with at least `least` resumes, those with the most errors for what they are compared with, by Fisher's
    one-sided test.

    `groups` are features of which a slice names one at least. It is then compared with those of whom everything else
    that it names is true, so that a label that is hard for everybody is not told as if it were about a group.
    """
    slices = {
        conditions: (rows, others)
        for conditions, rows, others in _all(features, depth, frozenset(groups))
        if rows.sum() >= least and others.sum() >= least
    }
    raw = {conditions: _p(wrong, *sides) for conditions, sides in slices.items()}
    corrected = holm_adjusted(raw)
    worst = []
    for conditions in sorted(slices, key=lambda conditions: (raw[conditions], len(conditions), conditions))[:shown]:
        errors, others = (wilson_rate(int((wrong & rows).sum()), int(rows.sum())) for rows in slices[conditions])
        gap = newcombe_estimate(errors, others)
        worst.append(Slice(conditions, errors, others, gap, raw[conditions], corrected[conditions]))
    return Slices(tuple(worst), len(slices))


Conditions = tuple[tuple[str, str], ...]


def _all(
    features: Mapping[str, Sequence[str]], depth: int, groups: frozenset[str]
) -> Iterator[tuple[Conditions, Bools, Bools]]:
    columns = {name: np.asarray(values) for name, values in features.items()}
    values = {name: sorted(set(column.tolist()) - {""}) for name, column in columns.items()}
    everybody = np.ones(len(next(iter(columns.values()))), dtype=bool)
    for size in range(1, depth + 1):
        for names in combinations(columns, size):
            if groups and groups.isdisjoint(names):
                continue
            for chosen in product(*(values[name] for name in names)):
                holds = {name: columns[name] == value for name, value in zip(names, chosen, strict=True)}
                rows = np.logical_and.reduce([everybody, *holds.values()])
                alike = [everybody, *(holds[name] for name in names if groups and name not in groups)]
                known = [columns[name] != "" for name in names if name in groups]
                others = np.logical_and.reduce([*alike, *known]) & ~rows
                yield tuple(zip(names, chosen, strict=True)), rows, others


def _p(wrong: Bools, rows: Bools, others: Bools) -> float:
    """So many errors or more in so many drawn without putting back."""
    errors, size = int((wrong & rows).sum()), int(rows.sum())
    total, all_errors = size + int(others.sum()), errors + int((wrong & others).sum())
    return float(hypergeom.sf(errors - 1, total, all_errors, size))
