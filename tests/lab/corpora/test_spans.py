"""Months worked out by hand: inheritance, overlaps, what is dated and what is not."""

from __future__ import annotations

from evenhand_lab.corpora.career import CareerPeriod, month
from evenhand_lab.corpora.truth import Statement, gather, skill_periods, sum_months, union_months
from tests.lab.corpora.careers import AS_OF, hand_made

CAREER = hand_made()


def told(*rows: tuple[str, str, str, str]) -> list[Statement]:
    return [Statement(section, label, value, of) for section, label, value, of in rows]


def months(name: str, rows: list[Statement]) -> tuple[int, int]:
    periods = skill_periods(CAREER, gather(rows), name)
    return union_months(periods, AS_OF), sum_months(periods, AS_OF)


def test_overlapping_projects_count_once_in_the_union_and_twice_in_the_sum() -> None:
    rows = told(
        ("projects", "date", "2020-01/2020-06", "job 0 project 0"),
        ("projects", "skill", "Java", "job 0 project 0"),
        ("projects", "date", "2020-04/2020-09", "job 0 project 1"),
        ("projects", "skill", "Java", "job 0 project 1"),
    )
    assert months("Java", rows) == (9, 12)


def test_an_undated_project_inherits_its_job_once() -> None:
    rows = told(
        ("experience", "date", "2020-01/present", "job 0"),
        ("experience", "skill", "Java", "job 0 project 0"),
        ("experience", "skill", "Java", "job 0 project 1"),
    )
    assert months("Java", rows) == (82, 82)


def test_a_dated_project_inside_an_evident_job_adds_nothing() -> None:
    rows = told(
        ("experience", "date", "2020-01/present", "job 0"),
        ("experience", "skill", "Java", "job 0"),
        ("experience", "date", "2020-01/2020-06", "job 0 project 0"),
        ("experience", "skill", "Java", "job 0 project 0"),
    )
    assert months("Java", rows) == (82, 82)


def test_a_duration_alone_dates_a_project() -> None:
    rows = told(("experience", "duration", "6", "job 0 project 0"), ("experience", "skill", "Java", "job 0 project 0"))
    assert months("Java", rows) == (6, 6)
    assert gather(rows).lengths_only == {"job 0 project 0"}


def test_an_undated_project_in_its_own_section_counts_for_nothing() -> None:
    rows = told(("experience", "date", "2020-01/present", "job 0"), ("projects", "skill", "Java", "job 0 project 0"))
    assert skill_periods(CAREER, gather(rows), "Java") == []


def test_union_bridges_neighbours_and_keeps_gaps() -> None:
    spans = [
        CareerPeriod(month(2020, 1), month(2020, 3)),
        CareerPeriod(month(2020, 4), month(2020, 4)),
        CareerPeriod(month(2021, 1), None),
    ]
    assert union_months(spans, month(2021, 2)) == 6
    assert union_months([CareerPeriod(1, 20), CareerPeriod(2, 3), CareerPeriod(10, 25)], 30) == 25
