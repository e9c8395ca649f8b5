"""Integrated gradients of any torch function along the straight path from a baseline to what was given."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from evenhand.errors import UsageError

# Where along a path gradients are taken, and how much each of them counts.

RuleName = Literal["gauss-legendre", "clenshaw-curtis", "left", "right", "middle", "trapezoid"]
RULES: tuple[RuleName, ...] = get_args(RuleName)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class QuadratureRule:
    """`points` between 0 and 1, ascending; `weights` sum to 1."""

    points: Floats
    weights: Floats


@lru_cache(maxsize=64)
def make_rule(name: RuleName, steps: int) -> QuadratureRule:
    """`steps` gradients, but for clenshaw-curtis, which takes them at both ends of its steps: one more."""
    if steps < 1:
        raise UsageError(f"A path has one step at least, not {steps}.")
    even = np.arange(steps, dtype=np.float64)
    equal = np.full(steps, 1 / steps)
    match name:
        case "gauss-legendre":
            points, weights = np.polynomial.legendre.leggauss(steps)
            return QuadratureRule((points + 1) / 2, weights / 2)
        case "clenshaw-curtis":
            return _clenshaw_curtis(steps)
        case "left":
            return QuadratureRule(even / steps, equal)
        case "right":
            return QuadratureRule((even + 1) / steps, equal)
        case "middle":
            return QuadratureRule((even + 0.5) / steps, equal)
        case "trapezoid":
            if steps == 1:
                return QuadratureRule(np.array([0.5]), np.array([1.0]))
            weights = np.full(steps, 1 / (steps - 1))
            weights[[0, -1]] /= 2
            return QuadratureRule(np.linspace(0, 1, steps), weights)
    raise UsageError(f"There is no rule {name!r}; there are {', '.join(RULES)}.")


def _clenshaw_curtis(steps: int) -> QuadratureRule:
    """The integral of the cosine series through `steps` + 1 points; the points of twice the steps hold them all."""
    angles = np.pi * np.arange(steps + 1) / steps
    frequencies = np.arange(0, steps + 1, 2)
    # A term cos(2k t) integrates to 2 / (1 - 4k^2) over [-1, 1]; the first term and the last count half.
    terms = 2 / (1 - frequencies.astype(np.float64) ** 2)
    terms[0] /= 2
    if steps % 2 == 0:
        terms[-1] /= 2
    weights = 2 / steps * np.cos(np.outer(angles, frequencies)) @ terms
    weights[[0, -1]] /= 2
    return QuadratureRule((1 - np.cos(angles)) / 2, weights / 2)


@dataclass(frozen=True, slots=True)
class StepDensity:
    """Steps lie closer around `centre`, the closer the smaller `width`; what is integrated stays the same.

    On its way from one text to another an encoder of BERT's build changes its mind about halfway, where the two cancel
    values other, and hardly moves near the ends. Rules of Gauss and of Clenshaw and Curtis gather their points at the
    ends: left as they are, they take two to three times the steps for the same error.
    """

    centre: float
    width: float

    def place(self, shares: Floats) -> Floats:
        """Along the path, of shares of the steps: centre + width sinh(t), t evenly from one end to the other."""
        low, high = self._ends()
        return np.clip(self.centre + self.width * np.sinh(low + (high - low) * shares), 0.0, 1.0)

    def weigh(self, rule: QuadratureRule) -> Floats:
        low, high = self._ends()
        slopes = self.width * (high - low) * np.cosh(low + (high - low) * rule.points)
        return np.asarray(rule.weights * slopes, np.float64)

    def _ends(self) -> tuple[float, float]:
        low, high = np.arcsinh(-self.centre / self.width), np.arcsinh((1 - self.centre) / self.width)
        return float(low), float(high)


Function = Callable[[Tensor], Tensor]
"""Points (n, ...) to outputs (n): each depends on its own point alone."""

STEPS = 50
BATCH = 16


@dataclass(frozen=True, slots=True, eq=False)
class PathScores:
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
) -> PathScores:
    """`batch` points of the path at once: memory grows with it, the scores do not change."""
    made = make_rule(rule, steps)
    points, weights = (torch.split(torch.from_numpy(values).to(given), batch) for values in (made.points, made.weights))
    gradient = torch.zeros_like(given)
    for alphas, shares in zip(points, weights, strict=True):
        gradients = gradients_at(function, between(given, baseline, alphas))[1]
        gradient += torch.tensordot(shares, gradients, dims=1)
    with torch.no_grad():
        output, baseline_output = function(torch.stack([given, baseline])).double().tolist()
    return PathScores((given - baseline) * gradient, output, baseline_output, steps)


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


MAX_STEPS = 1600  # of a path that is refined until its scores add up


# DeepLIFT by captum's rules, with what its scores miss.
#
# Its rules know a few modules that bend (ReLU, Sigmoid, Tanh and the like), not attention, GELU or normalisation. On
# a network of linear maps and ReLU the scores add up exactly; on a transformer nothing of it has a rule, and what
# remains is the gradient times the change, which does not add up. So what is missed is measured, never assumed to be
# nothing.

NO_PATH = 0


def deeplift(module: nn.Module, given: Tensor, baseline: Tensor) -> PathScores:
    """`module` takes (n, ...) to (n); it must not use one ReLU module twice, nor a functional one."""
    from captum.attr import DeepLift  # type: ignore[import-untyped]  # noqa: PLC0415 - loads much

    # captum asks for a row of labels per input.
    explainer: Any = DeepLift(nn.Sequential(module, nn.Unflatten(0, (-1, 1))))
    with warnings.catch_warnings():  # that it sets hooks, and takes them away again
        warnings.simplefilter("ignore", UserWarning)
        attributed = explainer.attribute(given.unsqueeze(0), baseline.unsqueeze(0), target=0)
    scores = attributed[0].detach()
    with torch.no_grad():
        output, baseline_output = module(torch.stack([given, baseline])).double().tolist()
    return PathScores(scores, output, baseline_output, NO_PATH)
