"""What employers look for: a title, skills with months, experience and a degree; before anyone words it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.corpora import lexicon
from evenhand.corpora.career import Month, Period, year_of
from evenhand.corpora.duties import sample_duties, skill_words, words_at
from evenhand.corpora.employers import sample_employer
from evenhand.corpora.kinds import it, mixed
from evenhand.corpora.occupations import Occupation, occupation, occupations
from evenhand.corpora.places import City, sample_city
from evenhand.corpora.rng import Stream, chance, some, weighted
from evenhand.corpora.roles import INDUSTRIES, Role, role, roles, sample_engagement
from evenhand.corpora.schools import level_of, rank
from evenhand.corpora.skills import existed, skills

RUNG_YEARS = ((0, 1), (2, 4), (5, 7), (8, 12))
"""Years of experience that ads ask for at each rung of a ladder."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A skill, or one of several, and for how many months; `most_months` where an ad gives a range."""

    skills: tuple[str, ...]
    must: bool
    months: int | None = None
    most_months: int | None = None


@dataclass(frozen=True, slots=True)
class Vacancy:
    occupation: str
    title: str
    employer: str
    place: City
    demands: tuple[Demand, ...]
    total_months: int | None  # of relevant experience
    degree: str | None  # the least level
    duties: tuple[str, ...]
    level: str | None = None  # of kind crc


def sample_it(stream: Stream, as_of: Month) -> Vacancy:
    of = role(stream("occupation").choice(roles()))
    rng = stream("vacancy")
    place = sample_city(rng, weighted(rng, it.COUNTRIES), rural=0.02)
    rung = 3 if of.name == "project_lead" else weighted(rng, {0: 1, 1: 4, 2: 4, 3: 2})
    years = rng.randint(*RUNG_YEARS[rung])
    return Vacancy(
        occupation=of.title,
        title=rng.choice(of.ladder[rung]),
        employer=sample_employer(rng, ["it_services", "it_services", "software", "bank", "insurance"], place),
        place=place,
        demands=_demands(rng, *_it_skills(rng, of, as_of), years=years, as_of=as_of),
        total_months=12 * years or None,
        degree="bachelor" if chance(rng, 0.7) else None,
        duties=_it_duties(rng, of, as_of),
    )


def _it_skills(rng: random.Random, of: Role, as_of: Month) -> tuple[list[str], list[str]]:
    """What the role cannot do without, and what would be welcome."""
    core = [name for name in of.core if existed(name, as_of)]
    central = [name for pick in of.picks[:2] for name in pick.names if existed(name, as_of) and pick.least]
    must = list(dict.fromkeys(core + some(rng, central, 1, 2)))
    others = [name for name in of.all_skills() if existed(name, as_of) and name not in must]
    return must[:4], some(rng, others, 2, 5)


def _it_duties(rng: random.Random, of: Role, as_of: Month) -> tuple[str, ...]:
    about = sample_engagement(rng, rng.choice(INDUSTRIES), ["$"])
    words = {**words_at(of.slots, as_of), **about.words, **skill_words(of.groups, as_of, known=of.core)}
    return sample_duties(rng, _timeless(of.duties), words, at=as_of, count=rng.randint(3, 6), avoid=set())


def sample_mixed(stream: Stream, as_of: Month) -> Vacancy:
    name = stream("occupation").choice(occupations())
    rng = stream("vacancy")
    place = sample_city(rng, weighted(rng, mixed.COUNTRIES))
    trade = occupation(name, place.country)
    shared = occupation(
        name, "Canada"
    )  # no demand that only people from the United States can meet: see `people`
    rung = weighted(rng, {0: 2, 1: 5, 2: 3, 3: 2})
    years = rng.randint(*RUNG_YEARS[rung])
    tools = [name for name in shared.software if existed(name, as_of)]
    skilled = some(rng, [name for name in shared.skills if existed(name, as_of)], 2, 3)
    skilled += some(rng, [name for name in tools if name not in skilled], 0, 1)
    welcome = [name for name in (*tools, *shared.skills) if existed(name, as_of) and name not in skilled]
    return Vacancy(
        occupation=trade.title,
        title=trade.title_at(rng, rung, Period(as_of, None), 24),
        employer=sample_employer(rng, trade.employers, place),
        place=place,
        demands=_demands(rng, skilled, some(rng, welcome, 2, 4), years=years, as_of=as_of),
        total_months=12 * years or None,
        degree=_least_degree(rng, trade),
        duties=_mixed_duties(rng, trade, rung, as_of),
    )


