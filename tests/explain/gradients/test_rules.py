"""Points and weights along a path, against integrals known by heart."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evenhand.errors import UsageError
from evenhand.explain.gradients.integrated import RULES, RuleName, StepDensity, make_rule


@pytest.mark.parametrize(
    ("name", "points", "weights"),
    [
        ("left", [0, 0.25, 0.5, 0.75], [0.25] * 4),
        ("right", [0.25, 0.5, 0.75, 1], [0.25] * 4),
        ("middle", [0.125, 0.375, 0.625, 0.875], [0.25] * 4),
        ("trapezoid", [0, 1 / 3, 2 / 3, 1], [1 / 6, 1 / 3, 1 / 3, 1 / 6]),
    ],
)
def test_riemann_sums_by_hand(name: RuleName, points: list[float], weights: list[float]) -> None:
    rule = make_rule(name, 4)
    np.testing.assert_allclose(rule.points, points, atol=1e-15)
    np.testing.assert_allclose(rule.weights, weights, atol=1e-15)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("steps", [1, 2, 3, 8])
def test_weights_sum_to_one_and_points_ascend(name: RuleName, steps: int) -> None:
    rule = make_rule(name, steps)
    assert rule.weights.sum() == pytest.approx(1, abs=1e-14)
    assert (np.diff(rule.points) > 0).all()


def test_gauss_is_exact_to_degree_two_n_minus_one_and_no_further() -> None:
    rule = make_rule("gauss-legendre", 4)
    assert rule.weights @ rule.points**7 == pytest.approx(1 / 8, abs=1e-14)
    assert abs(rule.weights @ rule.points**8 - 1 / 9) > 1e-6


def test_simpson_is_clenshaw_curtis_with_two_steps() -> None:
    np.testing.assert_allclose(make_rule("clenshaw-curtis", 2).weights, [1 / 6, 4 / 6, 1 / 6], atol=1e-15)


def test_twice_the_steps_keep_all_points() -> None:
    once, twice = (make_rule("clenshaw-curtis", steps).points for steps in (12, 24))
    np.testing.assert_allclose(twice[::2], once, atol=1e-15)


def test_gathered_steps_integrate_the_same_and_a_narrow_peak_far_better() -> None:
    gathering, rule = StepDensity(0.45, 0.1), make_rule("clenshaw-curtis", 16)
    places, weights = gathering.place(rule.points), gathering.weigh(rule)
    assert places[[0, -1]] == pytest.approx([0, 1], abs=1e-12)
    assert weights @ np.exp(places) == pytest.approx(math.e - 1, abs=1e-8)

    def peak(at: np.ndarray) -> np.ndarray:
        return 0.06 / ((at - 0.45) ** 2 + 0.06**2)

    exact = math.atan(0.55 / 0.06) + math.atan(0.45 / 0.06)
    assert abs(weights @ peak(places) - exact) < 0.01 * abs(rule.weights @ peak(rule.points) - exact)


def test_a_path_without_steps_is_refused() -> None:
    with pytest.raises(UsageError, match="one step at least"):
        make_rule("left", 0)
