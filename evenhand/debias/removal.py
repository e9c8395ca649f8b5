"""Removal of chosen concepts as one linear map: the same places of U and W go, so that what stays is a projection."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenhand.debias.decomposition import Decomposition
from evenhand.models.concept_removal import LinearMap


def remove(found: Decomposition, concepts: Sequence[int], *, residual: bool = False) -> LinearMap:
    """Without `residual` only the other concepts stay (rank r - k); with it, all that is not one of `concepts`.

    Removed concepts fall to their value at the mean, which is 0 for SVD.
    """
    gone = np.zeros(found.rank, bool)
    gone[list(concepts)] = True
    if residual:
        left, right = -found.unmixing[:, gone], found.basis[gone]
        return LinearMap(True, left, right, -(found.mean @ left) @ right)
    left, right = found.unmixing[:, ~gone], found.basis[~gone]
    return LinearMap(False, left, right, found.mean - (found.mean @ left) @ right)
