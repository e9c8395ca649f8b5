"""Statistics of a pool, counted by hand and against plain counting."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evenhand.search.feature_extraction import extract_features
from evenhand.search.rankers.background import Background, Commonness
from evenhand.search.statistics import BlendedStatistics, PoolStatistics
from tests.search.rankers.resumes import digest, profile

WORDS = ("java", "sql", "team", "garden", "c++")


def test_by_hand() -> None:
    pool = PoolStatistics([digest("java java sql"), digest("java"), digest("team team team team team")])
    assert (pool.number, pool.total_terms, pool.average_length) == (3, 9, 3.0)
    assert [pool.document_frequency(word) for word in WORDS] == [2, 1, 1, 0, 0]
    assert [pool.collection_frequency(word) for word in WORDS] == [3, 1, 5, 0, 0]


def test_skills_are_counted_by_resume() -> None:
    pool = PoolStatistics([extract_features("", profile()), extract_features("java", profile()), digest("java")])
    assert (pool.skill_frequency("java"), pool.skill_frequency("sql")) == (2, 0)


def test_no_resumes() -> None:
    for pool in (PoolStatistics([]), PoolStatistics([digest("")])):
        assert (pool.total_terms, pool.average_length) == (0, 0.0)
        assert pool.document_frequency("java") == pool.collection_frequency("java") == 0
        assert pool.skill_frequency("java") == 0


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=12), max_size=6))
def test_against_plain_counting(texts: list[list[str]]) -> None:
    pool = PoolStatistics([digest(" ".join(text)) for text in texts])
    together = Counter(word for text in texts for word in text)
    for word in WORDS:
        assert pool.collection_frequency(word) == together[word]
        assert pool.document_frequency(word) == sum(word in text for text in texts)
    assert pool.total_terms == sum(map(len, texts))


def test_shipped_counts_and_those_at_hand_together() -> None:
    pool = [digest("chef kitchen"), digest("chef qzx")]
    size = Commonness(resumes=10, ads=0, titles=0, occurrences=100)
    background = Background(size, {"chef": Commonness(resumes=3, occurrences=5)}, {"cooking": 4})
    blended = BlendedStatistics(PoolStatistics(pool), background)
    assert (blended.number, blended.total_terms) == (12, 104)
    assert [blended.document_frequency(term) for term in ("chef", "kitchen", "qzx", "lathe")] == [5, 1, 1, 0]
    assert (blended.collection_frequency("chef"), blended.skill_frequency("cooking")) == (7, 4)
    # However many there are at hand, they count no more than the others.
    many = BlendedStatistics(PoolStatistics([digest("chef")] * 40), background)
    assert (many.number, many.document_frequency("chef")) == (20, 13)
