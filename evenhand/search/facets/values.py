"""Facets as a screener sees them: values with counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FacetValue:
    value: str
    count: int
    chosen: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"value": self.value, "count": self.count, "chosen": self.chosen}


@dataclass(frozen=True, slots=True)
class Facet:
    """`others` is the sum of the counts not shown; `total` the candidates counted on."""

    name: str
    values: tuple[FacetValue, ...]
    others: int
    total: int

    def to_json(self) -> dict[str, Any]:
        values = [value.to_json() for value in self.values]
        return {"name": self.name, "values": values, "others": self.others, "total": self.total}


@dataclass(frozen=True, slots=True)
class SkillMonths:
    """How long those who have a skill used it, for the skills of the criteria."""

    skill: str
    bands: tuple[FacetValue, ...]

    def to_json(self) -> dict[str, Any]:
        return {"skill": self.skill, "bands": [band.to_json() for band in self.bands]}


@dataclass(frozen=True, slots=True)
class Facets:
    total: int  # candidates that fulfil all criteria
    facets: tuple[Facet, ...]
    skill_months: tuple[SkillMonths, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "total": self.total,
            "facets": [facet.to_json() for facet in self.facets],
            "skill_months": [skill.to_json() for skill in self.skill_months],
        }
