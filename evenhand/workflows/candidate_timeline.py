"""A career laid over years: jobs, projects, studies and the times in which no job is stated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from evenhand.mining.dates import Moment
from evenhand.mining.dates.moments import Present
from evenhand.mining.intervals import Interval, interval_of, merged
from evenhand.records import Education, Evidence, Fact, Period, Profile
from evenhand.records.profile import PRESENT

GAP_MONTHS = 3  # fewer pass between most jobs
MOST_TICKS = 7  # years that are written along the axis, so that they fit on a telephone
STEPS = (1, 2, 5, 10, 20, 50)
DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2]))?")

Kind = Literal["job", "project", "study", "gap"]
Named = tuple[str, Fact]
"""A label and what stands for it in the resume."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A job, project, study or gap. `x` and `width` are percents of the axis; None where it has no dates."""

    kind: Kind
    what: str | None  # title, name of the project, degree
    where: str | None
    start: str | None  # as stated
    end: str | None
    months: int | None
    place: Evidence | None  # of the whole entry
    facts: tuple[Named, ...] = ()  # what was read in it, each with its own place
    x: float | None = None
    width: float | None = None

    @property
    def name(self) -> str:
        return ", ".join(words for words in (self.what, self.where) if words)

    def place_of(self, label: str) -> Evidence | None:
        return next((fact.evidence for name, fact in self.facts if name == label), None)

    @property
    def dates(self) -> str:
        """ "2019-03 to present", "2015", "not dated"."""
        if self.start and self.end and self.start != self.end:
            return f"{self.start} to {self.end}"
        return self.start or self.end or "not dated"


@dataclass(frozen=True, slots=True)
class Tick:
    year: int
    x: float


@dataclass(frozen=True, slots=True)
class Timeline:
    dated: tuple[Stretch, ...]  # the newest first
    undated: tuple[Stretch, ...]
    ticks: tuple[Tick, ...]

    @property
    def gap_months(self) -> int:
        return sum(each.months or 0 for each in self.dated if each.kind == "gap")


def make_timeline(profile: Profile) -> Timeline:
    entries = [*_jobs(profile), *_studies(profile.education)]
    covered = [interval for stretch, interval in entries if interval and stretch.kind == "job"]
    entries += [(_gap(interval), interval) for interval in gaps(covered)]
    dated = [(stretch, interval) for stretch, interval in entries if interval]
    if not dated:
        return Timeline((), tuple(stretch for stretch, _ in entries), ())
    axis = _Axis.over([interval for _, interval in dated])
    dated.sort(key=lambda pair: (-pair[1].last_index, -pair[1].first_index))
    return Timeline(
        tuple(axis.placed(stretch, interval) for stretch, interval in dated),
        tuple(stretch for stretch, interval in entries if not interval),
        tuple(axis.ticks()),
    )


def gaps(covered: Iterable[Interval]) -> list[Interval]:
    """Stretches between jobs, the first to the last, in which none is stated."""
    between = [
        Interval(before.last_index + 1, after.first_index - 1) for before, after in pairwise(merged(covered))
    ]
    return [gap for gap in between if gap.months >= GAP_MONTHS]


def covered_months(period: Period, as_of: str) -> Interval | None:
    """None where the resume does not tell, or tells nonsense."""
    if period.start is None or period.end is None:
        return None
    end: Moment | Present = "present" if period.end == PRESENT else Moment.parse(period.end)
    return interval_of(Moment.parse(period.start), end, Moment.parse(as_of))


@dataclass(frozen=True, slots=True)
class _Axis:
    first_index: int
    months: int

    @classmethod
    def over(cls, intervals: Sequence[Interval]) -> _Axis:
        """From the January before the first month to the last month, and over a year at least."""
        first = min(each.first_index for each in intervals) // 12 * 12
        last = max(each.last_index for each in intervals)
        return cls(first, max(last - first + 1, 12))

    def placed(self, stretch: Stretch, interval: Interval) -> Stretch:
        x, width = self._percent(interval.first_index - self.first_index), self._percent(interval.months)
        return replace(stretch, x=x, width=width)

    def ticks(self) -> Iterator[Tick]:
        first, last = self.first_index // 12, (self.first_index + self.months - 1) // 12
        needed = (last - first + 1) / MOST_TICKS
        step = next((step for step in STEPS if step >= needed), STEPS[-1])
        for year in range(-(-first // step) * step, last + 1, step):
            yield Tick(year, self._percent(year * 12 - self.first_index))

    def _percent(self, months: int) -> float:
        return round(100 * months / self.months, 2)


Dated = tuple[Stretch, Interval | None]


def _jobs(profile: Profile) -> Iterator[Dated]:
    for job in profile.positions:
        facts = _named(Title=job.title, Employer=job.employer, City=job.city)
        yield _stretch("job", facts, job.period, job.evidence), covered_months(job.period, profile.as_of)
    for project in profile.projects:
        facts = _named(Project=project.name, Client=project.client, Role=project.role)
        made = _stretch("project", facts, project.period, project.evidence)
        yield made, covered_months(project.period, profile.as_of)


def _studies(studies: Iterable[Education]) -> Iterator[Dated]:
    """A resume tells the year in which a study ended; how long it took is not known."""
    for study in studies:
        year = study.year.value if study.year and DATE.fullmatch(study.year.value) else None
        words = [fact.value for fact in (study.degree, study.field) if fact]
        where = study.university.value if study.university else None
        made = Stretch("study", " ".join(words) or None, where, None, year, None, study.evidence)
        yield made, _year(year) if year else None


def _year(text: str) -> Interval:
    moment = Moment.parse(text)
    return Interval(moment.index, moment.index + (11 if moment.month is None else 0))


def _stretch(kind: Kind, facts: tuple[Named, ...], period: Period, place: Evidence) -> Stretch:
    found = {label: fact.value for label, fact in facts}
    what, where = found.get("Title") or found.get("Project"), found.get("Employer") or found.get("Client")
    dates = () if period.evidence is None else (("Dates", Fact("", "", period.evidence)),)
    return Stretch(kind, what, where, period.start, period.end, period.months, place, (*facts, *dates))


def _named(**facts: Fact | None) -> tuple[Named, ...]:
    return tuple((label, fact) for label, fact in facts.items() if fact)


def _gap(interval: Interval) -> Stretch:
    first, last = (str(Moment(at // 12, at % 12 + 1)) for at in (interval.first_index, interval.last_index))
    return Stretch("gap", None, None, first, last, interval.months, None)
