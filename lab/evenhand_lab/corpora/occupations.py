"""Occupations as their lexicons describe them: titles, employers, degrees, skills, and what people do there."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerPeriod, CareerSkill, Month, year_of
from evenhand_lab.corpora.lexicon import chance, fill
from evenhand_lab.corpora.people import CorpusCity

# Skills: their names and the forms people write, since when they exist, and in which versions at the time.


_MENTION = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class CorpusSkill:
    name: str  # canonical
    surfaces: tuple[str, ...]  # every form people write, the canonical name first
    domain: str  # it, office, finance, health...
    group: str  # language, database, software, method, skill...
    year: int  # nobody used it before
    until: int | None  # hardly anybody after
    versions: tuple[tuple[str, int], ...]  # with the year each came out, oldest first
    together: tuple[str, ...]  # what is used along with it


@cache
def skills() -> dict[str, CorpusSkill]:
    """All skills by their canonical name."""
    return {
        row["name"]: CorpusSkill(
            name=row["name"],
            surfaces=(row["name"], *lexicon.parts(row["surfaces"])),
            domain=row["domain"],
            group=row["group"],
            year=int(row["year"]),
            until=int(row["until"]) if row["until"] else None,
            versions=tuple(
                (cell.rsplit(":", 1)[0], int(cell.rsplit(":", 1)[1])) for cell in lexicon.parts(row["versions"])
            ),
            together=lexicon.parts(row["together"]),
        )
        for row in lexicon.rows("skills.csv")
    }


def surfaces(name: str) -> tuple[str, ...]:
    """The forms of a skill; a name the lexicon does not know has only itself."""
    entry = skills().get(name)
    return entry.surfaces if entry else (name,)


def existed(name: str, at: Month) -> bool:
    """Whether work that began in that month could use the skill, and people still did."""
    entry = skills()[name]
    return entry.year <= year_of(at) and (entry.until is None or year_of(at) <= entry.until)


def use_at(rng: random.Random, name: str, at: Month) -> CareerSkill:
    """With a version in use then: the newest, or the one before while the newest is young; none when all are old."""
    now = year_of(at)
    out = [(version, year) for version, year in skills()[name].versions if year <= now]
    if not out or now - out[-1][1] > 8:
        return CareerSkill(name)
    is_young = now - out[-1][1] <= 3
    return CareerSkill(name, out[-2][0] if len(out) > 1 and is_young and chance(rng, 0.45) else out[-1][0])


def mentions(duty: str) -> tuple[str, ...]:
    """The skills a duty names: it holds them in braces, by canonical name ("build screens in {JSP}")."""
    return tuple(_MENTION.findall(duty))


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

    def title_at(self, rng: random.Random, rung: int, period: CareerPeriod, months: int) -> str:
        titles = self.ladder[rung]
        if months > 12 or period.end is None:
            titles = tuple(title for title in titles if not any(word in title for word in _BRIEF)) or titles
        return fill(rng, rng.choice(titles), self.slots)


@cache
def occupation(name: str, country: str = "United States") -> Occupation:
    """The occupation as it is in the country: without skills and certificates that only the United States know."""
    entry = lexicon.table(f"mixed/{name}.toml")
    trade = Occupation(
        name=name,
        title=entry["title"],
        **_tuples(entry, "employers", "ladder", "degrees", "skills", "software", "certificates", "lead"),
        duties=tuple(duty for duty in entry["duties"] if not duty.startswith("^")),
        grown=tuple(duty[1:] for duty in entry["duties"] if duty.startswith("^")),
        slots={**entry["slots"], "currency": lexicon.table("places.toml")[country]["currency"]},
        groups={"software": entry["software"], "skill": entry["skills"], **entry.get("groups", {})},
        first_rung=entry.get("first_rung", 0),
    )
    return trade if country == "United States" else _abroad(trade)


def _tuples(entry: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Lists of a lexicon, and the lists in them, as tuples."""
    return {name: lexicon.frozen(entry[name]) for name in names}


