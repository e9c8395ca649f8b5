"""Months of experience: of a skill, in all, and in what is relevant. Unknown is None.

A skill has the time of the jobs and projects whose own text mentions it. A project without a time of its own has that
of its job, once however many projects of the job mention the skill. A project with its own time counts that and not
the whole job. Where the job itself mentions the skill its projects add nothing: they lie within it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from evenhand.records.document import Warning
from evenhand.records.profile import PRESENT, Period
from evenhand.text.date_values import PartialDate, Present, is_reversed

# Stretches of months and their sums.
#
# Months are counted inclusively: January to June is six. A year without a month counts whole: from January where a time
# starts, to December where it ends, so "2010 - 2012" is 36 months; only an end in the year of `as_of` stops at `as_of`.


@dataclass(frozen=True, slots=True, order=True)
class MonthInterval:
    """From month to month, both included, as `PartialDate.index` counts them."""

    first_index: int
    last_index: int

    @property
    def months(self) -> int:
        return self.last_index - self.first_index + 1


def interval_of(
    first: PartialDate | None, last: PartialDate | Present | None, as_of: PartialDate
) -> MonthInterval | None:
    """None where an end is missing, the end lies before the start, or the start lies after `as_of`."""
    if first is None or last is None or is_reversed(first, last):
        return None
    end = as_of.index
    if isinstance(last, PartialDate):
        end = min(end, last.index if last.month is not None else last.year * 12 + 11)
    return MonthInterval(first.index, end) if first.index <= end else None


def months_of(first: PartialDate | None, last: PartialDate | Present | None, as_of: PartialDate) -> int | None:
    interval = interval_of(first, last, as_of)
    return interval.months if interval else None


def doubt_of(first: PartialDate | None, last: PartialDate | Present | None, as_of: PartialDate) -> Warning | None:
    """What a reader should be told about these dates."""
    if first is None or last is None:
        return None
    if is_reversed(first, last):
        return Warning("dates_reversed", f"{first} to {last} ends before it starts; its months are not counted.")
    if first.index > as_of.index:
        return Warning("dates_in_future", f"{first} to {last} starts after {as_of}; its months are not counted.")
    if last != PRESENT and isinstance(last, PartialDate) and last.index > as_of.index:
        return Warning("dates_in_future", f"{first} to {last} ends after {as_of}; it is counted up to {as_of}.")
    return None


def merged(intervals: Iterable[MonthInterval]) -> list[MonthInterval]:
    """The same months as disjoint intervals in order; neighbours are joined."""
    joined: list[MonthInterval] = []
    for interval in sorted(intervals):
        if joined and interval.first_index <= joined[-1].last_index + 1:
            before = joined[-1]
            joined[-1] = MonthInterval(before.first_index, max(before.last_index, interval.last_index))
        else:
            joined.append(interval)
    return joined


def union_months(intervals: Iterable[MonthInterval]) -> int:
    return sum(interval.months for interval in merged(intervals))


@dataclass(frozen=True, slots=True)
class ExperienceEntry:
    """A job or project and its time: between two months, or a length alone ("6 months")."""

    id: str
    kind: Literal["position", "project"]
    interval: MonthInterval | None = None
    duration_months: int | None = None
    parent: str | None = None  # the job a project belongs to

    @classmethod
    def dated(
        cls,
        id: str,
        kind: Literal["position", "project"],
        *,
        first: PartialDate | None,
        last: PartialDate | Present | None,
        as_of: PartialDate,
        duration_months: int | None = None,
        parent: str | None = None,
    ) -> ExperienceEntry:
        return cls(id, kind, interval_of(first, last, as_of), duration_months, parent)

    @property
    def months(self) -> int | None:
        return self.interval.months if self.interval else self.duration_months


@dataclass(frozen=True, slots=True)
class Experience:
    """`months`: overlapping times count once. `months_sum`: the recruiter's rule, every job and project in full."""

    months: int | None
    months_sum: int | None
    last_used: str | None  # YYYY-MM


UNKNOWN = Experience(None, None, None)


def skill_experience(
    entries: Iterable[ExperienceEntry], mentions: Mapping[str, Iterable[str]]
) -> dict[str, Experience]:
    """Experience by skill; `mentions` has for each skill the ids of the entries whose own text mentions it."""
    by_id = {entry.id: entry for entry in entries}
    known: dict[frozenset[str], Experience] = {}  # skills of one list are mentioned alike: count once
    result = {}
    for skill, ids in mentions.items():
        key = frozenset(ids)
        if key not in known:
            known[key] = _experience(_counted(key, by_id), by_id)
        result[skill] = known[key]
    return result


