"""Integrated gradients of any torch function along the straight path from a baseline to what was given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from evenhand.explain.gradients.rules import RuleName, make_rule

Function = Callable[[Tensor], Tensor]
"""Points (n, ...) to outputs (n): each depends on its own point alone."""

STEPS = 50
BATCH = 16


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """What a method found: `scores` in the shape of what was given, or of a layer between, which sum to
    `output` - `baseline_output` + `delta`."""

    scores: Tensor
    output: float
    baseline_output: float
    steps: int

    @property
    def delta(self) -> float:
        return float(self.scores.double().sum()) - (self.output - self.baseline_output)


def integrate(
    function: Function,
    given: Tensor,
    baseline: Tensor,
    *,
    steps: int = STEPS,
    rule: RuleName = "gauss-legendre",
    batch: int = BATCH,
) -> Scored:
    """`batch` points of the path at once: memory grows with it, the scores do not change."""
    gradient = torch.zeros_like(given)
    for weights, gradients in path_gradients(function, given, baseline, steps=steps, rule=rule, batch=batch):
        gradient += torch.tensordot(weights, gradients, dims=1)
    output, baseline_output = ends(function, given, baseline)
    return Scored((given - baseline) * gradient, output, baseline_output, steps)


def path_gradients(
    function: Function, given: Tensor, baseline: Tensor, *, steps: int, rule: RuleName, batch: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Weights (n) and gradients (n, ...) at some of the path's points after the others."""
    found = make_rule(rule, steps)
    points, weights = (
        torch.split(torch.from_numpy(each).to(given), batch) for each in (found.points, found.weights)
    )
    for alphas, shares in zip(points, weights, strict=True):
        yield shares, gradients_at(function, between(given, baseline, alphas))[1]


def between(given: Tensor, baseline: Tensor, alphas: Tensor) -> Tensor:
    """(n, ...): the path's points at these shares of the way."""
    return baseline + alphas.reshape(-1, *[1] * given.dim()) * (given - baseline)


def gradients_at(function: Function, points: Tensor) -> tuple[Tensor, Tensor]:
    """Outputs (n) and their gradients (n, ...)."""
    points = points.detach().requires_grad_()
    with torch.enable_grad():
        outputs = function(points)
        (gradients,) = torch.autograd.grad(outputs.sum(), points)
    return outputs.detach(), gradients


@torch.no_grad()
def ends(function: Function, given: Tensor, baseline: Tensor) -> tuple[float, float]:
    output, baseline_output = function(torch.stack([given, baseline])).double().tolist()
    return output, baseline_output
