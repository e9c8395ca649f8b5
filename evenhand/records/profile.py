"""What was mined from one resume: facts, each with its place in the document's text. Unknown is None, never 0 or ""."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evenhand.records.document import Document, Failure, Warning

SECTION_TYPES = (
    "profile",
    "education",
    "experience",
    "projects",
    "skills",
    "certifications",
    "activities",
    "personal",
    "other",
)
DEGREE_LEVELS = ("other", "highschool", "diploma", "associate", "bachelor", "master", "doctorate")
"""From the lowest to the highest."""

PRESENT = "present"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a value stands: half-open code point offsets into the text, what found it, and how sure that was."""

    start: int
    end: int
    page: int
    method: str  # crf, lexicon, rule, table
    confidence: float  # 0 to 1

    def to_json(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "page": self.page,
            "method": self.method,
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class Fact:
    """A value with its evidence. `surface` is the text at that place; `value` what it was resolved to."""

    value: str
    surface: str
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Section:
    type: str
    heading: str | None
    start: int
    end: int

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type, "heading": self.heading, "start": self.start, "end": self.end}


def _value(fact: Fact | None) -> str | None:
    return fact.value if fact else None


def _places(facts: dict[str, Fact | None]) -> dict[str, Any]:
    return {name: fact.evidence.to_json() for name, fact in facts.items() if fact}


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time as the resume states it; `evidence` is the place of the whole expression."""

    start: str | None  # YYYY-MM or YYYY
    end: str | None  # or "present"
    months: int | None
    evidence: Evidence | None


@dataclass(frozen=True, slots=True)
class Position:
    employer: Fact | None
    title: Fact | None
    city: Fact | None
    period: Period
    skills: tuple[str, ...]  # canonical names of the skills its text mentions
    evidence: Evidence  # of the whole entry

    def to_json(self) -> dict[str, Any]:
        return {
            "employer": _value(self.employer),
            "title": _value(self.title),
            "start": self.period.start,
            "end": self.period.end,
            "months": self.period.months,
            "city": _value(self.city),
            "skills": list(self.skills),
            "evidence": self.evidence.to_json(),
            "places": _places({"employer": self.employer, "title": self.title, "city": self.city})
            | ({"dates": self.period.evidence.to_json()} if self.period.evidence else {}),
        }


@dataclass(frozen=True, slots=True)
class Project:
    name: Fact | None
    client: Fact | None
    role: Fact | None
    period: Period
    skills: tuple[str, ...]
    position: int | None  # index of the job it belongs to
    evidence: Evidence

    def to_json(self) -> dict[str, Any]:
        return {
            "name": _value(self.name),
            "client": _value(self.client),
            "role": _value(self.role),
            "start": self.period.start,
            "end": self.period.end,
            "months": self.period.months,
            "skills": list(self.skills),
            "position": self.position,
            "evidence": self.evidence.to_json(),
            "places": _places({"name": self.name, "client": self.client, "role": self.role})
            | ({"dates": self.period.evidence.to_json()} if self.period.evidence else {}),
        }


@dataclass(frozen=True, slots=True)
class Education:
    university: Fact | None
    degree: Fact | None
    level: str | None
    field: Fact | None
    year: Fact | None
    performance: Fact | None
    evidence: Evidence

    def to_json(self) -> dict[str, Any]:
        facts = {
            "university": self.university,
            "degree": self.degree,
            "field": self.field,
            "year": self.year,
            "performance": self.performance,
        }
        return {
            "university": _value(self.university),
            "degree": _value(self.degree),
            "level": self.level,
            "field": _value(self.field),
            "year": _value(self.year),
            "performance": _value(self.performance),
            "evidence": self.evidence.to_json(),
            "places": _places(facts),
        }


@dataclass(frozen=True, slots=True)
class Certification:
    name: Fact
    year: Fact | None

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name.value,
            "year": _value(self.year),
            "evidence": self.name.evidence.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Skill:
    """`months` is the union of the dated jobs and projects that mention it, `months_sum` their sum."""

    name: str
    surfaces: tuple[str, ...]
    months: int | None
    months_sum: int | None
    last_used: str | None
    evidence: tuple[Evidence, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "surfaces": list(self.surfaces),
            "months": self.months,
            "months_sum": self.months_sum,
            "last_used": self.last_used,
            "evidence": [place.to_json() for place in self.evidence],
        }


@dataclass(frozen=True, slots=True)
class Source:
    """What the profile keeps of the document it was mined from."""

    file: str | None
    sha256: str
    format: str | None
    pages: int
    status: str
    warnings: tuple[Warning, ...]
    error: Failure | None

    @classmethod
    def of(cls, document: Document) -> Source:
        return cls(
            document.file,
            document.sha256,
            document.format,
            document.pages,
            document.status,
            document.warnings,
            document.error,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "sha256": self.sha256,
            "format": self.format,
            "pages": self.pages,
            "status": self.status,
            "warnings": [warning.to_json() for warning in self.warnings],
            "error": self.error.to_json() if self.error else None,
        }


@dataclass(frozen=True, slots=True)
class Profile:
    document: Source
    as_of: str  # the month that "present" means
    name: Fact | None = None
    emails: tuple[Fact, ...] = ()
    phones: tuple[Fact, ...] = ()
    links: tuple[Fact, ...] = ()
    city: Fact | None = None
    country: str | None = None
    sections: tuple[Section, ...] = ()
    positions: tuple[Position, ...] = ()
    projects: tuple[Project, ...] = ()
    education: tuple[Education, ...] = ()
    certifications: tuple[Certification, ...] = ()
    skills: tuple[Skill, ...] = ()
    languages: tuple[Fact, ...] = ()
    total_months: int | None = None
    relevant_months: int | None = None
    highest_degree: str | None = None
    warnings: tuple[Warning, ...] = field(
        default=()
    )  # about the facts; those about the file are in `document`

    def to_json(self) -> dict[str, Any]:
        contact = {"name": self.name, "city": self.city}
        return {
            "document": self.document.to_json(),
            "as_of": self.as_of,
            "name": _value(self.name),
            "emails": [fact.value for fact in self.emails],
            "phones": [fact.value for fact in self.phones],
            "links": [fact.value for fact in self.links],
            "city": _value(self.city),
            "country": self.country,
            "sections": [section.to_json() for section in self.sections],
            "positions": [position.to_json() for position in self.positions],
            "projects": [project.to_json() for project in self.projects],
            "education": [entry.to_json() for entry in self.education],
            "certifications": [entry.to_json() for entry in self.certifications],
            "skills": [skill.to_json() for skill in self.skills],
            "languages": [fact.value for fact in self.languages],
            "total_months": self.total_months,
            "relevant_months": self.relevant_months,
            "highest_degree": self.highest_degree,
            "places": _places(contact)
            | {
                kind: [fact.evidence.to_json() for fact in facts]
                for kind, facts in (
                    ("emails", self.emails),
                    ("phones", self.phones),
                    ("links", self.links),
                    ("languages", self.languages),
                )
                if facts
            },
            "warnings": [warning.to_json() for warning in self.warnings],
        }
