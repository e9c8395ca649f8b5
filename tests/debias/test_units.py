"""Words and clauses stand where the text has them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.debias.interpretation import UnitKind, units_of, without


def shown(text: str, kind: UnitKind) -> list[str]:
    return [text[unit.start : unit.end] for unit in units_of(text, kind) if not unit.is_ignored]


def test_words_and_punctuation() -> None:
    text = "Dr. O'Neil's well-known A.I. (2019), yes!"
    units = units_of(text)
    assert shown(text, "word") == ["Dr", "O'Neil's", "well-known", "A.I", "2019", "yes"]
    assert [text[unit.start : unit.end] for unit in units if unit.is_ignored] == [".", ".", "(", ")", ",", "!"]


def test_clauses() -> None:
    text = "She is a nurse who works at a hospital in Rome, and she loves it. Also/too\nNew line"
    assert shown(text, "clause") == [
        "She",
        "is a nurse",
        "who works",
        "at a hospital",
        "in Rome",
        "and she loves it",
        "Also/too",
        "New line",
    ]


def test_a_unit_is_taken_away_and_nothing_else() -> None:
    text = "One  two, three"
    assert [without(text, unit) for unit in units_of(text) if not unit.is_ignored] == [
        "  two, three",
        "One  , three",
        "One  two, ",
    ]


def test_other_units_are_refused() -> None:
    with pytest.raises(ValueError, match="word or clause, not page"):
        units_of("a", "page")  # type: ignore[arg-type]


@given(st.text(alphabet="ab' ,.\n-_/(é5", max_size=40), st.sampled_from(["word", "clause"]))
def test_units_are_in_order_and_hold_every_letter(text: str, kind: UnitKind) -> None:
    units = units_of(text, kind)
    assert all(unit.start < unit.end for unit in units)
    assert all(one.end <= two.start for one, two in pairwise(units))
    covered = {at for unit in units if not unit.is_ignored for at in range(unit.start, unit.end)}
    assert all(at in covered for at, character in enumerate(text) if character.isalnum())
