"""The questions of the search bench: jobs, and what a screener adds one after the other until her list is short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evenhand.search.criteria import Criteria, SkillCondition
from evenhand_lab.benchmarks.candidates.building import PoolJob
from evenhand_lab.corpora.jobs import VACANCIES, JobAd, sample_job

EVERYONE = "everyone"
SMALL = 2_000  # applications: the average size of a job
STEPS = (
    *("rank for the job", "+ a word", "+ a phrase", "+ a degree", "+ two cities", "+ a skill with months"),
    *("+ a condition in words", "+ a status"),
)
WISHES = 2  # the last step that only ranks; those after it filter


def sample_ads(n: int, *, seed: int) -> list[JobAd]:
    """Of all kinds in turn, and only ads that ask for two skills or more."""
    kinds = sorted(VACANCIES)
    ads: list[JobAd] = []
    number = 0
    while len(ads) < n:
        ad = sample_job(kinds[number % len(kinds)], seed=seed, number=number)
        number += 1
        if len(ad.demands) > 1:
            ads.append(ad)
    return ads


def openings(ads: Sequence[JobAd], *, everyone: int, small: int) -> list[PoolJob]:
    """One job that all occupations apply for, and several small ones of one occupation each."""
    skills = [frozenset(name for demand in ad.demands for name in demand.skills) for ad in ads]
    whole = PoolJob(EVERYONE, everyone, skills[0])
    return [
        whole,
        *(PoolJob(small_job(at), SMALL, skills[at], (ads[at].kind, ads[at].occupation)) for at in range(small)),
    ]


def small_job(at: int) -> str:
    return f"small {at}"


@dataclass(frozen=True, slots=True)
class RefinementStep:
    name: str
    criteria: Criteria


def refinements(ad: JobAd, job: str, cities: Sequence[str], ranker: str) -> Iterator[RefinementStep]:
    """Each step keeps the conditions before it. `cities`: the most frequent ones of the pool."""
    first, second = (demand.skills[0] for demand in ad.demands[:2])
    criteria = Criteria(job, ranker=ranker)
    yield RefinementStep(STEPS[0], criteria)
    criteria = replace(criteria, text=f'"{first}"' if " " in first else first)
    yield RefinementStep(STEPS[1], criteria)
    criteria = replace(criteria, text=f'{criteria.text} "{ad.title}"')
    yield RefinementStep(STEPS[2], criteria)
    criteria = replace(criteria, facets={"degree": (ad.degree or "bachelor",)})
    yield RefinementStep(STEPS[3], criteria)
    chosen = tuple(dict.fromkeys((ad.city, *cities)))[:2]
    criteria = replace(criteria, facets={**criteria.facets, "city": chosen})
    yield RefinementStep(STEPS[4], criteria)
    criteria = replace(criteria, skills=(SkillCondition(second, at_least=12),))
    yield RefinementStep(STEPS[5], criteria)
    criteria = replace(criteria, text=f"{criteria.text} +(team OR project) -trainee")
    yield RefinementStep(STEPS[6], criteria)
    yield RefinementStep(STEPS[7], replace(criteria, facets={**criteria.facets, "status": ("new", "screened")}))
