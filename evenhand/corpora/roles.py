"""Roles of an IT services company as their lexicons describe them, and the projects such companies do for clients."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

from evenhand.corpora import lexicon
from evenhand.corpora.career import Month, year_of
from evenhand.corpora.rng import chance
from evenhand.corpora.skills import existed, skills
from evenhand.corpora.slots import fill

INDUSTRIES = (
    "banking",
    "insurance",
    "telecom",
    "retail",
    "healthcare",
    "manufacturing",
    "travel",
    "government",
    "energy",
)


@dataclass(frozen=True, slots=True)
class Pick:
    """So many of these skills go into a project."""

    least: int
    most: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Role:
    name: str  # of the lexicon
    title: str
    ladder: tuple[tuple[str, ...], ...]
    roles: tuple[str, ...]  # in a project
    core: tuple[str, ...]
    picks: tuple[Pick, ...]
    certificates: tuple[tuple[Any, ...], ...]  # name, issuer, how often, from year, to year
    duties: tuple[str, ...]
    shared: tuple[str, ...]  # what everybody does in such companies
    grown: tuple[str, ...]  # the same for those who are past the first rung
    lead: tuple[str, ...]
    slots: dict[str, list[str]]
    groups: dict[str, list[str]]

    def all_skills(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.core, *(name for pick in self.picks for name in pick.names))))


@cache
def role(name: str) -> Role:
    entry, shared = lexicon.table(f"it/{name}.toml"), lexicon.table("it/_shared.toml")
    return Role(
        name=name,
        title=entry["title"],
        ladder=tuple(tuple(titles) for titles in entry["ladder"]),
        roles=tuple(entry["roles"]),
        core=tuple(entry["core"]),
        picks=tuple(Pick(least, most, tuple(names)) for least, most, names in entry["picks"]),
        certificates=tuple(tuple(row) for row in entry["certificates"]),
        duties=tuple(entry["duties"]),
        shared=tuple(duty for duty in shared["duties"] if not duty.startswith("^")),
        grown=tuple(duty[1:] for duty in shared["duties"] if duty.startswith("^")),
        lead=tuple(shared["lead"]),
        slots={**shared["slots"], **entry.get("slots", {})},
        groups={**shared["groups"], **entry.get("groups", {})},
    )


def roles() -> tuple[str, ...]:
    return tuple(name for name in lexicon.names("it") if not name.startswith("_"))


def sample_stack(rng: random.Random, of: Role, known: set[str], at: Month) -> list[str]:
    """The technologies of a project that began in month `at`: what the person knows, what there was, rather the new."""
    found = [name for name in of.core if existed(name, at)]
    for pick in of.picks:
        there = [name for name in pick.names if existed(name, at)]
        mine = [name for name in there if name in known] or there
        count = min(len(mine), rng.randint(pick.least, pick.most))
        while count > 0:
            name = rng.choices(mine, [_appeal(one, at) for one in mine])[0]
            mine = [one for one in mine if one != name]
            found.append(name)
            count -= 1
    if chance(rng, 0.3):  # one more that goes with the rest
        along = [name for one in found for name in skills()[one].together if existed(name, at)]
        found += [rng.choice(along)] if along else []
    return list(dict.fromkeys(found))


def _appeal(name: str, at: Month) -> float:
    age = year_of(at) - skills()[name].year
    return 1.8 if age <= 9 else 1.0


@dataclass(frozen=True, slots=True)
class Engagement:
    """What a project is about and for whom."""

    name: str
    client: str | None
    words: dict[str, list[str]]  # of the industry, for duties


def sample_engagement(rng: random.Random, industry: str, currency: list[str]) -> Engagement:
    table = lexicon.table("industries.toml")
    entry = table[industry]
    system = rng.choice(entry["system"])
    words = {
        "module": rng.sample(entry["module"], 5),
        "other_module": rng.sample(entry["module"], 2),
        "entity": rng.sample(entry["entity"], 3),
        "user": rng.sample(entry["user"], 3),
        "rule": rng.sample(entry["rule"], 2),
        "system_short": [_acronym(system)],
        "currency": currency,
    }
    return Engagement(_project_name(rng, system), _client(rng, table, entry), words)


def _acronym(system: str) -> str:
    letters = "".join(word[0] for word in system.replace("-", " ").split() if word[0].isupper())
    return letters if len(letters) > 2 else system


def _project_name(rng: random.Random, system: str) -> str:
    short = _acronym(system)
    name = f"{system} ({short})" if short != system and chance(rng, 0.35) else system
    return name + rng.choice(["", "", "", "", " - Phase II", " Enhancements", " Support", " Upgrade"])


def _client(rng: random.Random, table: dict[str, Any], entry: dict[str, Any]) -> str | None:
    """Mostly a description, sometimes a name of parts; now and then nothing, for contracts forbid it."""
    draw = rng.random()
    if draw < 0.12:
        return None
    if draw < 0.5:
        stems = lexicon.table("employers.toml")["stems"]["coined"]
        return fill(rng, rng.choice(entry["named"]), {"stem": stems, "agency": entry.get("agency", [])})
    return fill(rng, rng.choice(table["clients"]["generic"]), {**table["clients"], "kind": entry["kind"]})
