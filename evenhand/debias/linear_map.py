"""One small frozen map, x or nothing plus x L R + b: what removal leaves of any row, wherever the row comes from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.samples import Floats
from evenhand.errors import UsageError


@dataclass(frozen=True, slots=True, eq=False)
class LinearMap:
    """`keeps` says whether the row itself stays in the sum: then L R takes away, else L R is all that is left.

    Both factors are thin, so that a map of 768 numbers by rank 20 weighs 30,000 numbers and not 600,000.
    """

    keeps: bool
    left: Floats  # d x q
    right: Floats  # q x d
    shift: Floats  # d

    @property
    def dimension(self) -> int:
        return len(self.shift)

    @property
    def rank(self) -> int:
        return int(self.left.shape[1])

    def apply(self, rows: NDArray[np.floating]) -> Floats:
        """UsageError for rows of another length."""
        values = np.asarray(rows, np.float64)
        if values.shape[-1] != self.dimension:
            raise UsageError(
                f"The rows have {values.shape[-1]} numbers; what was fitted has {self.dimension}."
            )
        moved = (values @ self.left) @ self.right + self.shift
        return values + moved if self.keeps else moved

    def coordinates(self, rows: NDArray[np.floating]) -> Floats:
        """The applied rows in as few columns as carry them: distances stay, so every probe sees the same picture."""
        if self.keeps:
            return self.apply(rows)
        triangle = np.linalg.qr(self.right.T)[1]  # right = triangle^T Q^T with Q orthonormal
        found: Floats = (np.asarray(rows, np.float64) @ self.left) @ triangle.T
        return found

    def then(self, after: LinearMap) -> LinearMap:
        """The map that does both, this one first."""
        shift = (after.shift + (self.shift @ after.left) @ after.right) + (self.shift if after.keeps else 0)
        inner = self.right @ after.left
        if not after.keeps:
            left = self.left @ inner + (after.left if self.keeps else 0)
            return LinearMap(False, left, after.right, shift)
        if not self.keeps:
            return LinearMap(False, self.left, self.right + inner @ after.right, shift)
        left = np.hstack([self.left, after.left + self.left @ inner])
        return LinearMap(True, left, np.vstack([self.right, after.right]), shift)


def identity(dimension: int) -> LinearMap:
    """Changes nothing."""
    return LinearMap(True, np.zeros((dimension, 0)), np.zeros((0, dimension)), np.zeros(dimension))


def subtract(directions: Floats, *, towards: Floats | None = None) -> LinearMap:
    """Without the span of the orthonormal columns `directions`; what stands there becomes that of `towards`, or 0."""
    shift = np.zeros(len(directions)) if towards is None else (towards @ directions) @ directions.T
    return LinearMap(True, -directions, directions.T.copy(), shift)
