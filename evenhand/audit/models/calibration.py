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
    ece = around(_ece(places, excess, own[None, :])[0], _ece(places, excess, own_draws))
    over = around(float(excess[own].mean()), excess[own_draws].mean(axis=1))
    over_gap = around(
        float(excess[own].mean() - excess[others].mean()),
        excess[own_draws].mean(axis=1) - excess[other_draws].mean(axis=1),
    )
    ece_gap = float(_ece(places, excess, own[None, :])[0] - _ece(places, excess, others[None, :])[0])
    shuffles = rng.permuted(np.tile(np.arange(len(sure)), (draws, 1)), axis=1)
    mine, theirs = shuffles[:, :size], shuffles[:, size:]
    by_chance = _ece(places, excess, mine) - _ece(places, excess, theirs)
    over_by_chance = excess[mine].mean(axis=1) - excess[theirs].mean(axis=1)
    return GroupCalibration(
        group,
        size,
        ece,
        ece_gap,
        share_at_least(abs(ece_gap), np.abs(by_chance)),
        over,
        over_gap,
        share_at_least(abs(over_gap.value or 0.0), np.abs(over_by_chance)),
        bins,
    )


def bin_places(confidence: Floats, bins: int = BINS) -> Any:
    return np.clip(np.ceil(confidence * bins).astype(int) - 1, 0, bins - 1)


def expected_calibration_error(confidence: Floats, right: Bools, bins: int = BINS) -> float:
    """How far confidence and accuracy of a bin lie apart, weighted by how many it holds."""
    rows = np.arange(len(confidence))[None, :]
    return float(_ece(bin_places(confidence, bins), confidence - right, rows, bins)[0])


def _ece(places: Any, excess: Floats, rows: Any, bins: int = BINS) -> Floats:
    """Per row of `rows`. Within a bin, count times |mean confidence - accuracy| is |sum of (confidence - right)|."""
    total = np.zeros(len(rows))
    where, what = places[rows], excess[rows]
    for place in range(bins):
        total += np.abs(np.where(where == place, what, 0.0).sum(axis=1))
    return np.asarray(total / max(rows.shape[1], 1), np.float64)


def reliability(confidence: Floats, right: Bools, bins: int = BINS) -> tuple[GroupBin, ...]:
    """Bins that hold anybody."""
    places = bin_places(confidence, bins)
    return tuple(
        GroupBin(
            place / bins,
            (place + 1) / bins,
            float(confidence[places == place].mean()),
            wilson_rate(int(right[places == place].sum()), int((places == place).sum())),
        )
        for place in range(bins)
        if (places == place).any()
    )


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
    order = sorted(slices, key=lambda each: (raw[each], len(each), each))[:shown]
    worst = [_slice(each, wrong, *slices[each], raw=raw[each], corrected=corrected[each]) for each in order]
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


def _slice(conditions: Conditions, wrong: Bools, rows: Bools, others: Bools, *, raw: float, corrected: float) -> Slice:
    errors = wilson_rate(int((wrong & rows).sum()), int(rows.sum()))
    rest = wilson_rate(int((wrong & others).sum()), int(others.sum()))
    return Slice(conditions, errors, rest, newcombe_estimate(errors, rest), raw, corrected)
