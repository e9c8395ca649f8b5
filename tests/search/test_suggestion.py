"""A19: skills to ask for next, with counts and contributions worked out by hand."""

from __future__ import annotations

from math import log

import pytest

from evenhand.records.job import Demand, Job
from evenhand.search.facets import SkillSuggestion, suggest

JOB = Job(
    "We need a Java developer. Unit tests with JUnit; knowledge of Oracle databases.",
    demands=(Demand(("java", "c#"), must=True),),
)
COUNTS = {"java": 9, "c#": 8, "junit": 7, "sql": 6, "struts": 5, "hibernate": 5, "unit": 1, "word": 0}
EVERYWHERE = {"java": 20, "c#": 20, "junit": 7, "sql": 60, "struts": 5, "hibernate": 10, "unit": 1}


def test_by_the_number_of_applicants_without_what_the_job_mentions() -> None:
    assert suggest(JOB, COUNTS, applicants=10) == [
        SkillSuggestion("sql", 6, 6.0),
        SkillSuggestion("hibernate", 5, 5.0),
        SkillSuggestion("struts", 5, 5.0),
    ]
    assert [each.skill for each in suggest(JOB, COUNTS, applicants=10, limit=1)] == ["sql"]


def test_kl_prefers_what_sets_the_job_apart() -> None:
    found = suggest(JOB, COUNTS, applicants=10, all_counts=EVERYWHERE, all_applicants=100, mode="kl")
    assert [each.skill for each in found] == ["struts", "hibernate"]  # sql: 60 of 100 have it anywhere, 6 of 10 here
    assert found[0].score == pytest.approx(0.5 * log(0.5 / 0.05))
    assert found[1].score == pytest.approx(0.5 * log(0.5 / 0.1))


def test_skills_rarer_here_than_anywhere_are_no_suggestion() -> None:
    assert suggest(JOB, {"sql": 5}, applicants=10, all_counts=EVERYWHERE, all_applicants=100, mode="kl") == []


def test_counts_that_lag_behind_do_not_matter() -> None:
    found = suggest(JOB, {"struts": 5}, applicants=10, all_counts={}, all_applicants=100, mode="kl")
    assert [each.score for each in found] == [pytest.approx(0.5 * log(10))]


def test_names_are_found_as_whole_words_in_any_inflection() -> None:
    job = Job("Designing web services in C for telecoms.")
    counts = {"web service": 3, "c": 3, "c++": 2, "telecom": 2, "service design": 1}
    assert [each.skill for each in suggest(job, counts, applicants=3)] == ["c++", "service design"]


def test_nobody_applied() -> None:
    assert suggest(JOB, {}, applicants=0) == []
    assert suggest(JOB, {"sql": 0}, applicants=0, mode="kl") == []
