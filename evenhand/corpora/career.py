"""A career before anyone writes it down: what a person did, where, when and with what."""

from __future__ import annotations

from dataclasses import dataclass

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
class Period:
    """From the first day of `start` to the last day of `end`; an open end reaches to the month of writing."""

    start: Month
    end: Month | None

    def last(self, as_of: Month) -> Month:
        return as_of if self.end is None else self.end

    def months(self, as_of: Month) -> int:
        return max(0, self.last(as_of) - self.start + 1)


@dataclass(frozen=True, slots=True)
class Use:
    """A skill as it was used: the canonical name, and a version where one matters ("Java", "8")."""

    skill: str
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Project:
    name: str
    client: str | None
    role: str | None
    period: Period
    uses: tuple[Use, ...]
    duties: tuple[str, ...]  # keys or texts that the writer turns into sentences
    team: int | None = None


@dataclass(frozen=True, slots=True)
class Job:
    employer: str
    title: str
    city: str
    period: Period
    projects: tuple[Project, ...]  # empty outside project work
    uses: tuple[Use, ...]  # of the job itself, besides its projects
    duties: tuple[str, ...]
    hours_per_week: int = 40
    is_relevant: bool = True  # to the occupation the person applies with
    is_paid: bool = True
    tags: frozenset[str] = frozenset()  # of the kind: "clinical", "research", "laboratory", "teaching"...


@dataclass(frozen=True, slots=True)
class Study:
    school: str
    city: str
    degree: str  # as people write it in full: "Bachelor of Engineering"
    level: str  # highschool, diploma, associate, bachelor, master, doctorate, other
    field: str | None
    period: Period
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
    period: Period | None = None


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
    jobs: tuple[Job, ...]  # latest first
    studies: tuple[Study, ...]  # latest first
    certificates: tuple[Certificate, ...] = ()
    languages: tuple[tuple[str, str], ...] = ()  # language, how well
    activities: tuple[Activity, ...] = ()
    extra_skills: tuple[Use, ...] = ()  # claimed, but used in no dated job or project
    level: str | None = None  # competence level, as an annotator would label it
    true_level: str | None = None  # as the guideline has it, before annotators differ
