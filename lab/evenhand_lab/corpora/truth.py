"""What is true of one generated resume, in the form in which it is stored and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from evenhand_lab.corpora.career import LEVELS, Career, CareerPeriod, Month, iso, year_of
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptSection, Plain, TextMark, cells_of


@dataclass(frozen=True, slots=True)
class SkillTruth:
    name: str
    surfaces: tuple[str, ...]  # the forms in which the resume writes it
    months_union: int | None  # None when nothing dated mentions it
    months_sum: int | None  # recruiter's rule: durations of all projects that mention it, overlaps twice
    last_used: str | None  # ISO month


@dataclass(frozen=True, slots=True)
class PositionTruth:
    employer: str
    title: str
    city: str
    start: str  # ISO month
    end: str | None  # None: to the present
    months: int
    skills: tuple[str, ...]  # that its text mentions
    precision: str = "month"  # what the resume states: month, year, duration or nothing


@dataclass(frozen=True, slots=True)
class ProjectTruth:
    name: str
    client: str | None
    employer: str
    start: str
    end: str | None
    months: int
    skills: tuple[str, ...]
    precision: str = "month"


@dataclass(frozen=True, slots=True)
class Truth:
    """Offsets are half-open code points into the plain text of the resume."""

    number: int
    kind: str
    as_of: str
    name: str
    email: str
    phone: str
    city: str
    country: str
    occupation: str
    level: str | None
    true_level: str | None
    sections: tuple[tuple[str, str | None, int, int], ...]
    marks: tuple[TextMark, ...]
    skills: tuple[SkillTruth, ...]
    positions: tuple[PositionTruth, ...]
    education: tuple[dict[str, Any], ...]  # school, degree, level, field, year, grade
    certifications: tuple[str, ...]
    languages: tuple[str, ...]
    total_months: int  # union of all paid jobs
    relevant_months: int  # union of the relevant ones
    highest_degree: str | None
    style: dict[str, str]
    projects: tuple[ProjectTruth, ...] = ()


# How long something was done, as far as the written text says so: dated jobs and projects that mention it.

_PART = re.compile(r"^job (\d+)(?: project (\d+))?$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A labelled run, with the type of the section it stands in."""

    section: str
    label: str
    value: str | None
    of: str | None


def statements(sections: Iterable[ManuscriptSection]) -> Iterator[Statement]:
    for section in sections:
        for run in (run for words in cells_of(section) for run in words):
            if run.label is not None:
                yield Statement(section.type, run.label, run.value, run.of)


@dataclass(frozen=True, slots=True)
class WrittenFacts:
    """What a text says of a career: which parts it names, dates, and of which skills they tell."""

    named: frozenset[str]  # parts with an employer's or a project's name
    dated: frozenset[str]  # parts with a date or a duration
    years_only: frozenset[str]  # parts with nothing better than a year
    lengths_only: frozenset[str]  # parts with a duration and no date
    skills: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)  # name -> (part, section)


def gather(stated: Iterable[Statement]) -> WrittenFacts:
    named, dates, lengths, exact = set(), set(), set(), set()
    skills: dict[str, dict[tuple[str, str], None]] = {}
    for item in stated:
        if item.label == "skill":
            skills.setdefault(item.value or "", {}).setdefault((item.of or "", item.section))
        elif item.of is None:
            continue
        elif item.label in {"employer", "project"}:
            named.add(item.of)
        elif item.label == "duration":
            lengths.add(item.of)
        elif item.label == "date":
            dates.add(item.of)
            if "-" in (item.value or ""):
                exact.add(item.of)
    return WrittenFacts(
        frozenset(named),
        frozenset(dates | lengths),
        frozenset(dates - exact),
        frozenset(lengths - dates),
        {name: tuple(places) for name, places in skills.items()},
    )


def skill_periods(career: Career, written: WrittenFacts, name: str) -> list[CareerPeriod]:
    """The periods that count for a skill. A project without dates inside a dated job inherits the job's, and a job
    counts once: where it is in itself evidence, its projects add nothing."""
    jobs: dict[int, CareerPeriod] = {}
    projects: dict[tuple[int, int], CareerPeriod] = {}
    for part, section in written.skills.get(name, ()):
        match = _PART.match(part)
        if match is None:
            continue
        number = int(match[1])
        job = career.jobs[number]
        if match[2] and part in written.dated:
            projects[number, int(match[2])] = job.projects[int(match[2])].period
        elif section == "experience" and f"job {number}" in written.dated:
            jobs[number] = job.period
    return [*jobs.values(), *(period for (number, _), period in projects.items() if number not in jobs)]


def union_months(periods: Iterable[CareerPeriod], as_of: Month) -> int:
    """Months covered by at least one of the periods."""
    total = 0
    reached: Month | None = None
    for start, last in sorted((period.start, period.last(as_of)) for period in periods):
        first = start if reached is None else max(start, reached + 1)
        total += max(0, last - first + 1)
        reached = last if reached is None else max(reached, last)
    return total


def sum_months(periods: Iterable[CareerPeriod], as_of: Month) -> int:
    """Recruiter's rule: every period in full, overlaps twice."""
    return sum(period.months(as_of) for period in periods)


def skill_months(career: Career, sections: Iterable[ManuscriptSection]) -> dict[str, int]:
    """Union of months per skill, of those that dated text mentions."""
    written = gather(statements(sections))
    periods = {name: skill_periods(career, written, name) for name in written.skills}
    return {name: union_months(of_skill, career.as_of) for name, of_skill in periods.items() if of_skill}


