"""Rates with their counts and intervals, and differences and ratios of two: Wilson, Newcombe, Katz."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from evenhand.audit.outcomes import intervals

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


def wilson(part: int, whole: int) -> Rate:
    if whole <= 0:
        return Rate(part, whole, None, None, None)
    return Rate(part, whole, part / whole, *intervals.wilson(part, whole))


def newcombe(first: Rate, second: Rate) -> Estimate:
    """First less second."""
    if first.value is None or second.value is None:
        return UNKNOWN
    found = intervals.newcombe((first.part, first.whole), (second.part, second.whole))
    return Estimate(first.value - second.value, *found)


def ratio(first: Rate, second: Rate) -> Estimate:
    """First over second; unknown where the second never happened."""
    if first.value is None or not second.value:
        return UNKNOWN
    found = intervals.katz((first.part, first.whole), (second.part, second.whole))
    return Estimate(first.value / second.value, *found)
