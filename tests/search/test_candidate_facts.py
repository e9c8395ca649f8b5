"""Facts beside a score, from profiles whose dates are counted by hand."""

from __future__ import annotations

import pytest

from evenhand.records.job import Demand, Job
from evenhand.records.profile import Evidence, Fact, Period, Position, Profile, Project, Source
from evenhand.records.ranking import Match
from evenhand.search.matching import CandidateFacts, facts_of, is_met, latest_position, relevant_months

SOURCE = Source("a.txt", "0" * 64, "txt", 1, "parsed", (), None)
SEEN = Evidence(0, 4, 1, "rule", 1.0)


def fact(value: str) -> Fact:
    return Fact(value, value, SEEN)


def period(start: str | None, end: str | None) -> Period:
    return Period(start, end, None, None)


def position(title: str, start: str | None, end: str | None, *skills: str) -> Position:
    return Position(fact("Fennick"), fact(title), None, period(start, end), skills, SEEN)


def project(start: str | None, end: str | None, of: int | None, *skills: str) -> Project:
    return Project(None, None, None, period(start, end), skills, of, SEEN)


def test_all_facts() -> None:
    profile = Profile(
        SOURCE,
        "2026-10",
        emails=(fact("a@example.com"),),
        city=fact("Porto"),
        positions=(position("Developer", "2020-01", "2021-12", "java"), position("Lead", "2026-01", "present", "sql")),
        total_months=34,
        highest_degree="master",
    )
    job = Job("text", demands=(Demand(("java",), True, 36), Demand(("sql",), True), Demand(("go",), True, 12)))
    matched = [
        Match("java", 24, 36, True, (SEEN,)),
        Match("sql", 10, None, True, (SEEN,)),
        Match("go", None, 12, True, (SEEN,)),
    ]
    assert facts_of(profile, job, matched) == CandidateFacts(
        *("Lead", "Fennick", True, 34, 34, 1, 3, "master", "Porto", ("a@example.com",), (), 1)
    )


@pytest.mark.parametrize(
    ("months", "required", "met"),
    [(36, 36, True), (35, 36, False), (None, 36, False), (None, None, True), (0, None, True)],
)
def test_a_demand_is_met_by_known_months(months: int | None, required: int | None, met: bool) -> None:
    assert is_met(Match("java", months, required, True, ())) is met


def test_the_latest_job() -> None:
    old, new = position("old", "2010", "2015"), position("new", "2016-02", "2019")
    assert latest_position([old, new]) == new
    assert latest_position([new, position("now", "2012", "present"), old]).title == fact("now")  # type: ignore[union-attr]
    undated = [position("first", None, None), position("second", None, None)]
    assert latest_position(undated) == undated[0]
    assert latest_position([]) is None


@pytest.mark.parametrize(
    ("skills", "months"),
    [
        ({"java"}, 24),  # the first job
        ({"java", "sql"}, 30),  # 2020-01 to 2022-06: the jobs overlap
        ({"go"}, 6),  # a project with dates of its own
        ({"rust"}, 12),  # a project without dates has those of its job
        ({"perl"}, None),  # in a job without dates
        ({"c"}, 0),
        (set(), 0),
    ],
)
def test_relevant_months_count_once(skills: set[str], months: int | None) -> None:
    profile = Profile(
        SOURCE,
        "2026-10",
        positions=(
            position("a", "2020-01", "2021-12", "java"),
            position("b", "2021-07", "2022-06", "sql"),
            position("c", None, None, "perl"),
        ),
        projects=(project("2020-01", "2020-06", 0, "go"), project(None, None, 1, "rust")),
    )
    assert relevant_months(profile, skills) == months


def test_nothing_dated_is_unknown() -> None:
    assert relevant_months(Profile(SOURCE, "2026-10"), {"java"}) is None
    undated = Profile(SOURCE, "2026-10", positions=(position("a", None, None, "java"),))
    assert relevant_months(undated, {"sql"}) is None
