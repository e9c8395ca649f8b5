"""Tenses, articles and lists."""

from __future__ import annotations

import pytest

from evenhand_lab.corpora.writing.grammar import agree, article, capitalize, conjugate, joiners, to_base


@pytest.mark.parametrize(
    ("base", "past"),
    [
        ("develop and maintain services", "developed and maintained services"),
        ("collect, process and ship samples", "collected, processed and shipped samples"),
        ("submit reports to the IRB and track responses", "submitted reports to the IRB and tracked responses"),
        ("work with sponsors to plan and run visits", "worked with sponsors to plan and run visits"),
        ("assess patients, give drugs and document care", "assessed patients, gave drugs and documented care"),
        ("verify medication lists and refill requests", "verified medication lists and refill requests"),
        ("oversee sales and support for clients", "oversaw sales and support for clients"),
        ("quickly fix errors", "quickly fixed errors"),
        ("carry out audits", "carried out audits"),
        ("re-consent participants", "re-consented participants"),
    ],
)
def test_verbs_take_the_tense_together(base: str, past: str) -> None:
    assert conjugate(base, "past") == past


@pytest.mark.parametrize(
    ("base", "gerund"),
    [
        ("plan, run and close trials", "planning, running and closing trials"),
        ("tie accounts to files and submit them", "tying accounts to files and submitting them"),
        ("oversee staff and write rotas", "overseeing staff and writing rotas"),
    ],
)
def test_gerunds(base: str, gerund: str) -> None:
    assert conjugate(base, "gerund") == gerund


def test_phrases_come_back_to_their_base() -> None:
    assert to_base("Managed and trained staff.") == "manage and train staff"
    assert to_base("Wrote reports") == "write reports"
    assert to_base("develop tests") == "develop tests"


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("hour", "an"), ("user", "a"), ("SQL query", "an"), ("EKG", "an"), ("8-bit", "an"), ("18 hour", "an"),
     ("180 hour", "a"), ("one-off", "a"), ("exchange", "an"), ("REST service", "a"), ("university", "a")],
)  # fmt: skip
def test_articles_go_by_sound(noun: str, expected: str) -> None:
    assert article(noun) == expected


def test_agreement_inside_a_text() -> None:
    assert agree("Delegate to a exchange and an program") == "Delegate to an exchange and a program"


def test_capitals_and_lists() -> None:
    assert (capitalize("built"), capitalize("iOS apps"), capitalize("")) == ("Built", "iOS apps", "")
    assert joiners(3, oxford=True) == [", ", ", and "]
    assert joiners(3, oxford=False) == [", ", " and "]
    assert joiners(2, oxford=True) == [" and "]
    assert joiners(1, oxford=True) == []
