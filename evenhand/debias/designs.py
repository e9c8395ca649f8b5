"""Masks for Sobol indices: two matrices of points that cover the cube evenly, A and B, and A with one column of B."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc  # type: ignore[import-untyped]

from evenhand.debias.heads import Singles

POINTS = 256
LEGACY_POINTS = 50
BITS = 30  # of a coordinate, in scipy's sequence
SHARED = 64  # texts whose designs share a matrix scramble; each has a shift of its own


class UnbalancedDesign(UserWarning):
    """The number of points is no power of two, so that the sequence does not cover the cube evenly."""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """N x r each. C^(i) is A with column i of B: N (r + 2) points in all. Total indices do without those of B."""

    a: Singles
    b: Singles

    @property
    def concepts(self) -> int:
        return int(self.a.shape[1])

    def crossed(self, concept: int) -> Singles:
        """C^(i)"""
        found = self.a.copy()
        found[:, concept] = self.b[:, concept]
        return found

    def whole(self) -> Singles:
        """A, B and every C^(i) below each other."""
        return np.vstack([self.a, self.b, *(self.crossed(each) for each in range(self.concepts))])


def legacy_design(concepts: int, points: int = LEGACY_POINTS) -> Design:
    """Unscrambled, as first published: its first point is the corner 0, and the indices come out far too small."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # scipy's own, of a number that is no power of two
        found = qmc.Sobol(2 * concepts, scramble=False, bits=BITS).random(points)
    return _halves(found, concepts)


def scrambled_designs(concepts: int, points: int = POINTS, *, seed: int = 0) -> Iterator[Design]:
    """A fresh scramble for every text, without end: averaging over texts then averages out the error of the design.

    The matrix scramble, which is slow, serves some texts; the digital shift, which alone makes every point uniform,
    is drawn anew for each.
    """
    check_points(points)
    rng = np.random.default_rng(seed)
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            base = qmc.Sobol(2 * concepts, scramble=True, bits=BITS, rng=rng).random(points)
        digits = np.rint(base * 2**BITS).astype(np.uint32)
        for _ in range(SHARED):
            shift = rng.integers(0, 2**BITS, 2 * concepts, dtype=np.uint32)
            yield _halves((digits ^ shift) * np.float64(2.0**-BITS), concepts)


def check_points(points: int) -> None:
    if points < 2 or points & (points - 1):
        warnings.warn(
            f"{points} points are no power of two: the design is not balanced and the indices are less exact.",
            UnbalancedDesign,
            stacklevel=3,
        )


def _halves(points: NDArray[np.float64], concepts: int) -> Design:
    singles = points.astype(np.float32)
    return Design(np.ascontiguousarray(singles[:, :concepts]), np.ascontiguousarray(singles[:, concepts:]))
