"""What holds for every ranker: parts sum to the score, typed terms are soft, nothing is left to chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evenhand.errors import UsageError
from evenhand.records.job import Demand, Job
from evenhand.search.features import ResumeFeatures, Vectors
from evenhand.search.rankers.base import SEARCH_TERM_SHARE, Ranker, make_query, order
from evenhand.search.rankers.registry import RANKERS as NAMES
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.rankers.word_rankers import Tfidf
from evenhand.search.statistics import PoolStatistics
from tests.search.rankers.pools import DICTIONARY, RANKERS, WORDS, DirectionEncoder, make_pool, pools, texts
from tests.search.rankers.resumes import digest

every_ranker = pytest.mark.parametrize("ranker", RANKERS, ids=lambda ranker: ranker.name)


@every_ranker
@given(written=pools, job=texts, typed=st.lists(st.sampled_from(WORDS), max_size=2))
def test_parts_sum_to_the_score(ranker: Ranker, written: list[str], job: str, typed: list[str]) -> None:
    pool = make_pool(written)
    query = make_query(Job(job), search_terms=typed, dictionary=DICTIONARY)
    table = ranker.contributions(query, pool, PoolStatistics(pool))
    scores = table.scores()
    assert len(scores) == len(pool)
    for score, total in zip(scores, table.totals(), strict=True):
        assert math.fsum(part.value for part in score.parts) == score.value == total
        assert all(part.reason for part in score.parts)
        assert ranker.name == "best" or all(part.value for part in score.parts)
        assert len({part.name for part in score.parts}) == len(score.parts)
        sizes = [abs(part.value) for part in score.parts]
        assert sizes == sorted(sizes, reverse=True)


ROUNDED_TO_A_TIE = [
    "",
    "java sql team",
    "java java java java team",
    "team",
    "java java sql cobol",
    "java sql sql cobol team",
    "java java java sql sql",
    "java java java java java java sql cobol team",
]


@every_ranker
@example(written=ROUNDED_TO_A_TIE, job="sql cobol team", before="", typed="java")
@given(written=pools, job=texts, before=st.sampled_from(["", "team"]), typed=st.sampled_from(WORDS))
def test_typed_terms_are_soft(ranker: Ranker, written: list[str], job: str, before: str, typed: str) -> None:
    pool = make_pool(written)
    statistics = PoolStatistics(pool)
    keys = [f"{at:02}" for at in range(len(pool))]

    def ranks(search_terms: list[str]) -> dict[int, int]:
        query = make_query(Job(job), search_terms=search_terms)
        totals = [score.value for score in ranker.rank(query, pool, statistics)]
        return {row: rank for rank, row in enumerate(order(totals, keys))}

    old, new = ranks([before]), ranks([before, typed])
    assert old.keys() == new.keys() == set(range(len(pool)))
    for row, text in enumerate(written):
        if typed in text.split():
            assert new[row] <= old[row]


@every_ranker
def test_a_typed_term_moves_its_resume_up(ranker: Ranker) -> None:
    pool = make_pool(["garden garden", "team team", "garden garden cobol"])
    query = make_query(Job("java garden"), search_terms=["cobol"])
    score = ranker.rank(query, pool, PoolStatistics(pool))[2]
    unit = SEARCH_TERM_SHARE * ranker.reference(query, PoolStatistics(pool))
    rarity = (1 + math.log(3 / 2)) / (1 + math.log(3))
    (part,) = [part for part in score.parts if part.name == "search term: cobol"]
    assert part.value == pytest.approx(unit * rarity)
    assert part.reason == 'mentions "cobol"; 1 of 3 resumes do'


def test_a_typed_phrase_needs_all_its_words() -> None:
    pool = make_pool(["machin learn", "machin", "learn"])
    query = make_query(Job(""), search_terms=["machine learning"])
    totals = Tfidf().contributions(query, pool, PoolStatistics(pool)).totals()
    # Two of three resumes have each word, so at most two have both; a job without words has no scale of its own.
    assert totals == [pytest.approx(SEARCH_TERM_SHARE * 1 / (1 + math.log(3))), 0.0, 0.0]


@every_ranker
def test_bytes_change_nothing(ranker: Ranker) -> None:
    pool = make_pool(["java sql sql", "team java c++", "garden"])
    back = [ResumeFeatures.from_bytes(each.to_bytes()) for each in pool]
    query = make_query(Job("java sql garden machine"), search_terms=["team"], dictionary=DICTIONARY)
    assert ranker.rank(query, pool, PoolStatistics(pool)) == ranker.rank(query, back, PoolStatistics(back))


@every_ranker
def test_a_resume_scores_the_same_in_any_company(ranker: Ranker) -> None:
    pool = make_pool(["java sql sql", "team java c++", "garden"])
    statistics = PoolStatistics(pool)
    query = make_query(Job("java sql garden"), search_terms=["team"], dictionary=DICTIONARY)
    together = ranker.rank(query, pool, statistics)
    assert together == [ranker.rank(query, [each], statistics)[0] for each in pool]


@every_ranker
def test_no_resumes_no_scores(ranker: Ranker) -> None:
    assert ranker.rank(make_query(Job("java"), search_terms=["sql"]), [], PoolStatistics([])) == []


def test_ties_go_by_key() -> None:
    assert order([1.0, 2.0, 1.0, 1.0], ["c", "d", "a", "b"]) == [1, 2, 3, 0]


def test_meaning_by_hand() -> None:
    """Title and skills say Java, the text does not: weights 1, 1 and 2 of 4."""
    sections = Vectors(("skills", "experience"), np.array([[0.8, 0.6], [0, 1]], np.float16))
    pool = [digest("", vectors=sections), digest("no vectors")]
    job = Job("Gardens", title="Java gardener", demands=(Demand(("java",), must=True),))
    scores = Semantic(DirectionEncoder()).rank(make_query(job), pool, PoolStatistics(pool))
    eight = round(float(np.float16(0.8)), 6)
    assert [(part.name, part.value, part.reason) for part in scores[0].parts] == [
        ("section: experience", 0.5, "closest to the job's text 1.00"),
        ("section: skills", pytest.approx(0.5 * eight), "closest to the job's title 0.80, skills 0.80"),
    ]
    assert scores[1].parts == ()


def test_rankers_by_name() -> None:
    assert {"bm25", "tfidf", "kl", "tfidf+skills", "semantic"} <= set(NAMES)
    for name in ("bm25", "tfidf", "kl", "tfidf+skills"):
        assert make_ranker(name).name == name
    assert make_ranker("semantic", encoder=DirectionEncoder()).name == "semantic"
    with pytest.raises(UsageError, match="needs a sentence encoder"):
        make_ranker("semantic")
    with pytest.raises(UsageError, match="no ranker 'bm26'; there are bm25, tfidf"):
        make_ranker("bm26")
