"""What chance alone gives: permutation p-values within strata, bootstrap intervals, Holm's correction. All seeded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.models.intervals import CONFIDENCE, Estimate
from evenhand.audit.outcomes import significance

DRAWS = 2000
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Key = TypeVar("Key")


def holm(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """Adjusted p-values, by what was tested."""
    return dict(zip(p_values, significance.holm(list(p_values.values())), strict=True))


def share_at_least(seen: float, by_chance: Floats) -> float:
    """The p-value of a permutation test; what was seen is one of the arrangements, so it is never 0."""
    tolerance = 1e-12  # sums of the same numbers in another order are the same
    return float((1 + (by_chance >= seen - tolerance).sum()) / (1 + len(by_chance)))


def hits_by_chance(
    hits: Ints, misses: Ints, drawn: Ints, *, rng: np.random.Generator, draws: int = DRAWS
) -> Ints:
    """How many hits a group would have in every stratum if membership were shuffled within strata.

    Shuffling who belongs to a group of known size is drawing that many without putting back: hypergeometric.
    A row per shuffle, a column per stratum.
    """
    columns = [
        rng.hypergeometric(int(hit), int(miss), int(size), draws) if hit + miss else np.zeros(draws, np.int64)
        for hit, miss, size in zip(hits, misses, drawn, strict=True)
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def shuffled_within(
    values: NDArray[np.generic], strata: Ints, *, rng: np.random.Generator
) -> NDArray[np.generic]:
    """The same values, each moved only to a place of the same stratum."""
    found = values.copy()
    for stratum in np.unique(strata):
        places = np.flatnonzero(strata == stratum)
        found[places] = values[rng.permutation(places)]
    return found


def around(value: float, drawn: Floats, *, confidence: float = CONFIDENCE) -> Estimate:
    tail = (1 - confidence) / 2
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    return Estimate(float(value), float(low), float(high))


def sign_flip_p(
    values: Sequence[float] | Floats, *, seed: int, draws: int = DRAWS, is_one_sided: bool = False
) -> float:
    """Of paired differences: under no effect each could as well have had the other sign. One-sided asks whether they
    are above 0."""
    given = np.asarray(values, np.float64)
    if not len(given) or not np.any(given):
        return 1.0
    rng = np.random.default_rng(seed)
    flips = rng.choice(np.array([-1.0, 1.0]), (draws, len(given)))
    seen, by_chance = float(given.mean()), (flips * given).mean(axis=1)
    return share_at_least(seen, by_chance) if is_one_sided else share_at_least(abs(seen), np.abs(by_chance))
