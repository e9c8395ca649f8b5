"""`evenhand reproduce ranking`: every ranker on graded applicants as in Figure 12, and the experience filter of 13."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from evenhand.models.encoder import Encoder
from evenhand.records.job import Job
from evenhand.records.profile import Profile
from evenhand.search.judging import ndcg_at, precision_at, relevant_in_bottom
from evenhand.search.rankers import RANKERS, Ranker, SkillDictionary, make_query, make_ranker, order
from evenhand.search.rankers.best import Best
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.rankers.tfidf import Tfidf, TfidfSkills
from evenhand.search.statistics import PoolStatistics
from evenhand.settings import Settings
from evenhand.workflows.encoding import encoder_for
from evenhand.workflows.reproduction.applicants import Applicant, Round, generated_rounds, judged_rounds
from evenhand.workflows.reproduction.ranking_figures import (
    CUTS,
    FIGURE_12,
    FIGURE_13,
    Gain,
    Quality,
    Rankings,
    Scores,
    gain_of,
)
from evenhand.workflows.reproduction.results import Check
from evenhand.workflows.watching import Watch, unwatched, watched

APPLICANTS = 300  # for each generated job
JOBS = 8  # as published
SEED = 1
BOTTOM = 20  # as published
FILTERED = (TfidfSkills.name, Best.name)
GENERATED, JUDGED = "generated", "judged"
SMALL = 3 * BOTTOM  # of fewer applicants the last 20 are no bottom


def run(
    data: Path | None = None,
    *,
    n: int = APPLICANTS,
    seed: int = SEED,
    jobs: int = JOBS,
    watch: Watch = unwatched,
) -> Rankings:
    """On generated jobs with `n` applicants each and, with `data`, on the jobs with graded resumes of data/judged."""
    encoder = encoder_for(Settings())
    materials = {GENERATED: generated_rounds(n, jobs, seed, encoder=encoder, watch=watch)}
    if data and (data / JUDGED).is_dir():
        materials[JUDGED] = judged_rounds(data / JUDGED, encoder=encoder, watch=watch)
    return compare_rankers(materials, encoder, watch)


def compare_rankers(
    materials: dict[str, list[Round]], encoder: Encoder | None, watch: Watch = unwatched
) -> Rankings:
    names = [name for name in RANKERS if encoder or name != Semantic.name]
    figure_12: list[Quality] = []
    gains: list[Gain] = []
    for material, rounds in materials.items():
        for name in watched(names, watch, f"rankers on {material} jobs", len(names)):
            ranker = make_ranker(name, encoder=encoder if name == Semantic.name else None)
            ranked = [rank_round(ranker, each) for each in rounds]
            plain = measure(material, name, rounds, ranked)
            figure_12.append(plain)
            if name in FILTERED:
                kept = [keep_experienced(each, rows) for each, rows in zip(rounds, ranked, strict=True)]
                gains.append(gain_of(plain, measure(material, name, rounds, kept), FIGURE_13.get(name)))
    return Rankings(
        {
            material: (len(rounds), [len(each.grades) for each in rounds])
            for material, rounds in materials.items()
        },
        figure_12,
        gains,
        check(figure_12, gains),
    )


def rank_round(ranker: Ranker, each: Round) -> list[int]:
    """The applicants from the first to the last; equal scores in the order of application."""
    digests = [applicant.digest for applicant in each.applicants]
    dictionary = SkillDictionary(form for applicant in each.applicants for form in applicant.forms)
    query = make_query(each.job, dictionary=dictionary)
    totals = ranker.contributions(query, digests, PoolStatistics(digests)).totals()
    return order(totals, [f"{at:06d}" for at in range(len(digests))])


def keep_experienced(each: Round, rows: Sequence[int]) -> list[int]:
    return [row for row in rows if has_experience(each.job, each.applicants[row])]


def has_experience(job: Job, applicant: Applicant) -> bool:
    """The months that the job asks for, in all and of each must-have, as they were mined. Unknown is not enough."""
    return _enough(applicant.profile.total_months, job.months) and all(
        any(_enough(_months(applicant.profile, name), demand.months) for name in demand.skills)
        for demand in job.demands
        if demand.must and demand.months
    )


def _enough(months: int | None, asked: int | None) -> bool:
    return not asked or (months is not None and months >= asked)


def _months(profile: Profile, skill: str) -> int | None:
    return next((each.months for each in profile.skills if each.name == skill), None)


def measure(material: str, ranker: str, rounds: Sequence[Round], ranked: Sequence[Sequence[int]]) -> Quality:
    """Averages over the jobs. The ideal is that of all applicants, also where a filter left some out."""
    lists = [[each.grades[row] for row in rows] for each, rows in zip(rounds, ranked, strict=True)]
    pools = [each.grades for each in rounds]
    judged = list(zip(lists, pools, strict=True))
    return Quality(
        material,
        ranker,
        Scores(
            [fmean(precision_at(grades, k) for grades in lists) for k in CUTS],
            [fmean(ndcg_at(grades, k, pool=pool) for grades, pool in judged) for k in CUTS],
        ),
        [fmean(ndcg_at(grades, k, pool=pool, gain="exponential") for grades, pool in judged) for k in CUTS],
        [relevant_in_bottom(grades, BOTTOM) for grades in lists if len(grades) >= SMALL],
        FIGURE_12.get(ranker),
    )


def check(figure_12: Sequence[Quality], gains: Sequence[Gain]) -> list[Check]:
    made = {each.ranker: each for each in figure_12 if each.material == GENERATED}
    boosted, plain = (made[name].scores.ndcg[-1] for name in (TfidfSkills.name, Tfidf.name))
    filtered = next(each for each in gains if (each.material, each.ranker) == (GENERATED, TfidfSkills.name))
    return [
        Check("generated: skill boost at least plain TF-IDF on NDCG@20", boosted >= plain),
        Check("generated: best has nobody relevant in the bottom 20", not any(made[Best.name].bottom)),
        Check("generated: the experience filter gains at least the published 30%", filtered.mean >= 0.298),
    ]
