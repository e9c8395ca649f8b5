"""Skills of one resume with the months behind them: which jobs and projects mention each, from when to when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evenhand.mining.experience import MonthInterval, covered_months, gaps
from evenhand.records import Demand, Education, Evidence, Fact, Job, Match, Period, Profile
from evenhand.records.job import name_of_kind
from evenhand.screening.candidate_text import entry_name
from evenhand.search.matching import is_met, match_job
from evenhand.text.date_values import PartialDate
from evenhand.text.wording import UNKNOWN_DURATION, dates_words, duration

MAX_MONTHS = 180  # longer ones fill the bar


@dataclass(frozen=True, slots=True)
class SkillUse:
    """A job or project whose text mentions a skill."""

    kind: str  # job or project
    name: str
    start: str | None
    end: str | None
    months: int | None
    place: Evidence

    @property
    def dates(self) -> str:
        return dates_words(self.start, self.end)


@dataclass(frozen=True, slots=True)
class SkillRow:
    """`months` is the union of its dated uses; None where nothing dated mentions it, which is not zero."""

    name: str
    surfaces: tuple[str, ...]
    months: int | None
    last_used: str | None
    share: float  # of the longest, 0 to 100
    uses: tuple[SkillUse, ...]
    places: tuple[Evidence, ...]
    asked: str | None = None  # "must" or "wish", where the job asks for it


@dataclass(frozen=True, slots=True)
class Skills:
    dated: tuple[SkillRow, ...]  # the longest first
    undated: tuple[SkillRow, ...]  # those asked for first


@dataclass(frozen=True, slots=True)
class DemandRow:
    """What the job asks for beside what the resume has; `state` is met, short, not dated, missing or not mentioned."""

    name: str
    must: bool
    state: str
    months: int | None
    required_months: int | None
    share: float  # of the longest bar, 0 to 100
    mark: float | None  # where the months asked for lie
    uses: tuple[SkillUse, ...]
    places: tuple[Evidence, ...]
    only_in_names: bool = False  # nothing but the name of an employer or school mentions it
    kind: str = "skill"

    @property
    def sign(self) -> str:
        return SIGNS[self.state]

    @property
    def duration_words(self) -> str:
        """How long, of what was found."""
        return "" if self.state in ("missing", "not mentioned") else duration_found(self.months, self.kind)

    @property
    def state_words(self) -> str:
        return STATE_WORDS[self.state]


SIGNS = {"met": "✓", "short": "↓", "not dated": "?", "missing": "✗", "not mentioned": "–"}
STATE_WORDS = {
    "met": "met",
    "short": "too short",
    "not dated": UNKNOWN_DURATION,
    "missing": "missing",
    "not mentioned": "not mentioned",
}
"""What people read; the states themselves are codes that the API answers with."""


def make_skills(profile: Profile, job: Job) -> Skills:
    required = {name: "must" if demand.must else "wish" for demand in job.demands for name in demand.skills}
    longest = max((skill.months or 0 for skill in profile.skills), default=0) or 1
    rows = [
        SkillRow(
            skill.name,
            skill.surfaces,
            skill.months,
            skill.last_used,
            round(100 * (skill.months or 0) / longest, 2),
            tuple(uses_of(skill.name, profile)),
            skill.evidence,
            required.get(skill.name),
        )
        for skill in profile.skills
    ]
    return Skills(
        tuple(sorted((row for row in rows if row.months is not None), key=lambda row: (-(row.months or 0), row.name))),
        tuple(sorted((row for row in rows if row.months is None), key=lambda row: (row.asked is None, row.name))),
    )


def demand_rows(profile: Profile, job: Job, *, longest: int | None = None) -> tuple[DemandRow, ...]:
    """Must-haves first, in the order of the job. `longest` makes the bars of several candidates comparable."""
    matched = match_job(job, profile).matched
    full = longest or longest_months(job, [match.months for match in matched])
    rows = []
    for demand in in_order(job):
        match = match_of(demand, matched)
        name = name_of_kind(match.skill, demand.kind) if match else demand.label
        months = match.months if match else None
        rows.append(
            DemandRow(
                name=name,
                must=demand.must,
                state=demand_state(demand, match),
                months=months,
                required_months=demand.months,
                share=_share(months or 0, full),
                mark=_share(demand.months, full) if demand.months else None,
                uses=tuple(uses_of(match.skill, profile)) if match else (),
                places=match.evidence if match else (),
                only_in_names=bool(match and match.only_in_names),
                kind=demand.kind,
            )
        )
    return tuple(rows)


def duration_found(months: int | None, kind: str) -> str:
    """Nothing for a licence without dates: whoever names it has it, and no duration is left to ask about."""
    return "" if months is None and kind == "licence" else duration(months)


def match_of(demand: Demand, matched: Iterable[Match]) -> Match | None:
    """What a resume has of the demand."""
    return next((match for match in matched if match.skill in demand.skills), None)


def in_order(job: Job) -> tuple[Demand, ...]:
    """Must-haves first."""
    return tuple(sorted(job.demands, key=lambda demand: not demand.must))


def longest_months(job: Job, months: list[int | None]) -> int:
    """What a full bar stands for."""
    lengths = [*(length or 0 for length in months), *(demand.months or 0 for demand in job.demands), 12]
    return min(max(lengths), MAX_MONTHS)


def uses_of(skill: str, profile: Profile) -> Iterator[SkillUse]:
    """Jobs before projects, each in the order of the resume."""
    for job in profile.positions:
        if skill in job.skills:
            name = entry_name(job.title, job.employer) or "A job without a title"
            yield SkillUse("job", name, job.period.start, job.period.end, job.period.months, job.evidence)
    for project in profile.projects:
        if skill in project.skills:
            name = entry_name(project.name, project.client) or "A project without a name"
            period = project.period
            yield SkillUse("project", name, period.start, period.end, period.months, project.evidence)


def uses_words(uses: Sequence[SkillUse]) -> str:
    """ "2 jobs, 1 project"."""
    counts = [(sum(use.kind == kind for use in uses), kind) for kind in ("job", "project")]
    return ", ".join(f"{number} {kind}{'s' if number > 1 else ''}" for number, kind in counts if number)


def demand_state(demand: Demand, match: Match | None) -> str:
    if match is None:
        return "missing" if demand.must else "not mentioned"
    if is_met(match):
        return "met"
    return "not dated" if match.months is None else "short"


def _share(months: int, longest: int) -> float:
    return round(min(100 * months / longest, 100), 2)


# A career laid over years: jobs, projects, studies and the times in which no job is stated.

MAX_TICKS = 7  # years that are written along the axis, so that they fit on a telephone
STEPS = (1, 2, 5, 10, 20, 50)
DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2]))?")

Kind = Literal["job", "project", "study", "gap"]
Named = tuple[str, Fact]
"""A label and what stands for it in the resume."""


@dataclass(frozen=True, slots=True)
class TimelineEntry:
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
        return dates_words(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Tick:
    year: int
    x: float


@dataclass(frozen=True, slots=True)
class Timeline:
    dated: tuple[TimelineEntry, ...]  # the newest first
    undated: tuple[TimelineEntry, ...]
    ticks: tuple[Tick, ...]


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


@dataclass(frozen=True, slots=True)
class _Axis:
    first_index: int
    months: int

    @classmethod
    def over(cls, intervals: Sequence[MonthInterval]) -> _Axis:
        """From the January before the first month to the last month, and over a year at least."""
        first = min(span.first_index for span in intervals) // 12 * 12
        last = max(span.last_index for span in intervals)
        return cls(first, max(last - first + 1, 12))

    def placed(self, stretch: TimelineEntry, interval: MonthInterval) -> TimelineEntry:
        x, width = self._percent(interval.first_index - self.first_index), self._percent(interval.months)
        return replace(stretch, x=x, width=width)

    def ticks(self) -> Iterator[Tick]:
        first, last = self.first_index // 12, (self.first_index + self.months - 1) // 12
        needed = (last - first + 1) / MAX_TICKS
        step = next((step for step in STEPS if step >= needed), STEPS[-1])
        for year in range(-(-first // step) * step, last + 1, step):
            yield Tick(year, self._percent(year * 12 - self.first_index))

    def _percent(self, months: int) -> float:
        return round(100 * months / self.months, 2)


Dated = tuple[TimelineEntry, MonthInterval | None]


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
        made = TimelineEntry("study", " ".join(words) or None, where, None, year, None, study.evidence)
        yield made, _year(year) if year else None


def _year(text: str) -> MonthInterval:
    moment = PartialDate.parse(text)
    return MonthInterval(moment.index, moment.index + (11 if moment.month is None else 0))


def _stretch(kind: Kind, facts: tuple[Named, ...], period: Period, place: Evidence) -> TimelineEntry:
    values = {label: fact.value for label, fact in facts}
    what, where = values.get("Title") or values.get("Project"), values.get("Employer") or values.get("Client")
    dates = () if period.evidence is None else (("Dates", Fact("", "", period.evidence)),)
    return TimelineEntry(kind, what, where, period.start, period.end, period.months, place, (*facts, *dates))


def _named(**facts: Fact | None) -> tuple[Named, ...]:
    return tuple((label, fact) for label, fact in facts.items() if fact)


def _gap(interval: MonthInterval) -> TimelineEntry:
    first, last = (str(PartialDate(at // 12, at % 12 + 1)) for at in (interval.first_index, interval.last_index))
    return TimelineEntry("gap", None, None, first, last, interval.months, None)
