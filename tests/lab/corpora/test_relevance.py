"""Job ads that say what they demand, and grades worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from evenhand_lab.corpora import lexicon
from evenhand_lab.corpora.jobs import JobAd, VacancyDemand, sample_job
from evenhand_lab.corpora.relevance import grade, must_share
from evenhand_lab.corpora.truth import SkillTruth, Truth

JOB = JobAd(
    number=0,
    kind="it",
    occupation="Java Developer",
    title="Senior Java Developer",
    employer="Norvista Systems",
    city="Pune",
    country="India",
    demands=(
        VacancyDemand(("Java EE",), must=True, months=72),
        VacancyDemand(("Java", "C#"), must=True, months=36, most_months=60),
        VacancyDemand(("SQL",), must=True),
        VacancyDemand(("Spring",), must=True),
        VacancyDemand(("Docker",), must=False),
    ),
    total_months=72,
    degree="bachelor",
    level=None,
    text="",
    marks=(),
)


def skill(name: str, months: int | None) -> SkillTruth:
    return SkillTruth(name, (name,), months, months, "2026-10" if months else None)


TRUTH = Truth(
    number=0,
    kind="it",
    as_of="2026-10",
    name="Someone",
    email="someone@example.com",
    phone="555-0100",
    city="Pune",
    country="India",
    occupation="Java Developer",
    level=None,
    true_level=None,
    sections=(),
    marks=(),
    skills=(skill("Java EE", 80), skill("Java", 90), skill("SQL", None), skill("Spring", 20)),
    positions=(),
    education=(),
    certifications=(),
    languages=(),
    total_months=100,
    relevant_months=96,
    highest_degree="bachelor",
    style={},
)


def having(*skills: SkillTruth) -> Truth:
    """The same resume with other skills in place of those of the same names."""
    names = {one.name for one in skills}
    return replace(TRUTH, skills=(*(one for one in TRUTH.skills if one.name not in names), *skills))


def test_all_met_is_a_three() -> None:
    assert grade(JOB, TRUTH) == 3
    assert must_share(JOB, TRUTH) == 1.0


def test_months_decide_and_half_of_them_count_half() -> None:
    assert grade(JOB, having(skill("Java EE", 72))) == 3
    assert must_share(JOB, having(skill("Java EE", 71))) == 0.875  # 3.5 of 4
    assert grade(JOB, having(skill("Java EE", 71))) == 2
    assert must_share(JOB, having(skill("Java EE", 35))) == 0.75
    assert must_share(JOB, having(skill("Java EE", None))) == 0.875  # named without a date


def test_one_of_several_skills_will_do() -> None:
    other = replace(TRUTH, skills=(skill("Java EE", 80), skill("C#", 40), skill("SQL", 5), skill("Spring", 20)))
    assert grade(JOB, other) == 3


def test_missing_must_haves() -> None:
    without = replace(TRUTH, skills=TRUTH.skills[:2])
    assert must_share(JOB, without) == 0.5
    assert grade(JOB, without) == 1
    assert grade(JOB, replace(TRUTH, skills=TRUTH.skills[:1])) == 0
    assert grade(JOB, replace(TRUTH, skills=())) == 0


def test_experience_and_degree() -> None:
    assert grade(JOB, replace(TRUTH, relevant_months=71)) == 2
    assert grade(JOB, replace(TRUTH, relevant_months=54)) == 2  # three quarters
    assert grade(JOB, replace(TRUTH, relevant_months=53)) == 1
    assert grade(JOB, replace(TRUTH, highest_degree="master")) == 3
    assert grade(JOB, replace(TRUTH, highest_degree="associate")) == 2
    assert grade(JOB, replace(TRUTH, highest_degree="diploma")) == 2  # what others call an associate degree
    assert grade(JOB, replace(TRUTH, highest_degree="highschool")) == 1
    assert grade(replace(JOB, degree=None, total_months=None), replace(TRUTH, highest_degree=None)) == 3


def test_more_than_asked_for_does_no_harm() -> None:
    assert grade(JOB, having(skill("Java", 300))) == 3


def test_nice_to_haves_and_city_never_grade() -> None:
    assert grade(JOB, replace(TRUTH, city="Chennai")) == grade(JOB, having(skill("Docker", 3))) == 3


def test_experience_of_another_trade_is_none() -> None:
    job = replace(JOB, kind="mixed", occupation="Accountant")
    assert grade(job, replace(TRUTH, kind="mixed", occupation="Chef")) == 1
    assert grade(job, replace(TRUTH, kind="mixed", occupation="Accountant")) == 3


def test_competence_levels_must_be_equal() -> None:
    job = replace(JOB, kind="crc", level="CRC2")
    grades = {level: grade(job, replace(TRUTH, level=level)) for level in ("NQ", "CRC1", "CRC2", "CRC3", "CRC4")}
    assert grades == {"NQ": 0, "CRC1": 1, "CRC2": 3, "CRC3": 1, "CRC4": 0}


@pytest.mark.parametrize("kind", ["it", "crc", "mixed"])
def test_ads_say_what_they_demand(kind: str) -> None:
    for number in range(150):
        job = sample_job(kind, seed=4, number=number)
        assert job == sample_job(kind, seed=4, number=number)
        assert all(job.text[mark.start : mark.end] == mark.text for mark in job.marks)
        said = {(mark.label, mark.value) for mark in job.marks}
        assert {("skill", name) for demand in job.demands for name in demand.skills} <= said
        assert {"title", "city"} <= {mark.label for mark in job.marks}
        for demand in job.demands:
            if demand.months is not None:
                value = f"{demand.months}-{demand.most_months}" if demand.most_months else str(demand.months)
                assert ("months", value) in said
        assert (job.total_months is None) == ("total_months" not in {label for label, _ in said})
        assert (job.degree is None) or ("degree", job.degree) in said
        assert "{" not in job.text
        assert json.loads(json.dumps(job.to_json()))["number"] == number


def test_ads_ask_for_no_more_years_than_a_skill_is_old() -> None:
    from evenhand_lab.corpora.occupations import skills

    for number in range(300):
        for demand in sample_job("it", seed=6, number=number).demands:
            oldest = min(skills()[name].year for name in demand.skills)
            assert (demand.months or 0) <= 12 * (2026 - oldest)


def test_no_ad_asks_for_what_one_country_alone_can_give() -> None:
    """Else origin, which goes with country, would decide about grades: audits by origin need a true zero."""
    american = set(lexicon.table("places.toml")["american"]["skills"])
    for number in range(600):
        job = sample_job("mixed", seed=8, number=number)
        assert american.isdisjoint(name for demand in job.demands for name in demand.skills)
        assert job.degree in (None, "highschool", "diploma", "associate", "bachelor")


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(ValueError, match="there is no kind 'poets'"):
        sample_job("poets", seed=1, number=1)
