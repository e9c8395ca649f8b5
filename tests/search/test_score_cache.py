"""Remembered scores are those of the ranker, to the bit and to the word, in whatever selection they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from evenhand.records.job import Demand, Job
from evenhand.search.features import FeatureTable, ResumeFeatures
from evenhand.search.rankers.base import Contributions, Query, make_query
from evenhand.search.rankers.best import Best
from evenhand.search.screener import ScoreCache
from evenhand.search.statistics import PoolStatistics, Statistics
from tests.search.rankers.pools import make_pool

JOB = Job("Java Developer\nSpring, SQL", "Java Developer", demands=(Demand(("java",), True, 24),), months=60)
TEXTS = ("java spring sql", "java", "spring boot and sql, java too", "cooking", "sql sql sql", "")
KEYS = tuple("abcdef")


@dataclass(frozen=True)
class Counting(Best):
    """Notes how many resumes it was asked to look at each time."""

    asked: list[int] = field(default_factory=list)

    def base(self, query: Query, digests: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        self.asked.append(len(digests))
        return super().base(query, digests, statistics)


def test_the_same_numbers_and_reasons_and_each_resume_looked_at_once() -> None:
    pool = FeatureTable.of(make_pool(TEXTS))
    statistics, query, ranker = PoolStatistics(pool), make_query(JOB), Counting()
    known = ScoreCache()
    for rows in ((1, 3), (3, 0, 1), (5, 4, 3, 2, 1, 0), (), (2,)):
        digests = pool.only(rows)
        found = known.base(ranker, query, [KEYS[row] for row in rows], digests, statistics)
        plain = Best().base(query, digests, statistics)
        assert np.array_equal(found.values, plain.values)
        assert (found.names, found.always) == (plain.names, plain.always)
        ranker.asked.append(-1)
        assert found.scores() == plain.scores()
    # Each time: who was new, then (after the mark) each one again for the reasons.
    assert ranker.asked == [2, -1, 1, 1, 1, -1, 1, 1, 1, 3, -1, *[1] * 6, -1, -1, 1]


def test_before_anyone_is_known_nobody_has_no_score() -> None:
    pool = FeatureTable.of(make_pool(TEXTS))
    found = ScoreCache().base(Best(), make_query(JOB), [], pool.only([]), PoolStatistics(pool))
    assert found.totals() == []
    assert "Requirements" in found.names
