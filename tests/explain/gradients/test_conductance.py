"""Conductance of a small ReLU network, against the chain rule worked out neuron by neuron."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.func import jacrev

from evenhand.explain.gradients.conductance import compute_conductance

torch.manual_seed(4)
FIRST, BIAS = torch.randn(5, 3).double(), torch.randn(5).double()
SECOND, LAST = torch.randn(4, 5).double(), torch.randn(4).double()
X, FROM = torch.tensor([1.5, -1.0, 2.0]).double(), torch.tensor([-1.0, 0.5, 0.0]).double()


def inner(points: Tensor) -> Tensor:
    return torch.relu(points @ FIRST.T + BIAS)


def outer(states: Tensor) -> Tensor:
    return torch.relu(states @ SECOND.T) @ LAST


def by_chain_rule(points: int) -> Tensor:
    """For each neuron j: the sum over inputs i of (x_i - x'_i) times the integral of dF/dh_j dh_j/dx_i."""
    total = torch.zeros(5).double()
    for place in range(points):
        at = FROM + (place + 0.5) / points * (X - FROM)
        states = inner(at[None])[0].requires_grad_()
        (slopes,) = torch.autograd.grad(outer(states[None]).sum(), states)
        jacobian = jacrev(lambda x: inner(x[None])[0])(at)
        total += slopes * (jacobian @ (X - FROM)) / points
    return total


def difference() -> float:
    return float(outer(inner(X[None])) - outer(inner(FROM[None])))


@pytest.mark.parametrize("ending", ["left", "trapezoid"])
def test_sums_to_the_difference_within_a_percent_at_200_steps(ending: str) -> None:
    found = compute_conductance(inner, outer, X, FROM, steps=200, ending=ending)  # type: ignore[arg-type]
    assert abs(difference()) > 0.5
    assert float(found.scores.sum()) == pytest.approx(difference(), rel=0.01)
    assert (found.output, found.baseline_output) == pytest.approx(
        (float(outer(inner(X[None]))), float(outer(inner(FROM[None]))))
    )


@pytest.mark.parametrize("ending", ["left", "trapezoid"])
def test_equals_the_chain_rule_by_brute_force(ending: str) -> None:
    found = compute_conductance(inner, outer, X, FROM, steps=500, ending=ending)  # type: ignore[arg-type]
    torch.testing.assert_close(found.scores, by_chain_rule(500), rtol=0, atol=0.02)


def test_two_steps_by_hand() -> None:
    """h = x^2 and F = h^2 from 0 to 2: dF/dh is 0, 2, 8 at h = 0, 1, 4."""
    given, baseline = torch.tensor([2.0]).double(), torch.tensor([0.0]).double()

    def run(ending: str) -> float:
        found = compute_conductance(
            lambda points: points**2,
            lambda states: (states**2).sum(1),
            given,
            baseline,
            steps=2,
            ending=ending,  # type: ignore[arg-type]
        )
        return float(found.scores.sum())

    assert run("left") == pytest.approx(0 * 1 + 2 * 3)
    assert run("trapezoid") == pytest.approx(1 * 1 + 5 * 3)


def test_batches_share_their_border() -> None:
    one, other = (compute_conductance(inner, outer, X, FROM, steps=21, batch=batch).scores for batch in (4, 50))
    torch.testing.assert_close(one, other, rtol=0, atol=1e-12)