def _counted(ids: Iterable[str], by_id: Mapping[str, ExperienceEntry]) -> list[ExperienceEntry]:
    """The entries whose time counts, each once, in the order of the resume: those with a time, else their jobs."""
    holders = set()
    for entry in (by_id[id] for id in ids if id in by_id):
        parent = by_id.get(entry.parent or "")
        if entry.months is not None:
            holders.add(entry.id)
        elif parent is not None and parent.months is not None:
            holders.add(parent.id)
    return [entry for id, entry in by_id.items() if id in holders]


def _experience(counted: list[ExperienceEntry], by_id: Mapping[str, ExperienceEntry]) -> Experience:
    if not counted:
        return UNKNOWN
    ids = {entry.id for entry in counted}
    apart = [entry for entry in counted if entry.parent not in ids or _reaches_beyond(entry, by_id[entry.parent])]
    intervals = [entry.interval for entry in counted if entry.interval]
    last = max((interval.last_index for interval in intervals), default=None)
    return Experience(
        union_months(intervals) + _undated_months(apart, by_id),
        sum(entry.months or 0 for entry in apart),
        None if last is None else str(PartialDate(last // 12, last % 12 + 1)),
    )


def _reaches_beyond(project: ExperienceEntry, job: ExperienceEntry) -> bool:
    """A project adds nothing to its job, unless its dates reach beyond it."""
    inner, outer = project.interval, job.interval
    if inner is None:
        return False
    return outer is None or inner.first_index < outer.first_index or outer.last_index < inner.last_index


def _undated_months(apart: list[ExperienceEntry], by_id: Mapping[str, ExperienceEntry]) -> int:
    """Lengths without dates add up as separate time, but projects of one job to no more than the job."""
    by_parent: dict[str | None, list[ExperienceEntry]] = {}
    for entry in apart:
        by_parent.setdefault(entry.parent, []).append(entry)
    months = 0
    for parent_id, children in by_parent.items():
        lengths = sum(child.duration_months or 0 for child in children if child.interval is None)
        parent = by_id.get(parent_id) if parent_id is not None else None
        if lengths and parent is not None and parent.months is not None:
            within = union_months(child.interval for child in children if child.interval)
            lengths = min(lengths, max(0, parent.months - within))
        months += lengths
    return months


def total_months(entries: Iterable[ExperienceEntry]) -> int | None:
    """Union over the jobs; over the projects where no job has a time."""
    listed = list(entries)
    jobs = [entry for entry in listed if entry.kind == "position"]
    months = _union(jobs)
    return months if months is not None else _union(entry for entry in listed if entry.kind == "project")


def relevant_months(entries: Iterable[ExperienceEntry], is_relevant: Callable[[ExperienceEntry], bool]) -> int | None:
    """Union over the relevant jobs; 0 only where jobs have times and none is relevant, else unknown without a time."""
    jobs = [entry for entry in entries if entry.kind == "position"]
    relevant = [job for job in jobs if is_relevant(job)]
    if not relevant:
        return 0 if any(job.months is not None for job in jobs) else None
    return _union(relevant)


def _union(entries: Iterable[ExperienceEntry]) -> int | None:
    known = [entry for entry in entries if entry.months is not None]
    if not known:
        return None
    undated = sum(entry.duration_months or 0 for entry in known if entry.interval is None)
    return union_months(entry.interval for entry in known if entry.interval) + undated


GAP_MONTHS = 3  # fewer pass between most jobs


def gaps(covered: Iterable[MonthInterval]) -> list[MonthInterval]:
    """Stretches between jobs, the first to the last, in which none is stated."""
    between = [
        MonthInterval(before.last_index + 1, after.first_index - 1) for before, after in pairwise(merged(covered))
    ]
    return [gap for gap in between if gap.months >= GAP_MONTHS]


def covered_months(period: Period, as_of: str) -> MonthInterval | None:
    """None where the resume does not tell, or tells nonsense."""
    if period.start is None or period.end is None:
        return None
    end: PartialDate | Present = "present" if period.end == PRESENT else PartialDate.parse(period.end)
    return interval_of(PartialDate.parse(period.start), end, PartialDate.parse(as_of))
