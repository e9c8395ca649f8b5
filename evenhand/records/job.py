"""What a job asks for, with the place of every demand in the job's text. Unknown is None, never 0 or ""."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PASSAGE_TYPES = ("duties", "requirements", "wishes", "employer", "benefits", "legal", "other")
"""What a stretch of an ad speaks of; only the first three, and `other`, tell who is wanted."""


@dataclass(frozen=True, slots=True)
class Place:
    """Half-open code point offsets into the job's text."""

    start: int
    end: int

    def to_json(self) -> dict[str, int]:
        return {"start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class Demand:
    """A skill, or any one of several ("Java or .NET"), and for how many months."""

    skills: tuple[str, ...]  # canonical names, the first one named first
    must: bool
    months: int | None = None
    most_months: int | None = None  # of a range: "3-5 years"
    places: tuple[Place, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.skills[0],
            "any_of": list(self.skills),
            "must": self.must,
            "months": self.months,
            "most_months": self.most_months,
            "places": [place.to_json() for place in self.places],
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Demand:
        return cls(
            tuple(value["any_of"]),
            value["must"],
            value["months"],
            value["most_months"],
            tuple(Place(**place) for place in value["places"]),
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of the text that speaks of one thing."""

    type: str
    place: Place

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type, **self.place.to_json()}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Passage:
        return cls(value["type"], Place(value["start"], value["end"]))


@dataclass(frozen=True, slots=True)
class Job:
    text: str
    title: str | None = None
    demands: tuple[Demand, ...] = ()
    months: int | None = None  # of experience in all, at least
    most_months: int | None = None
    degree: str | None = None  # the least level, one of DEGREE_LEVELS
    fields: tuple[str, ...] = ()  # of study: "accounting", "finance"
    city: str | None = None
    country: str | None = None
    passages: tuple[Passage, ...] = ()

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
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Job:
        return cls(
            text=value["text"],
            title=value["title"],
            demands=tuple(Demand.from_json(demand) for demand in value["skills"]),
            months=value["months"],
            most_months=value["most_months"],
            degree=value["degree"],
            fields=tuple(value["fields"]),
            city=value["city"],
            country=value["country"],
            passages=tuple(Passage.from_json(passage) for passage in value["passages"]),
        )