def occupations() -> tuple[str, ...]:
    return lexicon.names("mixed")


def _abroad(trade: Occupation) -> Occupation:
    american = lexicon.table("places.toml")["american"]
    skills, issuers = set(american["skills"]), set(american["issuers"])

    def known(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(text for text in texts if not skills.intersection(mentions(text)))

    return replace(
        trade,
        skills=tuple(name for name in trade.skills if name not in skills),
        software=tuple(name for name in trade.software if name not in skills),
        certificates=tuple(row for row in trade.certificates if row[1] not in issuers),
        duties=known(trade.duties),
        grown=known(trade.grown),
        lead=known(trade.lead),
        slots={slot: list(known(words)) for slot, words in trade.slots.items()},
        groups={slot: [name for name in names if name not in skills] for slot, names in trade.groups.items()},
    )


# Roles of an IT services company as their lexicons describe them, and the projects such companies do for
# clients.

INDUSTRIES = (
    "banking", "insurance", "telecom", "retail", "healthcare", "manufacturing", "travel", "government", "energy",
)  # fmt: skip


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
        **_tuples(entry, "ladder", "roles", "core", "certificates", "duties"),
        **_tuples(shared, "lead"),
        picks=tuple(Pick(least, most, tuple(names)) for least, most, names in entry["picks"]),
        shared=tuple(duty for duty in shared["duties"] if not duty.startswith("^")),
        grown=tuple(duty[1:] for duty in shared["duties"] if duty.startswith("^")),
        slots={**shared["slots"], **entry.get("slots", {})},
        groups={**shared["groups"], **entry.get("groups", {})},
    )


def roles() -> tuple[str, ...]:
    return tuple(name for name in lexicon.names("it") if not name.startswith("_"))


def sample_stack(rng: random.Random, of: Role, known: set[str], at: Month) -> list[str]:
    """The technologies of a project that began in month `at`: what the person knows, what there was, rather the new."""
    stack = [name for name in of.core if existed(name, at)]
    for pick in of.picks:
        there = [name for name in pick.names if existed(name, at)]
        mine = [name for name in there if name in known] or there
        for _ in range(min(len(mine), rng.randint(pick.least, pick.most))):
            appeal = [1.8 if year_of(at) - skills()[name].year <= 9 else 1.0 for name in mine]
            chosen = rng.choices(mine, appeal)[0]
            mine = [name for name in mine if name != chosen]
            stack.append(chosen)
    if chance(rng, 0.3):  # one more that goes with the rest
        along = [name for one in stack for name in skills()[one].together if existed(name, at)]
        stack += [rng.choice(along)] if along else []
    return list(dict.fromkeys(stack))


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
    short = _acronym(system)
    words = {
        "module": rng.sample(entry["module"], 5),
        "other_module": rng.sample(entry["module"], 2),
        "entity": rng.sample(entry["entity"], 3),
        "user": rng.sample(entry["user"], 3),
        "rule": rng.sample(entry["rule"], 2),
        "system_short": [short],
        "currency": currency,
    }
    name = f"{system} ({short})" if short != system and chance(rng, 0.35) else system
    name += rng.choice(["", "", "", "", " - Phase II", " Enhancements", " Support", " Upgrade"])
    # The client is mostly a description, sometimes a name of parts; now and then nothing, for contracts forbid it.
    client = None
    draw = rng.random()
    if draw >= 0.5:
        client = fill(rng, rng.choice(table["clients"]["generic"]), {**table["clients"], "kind": entry["kind"]})
    elif draw >= 0.12:
        stems = lexicon.table("employers.toml")["stems"]["coined"]
        client = fill(rng, rng.choice(entry["named"]), {"stem": stems, "agency": entry.get("agency", [])})
    return Engagement(name, client, words)


def _acronym(system: str) -> str:
    letters = "".join(word[0] for word in system.replace("-", " ").split() if word[0].isupper())
    return letters if len(letters) > 2 else system


