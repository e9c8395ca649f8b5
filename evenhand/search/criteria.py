"""What a screener asked for: the job, the words typed, the facet values ticked and the skills insisted on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evenhand.errors import FilterError
from evenhand.records.conversion import JsonRecord, to_json
from evenhand.records.profile import Profile

NOT_STATED = "not stated"
"""A facet value of its own: a resume that does not say is neither zero nor left out."""

FACETS = ("source", "degree", "total_years", "relevant_years", "city", "status", "skill")


@dataclass(frozen=True, slots=True)
class SkillCondition(JsonRecord):
    """A skill the resume must have; with a bound, only months that the resume dates count."""

    name: str
    at_least: int | None = None
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class Criteria:
    """Values of one facet are alternatives, facets and skills all have to hold; plain words of `text` only rank."""

    job: str | None = None  # None: applications for any job
    text: str = ""
    facets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    skills: tuple[SkillCondition, ...] = ()
    ranker: str = "best"
    strict_counts: bool = False
    masked: tuple[str, ...] = ()  # kinds that whoever asks may not see: what is masked is not found either

    def to_json(self) -> dict[str, Any]:
        values = to_json(self)
        masked = values.pop("masked")
        return {**values, "facets": dict(sorted(values["facets"].items())), **({"masked": masked} if masked else {})}


# Conditions on a skill's months: "java>=36" as it is typed, and whether a Profile fulfils it.

CONDITION = re.compile(
    r"(?P<skill>[^<>=]*[^<>=\s])\s*"
    r"(?:(?P<sign>>=|<=)\s*(?P<months>[0-9]{1,4})|=\s*(?P<first>[0-9]{1,4})\s*-\s*(?P<last>[0-9]{1,4}))?"
)


def parse_skill(typed: str, *, canonical: Callable[[str], str]) -> SkillCondition:
    """From NAME, NAME>=MONTHS, NAME<=MONTHS or NAME=FIRST-LAST."""
    match = CONDITION.fullmatch(typed.strip())
    if not match:
        raise FilterError(f"A skill is asked for like java, java>=36, java<=60 or java=24-60, not {typed!r}.")
    name = canonical(match["skill"])
    if match["first"]:
        first, last = int(match["first"]), int(match["last"])
        if first > last:
            raise FilterError(f"In {typed!r} the range ends before it begins.")
        return SkillCondition(name, first, last)
    months = int(match["months"]) if match["sign"] else None
    return SkillCondition(name, None, months) if match["sign"] == "<=" else SkillCondition(name, months)


def fulfils(profile: Profile, conditions: Iterable[SkillCondition]) -> bool:
    """All of them. Where months are asked for, only those that the resume dates count."""
    months = {skill.name: skill.months for skill in profile.skills}
    return all(condition.name in months and _is_within(months[condition.name], condition) for condition in conditions)


def _is_within(months: int | None, condition: SkillCondition) -> bool:
    if condition.at_least is None and condition.at_most is None:
        return True
    if months is None:
        return False
    return (condition.at_least or 0) <= months and (condition.at_most is None or months <= condition.at_most)
