"""Why A above B: part by part, the same seen from either side, and summing to the difference."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.records.ranking import Part, Score
from evenhand.search.rankers.base import compare

scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False)).map(
    lambda parts: Score(tuple(Part(name, value) for name, value in parts.items()))
)


def test_by_hand() -> None:
    above = Score((Part("java", 2.0, "stands 4 times"), Part("sql", 1.0, "stands once")))
    below = Score((Part("cobol", 1.5, "stands twice"), Part("sql", 1.0, "stands once"), Part("java", 1.0)))
    found = compare(above, below)
    cobol = {"name": "cobol", "value": -1.5, "above": "", "below": "stands twice"}
    java = {"name": "java", "value": 1.0, "above": "stands 4 times", "below": ""}
    assert [difference.to_json() for difference in found.differences] == [cobol, java]
    assert found.largest(1) == ((found.differences[0],), 1, 1.0)
    assert found.value == -0.5


@given(scores, scores)
def test_differences_sum_to_the_difference_of_the_scores(one: Score, other: Score) -> None:
    exact = sum((Fraction(part.value) for part in one.parts), Fraction()) - sum(
        (Fraction(part.value) for part in other.parts), Fraction()
    )
    found = compare(one, other)
    assert found.value == float(exact)
    assert found.value == pytest.approx(one.value - other.value, abs=1e-9)
    sizes = [abs(difference.value) for difference in found.differences]
    assert sizes == sorted(sizes, reverse=True)


@given(scores, scores)
def test_swapping_turns_every_sign(one: Score, other: Score) -> None:
    there, back = compare(one, other), compare(other, one)
    assert there.value == -back.value
    assert [(each.name, each.value) for each in there.differences] == [
        (each.name, -each.value) for each in back.differences
    ]


def test_a_part_named_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="two parts of a score are called 'a'"):
        compare(Score((Part("a", 1.0), Part("a", 2.0))), Score(()))