# What someone did in a job: phrases of the occupation, with the numbers, objects and skills of this one job.
#
# A duty is a verb phrase in its base form ("post {Accounts Payable} for 14 branches"); skills stand in braces
# under their canonical names, every other slot is filled. The writer puts it into a tense and names the
# skills its own way.


Words = Mapping[str, Sequence[str]]

_NAMED = re.compile(r"\{([a-z_]+)(?::[^{}]*)?\}")


def sample_duties(
    rng: random.Random,
    patterns: Sequence[str],
    words: Words,
    *,
    at: Month,
    count: int,
    avoid: set[str],
    again: bool = True,
) -> tuple[str, ...]:
    """So many duties of work that began in month `at`; patterns in `avoid` were used before, and used ones join it.

    A long career says some things `again`, in other words and numbers, when nothing fresh is left.
    """
    usable = []
    for pattern in patterns:
        slots, names = _needs(pattern)
        if all(words.get(slot) for slot in slots) and all(existed(name, at) for name in names):
            usable.append(pattern)
    fresh = [pattern for pattern in usable if pattern not in avoid]
    chosen = rng.sample(fresh, min(count, len(fresh)))
    if again and len(chosen) < count:
        rest = [pattern for pattern in usable if pattern not in chosen]
        chosen += rng.sample(rest, min(count - len(chosen), len(rest)))
    avoid.update(chosen)
    return tuple(dict.fromkeys(fill(rng, pattern, words) for pattern in chosen))


@cache
def _needs(pattern: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The word lists and the skills that a pattern asks for."""
    slots = tuple(slot for slot in _NAMED.findall(pattern) if slot not in ("n", "d", "money"))
    return slots, tuple(name for name in mentions(pattern) if name in skills())


def skill_words(groups: Mapping[str, Iterable[str]], at: Month, *, known: Iterable[str]) -> dict[str, list[str]]:
    """Slots of skills, by group: what there was of it then, and of that what the person knows where it is any."""
    pool = set(known)
    words = {}
    for group, names in groups.items():
        there = [name for name in names if existed(name, at)]
        words[group] = [f"{{{name}}}" for name in [name for name in there if name in pool] or there]
    return words


def words_at(slots: Mapping[str, Sequence[str]], at: Month) -> dict[str, list[str]]:
    """The slots without words that name a skill there was not yet."""
    known = skills()
    return {
        slot: [word for word in words if all(existed(name, at) for name in mentions(word) if name in known)]
        for slot, words in slots.items()
    }


def uses_of(rng: random.Random, names: Iterable[str], duties: Iterable[str], at: Month) -> tuple[CareerSkill, ...]:
    """The skills of a job or project: those chosen for it and those its duties name, each once, with versions."""
    named = [name for duty in duties for name in mentions(duty)]
    return tuple(use_at(rng, name, at) for name in dict.fromkeys([*names, *named]))


# Employers that do not exist, named as such employers are named in their country and trade.

LOCAL_NAMES = {"India": "indian", "Germany": "german", "Nigeria": "nigerian", "Brazil": "brazilian", "China": "chinese"}
"""Where firms have the common family names of the country, for the rare English ones would be odd."""


def sample_employer(rng: random.Random, kinds: Sequence[str], city: CorpusCity) -> str:
    """An employer of one of the kinds ("bank", "hospital"...) in the city."""
    table = lexicon.table("employers.toml")
    pattern: str = rng.choice(table["kinds"][rng.choice(kinds)])
    local = {"stem": table["stems"][rng.choice(table["mix"][city.country])], "city": [city.name]}
    if city.country in LOCAL_NAMES:
        local["surname"] = lexicon.table("names.toml")[LOCAL_NAMES[city.country]]["last"]
    name = fill(rng, pattern.rstrip("~"), {**table["words"], **local})
    return name if pattern.endswith("~") else name + rng.choice(table["suffixes"][city.country])
