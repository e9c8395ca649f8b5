"""Corrections and shuffles whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact  # type: ignore[import-untyped]

from evenhand.audit.statistics import (
    around,
    hits_by_chance,
    holm_adjusted,
    share_at_least,
    shuffled_within,
    sign_flip_p,
)


def test_holm_by_hand() -> None:
    """0.01 * 4, then 0.02 * 3 = 0.06, then 0.03 * 2 = 0.06, then 0.5."""
    assert holm_adjusted({"c": 0.03, "a": 0.01, "d": 0.5, "b": 0.02}) == pytest.approx(
        {"c": 0.06, "a": 0.04, "d": 0.5, "b": 0.06}
    )
    assert holm_adjusted({"a": 0.02, "b": 0.019}) == pytest.approx({"a": 0.038, "b": 0.038})
    assert holm_adjusted({1: 0.7, 2: 0.9}) == {1: 1.0, 2: 1.0}
    assert holm_adjusted({}) == {}


def test_shuffled_hits_are_those_of_the_exact_test() -> None:
    hits, misses, drawn = np.array([12]), np.array([18]), np.array([10])
    found = hits_by_chance(hits, misses, drawn, rng=np.random.default_rng(0), draws=40_000)
    p = share_at_least(8.0, found[:, 0].astype(float))
    assert p == pytest.approx(fisher_exact([[8, 2], [4, 16]], alternative="greater")[1], abs=0.003)


def test_a_shuffle_stays_within_its_stratum() -> None:
    values, strata = np.arange(10), np.array([0, 1] * 5)
    found = shuffled_within(values, strata, rng=np.random.default_rng(3))
    assert sorted(found[strata == 0].tolist()) == [0, 2, 4, 6, 8]
    assert sorted(found[strata == 1].tolist()) == [1, 3, 5, 7, 9]
    assert found.tolist() != values.tolist()


def test_signs_of_paired_differences() -> None:
    values = np.array([0.1, 0.2, 0.3] * 20)
    assert sign_flip_p(values, seed=1) == pytest.approx(1 / 2001)
    assert sign_flip_p(-values, seed=1) == pytest.approx(1 / 2001)
    assert sign_flip_p(-values, seed=1, is_one_sided=True) == 1.0
    assert sign_flip_p([0.0, 0.0], seed=1) == 1.0
    assert sign_flip_p([1.0, -1.0] * 10, seed=1) > 0.9


def test_limits_leave_a_fortieth_on_each_side() -> None:
    found = around(5.0, np.arange(1001.0))
    assert (found.value, found.low, found.high) == pytest.approx((5.0, 25.0, 975.0))
