"""What stands at the end of a resume: certificates, languages, activities, skills claimed without a job."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from evenhand.corpora import lexicon
from evenhand.corpora.career import Activity, Certificate, Job, Month, Period, Use, year_of
from evenhand.corpora.people import Identity
from evenhand.corpora.rng import chance, some
from evenhand.corpora.skills import existed, use_at
from evenhand.corpora.slots import fill


def sample_certificates(
    rng: random.Random, rows: Sequence[Sequence[object]], *, since: int, as_of: Month
) -> tuple[Certificate, ...]:
    """Some of a lexicon's rows [name, issuer, how often], earned from the year `since` on; latest first."""
    found = []
    for name, issuer, often in rows:
        if chance(rng, float(str(often))):
            year = rng.randint(min(since, year_of(as_of)), year_of(as_of)) if chance(rng, 0.72) else None
            found.append(Certificate(str(name), year, str(issuer) if issuer and chance(rng, 0.6) else None))
    return tuple(sorted(found, key=lambda one: -(one.year or 0)))


def sample_languages(
    rng: random.Random, who: Identity, *, often: float = 0.35
) -> tuple[tuple[str, str], ...]:
    if not chance(rng, often):
        return ()
    table = lexicon.table("activities.toml")
    speech = table["languages"]
    own = speech["origin"][who.origin]
    names = list(speech["country"][who.home.country])
    if own and chance(rng, 0.75):
        names.insert(0 if who.home.country in ("India", "Nigeria") else 1, rng.choice(own))
    if chance(rng, 0.3):
        names.append(rng.choice(speech["others"]))
    names = list(dict.fromkeys(names))
    levels = [rng.choice(speech["first"]), rng.choice(speech["second"])]
    levels += [rng.choice(speech["third"]) for _ in names[2:]]
    return tuple(zip(names, levels, strict=False))


def sample_activities(rng: random.Random, *, since: Month, as_of: Month) -> tuple[Activity, ...]:
    """Volunteering, memberships, awards and hobbies; many people name none."""
    table = lexicon.table("activities.toml")
    words = {name: values for name, values in table.items() if isinstance(values, list)}
    words["year"] = [str(year) for year in range(min(year_of(since) + 1, year_of(as_of)), year_of(as_of) + 1)]
    found = []
    for often, patterns in ((0.22, "volunteering"), (0.14, "memberships"), (0.2, "awards"), (0.14, "awards")):
        if chance(rng, often):
            text = fill(rng, rng.choice(table[patterns]), words)
            found.append(Activity(text, period=_span(rng, patterns, since, as_of)))
    if chance(rng, 0.25):
        found.append(Activity(", ".join(some(rng, table["hobbies"], 2, 5)).capitalize()))
    return tuple({activity.text: activity for activity in found}.values())


def _span(rng: random.Random, patterns: str, since: Month, as_of: Month) -> Period | None:
    if patterns == "awards" or chance(rng, 0.5) or as_of - since < 24:
        return None
    start = rng.randint(since, as_of - 12)
    return Period(start, None if chance(rng, 0.4) else rng.randint(start + 3, as_of))


def sample_extra_skills(
    rng: random.Random, names: Iterable[str], jobs: Iterable[Job], *, as_of: Month, most: int = 6
) -> tuple[Use, ...]:
    """Skills someone claims though no job or project of theirs names them."""
    used: set[str] = set()
    for job in jobs:
        used.update(use.skill for use in job.uses)
        used.update(use.skill for project in job.projects for use in project.uses)
    free = [name for name in dict.fromkeys(names) if name not in used and existed(name, as_of)]
    return tuple(use_at(rng, name, as_of) for name in some(rng, free, 0, most))
