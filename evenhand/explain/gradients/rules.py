"""Where along a path gradients are taken, and how much each of them counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import UsageError

RuleName = Literal["gauss-legendre", "clenshaw-curtis", "left", "right", "middle", "trapezoid"]
RULES: tuple[RuleName, ...] = get_args(RuleName)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """`points` between 0 and 1, ascending; `weights` sum to 1."""

    points: Floats
    weights: Floats


@lru_cache(maxsize=64)
def make_rule(name: RuleName, steps: int) -> Rule:
    """`steps` gradients, but for clenshaw-curtis, which takes them at both ends of its steps: one more."""
    if steps < 1:
        raise UsageError(f"A path has one step at least, not {steps}.")
    even = np.arange(steps, dtype=np.float64)
    equal = np.full(steps, 1 / steps)
    match name:
        case "gauss-legendre":
            points, weights = np.polynomial.legendre.leggauss(steps)
            return Rule((points + 1) / 2, weights / 2)
        case "clenshaw-curtis":
            return _clenshaw_curtis(steps)
        case "left":
            return Rule(even / steps, equal)
        case "right":
            return Rule((even + 1) / steps, equal)
        case "middle":
            return Rule((even + 0.5) / steps, equal)
        case "trapezoid":
            return _trapezoid(steps)
    raise UsageError(f"There is no rule {name!r}; there are {', '.join(RULES)}.")


def _trapezoid(steps: int) -> Rule:
    if steps == 1:
        return Rule(np.array([0.5]), np.array([1.0]))
    weights = np.full(steps, 1 / (steps - 1))
    weights[[0, -1]] /= 2
    return Rule(np.linspace(0, 1, steps), weights)


def _clenshaw_curtis(steps: int) -> Rule:
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
    return Rule((1 - np.cos(angles)) / 2, weights / 2)


@dataclass(frozen=True, slots=True)
class Gathering:
    """Steps lie closer around `centre`, the closer the smaller `width`; what is integrated stays the same.

    On its way from one text to another an encoder of BERT's build changes its mind about halfway, where the two cancel
    each other, and hardly moves near the ends. Rules of Gauss and of Clenshaw and Curtis gather their points at the
    ends: left as they are, they take two to three times the steps for the same error.
    """

    centre: float
    width: float

    def place(self, shares: Floats) -> Floats:
        """Along the path, of shares of the steps: centre + width sinh(t), t evenly from one end to the other."""
        low, high = self._ends()
        found: Floats = self.centre + self.width * np.sinh(low + (high - low) * shares)
        return np.clip(found, 0.0, 1.0)

    def weigh(self, rule: Rule) -> Floats:
        low, high = self._ends()
        slopes = self.width * (high - low) * np.cosh(low + (high - low) * rule.points)
        found: Floats = rule.weights * slopes
        return found

    def _ends(self) -> tuple[float, float]:
        low, high = np.arcsinh(-self.centre / self.width), np.arcsinh((1 - self.centre) / self.width)
        return float(low), float(high)
