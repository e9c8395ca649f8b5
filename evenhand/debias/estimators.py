"""Total Sobol indices from the outputs at A and at every C^(i): how much of the variance a concept has a hand in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.designs import Design
from evenhand.debias.samples import Floats

Estimator = Literal["jansen", "janon"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
LEAST_VARIANCE = 1e-12  # below, the output is constant for all purposes, and so is every index 0


def estimate(
    at_a: NDArray[np.floating], at_c: NDArray[np.floating], estimator: Estimator = "jansen"
) -> Floats | None:
    """`at_a` has N outputs, `at_c` r rows of N. None where the output does not vary: nothing has a hand in nothing."""
    base, crossed = np.asarray(at_a, np.float64), np.asarray(at_c, np.float64)
    if not np.isfinite(base).all() or base.var() < LEAST_VARIANCE:
        return None
    return _jansen(base, crossed) if estimator == "jansen" else _janon(base, crossed)


def _jansen(base: Floats, crossed: Floats) -> Floats:
    found: Floats = ((base - crossed) ** 2).sum(axis=1) / (2 * len(base) * base.var(ddof=1))
    return found


def _janon(base: Floats, crossed: Floats) -> Floats:
    means = (base.mean() + crossed.mean(axis=1)) / 2
    variances = ((base**2 + crossed**2) / 2).mean(axis=1) - means**2
    shared = (base * crossed).mean(axis=1) - means**2
    found: Floats = 1 - shared / np.maximum(variances, LEAST_VARIANCE)
    return found


def total_indices(
    function: Callable[[NDArray[np.float32]], NDArray[np.floating]],
    design: Design,
    estimator: Estimator = "jansen",
) -> Floats:
    """Of any function of masks, one output per row; zeros for a constant."""
    at_a = function(design.a)
    at_c = np.stack([function(design.crossed(each)) for each in range(design.concepts)])
    found = estimate(at_a, at_c, estimator)
    return np.zeros(design.concepts) if found is None else found
