"""Means of paired differences, their intervals, and the correction for many tests, by numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from evenhand.audit.statistics import ConfidenceInterval
from evenhand.audit.swaps.effects import mean_of, measure_effect, signed_rank_p


def test_a_mean_without_words_is_that_of_students_t() -> None:
    values = np.array([1.0, 2.0, 3.0, 6.0])
    found = mean_of(values)
    # Mean 3, variance 14 / 3, error sqrt(14 / 12); t of 3 degrees of freedom at 97.5% is 3.18245.
    assert found.mean == 3.0
    assert found.error == pytest.approx(math.sqrt(14 / 12))
    assert found.interval.high == pytest.approx(3 + 3.182446 * math.sqrt(14 / 12), abs=1e-5)


def test_words_that_recur_widen_the_interval() -> None:
    # Two words, each in two resumes; residuals of word 0 sum to -2, of word 1 to +2: (4 + 4) / 16 * 2 / 1 = 1.
    values = np.array([0.0, 0.0, 2.0, 2.0])
    found = mean_of(values, [np.array([0, 0, 1, 1])])
    assert found.error == pytest.approx(1.0)
    assert mean_of(values).error == pytest.approx(math.sqrt(4 / 3 / 4))


def test_both_sides_of_a_pair_may_recur() -> None:
    # Crossed: each pair of words once, so what both share is the variance of single resumes (0.25 * 4 / 3 here).
    values = np.array([0.0, 1.0, 1.0, 2.0])
    one, other = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    by_one = by_other = (1 + 1) / 16 * 2
    crossed = (1 + 0 + 0 + 1) / 16 * 4 / 3
    assert mean_of(values, [one, other]).error == pytest.approx(math.sqrt(by_one + by_other - crossed))


@pytest.mark.parametrize("values", [[], [1.5]])
def test_one_pair_tells_nothing(values: list[float]) -> None:
    found = mean_of(np.array(values))
    assert found.interval == ConfidenceInterval(-math.inf, math.inf)


def test_signed_ranks() -> None:
    assert signed_rank_p(np.zeros(40)) == 1.0
    assert signed_rank_p(np.array([1.0])) == 1.0
    rng = np.random.default_rng(1)
    values = rng.normal(0.3, 1, 60)
    expected = stats.wilcoxon(values, correction=True, method="approx").pvalue
    assert signed_rank_p(values) == pytest.approx(expected)


def test_an_effect_inside_the_placebo_band_does_not_count() -> None:
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 1, 400)
    small = measure_effect(rng.normal(0.05, 1, 400), noise, unit=2.0)
    large = measure_effect(rng.normal(1.0, 1, 400), noise, unit=2.0)
    assert not small.is_outside
    assert large.is_outside
    assert large.in_units == pytest.approx(0.5, abs=0.06)
    assert large.band.low <= 0 <= large.band.high


def test_what_an_audit_could_have_found() -> None:
    # Errors of .05 on both sides: 2 * 1.966 * .05 + .8416 * .05 is about .239, in a unit of 2 about .119.
    rng = np.random.default_rng(3)
    draw = rng.normal(0, 1, 400)
    exact = (draw - draw.mean()) / draw.std(ddof=1)
    found = measure_effect(exact, exact, unit=2.0)
    assert found.detectable == pytest.approx(0.1193, abs=0.0005)
