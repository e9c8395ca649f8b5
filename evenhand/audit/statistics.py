"""How far a rate, a ratio or a difference may be off by chance alone: 95% intervals.

Rates have Wilson's score interval. Differences have Newcombe's, which is built from Wilson's. Ratios have Katz's, on
the logarithm; where that does not exist, because nobody was selected, half a person is added to each count, after
Walter, and where all were, half a person is taken away.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Z = 1.959963984540054  # 97.5% of a normal distribution lie below


class ConfidenceInterval(NamedTuple):
    low: float
    high: float

    def overlaps(self, other: ConfidenceInterval) -> bool:
        """Whether the two have a point in common."""
        return self.low <= other.high and other.low <= self.high

    def to_json(self) -> list[float | None]:
        """Without an end where it has none: JSON knows no infinity."""
        return [finite(self.low), finite(self.high)]


def finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def wilson(selected: int, n: int, *, z: float = Z) -> ConfidenceInterval:
    rate, square = selected / n, z * z
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = z * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    low = 0.0 if selected == 0 else max(0.0, middle - half)
    high = 1.0 if selected == n else min(1.0, middle + half)
    return ConfidenceInterval(low, high)


def newcombe(first: tuple[int, int], second: tuple[int, int], *, z: float = Z) -> ConfidenceInterval:
    """Of the difference of two rates, each given as (selected, n)."""
    one, two = first[0] / first[1], second[0] / second[1]
    low_one, high_one = wilson(*first, z=z)
    low_two, high_two = wilson(*second, z=z)
    difference = one - two
    below = math.hypot(one - low_one, high_two - two)
    above = math.hypot(high_one - one, two - low_two)
    return ConfidenceInterval(difference - below, difference + above)


def katz(first: tuple[int, int], second: tuple[int, int], *, z: float = Z) -> ConfidenceInterval:
    """Of the ratio of two rates, each given as (selected, n)."""
    log_ratio, deviation = log_ratio_of(first, second)
    low, high = math.exp(log_ratio - z * deviation), math.exp(log_ratio + z * deviation)
    if first[0] == 0:
        low = 0.0
    return ConfidenceInterval(low, high if second[0] else math.inf)


def log_ratio_of(first: tuple[int, int], second: tuple[int, int]) -> tuple[float, float]:
    """The logarithm of the ratio and its standard deviation."""
    (k, n), (other_k, other_n) = first, second
    if k == n and other_k == other_n:  # all selected: the ratio is 1, and half a person fewer says how surely
        return 0.0, math.sqrt(1 / (n - 0.5) - 1 / n + 1 / (other_n - 0.5) - 1 / other_n)
    add = 0.5 if k == 0 or other_k == 0 else 0.0
    log_ratio = math.log((k + add) / (n + add)) - math.log((other_k + add) / (other_n + add))
    variance = 1 / (k + add) - 1 / (n + add) + 1 / (other_k + add) - 1 / (other_n + add)
    return log_ratio, math.sqrt(variance)


# Whether a difference could be chance: Fisher's exact test, and Holm's correction where many are looked at.


@lru_cache(maxsize=4096)
def fisher(selected: int, n: int, other_selected: int, other_n: int) -> float:
    """Two-sided: how often chance alone would give a table at least as unlikely as this one."""
    from scipy.stats import fisher_exact  # type: ignore[import-untyped]  # noqa: PLC0415 - half a second

    table = [[selected, n - selected], [other_selected, other_n - other_selected]]
    return float(fisher_exact(table).pvalue)


def holm(ps: Sequence[float], *, tests: int | None = None) -> list[float]:
    """The same values as if each had been tested as strictly as its place among all of them asks. `tests` is how many
    could have been made, where these were picked from more."""
    many = len(ps) if tests is None else tests
    order = sorted(range(len(ps)), key=lambda at: ps[at])
    adjusted, most = [0.0] * len(ps), 0.0
    for place, at in enumerate(order):
        most = max(most, min(1.0, ps[at] * (many - place)))
        adjusted[at] = most
    return adjusted


# Rates with their counts and intervals, and differences and ratios of two: Wilson, Newcombe, Katz.

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Rate:
    """`part` of `whole`; without anybody to count there is no value, which is not the same as 0."""

    part: int
    whole: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; all None where it cannot be told."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def excludes_zero(self) -> bool:
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


UNKNOWN = Estimate(None, None, None)


def wilson_rate(part: int, whole: int) -> Rate:
    if whole <= 0:
        return Rate(part, whole, None, None, None)
    return Rate(part, whole, part / whole, *wilson(part, whole))


def newcombe_estimate(first: Rate, second: Rate) -> Estimate:
    """First less second."""
    if first.value is None or second.value is None:
        return UNKNOWN
    interval = newcombe((first.part, first.whole), (second.part, second.whole))
    return Estimate(first.value - second.value, *interval)


def ratio(first: Rate, second: Rate) -> Estimate:
    """First over second; unknown where the second never happened."""
    if first.value is None or not second.value:
        return UNKNOWN
    interval = katz((first.part, first.whole), (second.part, second.whole))
    return Estimate(first.value / second.value, *interval)


# What chance alone gives: permutation p-values within strata, bootstrap intervals, Holm's correction. All seeded.

DRAWS = 2000
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Key = TypeVar("Key")


def holm_adjusted(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """Adjusted p-values, by what was tested."""
    return dict(zip(p_values, holm(list(p_values.values())), strict=True))


def share_at_least(seen: float, by_chance: Floats) -> float:
    """The p-value of a permutation test; what was seen is one of the arrangements, so it is never 0."""
    tolerance = 1e-12  # sums of the same numbers in another order are the same
    return float((1 + (by_chance >= seen - tolerance).sum()) / (1 + len(by_chance)))


def hits_by_chance(hits: Ints, misses: Ints, drawn: Ints, *, rng: np.random.Generator, draws: int = DRAWS) -> Ints:
    """How many hits a group would have in every stratum if membership were shuffled within strata.

    Shuffling who belongs to a group of known size is drawing that many without putting back: hypergeometric.
    A row per shuffle, a column per stratum.
    """
    columns = [
        rng.hypergeometric(int(hit), int(miss), int(size), draws) if hit + miss else np.zeros(draws, np.int64)
        for hit, miss, size in zip(hits, misses, drawn, strict=True)
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def shuffled_within(values: NDArray[np.generic], strata: Ints, *, rng: np.random.Generator) -> NDArray[np.generic]:
    """The same values, each moved only to a place of the same stratum."""
    shuffled = values.copy()
    for stratum in np.unique(strata):
        places = np.flatnonzero(strata == stratum)
        shuffled[places] = values[rng.permutation(places)]
    return shuffled


def around(value: float, drawn: Floats, *, confidence: float = CONFIDENCE) -> Estimate:
    tail = (1 - confidence) / 2
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    return Estimate(float(value), float(low), float(high))


def sign_flip_p(
    values: Sequence[float] | Floats, *, seed: int, draws: int = DRAWS, is_one_sided: bool = False
) -> float:
    """Of paired differences: under no effect each could as well have had the other sign. One-sided asks whether they
    are above 0."""
    differences = np.asarray(values, np.float64)
    if not len(differences) or not np.any(differences):
        return 1.0
    rng = np.random.default_rng(seed)
    flips = rng.choice(np.array([-1.0, 1.0]), (draws, len(differences)))
    seen, by_chance = float(differences.mean()), (flips * differences).mean(axis=1)
    return share_at_least(seen, by_chance) if is_one_sided else share_at_least(abs(seen), np.abs(by_chance))
