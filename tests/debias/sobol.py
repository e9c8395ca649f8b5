"""Total Sobol indices of any function of masks, as `weigh_concepts` has them of a head."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.importance import Estimator, SobolDesign, estimate


def crossed(design: SobolDesign, concept: int) -> NDArray[np.float32]:
    """C^(i): A with one column of B."""
    points = design.a.copy()
    points[:, concept] = design.b[:, concept]
    return points


def total_indices(
    function: Callable[[NDArray[np.float32]], NDArray[np.floating]],
    design: SobolDesign,
    estimator: Estimator = "jansen",
) -> NDArray[np.float64]:
    """One output per row; zeros for a constant."""
    concepts = design.a.shape[1]
    at_c = np.stack([function(crossed(design, concept)) for concept in range(concepts)])
    indices = estimate(function(design.a), at_c, estimator)
    return np.zeros(concepts) if indices is None else indices
