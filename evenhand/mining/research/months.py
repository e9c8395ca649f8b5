"""Months of several jobs added up, a month with two of them once."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.mining.intervals import union_months
from evenhand.mining.research.hours import FULL_TIME, NEARLY_FULL_TIME
from evenhand.mining.research.jobs import Work


def calendar_months(works: Sequence[Work]) -> int:
    """Lengths without dates add up as separate time."""
    dated = [work.interval for work in works if work.interval is not None]
    return union_months(dated) + sum(work.months for work in works if work.interval is None)


def full_time_months(works: Sequence[Work]) -> float:
    """A month at twenty hours a week is half a month, and no month is more than one."""
    hours: dict[int, float] = {}
    for work in works:
        if work.interval is not None:
            for month in range(work.interval.first_index, work.interval.last_index + 1):
                hours[month] = hours.get(month, 0.0) + work.hours_per_week
    undated = sum(work.months * _share(work.hours_per_week) for work in works if work.interval is None)
    return sum(map(_share, hours.values())) + undated


def _share(hours_per_week: float) -> float:
    return 1.0 if hours_per_week >= NEARLY_FULL_TIME else hours_per_week / FULL_TIME
