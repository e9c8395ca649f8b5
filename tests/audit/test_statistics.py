"""Rates and differences against values worked out by hand or published."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest  # type: ignore[import-untyped]
from scipy.stats.contingency import relative_risk  # type: ignore[import-untyped]

from evenhand.audit.statistics import newcombe_estimate, ratio, wilson_rate


def test_wilson_is_scipys() -> None:
    for part, whole in ((0, 10), (3, 10), (10, 10), (157, 2435)):
        expected = binomtest(part, whole).proportion_ci(method="wilson")
        found = wilson_rate(part, whole)
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_newcombe_is_the_published_example() -> None:
    """56/70 less 48/80: 0.2 (0.0524 to 0.3339), as Newcombe's paper of 1998 has it for its method 10."""
    gap = newcombe_estimate(wilson_rate(56, 70), wilson_rate(48, 80))
    assert gap.value == pytest.approx(0.2)
    assert (gap.low, gap.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_the_callbacks_of_the_correspondence_study() -> None:
    """235 of 2,435 against 157 of 2,435: 9.65% and 6.45%, 3.2 points apart, half as many again."""
    one, two = wilson_rate(235, 2435), wilson_rate(157, 2435)
    gap = newcombe_estimate(one, two)
    assert gap.value == pytest.approx(78 / 2435)
    assert gap.low is not None
    assert 0.016 < gap.low < 0.017
    found = ratio(one, two)
    assert found.value == pytest.approx(235 / 157)
    expected = relative_risk(235, 2435, 157, 2435).confidence_interval()
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_nobody_is_not_nought() -> None:
    assert wilson_rate(0, 0).value is None
    assert newcombe_estimate(wilson_rate(0, 0), wilson_rate(1, 2)).value is None
    assert ratio(wilson_rate(1, 2), wilson_rate(0, 2)).value is None
    never = ratio(wilson_rate(0, 4), wilson_rate(2, 4))
    assert (never.value, never.low) == (0.0, 0.0)
