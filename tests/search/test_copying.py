"""A resume into which the job's own text was pasted is flagged; honest ones are not."""

from __future__ import annotations

from evenhand.records.job import Job, Passage, Place
from evenhand.search.padding import padding_flags

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
        "100% of the job's own text stands in this resume word for word.",
    )


def test_words_in_common_are_no_copy() -> None:
    assert padding_flags(JOB, HONEST) == ()
    assert padding_flags(Job("Accountant wanted"), "Accountant wanted") == ()
    assert padding_flags(Job(""), AD) == ()


def test_what_the_employer_says_of_itself_is_not_looked_for() -> None:
    employer = Job(AD, passages=(Passage("employer", Place(0, len(AD))),))
    assert padding_flags(employer, AD) == ()
