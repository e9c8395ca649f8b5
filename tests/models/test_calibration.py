"""Temperatures, calibration errors and silences whose values can be worked out on paper."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit, softmax  # type: ignore[import-untyped]

from evenhand.models.calibration import abstains, calibration_error, fit_temperature, to_probabilities


def test_softmax_and_sigmoid_with_a_temperature() -> None:
    logits = [[2 * math.log(3), 0.0]]
    np.testing.assert_allclose(to_probabilities(logits), [[0.9, 0.1]])
    np.testing.assert_allclose(to_probabilities(logits, temperature=2), [[0.75, 0.25]])
    np.testing.assert_allclose(to_probabilities(logits, temperature=2, several=True), [[0.75, 0.5]])


def test_probabilities_are_scipys_to_the_last_bit() -> None:
    logits = np.concatenate(
        [np.random.default_rng(0).normal(size=(400, 7)) * 9, [[-800, 800, 0, -709.5, 1e-9, -40, 40]]]
    )
    assert np.array_equal(to_probabilities(logits), softmax(logits, axis=-1))
    with np.errstate(over="ignore"):
        np.testing.assert_allclose(to_probabilities(logits, several=True), expit(logits), rtol=0, atol=1e-300)


def test_the_temperature_makes_confidence_what_was_right() -> None:
    """Sure of 0.9 each time, right three times of four: the likeliest confidence is 0.75, at temperature 2."""
    logits = [[2 * math.log(3), 0.0]] * 4
    assert fit_temperature(logits, [0, 0, 0, 1]) == pytest.approx(2.0, abs=1e-3)
    both = np.array([[2 * math.log(3), -2 * math.log(3)]] * 4)
    gold = [[1, 0], [1, 0], [1, 1], [0, 0]]  # each label right three times of four
    assert fit_temperature(both, gold, several=True) == pytest.approx(2.0, abs=1e-3)
    assert fit_temperature(np.zeros((0, 2)), []) == 1.0


def test_calibration_error_by_hand() -> None:
    """Two at 0.95, one right: gap 0.45. Two at 0.55, both right: gap 0.45. One at 0.7, right: gap 0.3."""
    probabilities = [[0.95, 0.05], [0.95, 0.05], [0.45, 0.55], [0.45, 0.55], [0.7, 0.3]]
    gold = [0, 1, 1, 1, 0]
    assert calibration_error(probabilities, gold) == pytest.approx((2 * 0.45 + 2 * 0.45 + 0.3) / 5)


def test_calibration_error_of_several_labels() -> None:
    """Judgements: yes at 0.9 (right), no at 0.8 (wrong), no at 0.9 (right), yes at 0.8 (right)."""
    probabilities = [[0.9, 0.2], [0.1, 0.8]]
    gold = [[1, 1], [0, 1]]
    # 0.9 lies in the bin up to 14/15 with accuracy 1, 0.8 in the one up to 12/15 with accuracy 1/2.
    assert calibration_error(probabilities, gold, several=True) == pytest.approx((2 * 0.1 + 2 * 0.3) / 4)


def test_bins_are_closed_above() -> None:
    # 0.5 alone in the lower bin; 1.0 and 0.51 with mean 0.755 and accuracy 1/2 in the upper one.
    found = calibration_error([[0.5, 0.5], [1.0, 0.0], [0.51, 0.49]], [0, 0, 1], bins=2)
    assert found == pytest.approx((0.5 + 2 * 0.255) / 3)


def test_silence_below_a_confidence() -> None:
    probabilities = [[0.6, 0.4], [0.8, 0.2], [0.5, 0.5]]
    assert abstains(probabilities, below=0.6).tolist() == [False, False, True]
    assert abstains(probabilities, below=0.0).tolist() == [False, False, False]
    # Of several labels none is said below one half, however little is asked for.
    assert abstains([[0.4, 0.3], [0.6, 0.1]], below=0.1, several=True).tolist() == [True, False]
