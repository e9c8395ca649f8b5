"""How good a ranking is, by the grades people gave: the share of relevant ones at the top, and how early they come."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

Gain = Literal["linear", "exponential"]


def precision_at(grades: Sequence[int], k: int, *, relevant: int = 2) -> float:
    """`grades` in the order of the ranking. A list shorter than k has nothing relevant where it ends."""
    return sum(grade >= relevant for grade in grades[:k]) / k


def ndcg_at(grades: Sequence[int], k: int, *, gain: Gain = "linear", pool: Sequence[int] = ()) -> float:
    """Järvelin and Kekäläinen's, with the discount log2(rank + 1) of common use.

    The ideal is the best order of all judged ones: of `pool` where the ranking holds only some of them. Where nothing
    is relevant every order is equally bad: 0.
    """
    ideal = _discounted(sorted(pool or grades, reverse=True)[:k], gain)
    return _discounted(grades[:k], gain) / ideal if ideal else 0.0


def relevant_in_bottom(grades: Sequence[int], k: int, *, relevant: int = 2) -> int:
    """How many relevant ones the last k hold."""
    return sum(grade >= relevant for grade in grades[-k:])


def _discounted(grades: Sequence[int], gain: Gain) -> float:
    gains = (2**grade - 1 if gain == "exponential" else grade for grade in grades)
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(gains, start=1))
