"""How much each concept has a hand in what a head says: total Sobol indices of the margin, averaged over texts.

The margin is the largest logit minus the second. Perturbed rows are never built: a head's first layer is linear in
the mask, so the basis goes through it once, and each C^(i) differs from A by one outer product in the hidden layer.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc  # type: ignore[import-untyped]

from evenhand.debias.decomposition import Decomposition
from evenhand.debias.heads import Head, Singles
from evenhand.debias.samples import Floats

# Masks for Sobol indices: two matrices of points that cover the cube evenly, A and B, and A with one column of B.

POINTS = 256
LEGACY_POINTS = 50
BITS = 30  # of a coordinate, in scipy's sequence
SHARED = 64  # texts whose designs share a matrix scramble; each has a shift of its own


class UnbalancedDesign(UserWarning):
    """The number of points is no power of two, so that the sequence does not cover the cube evenly."""


@dataclass(frozen=True, slots=True, eq=False)
class SobolDesign:
    """N x r each. C^(i) is A with column i of B: N (r + 2) points in all. Total indices do without those of B."""

    a: Singles
    b: Singles


def legacy_design(concepts: int, points: int = LEGACY_POINTS) -> SobolDesign:
    """Unscrambled, as first published: its first point is the corner 0, and the indices come out far too small."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # scipy's own, of a number that is no power of two
        sequence = qmc.Sobol(2 * concepts, scramble=False, bits=BITS).random(points)
    return _halves(sequence, concepts)


def scrambled_designs(concepts: int, points: int = POINTS, *, seed: int = 0) -> Iterator[SobolDesign]:
    """A fresh scramble for every text, without end: averaging over texts then averages out the error of the design.

    The matrix scramble, which is slow, serves some texts; the digital shift, which alone makes every point uniform,
    is drawn anew for each.
    """
    if points < 2 or points & (points - 1):
        warnings.warn(
            f"{points} points are no power of two: the design is not balanced and the indices are less exact.",
            UnbalancedDesign,
            stacklevel=2,
        )
    rng = np.random.default_rng(seed)
    while True:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            base = qmc.Sobol(2 * concepts, scramble=True, bits=BITS, rng=rng).random(points)
        digits = np.rint(base * 2**BITS).astype(np.uint32)
        for _ in range(SHARED):
            shift = rng.integers(0, 2**BITS, 2 * concepts, dtype=np.uint32)
            yield _halves((digits ^ shift) * np.float64(2.0**-BITS), concepts)


def _halves(points: NDArray[np.float64], concepts: int) -> SobolDesign:
    singles = points.astype(np.float32)
    return SobolDesign(np.ascontiguousarray(singles[:, :concepts]), np.ascontiguousarray(singles[:, concepts:]))


# Total Sobol indices from the outputs at A and at every C^(i): how much of the variance a concept has a hand in.

