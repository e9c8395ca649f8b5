"""A resume into which the job's own text was pasted is flagged; honest ones are not."""

from __future__ import annotations

import pytest

from evenhand.records.job import Job, Passage, Place
from evenhand.records.profile import Profile
from evenhand.search.padding import features_for_job, padding_flags
from evenhand.search.rankers.base import make_query
from evenhand.search.rankers.best import Best
from evenhand.search.statistics import BlendedStatistics, PoolStatistics
from tests.search.rankers.resumes import AS_OF, SOURCE

AD = (
    "We are looking for an accountant who closes the books every month, reconciles the bank accounts, prepares the tax "
    "returns of four companies, answers the questions of the auditors and trains the people who join the team."
)
JOB = Job(AD)
HONEST = "Accountant. Closed the books every month and reconciled bank accounts for six years. Trained two people."


def test_pasted_text_is_told_with_its_share() -> None:
    [flag] = padding_flags(JOB, f"{HONEST}\n{AD}")
    assert (flag.code, flag.message) == (
        "copied_job",
        "100% of the job's own text stands in this resume word for word; it is not counted.",
    )


def test_words_in_common_are_no_copy() -> None:
    assert padding_flags(JOB, HONEST) == ()
    assert padding_flags(Job("Accountant wanted"), "Accountant wanted") == ()
    assert padding_flags(Job(""), AD) == ()


def test_what_the_employer_says_of_itself_is_not_looked_for() -> None:
    employer = Job(AD, passages=(Passage("employer", Place(0, len(AD))),))
    assert padding_flags(employer, AD) == ()


PROFILE = Profile(SOURCE, AS_OF)


def points(text: str, job: Job) -> float:
    features = features_for_job(text, PROFILE, job)
    [score] = Best().rank(make_query(job), [features], BlendedStatistics(PoolStatistics([features])))
    return score.value


def test_the_ad_in_a_resume_and_words_over_and_over_gain_nothing() -> None:
    job = Job(AD, "Accountant")
    honest = points(HONEST, job)
    assert points(f"{HONEST}\n{AD}", job) == pytest.approx(honest, abs=2)
    for padding in (
        "accountant tax returns books reconciles " * 20,
        "accountant " * 20 + "tax " * 20 + "auditors " * 20,
    ):
        assert points(f"{HONEST}\n{padding}", job) == pytest.approx(honest, abs=2)
        assert [flag.code for flag in padding_flags(job, f"{HONEST}\n{padding}")] == ["repeated_words"]
