"""Whether confidence means the same in every group: ECE and over-confidence by group, and reliability with counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from evenhand.audit.models.chance import DRAWS, Bools, Floats, around, share_at_least
from evenhand.audit.models.gaps import LEAST_GROUP
from evenhand.audit.models.intervals import UNKNOWN, Estimate, Rate, wilson

BINS = 10  # of equal width; fewer than for a whole test set, because a group is smaller


@dataclass(frozen=True, slots=True)
class Bin:
    """Resumes of a group whose confidence lies above `low` and up to `high`: how sure, and how often right."""

    low: float
    high: float
    confidence: float
    accuracy: Rate

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


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
    bins: tuple[Bin, ...]

    @property
    def is_enough(self) -> bool:
        return self.over_gap.value is not None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


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
    if min(size, rest) < LEAST_GROUP:
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


def reliability(confidence: Floats, right: Bools, bins: int = BINS) -> tuple[Bin, ...]:
    """Bins that hold anybody."""
    places = bin_places(confidence, bins)
    return tuple(
        Bin(
            place / bins,
            (place + 1) / bins,
            float(confidence[places == place].mean()),
            wilson(int(right[places == place].sum()), int((places == place).sum())),
        )
        for place in range(bins)
        if (places == place).any()
    )
