"""What is left of a resume's text when its contact lines are gone."""

from __future__ import annotations

import pytest

from evenhand.records.profile import Evidence, Fact, Profile, Source
from evenhand.search.duplicates.sketch import contact_spans, without_contact

RESUME = """\
Curriculum Vitae
Asha Rao
12 Gandhi Road, Pune 411001
Phone: +91 98000 00000
asha@example.com | LinkedIn.com/in/asha

Summary
Java developer with 8 years in banking; my open source work can be read at https://example.org/asha by all of you
Asha Rao
Skills
Java, Oracle 10g, 2012 - 2014
"""


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_contact_lines_go_and_prose_stays() -> None:
    assert lines(without_contact(RESUME)) == [
        "Curriculum Vitae",
        "Summary",
        "Java developer with 8 years in banking; my open source work can be read at by all of you",
        "Skills",
        "Java, Oracle 10g, 2012 - 2014",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Mobile : 555 0100",
        "Address: somewhere",
        "Date of birth: 1 May 1980",
        "(020) 7946 0018",
        "Springfield, IL 62704",
        "London SW1A 1AA",
        "E-mail: unknown",
    ],
)
def test_lines_near_the_top_that_look_like_contact(line: str) -> None:
    assert lines(without_contact(f"Asha Rao\n{line}\nJava developer for 10 years")) == ["Java developer for 10 years"]


@pytest.mark.parametrize("line", ["Worked with 12 people in 2010-2012", "Java developer", "Contact centre agent"])
def test_lines_near_the_top_that_do_not(line: str) -> None:
    assert line in without_contact(f"Asha Rao\n{line}\n")


def test_years_further_down_are_no_phone_number() -> None:
    body = "\n".join(f"Line {number} of a long resume" for number in range(20))
    text = f"Asha Rao\n{body}\n20100101 - 20121231"
    assert without_contact(text).endswith("20100101 - 20121231")


def test_given_places_go_with_their_line_or_out_of_prose() -> None:
    prose = "I am Asha Rao and I have written programs for banks, insurers and hospitals since 2004"
    text = f"{prose}\nBody\nRao, Asha (Pune)\n"
    spans = [(prose.index("Asha"), prose.index("Asha") + 8), (text.rindex("Asha"), text.rindex("Asha") + 4)]
    assert lines(without_contact(text, spans)) == [prose.replace("Asha Rao ", ""), "Body"]


def test_texts_without_contact_data_stay() -> None:
    for text in ("", "\n\n", "2010 to 2012: java\n"):
        assert without_contact(text) == text


def test_places_of_a_profile() -> None:
    def fact(start: int, end: int) -> Fact:
        return Fact("", "", Evidence(start, end, 0, "rule", 1.0))

    source = Source(None, "", "pdf", 1, "parsed", (), None)
    profile = Profile(
        source, "2024-01", name=fact(0, 8), emails=(fact(20, 30),), phones=(fact(10, 18),), city=fact(0, 0)
    )
    assert contact_spans(profile) == [(0, 8), (10, 18), (20, 30)]


def test_hostile_lines_take_no_more_than_their_share() -> None:
    """Looked at once for each address they hold, these would take minutes."""
    line = "a@b.example " * 100_000
    spans = [(start, start + 11) for start in range(0, len(line), 12)]
    assert without_contact(line).split() == []
    assert without_contact(line, spans).split() == []
    assert without_contact("@" * 1_000_000).split() == []