Estimator = Literal["jansen", "janon"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
MIN_VARIANCE = 1e-12  # below, the output is constant for all purposes, and so is every index 0


def estimate(at_a: NDArray[np.floating], at_c: NDArray[np.floating], estimator: Estimator = "jansen") -> Floats | None:
    """`at_a` has N outputs, `at_c` r rows of N. None where the output does not vary: nothing has a hand in nothing."""
    base, crossed = np.asarray(at_a, np.float64), np.asarray(at_c, np.float64)
    if not np.isfinite(base).all() or base.var() < MIN_VARIANCE:
        return None
    if estimator == "jansen":
        return np.asarray(((base - crossed) ** 2).sum(axis=1) / (2 * len(base) * base.var(ddof=1)), np.float64)
    means = (base.mean() + crossed.mean(axis=1)) / 2
    variances = ((base**2 + crossed**2) / 2).mean(axis=1) - means**2
    shared = (base * crossed).mean(axis=1) - means**2
    return np.asarray(1 - shared / np.maximum(variances, MIN_VARIANCE), np.float64)


TEXTS = 10_000  # at most; drawn at random where there are more
COLUMNS = 2  # of C^(i) at once: 128 units x 256 points x 2 stay in the cache


@dataclass(frozen=True, slots=True)
class ImportanceSettings:
    """`residual` leaves in what no concept explains, so that heads see rows like those they learned from."""

    points: int = POINTS
    estimator: Estimator = "jansen"
    residual: bool = True
    legacy: bool = False
    texts: int = TEXTS
    seed: int = 0

    def designs(self, concepts: int) -> Iterator[SobolDesign]:
        if self.legacy:
            return repeat(legacy_design(concepts))
        return scrambled_designs(concepts, self.points, seed=self.seed)


@dataclass(frozen=True, slots=True, eq=False)
class Importance:
    """`indices` by concept, averaged over texts; `constant` texts, where the head's margin never moves, count as 0."""

    indices: Floats
    texts: int
    constant: int


def margins(logits: Singles) -> Singles:
    """Largest minus second largest over the second last axis (classes x points)."""
    classes = logits.shape[-2]
    if classes == 2:
        return np.asarray(np.abs(logits[..., 0, :] - logits[..., 1, :]), np.float32)
    top = np.maximum(logits[..., 0, :], logits[..., 1, :])
    second = np.minimum(logits[..., 0, :], logits[..., 1, :])
    for place in range(2, classes):
        logit = logits[..., place, :]
        second = np.maximum(second, np.minimum(top, logit))
        top = np.maximum(top, logit)
    return np.asarray(top - second, np.float32)


def sample_rows(rows: Floats, texts: int, seed: int) -> Floats:
    """All, or as many drawn at random: never the first, which may all be of one kind."""
    if len(rows) <= texts:
        return rows
    return rows[np.sort(np.random.default_rng((seed, 3)).choice(len(rows), texts, replace=False))]


def weigh_concepts(
    head: Head, decomposition: Decomposition, rows: Floats, weighing: ImportanceSettings | None = None
) -> Importance:
    """`rows` are those the decomposition and the head were fitted on."""
    weighing = weighing or ImportanceSettings()
    chosen = sample_rows(rows, weighing.texts, weighing.seed)
    margin = _Margin.of(head, decomposition, weighing.points if not weighing.legacy else len(legacy_design(1).a))
    loads = decomposition.project(chosen)
    rest = (
        chosen - decomposition.restore(loads) + decomposition.mean
        if weighing.residual
        else np.tile(decomposition.mean, (len(chosen), 1))
    )
    starts = np.asarray(rest @ head.first + head.first_bias, np.float32)
    total, constant = np.zeros(decomposition.rank), 0
    designs = weighing.designs(decomposition.rank)
    for load, start in zip(loads.astype(np.float32), starts, strict=True):
        indices = estimate(*margin.outputs(load, start, next(designs)), weighing.estimator)
        if indices is None:
            constant += 1
        else:
            total += indices
    return Importance(total / len(chosen), len(chosen), constant)


@dataclass(frozen=True, slots=True, eq=False)
class _Margin:
    """A head seen from the masks. Arrays are reused from text to text: making them costs more than filling them."""

    steps: Singles  # r x 128: each concept after the first layer
    second: Singles  # C x 128
    bias: Singles  # C x 1
    hidden: Singles  # COLUMNS x 128 x N
    zeros: Singles  # of the same size: numpy compares two arrays many times faster than an array with a number

    @classmethod
    def of(cls, head: Head, decomposition: Decomposition, points: int) -> _Margin:
        steps = (decomposition.basis @ head.first).astype(np.float32)
        second, bias = head.second.T, head.second_bias[:, None]
        if len(second) == 2:  # only the difference matters
            second, bias = second[:1] - second[1:], bias[:1] - bias[1:]
        size = (COLUMNS, steps.shape[1], points)
        return cls(steps, np.ascontiguousarray(second), bias, np.empty(size, np.float32), np.zeros(size, np.float32))

    def outputs(self, load: Singles, start: Singles, design: SobolDesign) -> tuple[Singles, Singles]:
        """At A (N) and at every C^(i) (r x N)."""
        moves = load[:, None] * self.steps  # r x 128
        base = moves.T @ design.a.T + start[:, None]
        # A product over one column is not handed to BLAS; over two, one of them zero, it is, and takes a tenth.
        outer = np.zeros((*moves.shape, 2), np.float32)
        outer[..., 0] = moves
        changes = np.zeros((len(load), 2, len(design.a)), np.float32)
        changes[:, 0] = (design.b - design.a).T
        logits = np.empty((len(load), len(self.second), len(design.a)), np.float32)
        for place in range(0, len(load), COLUMNS):
            part = slice(place, min(place + COLUMNS, len(load)))
            hidden = self.hidden[: part.stop - place]
            np.matmul(outer[part], changes[part], out=hidden)
            hidden += base
            np.maximum(hidden, self.zeros[: len(hidden)], out=hidden)
            np.matmul(self.second, hidden, out=logits[part])
        at_a = self.second @ np.maximum(base, self.zeros[0])
        return self._margins(at_a), self._margins(logits)

    def _margins(self, logits: Singles) -> Singles:
        logits = logits + self.bias
        if len(self.second) == 1:
            return np.asarray(np.abs(logits[..., 0, :]), np.float32)
        return margins(logits)
