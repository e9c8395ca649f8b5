"""Total Sobol indices of functions whose indices are known, for both estimators, and SALib's opinion."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy.typing import NDArray

from evenhand.debias.importance import (
    ESTIMATORS,
    Estimator,
    SobolDesign,
    UnbalancedDesign,
    estimate,
    legacy_design,
    scrambled_designs,
)
from evenhand.debias.samples import Floats
from tests.debias.sobol import crossed, total_indices

Masks = NDArray[np.float32]
WEIGHTS = np.array([4, 3, 2, 1, 0.5])
ISHIGAMI = np.array([0.558, 0.442, 0.244])  # a = 7, b = 0.1


def design(concepts: int, points: int, seed: int = 0) -> SobolDesign:
    return next(scrambled_designs(concepts, points, seed=seed))


def additive(masks: Masks) -> Floats:
    return np.asarray(masks @ WEIGHTS, np.float64)


def ishigami(masks: Masks) -> Floats:
    first, second, third = (2 * np.pi * masks.astype(np.float64) - np.pi).T
    return np.asarray(np.sin(first) * (1 + 0.1 * third**4) + 7 * np.sin(second) ** 2)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_sum_a_product_and_ishigami(estimator: Estimator) -> None:
    expected = [0.5289, 0.2975, 0.1322, 0.0331, 0.0083]  # c^2 over the sum of all c^2
    np.testing.assert_allclose(total_indices(additive, design(5, 1024), estimator), expected, atol=0.01)
    product = total_indices(lambda masks: masks[:, 0] * masks[:, 1], design(2, 1024), estimator)
    np.testing.assert_allclose(product, [4 / 7, 4 / 7], atol=0.01)
    np.testing.assert_allclose(total_indices(ishigami, design(3, 4096), estimator), ISHIGAMI, atol=0.01)


def test_salib_says_the_same_of_the_same_points() -> None:
    from SALib.analyze import sobol

    points = design(3, 512)
    # SALib wants, point by point, A, every C^(i), then B.
    blocks = [points.a, *(crossed(points, each) for each in range(3)), points.b]
    outputs = np.stack([ishigami(block) for block in blocks], axis=1).ravel()
    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[0, 1]] * 3}
    theirs = sobol.analyze(problem, outputs, calc_second_order=False, seed=1)["ST"]
    # It divides by the variance of A and B together, we by that of A: the points are the same, the scale nearly.
    np.testing.assert_allclose(total_indices(ishigami, points), theirs, rtol=0.02)
    ratios = total_indices(ishigami, points) / theirs
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-9)


def test_a_constant_has_no_indices() -> None:
    np.testing.assert_array_equal(total_indices(lambda masks: np.ones(len(masks)), design(4, 64)), 0)
    assert estimate(np.ones(8), np.ones((2, 8))) is None


def test_no_column_of_both_matrices_is_the_same() -> None:
    points = design(4, 64)
    assert points.a.shape == points.b.shape == (64, 4)
    assert not (points.a == points.b).any()


def test_every_text_gets_a_scramble_of_its_own_and_each_is_balanced() -> None:
    designs = scrambled_designs(3, 64, seed=1)
    first, second = next(designs), next(designs)
    assert not np.intersect1d(first.a, second.a).size
    for points in (first, second):
        for column in np.hstack([points.a, points.b]).T:
            assert sorted((column * 64).astype(int)) == list(range(64))  # one point in each of 64 strips
    np.testing.assert_array_equal(next(scrambled_designs(3, 64, seed=1)).a, first.a)


def test_a_number_that_is_no_power_of_two_is_warned_of() -> None:
    with pytest.warns(UnbalancedDesign, match="50 points"):
        next(scrambled_designs(3, 50))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        next(scrambled_designs(3, 64))
        legacy_design(3)


def test_the_legacy_design_gives_too_little_and_the_default_does_not() -> None:
    weights = np.arange(1.0, 21.0)

    def weighted_sum(masks: Masks) -> Floats:
        return np.asarray(masks @ weights, np.float64)

    legacy = legacy_design(20)
    assert len(legacy.a) == 50
    assert not legacy.a[0].any()  # the corner of the cube
    assert total_indices(weighted_sum, legacy).sum() == pytest.approx(0.61, abs=0.02)
    designs = scrambled_designs(20, seed=0)
    default = np.mean([total_indices(weighted_sum, next(designs)) for _ in range(40)], axis=0)
    assert default.sum() == pytest.approx(1.0, abs=0.05)
    exact = weights**2 / (weights**2).sum()
    np.testing.assert_allclose(default, exact, atol=0.01)
    assert np.abs(total_indices(weighted_sum, legacy) - exact).max() == pytest.approx(0.056, abs=0.002)
