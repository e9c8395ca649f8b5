"""Rates with their intervals, and differences and ratios of two: Wilson, Newcombe, Katz. Nothing here is random."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from scipy.stats import norm  # type: ignore[import-untyped]

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Rate:
    """`part` of `whole`; without anybody to count there is no value, which is not the same as 0."""

    part: int
    whole: int
    value: float | None
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval; all None where it cannot be told."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def excludes_zero(self) -> bool:
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


UNKNOWN = Estimate(None, None, None)


def critical(confidence: float = CONFIDENCE) -> float:
    """1.96 for 95%."""
    return float(norm.ppf(0.5 + confidence / 2))


def wilson(part: int, whole: int, *, confidence: float = CONFIDENCE) -> Rate:
    """The score interval: it stays within 0 and 1, and does not shrink to nothing at either end."""
    if whole <= 0:
        return Rate(part, whole, None, None, None)
    z = critical(confidence)
    share = part / whole
    scale = 1 + z * z / whole
    centre = (share + z * z / (2 * whole)) / scale
    half = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole)) / scale
    low = 0.0 if part == 0 else centre - half
    high = 1.0 if part == whole else centre + half
    return Rate(part, whole, share, low, high)


def newcombe(first: Rate, second: Rate) -> Estimate:
    """First less second, by the square-and-add of their Wilson limits (Newcombe's tenth method)."""
    parts = (first.value, first.low, first.high, second.value, second.low, second.high)
    if any(part is None for part in parts):
        return UNKNOWN
    one, one_low, one_high, two, two_low, two_high = (float(part or 0.0) for part in parts)
    gap = one - two
    down = math.hypot(one - one_low, two_high - two)
    up = math.hypot(one_high - one, two - two_low)
    return Estimate(gap, gap - down, gap + up)


def ratio(first: Rate, second: Rate, *, confidence: float = CONFIDENCE) -> Estimate:
    """First over second, with Katz's interval on the logarithm; without it where one of them never happened."""
    if first.value is None or not second.value:
        return UNKNOWN
    found = first.value / second.value
    if not first.part:
        return Estimate(found, None, None)
    spread = math.sqrt(1 / first.part - 1 / first.whole + 1 / second.part - 1 / second.whole)
    reach = math.exp(critical(confidence) * spread)
    return Estimate(found, found / reach, found * reach)
