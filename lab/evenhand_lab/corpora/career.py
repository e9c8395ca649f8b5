"""A career before anyone writes it down: what a person did, where, when and with what."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, zip_longest

from evenhand_lab.corpora.lexicon import chance

Month = int
"""Months since year 0: 12 * year + month - 1."""


def month(year: int, number: int) -> Month:
    return 12 * year + number - 1


def year_of(value: Month) -> int:
    return value // 12


def number_of(value: Month) -> int:
    return value % 12 + 1


def iso(value: Month) -> str:
    return f"{year_of(value):04d}-{number_of(value):02d}"


@dataclass(frozen=True, slots=True)
class CareerPeriod:
    """From the first day of `start` to the last day of `end`; an open end reaches to the month of writing."""

    start: Month
    end: Month | None

    def last(self, as_of: Month) -> Month:
        return as_of if self.end is None else self.end

    def months(self, as_of: Month) -> int:
        return max(0, self.last(as_of) - self.start + 1)


@dataclass(frozen=True, slots=True)
class CareerSkill:
    """A skill as it was used: the canonical name, and a version where one matters ("Java", "8")."""

    skill: str
    version: str | None = None


@dataclass(frozen=True, slots=True)
class CareerProject:
    name: str
    client: str | None
    role: str | None
    period: CareerPeriod
    uses: tuple[CareerSkill, ...]
    duties: tuple[str, ...]  # keys or texts that the writer turns into sentences
    team: int | None = None


@dataclass(frozen=True, slots=True)
class CareerJob:
    employer: str
    title: str
    city: str
    period: CareerPeriod
    projects: tuple[CareerProject, ...]  # empty outside project work
    uses: tuple[CareerSkill, ...]  # of the job itself, besides its projects
    duties: tuple[str, ...]
    hours_per_week: int = 40
    is_relevant: bool = True  # to the occupation the person applies with
    is_paid: bool = True
    tags: frozenset[str] = frozenset()  # of the kind: "clinical", "research", "laboratory", "teaching"...

    @property
    def all_uses(self) -> tuple[CareerSkill, ...]:
        return (*self.uses, *(use for project in self.projects for use in project.uses))

    @property
    def all_duties(self) -> tuple[str, ...]:
        return (*self.duties, *(duty for project in self.projects for duty in project.duties))


LEVELS = ("other", "highschool", "diploma", "associate", "bachelor", "master", "doctorate")
"""In rising order; a diploma stands below an associate degree only by convention."""


@dataclass(frozen=True, slots=True)
class CareerStudy:
    school: str
    city: str
    degree: str  # as people write it in full: "Bachelor of Engineering"
    level: str  # one of LEVELS
    field: str | None
    period: CareerPeriod
    grade: str | None = None
    tags: frozenset[str] = frozenset()  # "scientific", "foreign", "medical"...


@dataclass(frozen=True, slots=True)
class Certificate:
    name: str
    year: int | None
    issuer: str | None = None


@dataclass(frozen=True, slots=True)
class Activity:
    text: str
    organisation: str | None = None
    period: CareerPeriod | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """What stands at the head of a resume. Which groups a person belongs to is in `groups`, never here."""

    name: str
    email: str
    phone: str
    city: str
    region: str | None
    country: str
    street: str | None = None
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Career:
    """Everything that is true of one applicant at the month of writing."""

    number: int
    kind: str  # it, crc, mixed
    as_of: Month
    person: Person
    occupation: str
    jobs: tuple[CareerJob, ...]  # latest first
    studies: tuple[CareerStudy, ...]  # latest first
    certificates: tuple[Certificate, ...] = ()
    languages: tuple[tuple[str, str], ...] = ()  # language, how well
    activities: tuple[Activity, ...] = ()
    extra_skills: tuple[CareerSkill, ...] = ()  # claimed, but used in no dated job or project
    level: str | None = None  # competence level, as an annotator would label it
    true_level: str | None = None  # as the guideline has it, before annotators differ

    def skill_uses(self, latest: int | None = None) -> list[CareerSkill]:
        """Every skill once, as it was last used: those of all or of the latest jobs, then those only claimed."""
        uses: dict[str, CareerSkill] = {}
        for use in (*(use for job in self.jobs[:latest] for use in job.all_uses), *self.extra_skills):
            uses.setdefault(use.skill, use)
        return list(uses.values())


# When someone worked: stays of ordinary length one after another, with the gaps and overlaps that lives have.

GAP_MONTHS = 6


def sample_stays(
    rng: random.Random, *, start: Month, as_of: Month, gap_rate: float = 0.08, employed: float = 0.78
) -> list[CareerPeriod]:
    """Consecutive stays from `start` to `as_of`, oldest first; the last is open when the person is employed.

    `gap_rate` is the chance, at each change of job, of half a year or more without one.
    """
    if start > as_of:
        return []
    typical = max(rng.choice([20, 28, 34, 42, 56]), (as_of - start) // 8)  # nobody lists twenty jobs
    last = as_of if chance(rng, employed) else max(start, as_of - rng.randint(1, 8))
    stays = []
    begin = start
    least = 1 if last == as_of else 5  # a job just begun is nothing odd, one that ended at once is
    while begin <= last - least + 1:
        if chance(rng, 0.06):
            months = rng.randint(60, 130)  # some stay long
        else:
            months = min(72, max(8, round(rng.lognormvariate(0, 0.55) * typical)))
        end = begin + months - 1
        if end >= last - 4:
            stays.append(CareerPeriod(begin, None if last == as_of else last))
            break
        stays.append(CareerPeriod(begin, end))
        is_gap = chance(rng, gap_rate)
        pause = rng.randint(GAP_MONTHS, 20) if is_gap else rng.choices([0, 1, 2, 3, 4], [50, 28, 12, 6, 4])[0]
        begin = end + 1 + pause
    return stays


def cut(rng: random.Random, period: CareerPeriod, as_of: Month, pieces: int, *, least: int = 3) -> list[CareerPeriod]:
    """The period in that many consecutive parts, oldest first, none shorter than `least` months."""
    months = period.months(as_of)
    pieces = max(1, min(pieces, months // least))
    marks = sorted(rng.randint(0, months - least * pieces) for _ in range(pieces - 1))
    starts = [period.start, *(period.start + least * place + mark for place, mark in enumerate(marks, start=1))]
    return [
        CareerPeriod(start, following - 1 if following is not None else period.end)
        for start, following in zip_longest(starts, starts[1:])
    ]


def longest_gap(periods: Iterable[CareerPeriod], as_of: Month) -> int:
    """Months in none of the periods, between two of them: the longest such time."""
    ordered = sorted(periods, key=lambda period: period.start)
    ends = accumulate((period.last(as_of) for period in ordered), max)
    return max([0, *(period.start - reached - 1 for reached, period in zip(ends, ordered[1:], strict=False))])


def has_gap(jobs: Iterable[CareerJob], studies: Iterable[CareerStudy], as_of: Month) -> bool:
    periods = [job.period for job in jobs] + [study.period for study in studies]
    return longest_gap(periods, as_of) >= GAP_MONTHS
