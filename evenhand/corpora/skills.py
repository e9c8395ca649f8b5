"""Skills: their names and the forms people write, since when they exist, and in which versions at the time."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache

from evenhand.corpora import lexicon
from evenhand.corpora.career import Month, Use, year_of
from evenhand.corpora.rng import chance

_MENTION = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Skill:
    name: str  # canonical
    surfaces: tuple[str, ...]  # every form people write, the canonical name first
    domain: str  # it, office, finance, health...
    group: str  # language, database, software, method, skill...
    year: int  # nobody used it before
    until: int | None  # hardly anybody after
    versions: tuple[tuple[str, int], ...]  # with the year each came out, oldest first
    together: tuple[str, ...]  # what is used along with it


@cache
def skills() -> dict[str, Skill]:
    """All skills by their canonical name."""
    return {row["name"]: _read(row) for row in lexicon.rows("skills.csv")}


def _read(row: dict[str, str]) -> Skill:
    versions = (cell.rsplit(":", 1) for cell in lexicon.parts(row["versions"]))
    return Skill(
        name=row["name"],
        surfaces=(row["name"], *lexicon.parts(row["surfaces"])),
        domain=row["domain"],
        group=row["group"],
        year=int(row["year"]),
        until=int(row["until"]) if row["until"] else None,
        versions=tuple((version, int(year)) for version, year in versions),
        together=lexicon.parts(row["together"]),
    )


def surfaces(name: str) -> tuple[str, ...]:
    """The forms of a skill; a name the lexicon does not know has only itself."""
    entry = skills().get(name)
    return entry.surfaces if entry else (name,)


def existed(name: str, at: Month) -> bool:
    """Whether work that began in that month could use the skill, and people still did."""
    entry = skills()[name]
    return entry.year <= year_of(at) and (entry.until is None or year_of(at) <= entry.until)


def version_at(rng: random.Random, name: str, at: Month) -> str | None:
    """A version in use then: the newest, or the one before while the newest is young; None when all are old."""
    now = year_of(at)
    out = [(version, year) for version, year in skills()[name].versions if year <= now]
    if not out or now - out[-1][1] > 8:
        return None
    is_young = now - out[-1][1] <= 3
    return out[-2][0] if len(out) > 1 and is_young and chance(rng, 0.45) else out[-1][0]


def use_at(rng: random.Random, name: str, at: Month) -> Use:
    return Use(name, version_at(rng, name, at))


def mentions(duty: str) -> tuple[str, ...]:
    """The skills a duty names: it holds them in braces, by canonical name ("build screens in {JSP}")."""
    return tuple(_MENTION.findall(duty))
