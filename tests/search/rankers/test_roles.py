"""Vectors of roles: what ships is what features are made with, and near is what was done, not how it was worded."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.records.job import Job
from evenhand.search.analysis import terms
from evenhand.search.rankers.base import make_query
from evenhand.search.rankers.best import NAMES, ONLY_WORDS, Best
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.rankers.roles import VERSION, Spread, load_roles, stored
from evenhand.search.statistics import BlendedStatistics, PoolStatistics
from tests.search.rankers.resumes import digest


def test_features_name_the_vectors_that_ship() -> None:
    assert load_roles().version == VERSION


def test_a_ward_is_nearer_to_a_nurse_than_a_compiler_is() -> None:
    roles = load_roles()
    nurse, ward, compiler = (
        roles.encode_terms(terms(text))
        for text in ("registered nurse", "cared for patients on a hospital ward", "wrote a compiler in C++ and Python")
    )
    assert nurse @ ward > 0.3 > nurse @ compiler
    assert np.linalg.norm(ward) == pytest.approx(1)
    assert not roles.encode_terms(["qzx"]).any()


def test_a_likeness_is_told_in_standard_deviations() -> None:
    query = np.zeros(128)
    query[0] = 1.0
    spread = Spread(np.full(128, 0.25), np.eye(128) * 0.0625)
    found = spread.standardise(np.stack([stored(query), stored(0 * query)]), stored(query))
    assert found.tolist() == pytest.approx([(1 - 0.25) / 0.25, -1])


ROMANIAN = Job(
    "Contabil\nCăutăm un contabil cu experiență în bilanț, balanță și declarații fiscale. Lucru cu facturi și salarii.",
    "Contabil",
)


def test_an_ad_in_another_language_is_ordered_as_bm25_orders_it_and_says_so() -> None:
    pool = [
        digest("Ospătar la restaurant, am servit clienți și am încasat plăți. Lucru cu casa de marcat."),
        digest("Contabil, bilanț, balanță, declarații fiscale și salarii la o firmă de transport."),
        digest("Accountant, balance sheets and tax returns for a haulage firm, payroll, invoices, ledger."),
        digest("Economist, facturi și salarii."),
    ]
    query, statistics = make_query(ROMANIAN), BlendedStatistics(PoolStatistics(pool))
    scores = Best().rank(query, pool, statistics)
    lexical = make_ranker("bm25").rank(query, pool, statistics)
    assert np.argsort([-one.value for one in scores]).tolist() == np.argsort([-one.value for one in lexical]).tolist()
    assert scores[1].value == max(one.value for one in scores) > 0
    assert {part.name: part.value for part in scores[1].parts if part.value} == {NAMES["words"]: scores[1].value}
    assert str(next(part.reason for part in scores[1].parts if part.value)).endswith(ONLY_WORDS)
