"""What a job asks for, with the place of every demand in the job's text. Unknown is None, never 0 or ""."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evenhand.records.conversion import JsonRecord, from_json
from evenhand.records.document import Warning

PASSAGE_TYPES = ("duties", "requirements", "wishes", "employer", "benefits", "legal", "other")
"""What a stretch of an ad speaks of; only the first three, and `other`, tell who is wanted."""

DEMAND_KINDS = ("skill", "licence", "domain", "task")
"""A licence is flagged where a resume does not name it; domains and tasks are the ad's words for a field or duty."""


def name_of_kind(name: str, kind: str) -> str:
    """How a name is shown: of a licence with the word."""
    return f"Licence: {name}" if kind == "licence" else name


@dataclass(frozen=True, slots=True)
class Place(JsonRecord):
    """Half-open code point offsets into the job's text."""

    start: int
    end: int

    def to_json(self) -> dict[str, Any]:
        return {"start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class Demand(JsonRecord):
    """A skill or licence, or any one of several ("Java or .NET"), and for how many months."""

    skills: tuple[str, ...] = field(metadata={"json": "any_of"})  # canonical names, the first one named first
    must: bool
    months: int | None = None
    most_months: int | None = None  # of a range: "3-5 years"
    places: tuple[Place, ...] = ()
    kind: str = "skill"  # one of DEMAND_KINDS

    @property
    def label(self) -> str:
        """In words: "java or .net", "Licence: registered nurse"."""
        return name_of_kind(" or ".join(self.skills), self.kind)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.skills[0],
            "any_of": list(self.skills),
            "must": self.must,
            "months": self.months,
            "most_months": self.most_months,
            "places": [place.to_json() for place in self.places],
            # Only where it says something: the hashes of jobs on record stay what they are.
            **({"kind": self.kind} if self.kind != "skill" else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Demand:
        return from_json(cls, {"kind": "skill", **data})


@dataclass(frozen=True, slots=True)
class Passage(JsonRecord):
    """A stretch of the text that speaks of one thing."""

    type: str
    place: Place

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type, **self.place.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Passage:
        return cls(data["type"], Place.from_json(data))


@dataclass(frozen=True, slots=True)
class Job(JsonRecord):
    text: str
    title: str | None = None
    demands: tuple[Demand, ...] = field(default=(), metadata={"json": "skills"})
    months: int | None = None  # of experience in all, at least
    most_months: int | None = None
    degree: str | None = None  # the least level, one of DEGREE_LEVELS
    fields: tuple[str, ...] = ()  # of study: "accounting", "finance"
    city: str | None = None
    country: str | None = None
    passages: tuple[Passage, ...] = ()
    warnings: tuple[Warning, ...] = ()  # such as that only part of the ad was read

    @property
    def years(self) -> float | None:
        """As people say it: 5, or 1.5."""
        if self.months is None:
            return None
        return self.months // 12 if self.months % 12 == 0 else round(self.months / 12, 1)

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "text": self.text,
            "skills": [demand.to_json() for demand in self.demands],
            "years": self.years,
            "months": self.months,
            "most_months": self.most_months,
            "degree": self.degree,
            "fields": list(self.fields),
            "city": self.city,
            "country": self.country,
            "passages": [passage.to_json() for passage in self.passages],
            # Only where there are some: the hashes of jobs without stay what they are on record.
            **({"warnings": [warning.to_json() for warning in self.warnings]} if self.warnings else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        return from_json(cls, {"warnings": (), **data})
