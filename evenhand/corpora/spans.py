"""How long something was done, as far as the written text says so: dated jobs and projects that mention it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from evenhand.corpora.career import Career, Month, Period
from evenhand.corpora.manuscript import Plain, Section, Table

_PART = re.compile(r"^job (\d+)(?: project (\d+))?$")
TIMES = frozenset({"date", "duration"})


@dataclass(frozen=True, slots=True)
class Statement:
    """A labelled run, with the type of the section it stands in."""

    section: str
    label: str
    value: str | None
    of: str | None


def statements(sections: Iterable[Section]) -> Iterator[Statement]:
    for section in sections:
        for block in section.blocks:
            rows = block.rows if isinstance(block, Table) else ((block.words, block.aside),)
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
class Written:
    """What a text says of a career: which parts it names, dates, and of which skills they tell."""

    named: frozenset[str]  # parts with an employer's or a project's name
    dated: frozenset[str]  # parts with a date or a duration
    years_only: frozenset[str]  # parts with nothing better than a year
    lengths_only: frozenset[str]  # parts with a duration and no date
    skills: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)  # name -> (part, section)


def gather(found: Iterable[Statement]) -> Written:
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
    return Written(
        frozenset(named),
        frozenset(dates | lengths),
        frozenset(dates - exact),
        frozenset(lengths - dates),
        {name: tuple(places) for name, places in skills.items()},
    )


def part_period(career: Career, part: str) -> Period | None:
    match = _PART.match(part)
    if match is None:
        return None
    job = career.jobs[int(match[1])]
    return job.projects[int(match[2])].period if match[2] else job.period


def skill_periods(career: Career, written: Written, name: str) -> list[Period]:
    """The periods that count for a skill. A project without dates inside a dated job inherits the job's, and a job
    counts once: where it is in itself evidence, its projects add nothing."""
    jobs: dict[int, Period] = {}
    projects: dict[tuple[int, int], Period] = {}
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


def union_months(periods: Iterable[Period], as_of: Month) -> int:
    """Months covered by at least one of the periods."""
    total = 0
    reached: Month | None = None
    for start, last in sorted((period.start, period.last(as_of)) for period in periods):
        first = start if reached is None else max(start, reached + 1)
        total += max(0, last - first + 1)
        reached = last if reached is None else max(reached, last)
    return total


def sum_months(periods: Iterable[Period], as_of: Month) -> int:
    """Recruiter's rule: every period in full, overlaps twice."""
    return sum(period.months(as_of) for period in periods)


def skill_months(career: Career, sections: Iterable[Section]) -> dict[str, int]:
    """Union of months per skill, of those that dated text mentions."""
    written = gather(statements(sections))
    found = {name: skill_periods(career, written, name) for name in written.skills}
    return {name: union_months(periods, career.as_of) for name, periods in found.items() if periods}


def job_periods(career: Career, written: Written, *, only_relevant: bool = False) -> list[Period]:
    """Paid jobs that the text names and dates."""
    return [
        job.period
        for place, job in enumerate(career.jobs)
        if f"job {place}" in written.named & written.dated
        and job.is_paid
        and (job.is_relevant or not only_relevant)
    ]


def relevant_months(career: Career, sections: Iterable[Section]) -> int:
    """Months of paid work in the occupation, as written."""
    written = gather(statements(sections))
    return union_months(job_periods(career, written, only_relevant=True), career.as_of)
