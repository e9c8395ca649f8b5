"""When someone worked: stays of ordinary length one after another, with the gaps and overlaps that lives have."""

from __future__ import annotations

import random
from collections.abc import Iterable

from evenhand.corpora.career import Job, Month, Period, Study
from evenhand.corpora.rng import chance

GAP_MONTHS = 6


def sample_stays(
    rng: random.Random,
    *,
    start: Month,
    as_of: Month,
    typical: int | None = None,
    gap_rate: float = 0.08,
    employed: float = 0.78,
) -> list[Period]:
    """Consecutive stays from `start` to `as_of`, oldest first; the last is open when the person is employed.

    `typical` is how long this person stays in a job, drawn when not given; `gap_rate` is the chance, at each
    change of job, of half a year or more without one.
    """
    if start > as_of:
        return []
    typical = typical or max(
        rng.choice([20, 28, 34, 42, 56]), (as_of - start) // 8
    )  # nobody lists twenty jobs
    last = as_of if chance(rng, employed) else max(start, as_of - rng.randint(1, 8))
    stays = []
    begin = start
    least = 1 if last == as_of else 5  # a job just begun is nothing odd, one that ended at once is
    while begin <= last - least + 1:
        end = begin + _stay(rng, typical) - 1
        if end >= last - 4:
            stays.append(Period(begin, None if last == as_of else last))
            break
        stays.append(Period(begin, end))
        begin = end + 1 + _pause(rng, gap_rate)
    return stays


def _stay(rng: random.Random, typical: int) -> int:
    """Between 8 and 72 months mostly; some stay long."""
    if chance(rng, 0.06):
        return rng.randint(60, 130)
    return min(72, max(8, round(rng.lognormvariate(0, 0.55) * typical)))


def _pause(rng: random.Random, gap_rate: float) -> int:
    if chance(rng, gap_rate):
        return rng.randint(GAP_MONTHS, 20)
    return rng.choices([0, 1, 2, 3, 4], [50, 28, 12, 6, 4])[0]


def cut(rng: random.Random, period: Period, as_of: Month, pieces: int, *, least: int = 3) -> list[Period]:
    """The period in that many consecutive parts, oldest first, none shorter than `least` months."""
    months = period.months(as_of)
    pieces = max(1, min(pieces, months // least))
    spare = months - least * pieces
    marks = sorted(rng.randint(0, spare) for _ in range(pieces - 1))
    lengths = [least + high - low for low, high in zip([0, *marks], [*marks, spare], strict=True)]
    found = []
    begin = period.start
    for index, length in enumerate(lengths):
        is_last = index == len(lengths) - 1
        found.append(Period(begin, period.end if is_last else begin + length - 1))
        begin += length
    return found


def longest_gap(periods: Iterable[Period], as_of: Month) -> int:
    """Months in none of the periods, between two of them: the longest such time."""
    longest = 0
    reached: Month | None = None
    for period in sorted(periods, key=lambda one: one.start):
        if reached is not None:
            longest = max(longest, period.start - reached - 1)
        reached = max(reached or 0, period.last(as_of))
    return longest


def has_gap(jobs: Iterable[Job], studies: Iterable[Study], as_of: Month) -> bool:
    periods = [job.period for job in jobs] + [study.period for study in studies]
    return longest_gap(periods, as_of) >= GAP_MONTHS


def union_months(periods: Iterable[Period], as_of: Month) -> int:
    """Months in at least one of the periods."""
    total = 0
    reached = -1
    for period in sorted(periods, key=lambda one: one.start):
        last = period.last(as_of)
        total += max(0, last - max(period.start, reached + 1) + 1)
        reached = max(reached, last)
    return total