def _least_degree(rng: random.Random, trade: Occupation) -> str | None:
    """The degree most people of the trade hold; never above a bachelor's, for what follows differs by country."""
    usual = level_of(max(trade.degrees, key=lambda row: float(row[2]))[0])
    if not chance(rng, 0.75):
        return None
    return "bachelor" if rank(usual) > rank("bachelor") else usual


def _mixed_duties(rng: random.Random, trade: Occupation, rung: int, as_of: Month) -> tuple[str, ...]:
    words = {**words_at(trade.slots, as_of), **skill_words(trade.groups, as_of, known=())}
    patterns = trade.duties + (trade.grown if rung else ()) + (trade.lead if rung > 1 else ())
    return sample_duties(rng, _timeless(patterns), words, at=as_of, count=rng.randint(3, 6), avoid=set())


def _timeless(patterns: Sequence[str]) -> list[str]:
    """What an ad can ask for: not what someone once achieved ("turnover up by 20%", "passed 4 audits")."""
    achieved = ("%", " from {n", "money", "down by", "up by", "saved", "cut ", "raise", "in a row", "without")
    return [text for text in patterns if not any(sign in text for sign in achieved)] or list(patterns)


def sample_crc(stream: Stream, as_of: Month) -> Vacancy:
    levels = lexicon.table("job_ads.toml")["crc"]
    rng = stream("vacancy")
    level = stream("occupation").choice(sorted(levels))
    entry = levels[level]
    place = sample_city(rng, "United States")
    years = {"CRC1": 0, "CRC2": 2, "CRC3": 4, "CRC4": 6}[level]
    must = [Demand((name,), must=True) for name in entry["must"]]
    nice = [Demand((name,), must=False) for name in some(rng, entry["nice"], 2, 4)]
    return Vacancy(
        occupation="Clinical Research Coordinator",
        title=rng.choice(entry["titles"]),
        employer=sample_employer(rng, ["hospital", "university"], place),
        place=place,
        demands=(*must, *nice),
        total_months=12 * years or None,
        degree=entry["degree"],
        duties=tuple(rng.sample(entry["duties"], len(entry["duties"]))),
        level=level,
    )


def _demands(
    rng: random.Random, must: Sequence[str], nice: Sequence[str], *, years: int, as_of: Month
) -> tuple[Demand, ...]:
    """Months for some of the must-haves, never more than the skill is old; now and then one skill or another."""
    found: list[Demand] = []
    for name in must:
        choice = (name, *_alternative(rng, name, must, as_of)) if chance(rng, 0.25) else (name,)
        months = _months(rng, choice, years, as_of) if chance(rng, 0.65) else None
        most = months + 24 if months and months >= 24 and chance(rng, 0.2) else None
        found.append(Demand(choice, must=True, months=months, most_months=most))
    for name in nice:
        months = 12 if years and chance(rng, 0.12) else None
        found.append(Demand((name,), must=False, months=months))
    return tuple(found)


def _months(rng: random.Random, choice: Sequence[str], years: int, as_of: Month) -> int | None:
    """A part of the whole experience, in round numbers."""
    oldest = min(skills()[name].year for name in choice)
    most = min(years, (year_of(as_of) - oldest) * 2 // 3)
    if most < 1:
        return 6 if years else None
    return 12 * rng.randint(max(1, most // 2), most)


def _alternative(rng: random.Random, name: str, taken: Sequence[str], as_of: Month) -> list[str]:
    """A skill that employers take for this one."""
    sorts = lexicon.table("job_ads.toml")["choices"]["sorts"]
    same = [other for sort in sorts if name in sort for other in sort if other not in taken]
    there = [other for other in same if existed(other, as_of)]
    return [rng.choice(there)] if there else []
