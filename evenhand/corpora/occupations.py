"""Occupations as their lexicons describe them: titles, employers, degrees, skills, and what people do there."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from evenhand.corpora import lexicon
from evenhand.corpora.career import Period
from evenhand.corpora.skills import mentions
from evenhand.corpora.slots import fill

_BRIEF = ("Intern", "Trainee", "Summer", "Student Teacher")
"""Titles nobody holds for longer than a year."""


@dataclass(frozen=True, slots=True)
class Occupation:
    name: str  # of the lexicon
    title: str
    employers: tuple[str, ...]
    ladder: tuple[tuple[str, ...], ...]  # titles, rising
    degrees: tuple[tuple[Any, ...], ...]  # degree, fields, weight
    skills: tuple[str, ...]
    software: tuple[str, ...]
    certificates: tuple[tuple[Any, ...], ...]  # name, issuer, how often
    duties: tuple[str, ...]
    grown: tuple[str, ...]  # duties of those who are past the first rung
    lead: tuple[str, ...]  # duties of those who lead others
    slots: dict[str, list[str]]
    groups: dict[str, list[str]]  # slots that are filled with skills
    first_rung: int

    def title_at(self, rng: random.Random, rung: int, period: Period, months: int) -> str:
        titles = self.ladder[rung]
        if months > 12 or period.end is None:
            titles = tuple(title for title in titles if not any(word in title for word in _BRIEF)) or titles
        return fill(rng, rng.choice(titles), self.slots)


@cache
def occupation(name: str, country: str = "United States") -> Occupation:
    """The occupation as it is in the country: without skills and certificates that only the United States know."""
    entry = lexicon.table(f"mixed/{name}.toml")
    duties = [duty for duty in entry["duties"] if not duty.startswith("^")]
    found = Occupation(
        name=name,
        title=entry["title"],
        employers=tuple(entry["employers"]),
        ladder=tuple(tuple(titles) for titles in entry["ladder"]),
        degrees=tuple(tuple(row) for row in entry["degrees"]),
        skills=tuple(entry["skills"]),
        software=tuple(entry["software"]),
        certificates=tuple(tuple(row) for row in entry["certificates"]),
        duties=tuple(duties),
        grown=tuple(duty[1:] for duty in entry["duties"] if duty.startswith("^")),
        lead=tuple(entry["lead"]),
        slots={**entry["slots"], "currency": lexicon.table("places.toml")[country]["currency"]},
        groups={"software": entry["software"], "skill": entry["skills"], **entry.get("groups", {})},
        first_rung=entry.get("first_rung", 0),
    )
    return found if country == "United States" else _abroad(found)


def occupations() -> tuple[str, ...]:
    return lexicon.names("mixed")


def _abroad(trade: Occupation) -> Occupation:
    american = lexicon.table("places.toml")["american"]
    skills, issuers = set(american["skills"]), set(american["issuers"])

    def kept(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text for text in texts if not skills.intersection(mentions(text)))

    return replace(
        trade,
        skills=tuple(name for name in trade.skills if name not in skills),
        software=tuple(name for name in trade.software if name not in skills),
        certificates=tuple(row for row in trade.certificates if row[1] not in issuers),
        duties=kept(trade.duties),
        grown=kept(trade.grown),
        lead=kept(trade.lead),
        slots={slot: list(kept(tuple(words))) for slot, words in trade.slots.items()},
        groups={slot: [name for name in names if name not in skills] for slot, names in trade.groups.items()},
    )