def job_periods(career: Career, written: WrittenFacts, *, only_relevant: bool = False) -> list[CareerPeriod]:
    """Paid jobs that the text names and dates."""
    return [
        job.period
        for place, job in enumerate(career.jobs)
        if f"job {place}" in written.named & written.dated and job.is_paid and (job.is_relevant or not only_relevant)
    ]


def relevant_months(career: Career, sections: Iterable[ManuscriptSection]) -> int:
    """Months of paid work in the occupation, as written."""
    written = gather(statements(sections))
    return union_months(job_periods(career, written, only_relevant=True), career.as_of)


# What a written resume makes true: facts of the career as far as the text tells them.


def build_truth(career: Career, manuscript: Manuscript, plain: Plain) -> Truth:
    """A job, skill or certificate that the writer left out is not there; months follow the dated text."""
    written = gather(statements(manuscript.sections))
    person = career.person
    studies = _studies(career, plain)
    positions, projects = _work(career, written)

    def values(label: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(mark.value or mark.text for mark in plain.marks if mark.label == label))

    return Truth(
        number=career.number,
        kind=career.kind,
        as_of=iso(career.as_of),
        name=person.name,
        email=person.email,
        phone=person.phone,
        city=person.city,
        country=person.country,
        occupation=career.occupation,
        level=career.level,
        true_level=career.true_level,
        sections=plain.sections,
        marks=plain.marks,
        skills=_skills(career, written, plain),
        positions=tuple(positions),
        education=studies,
        certifications=values("certification"),
        languages=values("language"),
        total_months=union_months(job_periods(career, written), career.as_of),
        relevant_months=union_months(job_periods(career, written, only_relevant=True), career.as_of),
        highest_degree=max((study["level"] for study in studies), key=LEVELS.index, default=None),
        style=dict(manuscript.style),
        projects=tuple(projects),
    )


def _skills(career: Career, written: WrittenFacts, plain: Plain) -> tuple[SkillTruth, ...]:
    surfaces: dict[str, set[str]] = {}
    for mark in plain.marks:
        if mark.label == "skill" and mark.value:
            surfaces.setdefault(mark.value, set()).add(mark.text)
    skills = []
    for name, forms in sorted(surfaces.items()):
        periods = skill_periods(career, written, name)
        union = sum_ = last_used = None
        if periods:
            union, sum_ = union_months(periods, career.as_of), sum_months(periods, career.as_of)
            last_used = iso(max(period.last(career.as_of) for period in periods))
        skills.append(SkillTruth(name, tuple(sorted(forms)), union, sum_, last_used))
    return tuple(skills)


def _dates(career: Career, written: WrittenFacts, part: str, period: CareerPeriod, *, nested: bool) -> dict[str, Any]:
    """What is stated of a job or project: when, how exactly, and the skills that its text mentions.

    A job also has what is told inside its entry of its projects.
    """

    def tells(of: str, section: str) -> bool:
        return of == part or (nested and section == "experience" and of.startswith(f"{part} "))

    precision = "year" if part in written.years_only else "month"
    if part not in written.dated:
        precision = "nothing"
    elif part in written.lengths_only:
        precision = "duration"
    return {
        "start": iso(period.start),
        "end": None if period.end is None else iso(period.end),
        "months": period.months(career.as_of),
        "skills": tuple(sorted(name for name, places in written.skills.items() if any(tells(*at) for at in places))),
        "precision": precision,
    }


def _work(career: Career, written: WrittenFacts) -> tuple[list[PositionTruth], list[ProjectTruth]]:
    """Jobs and projects that the text names."""
    positions, projects = [], []
    for place, job in enumerate(career.jobs):
        part = f"job {place}"
        if part in written.named:
            dates = _dates(career, written, part, job.period, nested=True)
            positions.append(PositionTruth(job.employer, job.title, job.city, **dates))
        for number, project in enumerate(job.projects):
            part = f"job {place} project {number}"
            if part in written.named:
                dates = _dates(career, written, part, project.period, nested=False)
                projects.append(ProjectTruth(project.name, project.client, job.employer, **dates))
    return positions, projects


def _studies(career: Career, plain: Plain) -> tuple[dict[str, Any], ...]:
    """Studies with their degree or school in the text; year and grade only where they stand there."""
    studies = []
    for place, study in enumerate(career.studies):
        labels = {mark.label for mark in plain.marks if mark.of == f"study {place}"}
        if labels & {"degree", "university"}:
            end = study.period.end if labels & {"year", "date"} else None
            studies.append(
                {
                    "school": study.school if "university" in labels else None,
                    "degree": study.degree,
                    "level": study.level,
                    "field": study.field if "field" in labels else None,
                    "year": None if end is None else year_of(end),
                    "grade": study.grade if "performance" in labels else None,
                }
            )
    return tuple(studies)


def truth_to_dict(truth: Truth) -> dict[str, Any]:
    """Plain values only. Spelt out rather than asdict, which copies deeply and takes most of the time."""
    values = _fields(truth)
    for name in ("marks", "skills", "positions", "projects"):
        values[name] = [_fields(item) for item in values[name]]
    for mark in values["marks"]:
        if mark["of"] is None:
            del mark["of"]
    return values


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in type(record).__slots__}


def truth_from_dict(values: dict[str, Any]) -> Truth:
    """What `truth_to_dict` gave, also after a way through JSON."""

    def tuples(items: dict[str, Any]) -> dict[str, Any]:
        return {name: tuple(value) if isinstance(value, list) else value for name, value in items.items()}

    lists: dict[str, Any] = {"sections": tuple(tuple(section) for section in values["sections"])}
    records = {"marks": TextMark, "skills": SkillTruth, "positions": PositionTruth, "projects": ProjectTruth}
    for name, record in records.items():
        lists[name] = tuple(record(**tuples(item)) for item in values[name])
    return Truth(**tuples(values) | lists)
