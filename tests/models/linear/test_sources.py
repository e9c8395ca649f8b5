"""Which texts of a resume a part reads."""

from __future__ import annotations

import pytest

from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import Source, before_periods, texts_of

RESUME = ResumeInput(
    (SectionText("Profile", "Likes bread."), SectionText("Work Experience", "Baker, May 2014 to Present")),
    ("Baker", "Waiter", "Porter"),
)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("body", ("Likes bread.\nBaker, May 2014 to Present",)),
        ("current", ("Baker",)),
        ("past", ("Waiter", "Porter")),
        ("titles", ("Baker", "Waiter", "Porter")),
        ("stated", ("Baker", "Waiter", "Porter", "Likes bread. Baker,")),
    ],
)
def test_sources(source: Source, expected: tuple[str, ...]) -> None:
    assert texts_of(RESUME, source) == expected


def test_what_stands_before_a_stretch_of_time_does_not_reach_into_the_one_before() -> None:
    text = "Java Developer Acme - Springfield, IL June 2015 to Present Wrote services. Tester 2013 - 2015 Tested."
    assert before_periods(text) == ("Java Developer Acme - Springfield, IL", "Wrote services. Tester")


def test_at_most_twelve_words_are_read_before_a_stretch_of_time() -> None:
    text = " ".join(f"w{number}" for number in range(20)) + " 2001 to 2003"
    assert before_periods(text) == (" ".join(f"w{number}" for number in range(8, 20)),)


def test_a_year_alone_is_no_stretch_of_time() -> None:
    assert before_periods("Graduated in 2014. Founded 1999.") == ()
