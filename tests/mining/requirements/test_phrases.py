"""Fields and duties in the ad's own words."""

from __future__ import annotations

import pytest

from tests.mining.requirements.ads import understood


def phrases(text: str) -> list[tuple[str, str, bool, int | None]]:
    return [
        (demand.skills[0], demand.kind, demand.must, demand.months)
        for demand in understood(text).demands
        if demand.kind in ("domain", "task")
    ]


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ("Experience in the medical device industry", [("medical device", "domain", True, None)]),
        ("3 years Retail Store Manager experience", [("retail store manager", "domain", True, 36)]),
        ("2+ years of clinical experience", [("clinical experience", "domain", True, 24)]),
        ("Background in glockenspiel repair preferred", [("glockenspiel repair", "domain", False, None)]),
        ("Experience in a document vault", [("document vault", "domain", True, None)]),
        ("Ability to draft wills and trusts", [("draft wills", "task", True, None)]),
        # What every ad asks for, formalities, and what the firm says of itself
        ("Ability to multi-task under pressure with attention to detail", []),
        ("Team player with a positive attitude", []),
        ("Must have the right to work in Ruritania", []),
        ("We are proud of our glockenspiel collection", []),
        ("Expérience de la boulangerie et du pétrissage", []),
    ],
)
def test_phrases_of_requirements(point: str, expected: list[tuple[str, str, bool, int | None]]) -> None:
    assert phrases(f"Clerk\n\nRequirements:\n- {point}\n") == expected


def test_duties_speak_where_an_ad_lists_little_else() -> None:
    duties = "Duties:\n- Prepare tithe ledgers\n- Manage the team\n- Draft codicils for widows\n"
    assert phrases(f"Clerk\n\n{duties}") == [
        ("tithe ledgers", "domain", True, None),
        ("draft codicils", "task", True, None),
    ]


def test_a_phrase_stands_where_the_ad_has_it() -> None:
    job = understood("Clerk\n\nRequirements:\n- Experience in the medical device industry\n")
    [place] = [place for demand in job.demands if demand.kind == "domain" for place in demand.places]
    assert job.text[place.start : place.end] == "medical device"


def test_no_phrase_is_said_twice() -> None:
    text = "Clerk\n\nRequirements:\n- Experience in tithe ledgers\n- Knowledge of tithe ledgers\n"
    assert [name for name, *_ in phrases(text)] == ["tithe ledgers"]
