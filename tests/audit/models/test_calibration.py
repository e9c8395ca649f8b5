"""Calibration by group, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.audit.models.calibration import measure_calibration, reliability


def test_a_calibration_error_by_hand() -> None:
    """Two bins: 0.75 sure and half right; 0.95 sure and always right. (4 * 0.25 + 2 * 0.05) / 6."""
    sure = np.array([0.75, 0.75, 0.75, 0.75, 0.95, 0.95])
    right = np.array([True, True, False, False, True, True])
    groups = ["a"] * 60 + ["b"] * 60
    measured, _ = measure_calibration(np.tile(sure, 20), np.tile(right, 20), groups)
    assert measured.ece.value == pytest.approx((4 * 0.25 + 2 * 0.05) / 6)
    low, high = reliability(sure, right)
    assert (low.low, low.high, low.confidence, low.accuracy.part, low.accuracy.whole) == (0.7, 0.8, 0.75, 2, 4)
    assert (high.confidence, high.accuracy.value) == (0.95, 1.0)


def groups_of(sure: float, hits: dict[str, tuple[int, int]]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    right = [place < hit for hit, size in hits.values() for place in range(size)]
    groups = [group for group, (_, size) in hits.items() for _ in range(size)]
    return np.full(len(groups), sure), np.array(right), groups


def test_overconfidence_in_one_group_is_found() -> None:
    """0.8 sure of everybody; right in 80 of 100 of one group and 60 of 100 of the other."""
    found = measure_calibration(*groups_of(0.8, {"a": (80, 100), "b": (60, 100)}))
    a, b = found
    assert a.ece.value == pytest.approx(0.0, abs=1e-12)
    assert b.ece.value == pytest.approx(0.2)
    assert b.over.value == pytest.approx(0.2)
    assert b.over_gap.value == pytest.approx(0.2)
    assert b.ece_gap == pytest.approx(0.2)
    assert b.over_gap.low is not None
    assert b.over_gap.low > 0
    assert b.over_p is not None
    assert b.over_p < 0.01
    assert b.bins[0].accuracy.whole == 100


def test_equal_groups_have_no_gap_and_small_ones_none_to_speak_of() -> None:
    found = measure_calibration(*groups_of(0.8, {"a": (80, 100), "b": (80, 100), "c": (5, 10)}), draws=300)
    assert found[0].over_p is not None
    assert found[0].over_p > 0.1
    assert not found[2].is_enough
    assert found[2].over_p is None
