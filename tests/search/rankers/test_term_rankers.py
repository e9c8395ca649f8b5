"""The formulas of the term rankers against numbers worked out by hand and plain, slow computations."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given

from evenhand.records.job import Job
from evenhand.search.rankers.base import make_query, order
from evenhand.search.rankers.word_rankers import Bm25, Kl, Tfidf, TfidfSkills
from evenhand.search.statistics import PoolStatistics
from tests.search.rankers.pools import DICTIONARY, make_pool, pools, texts

# Three resumes and "java sql cobol". idf: java and sql stand in 2 of 3, 1 + ln(3/3) = 1; cobol in none,
# 1 + ln 3 = 2.098612. queryNorm = 1/sqrt(1 + 1 + 4.404173) = 0.395156.
HAND = ["java java java java", "java sql design team", "sql sql" + 7 * " team"]
HAND_SCORES = [
    0.131719,  # coord 1/3, sqrt(4) * 1 / sqrt(4) = 1
    0.263437,  # coord 2/3, (1 + 1) / sqrt(4) = 1
    0.062093,  # coord 1/3, sqrt(2) / sqrt(9) = 0.471405
]


def test_tfidf_by_hand() -> None:
    pool = make_pool(HAND)
    scores = Tfidf().rank(make_query(Job("java sql cobol")), pool, PoolStatistics(pool))
    assert [score.value for score in scores] == pytest.approx(HAND_SCORES, abs=1e-6)
    assert [[part.name for part in score.parts] for score in scores] == [["java"], ["java", "sql"], ["sql"]]
    assert scores[0].parts[0].reason == "stands 4 times, idf 1.000; 1 of 3 terms of the job matched"


@given(pools, texts)
def test_tfidf_order_does_not_depend_on_the_query_norm(written: list[str], job: str) -> None:
    """A term that no resume has changes queryNorm and coord alike for all, so the order stays."""
    pool = make_pool(written)
    statistics = PoolStatistics(pool)
    plain = Tfidf().base(make_query(Job(job), with_common=True), pool, statistics).totals()
    unmatched = Tfidf().base(make_query(Job(job + " zebra"), with_common=True), pool, statistics).totals()
    for one, other in zip(plain, unmatched, strict=True):
        assert (one == 0) == (other == 0)
    ratios = [one / other for one, other in zip(plain, unmatched, strict=True) if other]
    assert all(ratio == pytest.approx(ratios[0], rel=1e-9) for ratio in ratios)


@given(pools, texts)
def test_tfidf_equals_a_plain_computation(written: list[str], job: str) -> None:
    pool = make_pool(written)
    query = make_query(Job(job), dictionary=DICTIONARY)
    boosted = {term.term: 3.0 if term.skill else 1.0 for term in query.terms}
    resumes = [Counter(text.split()) for text in written]
    rarity = {term: 1 + math.log(len(resumes) / (1 + sum(term in resume for resume in resumes))) for term in boosted}
    norm = math.sqrt(sum((rarity[term] * boost) ** 2 for term, boost in boosted.items()))
    for resume, total in zip(resumes, TfidfSkills().base(query, pool, PoolStatistics(pool)).totals(), strict=True):
        matched = [term for term in boosted if resume[term]]
        expected = sum(math.sqrt(resume[term]) * rarity[term] ** 2 * boosted[term] for term in matched)
        if matched:
            expected *= len(matched) / len(boosted) / norm / math.sqrt(resume.total())
        assert total == pytest.approx(expected, rel=1e-9)


def test_a_skill_lifts_its_resume() -> None:
    pool = make_pool(["java garden", "party garden"])
    query = make_query(Job("party java"), dictionary=DICTIONARY)
    statistics = PoolStatistics(pool)
    plain = Tfidf().base(query, pool, statistics).totals()
    assert plain[0] == plain[1]
    boosted = TfidfSkills().rank(query, pool, statistics)
    assert boosted[0].value == pytest.approx(3 * boosted[1].value)
    assert order([score.value for score in boosted], ["b", "a"]) == [0, 1]
    assert "a skill: x3" in str(boosted[0].parts[0].reason)


@given(pools, texts)
def test_boost_1_is_the_plain_ranker(written: list[str], job: str) -> None:
    pool = make_pool(written)
    query = make_query(Job(job), dictionary=DICTIONARY)
    statistics = PoolStatistics(pool)
    assert (
        TfidfSkills(skill_boost=1.0).base(query, pool, statistics).totals()
        == Tfidf().base(query, pool, statistics).totals()
    )


@given(written=pools, job=texts)
def test_bm25_equals_a_plain_computation(written: list[str], job: str) -> None:
    pool = make_pool(written)
    resumes = [Counter(text.split()) for text in written]
    average = sum(resume.total() for resume in resumes) / len(resumes)
    totals = Bm25().base(make_query(Job(job), with_common=True), pool, PoolStatistics(pool)).totals()
    for resume, total in zip(resumes, totals, strict=True):
        expected = 0.0
        for term, count in Counter(job.split()).items():
            having = sum(term in other for other in resumes)
            odds = (len(resumes) - having + 0.5) / (having + 0.5)
            weight = math.log(1 + odds)
            if resume[term]:
                norm = 1.2 * (0.25 + 0.75 * resume.total() / average)
                expected += weight * 2.2 * resume[term] / (norm + resume[term]) * 8 * count / (7 + count)
        assert total == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_bm25_by_hand() -> None:
    """One resume of two has java once, both of average length: ln(1 + 1.5/1.5) * 2.2/2.2 * 8*2/(7+2)."""
    pool = make_pool(["java team", "garden team"])
    scores = Bm25().rank(make_query(Job("java java")), pool, PoolStatistics(pool))
    assert [score.value for score in scores] == [pytest.approx(math.log(2) * 16 / 9), 0.0]


@given(pools, texts)
def test_kl_equals_brute_force(written: list[str], job: str) -> None:
    pool = make_pool(written)
    resumes = [Counter(text.split()) for text in written]
    everything = sum(resumes, Counter())
    asked = Counter(job.split())
    totals = Kl().base(make_query(Job(job), with_common=True), pool, PoolStatistics(pool)).totals()
    for resume, total in zip(resumes, totals, strict=True):
        expected = 0.0
        for term, count in asked.items():
            if everything[term]:
                smoothed = resume[term] + 1000 * everything[term] / everything.total()
                expected += count / asked.total() * math.log(smoothed / (resume.total() + 1000))
        assert total == pytest.approx(expected, abs=1e-9)


def test_kl_by_hand() -> None:
    """p(java|C) = 1/4: (1 + 250)/(2 + 1000) against 250/1002."""
    pool = make_pool(["java team", "garden team"])
    scores = Kl().rank(make_query(Job("java zebra")), pool, PoolStatistics(pool))
    assert [score.value for score in scores] == pytest.approx(
        [0.5 * math.log(251 / 1002), 0.5 * math.log(250 / 1002)], abs=1e-9
    )
