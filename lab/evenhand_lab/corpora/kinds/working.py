"""How people work whatever their trade: which rung they are on, where, and what they did beside their studies."""

from __future__ import annotations

import random
from collections.abc import Sequence

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.career import CareerJob, CareerPeriod, CareerStudy, Month, year_of
from evenhand_lab.corpora.lexicon import Stream, chance, some
from evenhand_lab.corpora.occupations import sample_duties, sample_employer, uses_of
from evenhand_lab.corpora.people import CorpusCity, PersonIdentity, cities, cities_near

RUNG_YEARS = (0.0, 1.5, 5.5, 11.0)
"""Years of work after which most people stand on a rung."""


def sample_experience(rng: random.Random) -> int:
    """Months since full-time study: ten years on average, from fresh graduates to near retirement."""
    return min(38 * 12, max(3, round(rng.gammavariate(1.9, 5.2) * 12)))


def first_month(rng: random.Random, studies: Sequence[CareerStudy], *, leaving: int) -> Month:
    """Work begins soon after the last full-time study, in the year `leaving`; for one in twelve, not so soon."""
    end = max(study.period.last(0) for study in studies if year_of(study.period.last(0)) <= leaving)
    return end + 1 + (rng.randint(6, 14) if chance(rng, 0.08) else rng.randint(0, 4))


def sort_jobs(jobs: Sequence[CareerJob], as_of: Month) -> tuple[CareerJob, ...]:
    """Latest first, as resumes have them."""
    return tuple(sorted(jobs, key=lambda job: (job.period.last(as_of), job.period.start), reverse=True))


def first_rung(rng: random.Random, usual: int, level: str) -> int:
    """Where someone enters a trade: on the rung usual with a degree, or a step up, the more so the higher it is."""
    if level == "highschool":
        return 0
    step = 0.8 if level in ("master", "doctorate") else 0.45 if level == "bachelor" else 0.15
    return usual if usual else int(chance(rng, step))


def rung_at(rng: random.Random, years: float, *, least: int, top: int) -> int:
    """The rung of someone with so many years of work: never below the one they had, and not everybody rises."""
    felt = years * rng.uniform(0.55, 1.25)
    reached = max(rung for rung, needed in enumerate(RUNG_YEARS) if felt >= needed or rung == 0)
    return max(least, min(reached, top, least + (2 if years >= 8 else 1)))


def sample_job_city(rng: random.Random, home: CorpusCity, *, is_last: bool) -> CorpusCity:
    """People work near home, and more so in their last job; before it, some lived elsewhere."""
    draw = rng.random()
    if draw < (0.85 if is_last else 0.62):
        return home
    return rng.choice(cities_near(home)) if draw < 0.9 else rng.choice(cities(home.country))


def sample_side_jobs(
    stream: Stream,
    who: PersonIdentity,
    studies: Sequence[CareerStudy],
    jobs: Sequence[CareerJob],
    *,
    as_of: Month,
    months: int,
) -> list[CareerJob]:
    """Work beside studies, which young people name and older ones leave out; always one where there is no other."""
    rng = stream("side")
    often = 0.4 if months < 60 else 0.15 if months < 120 else 0.04
    above = [study for study in studies if study.level != "highschool"]
    if jobs and not (above and chance(rng, often)):
        return []
    frame = rng.choice(above or studies).period
    room = max(3, frame.months(as_of) - 3)
    length = rng.randint(3, max(3, min(30, room)))
    start = rng.randint(frame.start, max(frame.start, frame.last(as_of) - length + 1))
    return [_side_job(rng, who, CareerPeriod(start, min(as_of, start + length - 1)))]


def _side_job(rng: random.Random, who: PersonIdentity, period: CareerPeriod) -> CareerJob:
    table = lexicon.table("side_jobs.toml")
    entry = rng.choice(table["jobs"])
    duties = sample_duties(rng, entry["duties"], table["slots"], at=period.start, count=rng.randint(1, 3), avoid=set())
    return CareerJob(
        employer=sample_employer(rng, entry["employers"], who.home),
        title=rng.choice(entry["titles"]),
        city=who.home.name,
        period=period,
        projects=(),
        uses=uses_of(rng, some(rng, entry["skills"], 1, 2), duties, period.start),
        duties=duties,
        hours_per_week=rng.choice([10, 12, 15, 16, 20, 20]),
        is_relevant=False,
    )
