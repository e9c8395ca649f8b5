"""What a screener asked for: the job, her words, the facet values she ticked and the skills she insists on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NOT_STATED = "not stated"
"""A facet value of its own: a resume that does not say is neither zero nor left out."""

FACETS = ("source", "degree", "total_years", "relevant_years", "city", "status", "skill")


@dataclass(frozen=True, slots=True)
class SkillCondition:
    """A skill the resume must have; with a bound, only months that the resume dates count."""

    name: str
    at_least: int | None = None
    at_most: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "at_least": self.at_least, "at_most": self.at_most}


@dataclass(frozen=True, slots=True)
class Criteria:
    """Values of one facet are alternatives, facets and skills all have to hold; plain words of `text` only rank."""

    job: str | None = None  # None: applications for any job
    text: str = ""
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    skills: tuple[SkillCondition, ...] = ()
    ranker: str = "best"
    strict_counts: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "job": self.job,
            "text": self.text,
            "facets": {name: list(values) for name, values in sorted(self.facets.items())},
            "skills": [skill.to_json() for skill in self.skills],
            "ranker": self.ranker,
            "strict_counts": self.strict_counts,
        }
