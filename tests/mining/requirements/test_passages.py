"""Which stretch of an ad speaks of what, and that no text is too much."""

from __future__ import annotations

from itertools import pairwise

import pytest

from evenhand.mining.requirements.reading import MAX_AD_LENGTH
from evenhand.records.job import Job
from tests.mining.requirements.ads import understood

GLUED = (
    "Billing Clerk\n\nOur client in the Boise area is seeking a Billing Clerk for a temporary role. "
    "2+ years of billing experienceEnter invoices and credit notes"
    "Answer calls of customersCheck the mailStrong Excel skills"
    "Some QuickBooks a PLUSFollow us on Instagram!!Foxmoor is an Equal Opportunity Employer."
    "Company Profile: Founded by people who love staffing, we deliver talent to emerging companies. "
    "Our recruiters have ten years of experience on average."
)


def parts(text: str) -> list[tuple[str, str]]:
    return [(p.type, text[p.place.start : p.place.end].strip()) for p in understood(text).passages]


def test_an_ad_whose_lines_are_glued_together() -> None:
    assert parts(GLUED) == [
        ("other", "Billing Clerk\n\nOur client in the Boise area is seeking a Billing Clerk for a temporary role."),
        ("requirements", "2+ years of billing experience"),
        ("duties", "Enter invoices and credit notesAnswer calls of customersCheck the mail"),
        ("requirements", "Strong Excel skills"),
        ("wishes", "Some QuickBooks a PLUS"),
        ("employer", "Follow us on Instagram!!"),
        ("legal", "Foxmoor is an Equal Opportunity Employer."),
        (
            "employer",
            "Company Profile: Founded by people who love staffing, we deliver talent to emerging companies. "
            "Our recruiters have ten years of experience on average.",
        ),
    ]


def test_what_an_agency_says_of_itself_asks_for_nothing() -> None:
    job = understood(GLUED)
    assert job.months == 24
    assert [demand.skills for demand in job.demands if demand.kind == "skill"] == [
        ("billing",),
        ("excel",),
        ("quickbooks",),
    ]


def test_headings_type_what_stands_below_them() -> None:
    text = (
        "Responsibilities\n- Sweep the hall\nWhat you bring\n- Patience\nPreferred\n- A van\n"
        "What we offer\n- Tea\nHow to apply\n- Call Ann"
    )
    assert [kind for kind, _ in parts(text)] == ["duties", "requirements", "wishes", "benefits", "legal"]


def test_passages_cover_the_whole_text() -> None:
    places = [passage.place for passage in understood(GLUED).passages]
    assert places[0].start == 0
    assert places[-1].end == len(GLUED)
    assert all(a.end == b.start for a, b in pairwise(places))


def test_a_job_comes_back_from_its_json() -> None:
    job = understood(GLUED)
    assert Job.from_json(job.to_json()) == job


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "\x00\ud800" * 50,
        "." * 70_000,
        " " * 70_000,
        "aaBb" * 5_000,
        "java required preferred " * 2_000,
        "((((" * 5_000,
        "5-" * 5_000,
        "Wir suchen eine Buchhalterin (m/w/d) mit 5 Jahren Erfahrung in SAP oder DATEV.",
        "我们正在招聘高级软件工程师，要求五年Java经验。",
    ],
)
def test_no_text_is_too_much(text: str) -> None:
    job = understood(text)
    assert job.text == text
    assert (job.passages[-1].place.end if job.passages else 0) == len(text)
    assert all(0 <= place.start < place.end <= len(text) for demand in job.demands for place in demand.places)


def test_only_the_beginning_of_an_endless_text_is_understood() -> None:
    text = "Requirements\n- Java\n" + "x " * MAX_AD_LENGTH + "\n- Python is a must"
    job = understood(text)
    assert [demand.skills for demand in job.demands] == [("java",)]
    assert job.passages[-1].type == "other"
    assert job.passages[-1].place.end == len(text)
