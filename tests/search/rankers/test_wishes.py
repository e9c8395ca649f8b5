"""The three wishes: use in projects, recent use, and institutions only when they are given a weight."""

from __future__ import annotations

import math

import pytest

from evenhand.records.profile import Profile
from evenhand.search.feature_extraction import extract_features
from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers.best import Preferences
from evenhand.search.statistics import PoolStatistics
from tests.search.rankers.resumes import digest, profile


def _total(known: Profile, wishes: Preferences) -> float:
    """Beside three resumes without the skill, so that idf = 1 + ln(4/2)."""
    pool = [extract_features("", known), *(digest("") for _ in range(3))]
    return wishes.contributions([("java",)], pool, PoolStatistics(pool)).totals()[0]


IDF = 1 + math.log(2)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (profile(), 0.25),  # mentioned in a summary
        (profile(in_project=True, project_end="2024-06"), 0.25 + 1),  # used now
        (profile(in_project=True, project_end="2021-06"), 0.25 + 0.5),  # a half-life ago
        (profile(in_project=True, project_end="2018-06"), 0.25 + 0.25),
        (profile(in_project=True, dated=False), 0.25 + 0.25),  # taken as six years ago
    ],
)
def test_by_hand(known: Profile, expected: float) -> None:
    assert _total(known, Preferences()) == pytest.approx(expected * IDF)
    assert _total(known, Preferences(weight=2.0)) == pytest.approx(2 * expected * IDF)


def test_moving_a_mention_into_a_project_raises_and_a_recent_one_raises_more() -> None:
    summary = _total(profile(), Preferences())
    old = _total(profile(in_project=True, project_end="1990-01"), Preferences())
    recent = _total(profile(in_project=True, project_end="2023-01"), Preferences())
    assert summary < old < recent


def test_half_life() -> None:
    known = profile(in_project=True, project_end="2022-06")
    assert _total(known, Preferences(half_life_years=2)) == pytest.approx(0.75 * IDF)


def test_of_alternatives_the_best_counts() -> None:
    pool = [extract_features("", profile(in_project=True, project_end="2021-06")), digest("")]
    table = Preferences().contributions([("sql", "java"), ("cobol",)], pool, PoolStatistics(pool))
    (part,) = table.score(0).parts
    assert part.name == "skill in use: sql or java"
    assert part.value == pytest.approx(0.75)  # idf = 1 + ln(2/2)
    assert part.reason == "java is used in a job or project, 3.0 years ago; idf 1.000"
    assert table.score(1).parts == ()


def test_institutions_change_nothing_without_a_weight() -> None:
    pool = [extract_features("", profile()), digest("")]
    statistics = PoolStatistics(pool)

    def quality(_: ResumeFeatures) -> float:
        return 7.0

    plain = Preferences().contributions([("java",)], pool, statistics)
    unweighted = Preferences().contributions([("java",)], pool, statistics, quality=quality)
    assert unweighted.scores() == plain.scores()
    weighted = Preferences(quality_weight=0.5).contributions([("java",)], pool, statistics, quality=quality)
    assert [after - before for after, before in zip(weighted.totals(), plain.totals(), strict=True)] == pytest.approx(
        [3.5, 3.5]
    )


def test_nothing_wanted() -> None:
    pool = [extract_features("", profile())]
    assert Preferences().contributions([], pool, PoolStatistics(pool)).totals() == [0.0]
