"""Rates and ratios by month or quarter, and whether a ratio goes one way over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal

from evenhand.audit.outcomes.counting import MINIMUM, Counts
from evenhand.audit.outcomes.intervals import log_ratio_of
from evenhand.audit.outcomes.rate_table import RateTable, rate_table

Step = Literal["month", "quarter"]
FEWEST_PERIODS = 3  # two points always lie on a line


@dataclass(frozen=True, slots=True)
class Trend:
    """By how much the ratio of a group to the reference is multiplied from one period to the next."""

    group: str
    reference: str
    factor: float | None
    p: float | None
    periods: int  # with enough people of both


@dataclass(frozen=True, slots=True)
class Drift:
    variable: str
    step: Step
    periods: tuple[str, ...]
    tables: tuple[RateTable, ...]
    trends: tuple[Trend, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "variable": self.variable,
            "step": self.step,
            "periods": [
                {"period": period, **table.to_json()}
                for period, table in zip(self.periods, self.tables, strict=True)
            ],
            "trends": [asdict(trend) for trend in self.trends],
        }


def period_of(day: date, step: Step) -> str:
    return f"{day:%Y-%m}" if step == "month" else f"{day.year}-Q{(day.month + 2) // 3}"


def periods_between(first: date, last: date, step: Step) -> list[str]:
    """All of them in order, also those in which nothing happened."""
    months = range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    return list(dict.fromkeys(period_of(date(at // 12, at % 12 + 1, 1), step) for at in months))


def follow(periods: Sequence[str], counts: Sequence[Counts], reference: str, *, step: Step) -> Drift:
    """`periods` in order; one that nobody applied in has a table of nobody."""
    names = counts[0].names
    at = names.index(reference)
    trends = [_trend(counts, own, at) for own in range(len(names)) if own != at]
    tables = tuple(rate_table(each, "selection") for each in counts)
    return Drift(counts[0].variable, step, tuple(periods), tables, tuple(trends))


def _trend(counts: Sequence[Counts], own: int, other: int) -> Trend:
    """A line through the logarithms of the ratios, each weighing as much as it is sure."""
    points = [
        (place, *log_ratio_of((each.selected[own], each.n[own]), (each.selected[other], each.n[other])))
        for place, each in enumerate(counts)
        if min(each.n[own], each.n[other]) >= MINIMUM and each.selected[other] + each.selected[own]
    ]
    names = counts[0].names
    if len(points) < FEWEST_PERIODS:
        return Trend(names[own], names[other], None, None, len(points))
    slope, deviation = weighted_slope(points)
    p = math.erfc(abs(slope / deviation) / math.sqrt(2))  # two-sided, of a normal distribution
    return Trend(names[own], names[other], math.exp(slope), p, len(points))


def weighted_slope(points: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Of (x, y, standard deviation of y): the slope and its own standard deviation."""
    weights = [1 / deviation**2 for _, _, deviation in points]
    total = sum(weights)
    middle = sum(w * x for w, (x, _, _) in zip(weights, points, strict=True)) / total
    spread = sum(w * (x - middle) ** 2 for w, (x, _, _) in zip(weights, points, strict=True))
    slope = sum(w * (x - middle) * y for w, (x, y, _) in zip(weights, points, strict=True)) / spread
    return slope, 1 / math.sqrt(spread)
