"""What is true of one generated resume, in the form in which it is stored and compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evenhand.corpora.manuscript import Mark


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
    marks: tuple[Mark, ...]
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
