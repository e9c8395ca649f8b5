"""How people who read resumes for their level differ from the guideline, and so from each other.

An annotator judges by the guideline, but of what was read: months guessed more than counted, a student's hours
overlooked, bench work taken for clinical research, a course for a certification. A misreading changes the level
only where the career is near a border. What is set is how careless annotators are on the whole, per round: that
one scale was chosen so that three of them agree about as much as people did in the last rounds of the published
study. How agreement differs between levels follows from the slips; round 1 agrees far more than people did.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from evenhand.corpora.career import Career, Job
from evenhand.corpora.kinds.crc_guideline import (
    Facts,
    counts_as_research,
    facts_of,
    level_of,
)
from evenhand.corpora.rng import chance, stream

CARELESSNESS = (1.2, 0.9, 0.75, 0.6, 0.5)  # of an expert, per round of the guideline: it gets clearer
LAST_ROUND = len(CARELESSNESS)
COUNTED = frozenset({"research", "clinical", "laboratory"})
NON_EXPERT = 2  # the third annotator; experts are 0 and 1
NON_EXPERT_FACTOR = 1.3


@dataclass(frozen=True, slots=True)
class Slips:
    """How often, and how far, one annotator misreads."""

    months: float  # spread of what months are taken for, on a log scale
    doubtful_job: float  # unpaid or few hours: counted all the same
    bench: float  # a laboratory job taken for clinical research
    setting: float  # office, school or shop taken for work in a clinical setting
    title: float  # a job of clinical research not seen as such
    field: float  # a field that can be seen either way: seen the other way
    hours: float  # part-time work counted as full-time
    certification: float
    doctor: float  # training abroad taken for clinical research


def slips(annotator: int, round: int) -> Slips:
    if not 1 <= round <= LAST_ROUND:
        raise ValueError(f"there are rounds 1 to {LAST_ROUND}")
    care = CARELESSNESS[round - 1] * (NON_EXPERT_FACTOR if annotator == NON_EXPERT else 1.0)
    return Slips(
        months=0.45 * care,
        doubtful_job=min(0.9, 0.6 * care),
        bench=0.35 * care,
        setting=0.25 * care,
        title=0.15 * care,
        field=min(0.9, 0.6 * care),
        hours=min(0.9, 0.7 * care),
        certification=0.3 * care,
        doctor=0.4 * care,
    )


def annotate(career: Career, annotator: int, round: int = LAST_ROUND, *, seed: int = 0) -> str:
    """The level that one annotator gives in one round; asked again, the same."""
    rng = stream(seed, career.number, f"annotator {annotator} round {round}")
    return annotate_with(rng, career, slips(annotator, round))


def annotate_with(rng: random.Random, career: Career, slip: Slips) -> str:
    return level_of(perceive(rng, career, slip))


def perceive(rng: random.Random, career: Career, slip: Slips) -> Facts:
    """The facts as one annotator took them in."""
    seen = replace(career, jobs=tuple(_seen_job(rng, job, slip, career.as_of) for job in career.jobs))
    facts = facts_of(seen)
    is_doubtful = any("doubtful" in study.tags for study in career.studies)
    return replace(
        facts,
        research_months=_guess(rng, facts.research_months, slip),
        clinical_months=_guess(rng, facts.clinical_months, slip),
        laboratory_months=_guess(rng, facts.laboratory_months, slip),
        supervising_months=_guess(rng, facts.supervising_months, slip),
        is_scientific=facts.is_scientific != (is_doubtful and chance(rng, slip.field)),
        is_certified=facts.is_certified != chance(rng, slip.certification / (3 if facts.is_certified else 1)),
    )


def _guess(rng: random.Random, months: float, slip: Slips) -> float:
    return months * rng.lognormvariate(0, slip.months)


def _seen_job(rng: random.Random, job: Job, slip: Slips, as_of: int) -> Job:
    # Every choice is drawn whether it matters or not: one more tag on a job must not shift the luck of the next.
    doubtful, bench, setting, title, hours, doctor = (rng.random() for _ in range(6))
    tags = job.tags
    if "research" in tags and not counts_as_research(job, as_of) and doubtful < slip.doubtful_job:
        return replace(
            job, is_paid=True, tags=tags - {"academic"}, hours_per_week=max(20, job.hours_per_week)
        )
    if "laboratory" in tags and bench < slip.bench:
        tags = tags - {"laboratory", "academic"} | {"research"}
    elif "abroad" in tags and doctor < slip.doctor:
        tags |= {"research"}
    elif not tags & COUNTED and setting < slip.setting:
        tags |= {"clinical"}
    elif "research" in tags and job.hours_per_week >= 35 and title < slip.title:
        tags -= {"research"}
    worked = 40 if job.hours_per_week < 35 and hours < slip.hours else job.hours_per_week
    return replace(job, tags=tags, hours_per_week=worked)


def closeness(career: Career) -> float:
    """0 to 1: how near the career is to another level, as the share of careful misreadings that change it."""
    rng = stream(0, career.number, "closeness")
    level = level_of(facts_of(career))
    slip = slips(0, LAST_ROUND)
    return sum(annotate_with(rng, career, slip) != level for _ in range(40)) / 40
