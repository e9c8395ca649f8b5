"""How far a rate, a ratio or a difference may be off by chance alone: 95% intervals.

Rates have Wilson's score interval. Differences have Newcombe's, which is built from Wilson's. Ratios have Katz's, on
the logarithm; where that does not exist, because nobody was selected, half a person is added to each count, after
Walter, and where all were, half a person is taken away.
"""

from __future__ import annotations

import math
from typing import NamedTuple

Z = 1.959963984540054  # 97.5% of a normal distribution lie below


class Interval(NamedTuple):
    low: float
    high: float


def wilson(selected: int, n: int, *, z: float = Z) -> Interval:
    rate, square = selected / n, z * z
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = z * math.sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    low = 0.0 if selected == 0 else max(0.0, middle - half)
    high = 1.0 if selected == n else min(1.0, middle + half)
    return Interval(low, high)


def newcombe(first: tuple[int, int], second: tuple[int, int], *, z: float = Z) -> Interval:
    """Of the difference of two rates, each given as (selected, n)."""
    one, two = first[0] / first[1], second[0] / second[1]
    low_one, high_one = wilson(*first, z=z)
    low_two, high_two = wilson(*second, z=z)
    difference = one - two
    below = math.hypot(one - low_one, high_two - two)
    above = math.hypot(high_one - one, two - low_two)
    return Interval(difference - below, difference + above)


def katz(first: tuple[int, int], second: tuple[int, int], *, z: float = Z) -> Interval:
    """Of the ratio of two rates, each given as (selected, n)."""
    log_ratio, deviation = log_ratio_of(first, second)
    low, high = math.exp(log_ratio - z * deviation), math.exp(log_ratio + z * deviation)
    if first[0] == 0:
        low = 0.0
    return Interval(low, high if second[0] else math.inf)


def log_ratio_of(first: tuple[int, int], second: tuple[int, int]) -> tuple[float, float]:
    """The logarithm of the ratio and its standard deviation."""
    (k, n), (other_k, other_n) = first, second
    if k == n and other_k == other_n:  # all selected: the ratio is 1, and half a person fewer says how surely
        return 0.0, math.sqrt(1 / (n - 0.5) - 1 / n + 1 / (other_n - 0.5) - 1 / other_n)
    add = 0.5 if k == 0 or other_k == 0 else 0.0
    log_ratio = math.log((k + add) / (n + add)) - math.log((other_k + add) / (other_n + add))
    variance = 1 / (k + add) - 1 / (n + add) + 1 / (other_k + add) - 1 / (other_n + add)
    return log_ratio, math.sqrt(variance)
