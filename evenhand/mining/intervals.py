"""Stretches of months and their sums.

Months are counted inclusively: January to June is six. A year without a month counts whole: from January where a time
starts, to December where it ends, so "2010 - 2012" is 36 months; only an end in the year of `as_of` stops at `as_of`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evenhand.mining.dates import Moment, is_reversed
from evenhand.mining.dates.moments import Present
from evenhand.records.document import Warning
from evenhand.records.profile import PRESENT


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """From month to month, both included, as `Moment.index` counts them."""

    first_index: int
    last_index: int

    @property
    def months(self) -> int:
        return self.last_index - self.first_index + 1


def _end_index(last: Moment | Present, as_of: Moment) -> int:
    if not isinstance(last, Moment):
        return as_of.index
    stated = last.index if last.month is not None else last.year * 12 + 11
    return min(stated, as_of.index)


def interval_of(first: Moment | None, last: Moment | Present | None, as_of: Moment) -> Interval | None:
    """None where an end is missing, the end lies before the start, or the start lies after `as_of`."""
    if first is None or last is None or is_reversed(first, last):
        return None
    end = _end_index(last, as_of)
    return Interval(first.index, end) if first.index <= end else None


def months_of(first: Moment | None, last: Moment | Present | None, as_of: Moment) -> int | None:
    interval = interval_of(first, last, as_of)
    return interval.months if interval else None


def doubt_of(first: Moment | None, last: Moment | Present | None, as_of: Moment) -> Warning | None:
    """What a reader should be told about these dates."""
    if first is None or last is None:
        return None
    if is_reversed(first, last):
        return Warning(
            "dates_reversed", f"{first} to {last} ends before it starts; its months are not counted."
        )
    if first.index > as_of.index:
        return Warning(
            "dates_in_future", f"{first} to {last} starts after {as_of}; its months are not counted."
        )
    if last != PRESENT and isinstance(last, Moment) and last.index > as_of.index:
        return Warning(
            "dates_in_future", f"{first} to {last} ends after {as_of}; it is counted up to {as_of}."
        )
    return None


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The same months as disjoint intervals in order; neighbours are joined."""
    joined: list[Interval] = []
    for interval in sorted(intervals):
        if joined and interval.first_index <= joined[-1].last_index + 1:
            before = joined[-1]
            joined[-1] = Interval(before.first_index, max(before.last_index, interval.last_index))
        else:
            joined.append(interval)
    return joined


def union_months(intervals: Iterable[Interval]) -> int:
    return sum(interval.months for interval in merged(intervals))


def sum_months(intervals: Iterable[Interval]) -> int:
    return sum(interval.months for interval in intervals)
