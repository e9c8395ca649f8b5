"""Integrated gradients on functions whose scores are known by hand, and the gate."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from evenhand.explain.attribution import is_complete
from evenhand.explain.gradients.integrated import RULES, RuleName, integrate

X = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64)
FROM = torch.tensor([0.5, 1.0, -1.0, 3.0], dtype=torch.float64)
W = torch.tensor([0.3, -0.7, 1.1, 0.2], dtype=torch.float64)


def linear(points: Tensor) -> Tensor:
    return points @ W


def sigmoid(points: Tensor) -> Tensor:
    return torch.sigmoid(points @ W)


@pytest.mark.parametrize("rule", RULES)
def test_a_linear_function_is_explained_exactly(rule: RuleName) -> None:
    found = integrate(linear, X, FROM, steps=3, rule=rule)
    torch.testing.assert_close(found.scores, W * (X - FROM), rtol=0, atol=1e-9)
    assert abs(found.delta) < 1e-9


def test_ten_nodes_of_gauss_are_enough_for_a_sigmoid() -> None:
    found = integrate(sigmoid, X, FROM, steps=10)
    assert abs(found.delta) < 1e-6
    # along one straight way all inputs share one integral of the slope
    whole = sigmoid(X[None]) - sigmoid(FROM[None])
    share = W * (X - FROM) / (W @ (X - FROM))
    torch.testing.assert_close(found.scores, share * whole, rtol=0, atol=1e-6)


def test_an_output_that_is_no_number_never_passes() -> None:
    found = integrate(lambda points: points.sum(1) * float("nan"), X, FROM, steps=2)
    assert not is_complete(found.delta, found.output, found.baseline_output)


def test_an_unused_input_gets_exactly_nothing_and_one_that_changes_the_output_alone_does_not() -> None:
    def function(points: Tensor) -> Tensor:
        return torch.tanh(points[:, 0] * points[:, 1]) + torch.exp(points[:, 3])

    given, baseline = X, torch.zeros_like(X)
    scores = integrate(function, given, baseline).scores
    assert scores[2] == 0.0
    alone = torch.zeros_like(X)
    alone[3] = X[3]
    assert function(alone[None]) != function(baseline[None])
    assert float(scores[3]) == pytest.approx(float(torch.exp(X[3]) - 1), abs=1e-9)


def test_two_networks_that_compute_the_same_have_the_same_scores() -> None:
    torch.manual_seed(0)
    first, second = torch.randn(6, 4).double(), torch.randn(6).double()

    def plain(points: Tensor) -> Tensor:
        return torch.tanh(points @ first.T) @ second

    def twisted(points: Tensor) -> Tensor:  # units in another order, with both signs turned, through two maps
        order = torch.tensor([3, 1, 5, 0, 2, 4])
        return torch.tanh((points @ (-2 * first[order].T)) / 2) @ -second[order]

    one, other = (integrate(function, X, FROM, steps=20).scores for function in (plain, twisted))
    torch.testing.assert_close(one, other, rtol=0, atol=1e-12)


def test_scores_of_a_sum_are_the_sum_of_scores() -> None:
    both = integrate(lambda points: 2 * sigmoid(points) + 3 * linear(points), X, FROM).scores
    parts = 2 * integrate(sigmoid, X, FROM).scores + 3 * integrate(linear, X, FROM).scores
    torch.testing.assert_close(both, parts, rtol=0, atol=1e-12)


def test_how_many_points_are_computed_at_once_changes_nothing() -> None:
    one, other = (integrate(sigmoid, X, FROM, steps=20, batch=batch).scores for batch in (1, 7))
    torch.testing.assert_close(one, other, rtol=0, atol=1e-12)
