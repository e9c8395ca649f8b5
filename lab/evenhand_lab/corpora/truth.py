"""What is true of one generated resume, in the form in which it is stored and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from evenhand_lab.corpora.career import Career, CareerPeriod, Month, iso, year_of
from evenhand_lab.corpora.manuscript import Manuscript, ManuscriptSection, ManuscriptTable, Plain, TextMark


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
        for block in section.blocks:
            rows = block.rows if isinstance(block, ManuscriptTable) else ((block.words, block.aside),)
            for words in (cell for row in rows for cell in row):
                for run in words:
                    if run.label is not None:
                        yield Statement(section.type, run.label, run.value, run.of)


def plain_statements(plain: Plain) -> Iterator[Statement]:
    """The same, read from the marks; marks and sections are both in the order of the text."""
    sections = iter(plain.sections)
    type, _, _, end = next(sections, ("other", None, 0, 0))
    for mark in plain.marks:
        while mark.start >= end:
            type, _, _, end = next(sections)
        yield Statement(type, mark.label, mark.value, mark.of)


@dataclass(frozen=True, slots=True)
class WrittenFacts:
    """What a text says of a career: which parts it names, dates, and of which skills they tell."""

    named: frozenset[str]  # parts with an employer's or a project's name
    dated: frozenset[str]  # parts with a date or a duration
    years_only: frozenset[str]  # parts with nothing better than a year
    lengths_only: frozenset[str]  # parts with a duration and no date
    skills: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)  # name -> (part, section)


def gather(found: Iterable[Statement]) -> WrittenFacts:
    named, dates, lengths, exact = set(), set(), set(), set()
    skills: dict[str, dict[tuple[str, str], None]] = {}
    for item in found:
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
    found = {name: skill_periods(career, written, name) for name in written.skills}
    return {name: union_months(periods, career.as_of) for name, periods in found.items() if periods}


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

LEVELS = ("other", "highschool", "diploma", "associate", "bachelor", "master", "doctorate")


def build_truth(career: Career, manuscript: Manuscript, plain: Plain) -> Truth:
    """A job, skill or certificate that the writer left out is not there; months follow the dated text."""
    written = gather(plain_statements(plain))
    person = career.person
    studies = _studies(career, plain)
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
        positions=_positions(career, written),
        education=studies,
        certifications=_values(plain, "certification"),
        languages=_values(plain, "language"),
        total_months=union_months(job_periods(career, written), career.as_of),
        relevant_months=union_months(job_periods(career, written, only_relevant=True), career.as_of),
        highest_degree=max((study["level"] for study in studies), key=LEVELS.index, default=None),
        style=dict(manuscript.style),
        projects=_projects(career, written),
    )


def _values(plain: Plain, label: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mark.value or mark.text for mark in plain.marks if mark.label == label))


def _skills(career: Career, written: WrittenFacts, plain: Plain) -> tuple[SkillTruth, ...]:
    surfaces: dict[str, dict[str, None]] = {}
    for mark in plain.marks:
        if mark.label == "skill" and mark.value:
            surfaces.setdefault(mark.value, {}).setdefault(mark.text)
    found = []
    for name in sorted(surfaces):
        periods = skill_periods(career, written, name)
        last = max((period.last(career.as_of) for period in periods), default=None)
        found.append(
            SkillTruth(
                name=name,
                surfaces=tuple(sorted(surfaces[name])),
                months_union=union_months(periods, career.as_of) if periods else None,
                months_sum=sum_months(periods, career.as_of) if periods else None,
                last_used=None if last is None else iso(last),
            )
        )
    return tuple(found)


def _skills_of(written: WrittenFacts, part: str, *, nested: bool) -> tuple[str, ...]:
    """Skills that a part of the career mentions; a job also what is told inside its entry of its projects."""
    return tuple(
        sorted(
            name
            for name, places in written.skills.items()
            if any(
                of == part or (nested and section == "experience" and of.startswith(f"{part} "))
                for of, section in places
            )
        )
    )


def _precision(written: WrittenFacts, part: str) -> str:
    if part not in written.dated:
        return "nothing"
    if part in written.lengths_only:
        return "duration"
    return "year" if part in written.years_only else "month"


def _end(period: CareerPeriod) -> str | None:
    return None if period.end is None else iso(period.end)


def _positions(career: Career, written: WrittenFacts) -> tuple[PositionTruth, ...]:
    return tuple(
        PositionTruth(
            employer=job.employer,
            title=job.title,
            city=job.city,
            start=iso(job.period.start),
            end=_end(job.period),
            months=job.period.months(career.as_of),
            skills=_skills_of(written, f"job {place}", nested=True),
            precision=_precision(written, f"job {place}"),
        )
        for place, job in enumerate(career.jobs)
        if f"job {place}" in written.named
    )


def _projects(career: Career, written: WrittenFacts) -> tuple[ProjectTruth, ...]:
    found = []
    for place, job in enumerate(career.jobs):
        for number, project in enumerate(job.projects):
            part = f"job {place} project {number}"
            if part not in written.named:
                continue
            found.append(
                ProjectTruth(
                    name=project.name,
                    client=project.client,
                    employer=job.employer,
                    start=iso(project.period.start),
                    end=_end(project.period),
                    months=project.period.months(career.as_of),
                    skills=_skills_of(written, part, nested=False),
                    precision=_precision(written, part),
                )
            )
    return tuple(found)


def _studies(career: Career, plain: Plain) -> tuple[dict[str, Any], ...]:
    """Studies with their degree or school in the text; year and grade only where they stand there."""
    stated: dict[str, set[str]] = {}
    for mark in plain.marks:
        if mark.of and mark.of.startswith("study "):
            stated.setdefault(mark.of, set()).add(mark.label)
    found = []
    for place, study in enumerate(career.studies):
        labels = stated.get(f"study {place}", set())
        if not labels & {"degree", "university"}:
            continue
        has_year = bool(labels & {"year", "date"}) and study.period.end is not None
        found.append(
            {
                "school": study.school if "university" in labels else None,
                "degree": study.degree,
                "level": study.level,
                "field": study.field if "field" in labels else None,
                "year": year_of(study.period.end) if has_year and study.period.end is not None else None,
                "grade": study.grade if "performance" in labels else None,
            }
        )
    return tuple(found)


def mark_to_dict(mark: TextMark) -> dict[str, Any]:
    found: dict[str, Any] = {
        "start": mark.start,
        "end": mark.end,
        "label": mark.label,
        "text": mark.text,
        "value": mark.value,
    }
    return found if mark.of is None else found | {"of": mark.of}


def truth_to_dict(truth: Truth) -> dict[str, Any]:
    """Plain values only. Spelt out rather than asdict, which copies deeply and takes most of the time."""
    found = {name: getattr(truth, name) for name in Truth.__slots__}
    found["marks"] = [mark_to_dict(mark) for mark in truth.marks]
    for name in ("skills", "positions", "projects"):
        found[name] = [{key: getattr(item, key) for key in type(item).__slots__} for item in found[name]]
    return found


def truth_from_dict(found: dict[str, Any]) -> Truth:
    """What `truth_to_dict` gave, also after a way through JSON."""
    values = dict(found)
    values["sections"] = tuple(tuple(section) for section in found["sections"])
    values["marks"] = tuple(TextMark(**mark) for mark in found["marks"])
    for name, type_ in (("skills", SkillTruth), ("positions", PositionTruth), ("projects", ProjectTruth)):
        values[name] = tuple(type_(**{k: _tuple(v) for k, v in item.items()}) for item in found[name])
    for name in ("education", "certifications", "languages"):
        values[name] = tuple(found[name])
    return Truth(**values)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
