"""Sentences that say what the numbers say."""

from __future__ import annotations

import pytest

from evenhand.explain.paragraph import check_words, describe, spoken, sureness, tidy
from evenhand.records.explanation import Counterfactual, FactScore, Faithfulness, SectionScore, WordRemoval, WordScore
from tests.explain.pictures.made import make

TEXT = "Bread, bread and fish; soup at ward"
SCORES = [1.0, 0.5, 0.0, 0.5, 0.5, 0.0, -0.4]


def test_the_whole_paragraph() -> None:
    found = make(
        TEXT,
        SCORES,
        sections=(SectionScore("Work Experience", 3.0), SectionScore("Skills", 1.0), SectionScore("Others", -1.9)),
        change=Counterfactual((WordScore("Bread, bread", 0, 12, 1.5),), ("NURSE",)),
    )
    assert describe(found, probability=0.83, is_said=True) == [
        "The model says COOK and gives it a probability of 83%.",
        "Mostly because of “Bread” (2 times), 60% of what the words say for it.",
        "Against it spoke “ward”.",
        "The section Work Experience made 75% of what sections say for it.",
        "Without this line the model would have said NURSE: “Bread, bread”.",
    ]


def test_several_words_are_named_until_they_are_enough() -> None:
    found = make(TEXT, [0.3, 0.0, 0.2, 0.25, 0.15, 0.1, -0.01])
    assert describe(found, probability=0.4, is_said=False)[:3] == [
        "The model does not say COOK; it gives it a probability of 40%.",
        "For it spoke “Bread”, “fish” and “and”.",
        "Hardly anything spoke against it.",
    ]
    weak = make(TEXT, [0.01, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0])
    assert describe(weak, probability=0.01, is_said=False)[1] == "Hardly anything spoke for it."


def test_mined_numbers_that_speak_against_it_are_said_to() -> None:
    facts = (FactScore("research_months", 111.0, -3.0),)
    found = make(TEXT, SCORES, facts=facts, special=-3.0, output=-2.0)
    assert "speak against it (-3.00: research months -3.00)" in describe(found, probability=0.9, is_said=True)[2]


def test_nothing_for_and_nothing_against() -> None:
    none, against = make("a b", [0.0, 0.0]), make("a b", [-1.0, 0.0])
    assert describe(none, probability=0.5, is_said=True)[1:3] == [
        "No word of the resume spoke for it.",
        "No word spoke against it.",
    ]
    said = describe(against, probability=0.5, is_said=True)
    assert said[1].startswith("All in all this resume speaks against it, but not enough")
    assert said[3] == "Against it spoke “a”."
    assert not describe(against, probability=0.5, is_said=False)[1].startswith("All in all")


def test_what_would_have_changed_it() -> None:
    lines = tuple(WordScore(f"line {number}", number, number + 1, 0.1) for number in range(5))
    several = make("a b", [1.0, 0.0], change=Counterfactual(lines, ()))
    assert describe(several, probability=1.0, is_said=True)[-1] == (
        "Without these 5 lines the model would have said no label at all: “line 0”; “line 1”; “line 2” and 2 more."
    )
    none = make("a b", [1.0, 0.0])
    assert "would still have said COOK" in describe(none, probability=1.0, is_said=True)[-1]
    assert "would" not in describe(none, probability=0.1, is_said=False)[-1]


def test_mined_numbers_come_first_where_they_count_more() -> None:
    facts = (FactScore("research_months", 30.0, 1.25), FactScore("certified", None, -0.25))
    found = make("a b", [0.5, -0.1], facts=facts, special=1.0)
    told = describe(found, probability=0.9, is_said=True)
    assert told[1] == (
        "Most of it comes from numbers that were mined from the resume "
        "(+1.00: research months +1.25, certified -0.25); its words add +0.40."
    )
    assert told[2].startswith("Of the words, most for it spoke “a”")
    weaker = make("a b", [5.0, -0.1], facts=facts, special=1.0)
    assert describe(weaker, probability=0.9, is_said=True)[3] == (
        "Numbers that were mined from the resume count too: research months +1.25."
    )


def test_how_far_to_trust_it() -> None:
    weak = Faithfulness((WordRemoval(0.1, 0.2, 0.3, 0.5),))
    good = Faithfulness((WordRemoval(0.1, 1.5, 0.3, 0.5),))
    assert check_words(make("a b", [1.0, 0.5], faithfulness=good)) == [
        "The scores add up to the difference they explain (+1.50) exactly.",
        "Taking out the strongest words lowers the output by 1.50, as many random words by 0.50: "
        "the words named here are those that the model goes by.",
    ]
    missed = check_words(make("a b", [1.0, 0.5], delta=-0.3, converged=False, faithfulness=weak))
    assert missed[0].startswith("The scores do not add up: they miss the difference they explain (+1.50) by -0.30.")
    assert missed[1].endswith("Do not rely on them.")
    assert "but for 0.010" in check_words(make("a b", [1.0, 0.5], delta=-0.01))[0]


@pytest.mark.parametrize(
    ("word", "shown"),
    [("Java,", "Java"), ("(C++)", "C++"), ("•", "•"), ("“Nurse”;", "Nurse"), ("x" * 99, "x" * 39 + "…")],
)
def test_punctuation_around_words_is_not_shown(word: str, shown: str) -> None:
    assert tidy(word) == shown


def test_occurrences_are_counted_together_whatever_their_case() -> None:
    words = make("Java java, JAVA C", [0.5, 0.25, -1.0, 0.0]).words
    assert [(each.text, each.score, each.times) for each in spoken(words, sign=1)] == [("Java", 0.75, 2)]


@pytest.mark.parametrize(
    ("chance", "shown"), [(0.999, "more than 99%"), (1.0, "100%"), (0.001, "less than 1%"), (0.0, "0%")]
)
def test_nothing_is_certain_that_is_not(chance: float, shown: str) -> None:
    assert sureness(chance) == shown
