"""What was mined from one resume: facts, each with its place in the document's text. Unknown is None, never 0 or ""."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.records.conversion import JsonRecord
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

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evidence:
        return cls(data["start"], data["end"], data["page"], data["method"], data["confidence"])


@dataclass(frozen=True, slots=True)
class Fact:
    """A value with its evidence. `surface` is the text at that place; `value` what it was resolved to."""

    value: str
    surface: str
    evidence: Evidence

    @classmethod
    def from_json(cls, value: str, place: Mapping[str, Any], text: str) -> Fact:
        evidence = Evidence.from_json(place)
        return cls(value, text[evidence.start : evidence.end], evidence)


@dataclass(frozen=True, slots=True)
class Section(JsonRecord):
    type: str
    heading: str | None
    start: int
    end: int

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type, "heading": self.heading, "start": self.start, "end": self.end}


def _value(fact: Fact | None) -> str | None:
    return fact.value if fact else None


def _places(**facts: Fact | Period | None) -> dict[str, Any]:
    return {name: fact.evidence.to_json() for name, fact in facts.items() if fact and fact.evidence}


def _facts(data: Mapping[str, Any], text: str, *names: str) -> dict[str, Fact | None]:
    """The other way: values in `data`, their evidence in its `places`."""
    places = data["places"]
    return {name: Fact.from_json(data[name], places[name], text) if name in places else None for name in names}


def _fact_list(data: Mapping[str, Any], text: str, name: str) -> tuple[Fact, ...]:
    places: Sequence[Mapping[str, Any]] = data["places"].get(name, ())
    return tuple(Fact.from_json(value, place, text) for value, place in zip(data[name], places, strict=True))


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time as the resume states it; `evidence` is the place of the whole expression."""

    start: str | None  # YYYY-MM or YYYY
    end: str | None  # or "present"
    months: int | None
    evidence: Evidence | None

    def dates(self) -> dict[str, Any]:
        """For the JSON form of the entry it belongs to, whose places have the evidence."""
        return {"start": self.start, "end": self.end, "months": self.months}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Period:
        """From the entry it belongs to."""
        place = data["places"].get("dates")
        return cls(data["start"], data["end"], data["months"], Evidence.from_json(place) if place else None)


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
            **self.period.dates(),
            "city": _value(self.city),
            "skills": list(self.skills),
            "evidence": self.evidence.to_json(),
            "places": _places(employer=self.employer, title=self.title, city=self.city, dates=self.period),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], text: str) -> Position:
        return cls(
            **_facts(data, text, "employer", "title", "city"),
            period=Period.from_json(data),
            skills=tuple(data["skills"]),
            evidence=Evidence.from_json(data["evidence"]),
        )


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
            **self.period.dates(),
            "skills": list(self.skills),
            "position": self.position,
            "evidence": self.evidence.to_json(),
            "places": _places(name=self.name, client=self.client, role=self.role, dates=self.period),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], text: str) -> Project:
        return cls(
            **_facts(data, text, "name", "client", "role"),
            period=Period.from_json(data),
            skills=tuple(data["skills"]),
            position=data["position"],
            evidence=Evidence.from_json(data["evidence"]),
        )


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
        return {
            "university": _value(self.university),
            "degree": _value(self.degree),
            "level": self.level,
            "field": _value(self.field),
            "year": _value(self.year),
            "performance": _value(self.performance),
            "evidence": self.evidence.to_json(),
            "places": _places(
                university=self.university,
                degree=self.degree,
                field=self.field,
                year=self.year,
                performance=self.performance,
            ),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], text: str) -> Education:
        return cls(
            **_facts(data, text, "university", "degree", "field", "year", "performance"),
            level=data["level"],
            evidence=Evidence.from_json(data["evidence"]),
        )


@dataclass(frozen=True, slots=True)
class Certification:
    name: Fact
    year: Fact | None

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name.value,
            "year": _value(self.year),
            "evidence": self.name.evidence.to_json(),
            "places": _places(year=self.year),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], text: str) -> Certification:
        name = Fact.from_json(data["name"], data["evidence"], text)
        return cls(name, _facts(data, text, "year")["year"])


@dataclass(frozen=True, slots=True)
class Skill(JsonRecord):
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
class Source(JsonRecord):
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
    warnings: tuple[Warning, ...] = ()  # about the facts; those about the file are in `document`
    removed_skills: tuple[str, ...] = ()  # by a person: what their words say in the text is not these skills

    def to_json(self) -> dict[str, Any]:
        lists = {"emails": self.emails, "phones": self.phones, "links": self.links, "languages": self.languages}
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
            "places": {
                **_places(name=self.name, city=self.city),
                **{name: [fact.evidence.to_json() for fact in facts] for name, facts in lists.items() if facts},
            },
            "warnings": [warning.to_json() for warning in self.warnings],
            **({"removed_skills": list(self.removed_skills)} if self.removed_skills else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], text: str) -> Profile:
        """`text` is that of the document, from which every fact takes its surface."""
        return cls(
            document=Source.from_json(data["document"]),
            as_of=data["as_of"],
            **_facts(data, text, "name", "city"),
            emails=_fact_list(data, text, "emails"),
            phones=_fact_list(data, text, "phones"),
            links=_fact_list(data, text, "links"),
            languages=_fact_list(data, text, "languages"),
            country=data["country"],
            sections=tuple(map(Section.from_json, data["sections"])),
            positions=tuple(Position.from_json(entry, text) for entry in data["positions"]),
            projects=tuple(Project.from_json(entry, text) for entry in data["projects"]),
            education=tuple(Education.from_json(entry, text) for entry in data["education"]),
            certifications=tuple(Certification.from_json(entry, text) for entry in data["certifications"]),
            skills=tuple(map(Skill.from_json, data["skills"])),
            total_months=data["total_months"],
            relevant_months=data["relevant_months"],
            highest_degree=data["highest_degree"],
            warnings=tuple(map(Warning.from_json, data["warnings"])),
            removed_skills=tuple(data.get("removed_skills", ())),
        )
