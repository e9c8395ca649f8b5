"""Sketches: what they estimate, and that they survive being stored."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evenhand.search.duplicates.sketch import Sketch, sketch
from tests.search.duplicates.resumes import compare, one_of_each_kind

NUMBERED = st.lists(st.integers(0, 60), min_size=40, max_size=120)


def estimate(one: Sketch, other: Sketch) -> float:
    """The share of equal min-hashes, as the index takes it."""
    return float(np.mean(one.values == other.values))


def text_of(numbers: list[int]) -> str:
    return " ".join(f"w{number}" for number in numbers)


@settings(suppress_health_check=[HealthCheck.too_slow])  # lists of numbers, on a machine that may be busy
@given(NUMBERED, NUMBERED)
def test_symmetric_and_one_for_identical_texts(a: list[int], b: list[int]) -> None:
    one, other = sketch(text_of(a)), sketch(text_of(b))
    assert estimate(one, other) == estimate(other, one)
    assert estimate(one, sketch(text_of(a))) == 1.0


@settings(max_examples=60)
@given(st.integers(0, 100), st.integers(60, 400), st.integers(0, 10**9))
def test_the_estimate_is_near_the_exact_resemblance(percent: int, size: int, salt: int) -> None:
    """Beyond 0.22, five standard errors of 128 hashes, a deviation is no chance."""
    words = [f"{salt + number}" for number in range(size)]
    changed = [f"x{word}" if place * 100 < percent * size else word for place, word in enumerate(words)]
    a, b = " ".join(words), " ".join(changed)
    assert estimate(sketch(a), sketch(b)) == pytest.approx(compare(a, b), abs=0.22)


def test_on_average_the_estimate_is_right() -> None:
    """Half of the pairs shared: 0.5 over many texts, to 3 standard errors of 50 x 128 hashes (0.019)."""
    estimates = []
    for salt in range(50):
        shared = [f"s{salt}x{number}" for number in range(101)]  # 100 pairs of words, and 1 more on either side
        a, b = ([*shared, *(f"a{salt}x{n}" for n in range(49))], [*shared, *(f"b{salt}x{n}" for n in range(49))])
        assert compare(" ".join(a), " ".join(b)) == 100 / 198
        estimates.append(estimate(sketch(" ".join(a)), sketch(" ".join(b))))
    assert np.mean(estimates) == pytest.approx(100 / 198, abs=0.019)


@pytest.mark.parametrize("text", [*one_of_each_kind(), "", "one two"])
def test_bytes_and_back(text: str) -> None:
    made = sketch(text)
    data = made.to_bytes()
    assert len(data) == 7 + 256
    assert Sketch.from_bytes(data).to_bytes() == data
    assert Sketch.from_bytes(data).shingles == made.shingles


def test_sketches_of_another_version_are_refused() -> None:
    data = sketch("one two three").to_bytes()
    for other in (b"", b"\x00" + data[1:], data[:1] + b"\x00" + data[2:]):
        with pytest.raises(ValueError, match="another version"):
            Sketch.from_bytes(other)


def test_the_same_bytes_everywhere() -> None:
    """Stored sketches meet those of another day and machine: whoever changes these numbers changes LAYOUT too."""
    made = sketch("the same words give the same numbers on every machine")
    assert (made.shingles, made.values[:4].tolist()) == (9, [35888, 16705, 4779, 20302])
