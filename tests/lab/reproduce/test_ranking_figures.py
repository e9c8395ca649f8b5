"""Figures 12 and 13 on a small scale: how they are measured, and what has to hold on generated jobs."""

from __future__ import annotations

import pytest

from evenhand.progress import no_progress
from evenhand.records.job import Demand, Job
from evenhand.records.profile import Profile, Skill
from evenhand.search.feature_extraction import extract_features
from evenhand.search.rankers.best import Best
from evenhand.search.rankers.word_rankers import Tfidf
from evenhand_lab.reproduce.ranking import (
    FIGURE_12,
    FIGURE_13,
    RankedApplicant,
    RankerQuality,
    RankingRound,
    Rankings,
    Scores,
    compare_rankers,
    gain_of,
    generated_rounds,
    has_experience,
    keep_experienced,
    mean_gain,
    measure,
    rank_round,
)
from tests.search.rankers.resumes import AS_OF, SOURCE, place

JOB = Job("Java", months=24, demands=(Demand(("java", "j2ee"), must=True, months=12), Demand(("sql",), must=True)))


def applicant(total: int | None, **months: int | None) -> RankedApplicant:
    skills = tuple(Skill(name, (name,), number, number, None, (place(0, 1),)) for name, number in months.items())
    profile = Profile(SOURCE, AS_OF, skills=skills, total_months=total)
    return RankedApplicant(profile, extract_features("Java", profile), tuple(months))


@pytest.mark.parametrize(
    ("who", "expected"),
    [
        (applicant(24, java=12), True),
        (applicant(24, java=6, j2ee=12), True),
        (applicant(23, java=12), False),
        (applicant(24, java=11), False),
        (applicant(24, java=None), False),
        (applicant(None, java=12), False),
        (applicant(24, sql=12), False),
    ],
)
def test_experience_that_is_asked_for_in_all_and_of_each_skill(who: RankedApplicant, expected: bool) -> None:
    assert has_experience(JOB, who) is expected


def test_filter_keeps_the_order() -> None:
    each = RankingRound(JOB, (applicant(24, java=12), applicant(1), applicant(30, java=20)), (3, 1, 2))
    assert keep_experienced(each, [2, 1, 0]) == [2, 0]
    assert rank_round(Tfidf(), each) == [0, 1, 2]  # all say Java and no more


def test_measures_are_means_over_jobs_with_the_ideal_of_all_applicants() -> None:
    who = applicant(None)
    rounds = [RankingRound(JOB, (who,) * 3, (0, 3, 2)), RankingRound(JOB, (who,) * 2, (0, 2))]
    found = measure("generated", "tfidf", rounds, [[1], [0, 1]])
    assert found.scores.precision == pytest.approx([(1 / 5 + 1 / 5) / 2, (1 / 10 + 1 / 10) / 2, 1 / 20])
    first, second = 3 / (3 + 2 / 1.584963), 1 / 1.584963
    assert found.scores.ndcg == pytest.approx([(first + second) / 2] * 3, abs=1e-6)
    assert (found.bottom, found.published) == ([], FIGURE_12["tfidf"])


def test_the_published_gain() -> None:
    assert mean_gain(*FIGURE_13["tfidf+skills"]) == pytest.approx(0.298, abs=5e-4)
    assert mean_gain(Scores([0, 0.5], []), Scores([1, 1], [])) == 1.0


def test_how_it_is_shown() -> None:
    scores = Scores([0.5, 0.25, 0.2], [0.75, 0.7, 0.6])
    quality = RankerQuality("generated", "tfidf+skills", scores, [0.5, 0.5, 0.5], [0, 1], FIGURE_12["tfidf+skills"])
    gain = gain_of(quality, quality, FIGURE_13["tfidf+skills"])
    shown = Rankings({"generated": (2, [300, 300])}, [quality], [gain], [])
    assert dict(shown.rows())["generated: tfidf+skills"] == (
        "published 0.70 0.63 0.61 0.73 0.66 0.64; here 0.50 0.25 0.20 0.75 0.70 0.60"
    )
    assert dict(shown.rows())["generated: tfidf+skills, relevant in the bottom 20"] == "0, 1"
    assert shown.table().row_count == len(shown.rows())
    assert shown.to_json()["figure_13"][0]["mean"] == 0.0


@pytest.fixture(scope="module")
def rankings() -> Rankings:
    """Five jobs of two trades, which share resumes, with 120 applicants each."""
    rounds = generated_rounds(120, 5, 76, encoder=None, progress=no_progress)
    assert len(rounds) == 5
    return compare_rankers({"generated": rounds}, None)


@pytest.mark.long
def test_skill_boost_is_at_least_as_good_as_plain_tfidf(rankings: Rankings) -> None:
    found = {each.ranker: each.scores for each in rankings.figure_12}
    assert set(found) == {"bm25", "tfidf", "kl", "tfidf+skills", "best"}
    assert found["tfidf+skills"].ndcg[-1] >= found["tfidf"].ndcg[-1]
    assert found["best"].ndcg[-1] >= max(scores.ndcg[-1] for scores in found.values())


@pytest.mark.long
def test_nobody_relevant_is_at_the_bottom_of_the_best_ranking(rankings: Rankings) -> None:
    (best,) = (each for each in rankings.figure_12 if each.ranker == Best.name)
    assert best.bottom == [0] * 5


@pytest.mark.long
def test_the_experience_filter_gains(rankings: Rankings) -> None:
    (boosted,) = (each for each in rankings.figure_13 if each.ranker == "tfidf+skills")
    assert boosted.mean >= 0
    assert boosted.filtered.precision[0] > boosted.without.precision[0]
