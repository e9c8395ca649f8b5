"""How much each concept has a hand in what a head says: total Sobol indices of the margin, averaged over texts.

The margin is the largest logit minus the second. Perturbed rows are never built: a head's first layer is linear in
the mask, so the basis goes through it once, and each C^(i) differs from A by one outer product in the hidden layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from evenhand.debias.decomposition import Decomposition
from evenhand.debias.designs import POINTS, Design, legacy_design, scrambled_designs
from evenhand.debias.estimators import Estimator, estimate
from evenhand.debias.heads import Head, Singles
from evenhand.debias.samples import Floats

TEXTS = 10_000  # at most; drawn at random where there are more
COLUMNS = 2  # of C^(i) at once: 128 units x 256 points x 2 stay in the cache


@dataclass(frozen=True, slots=True)
class Weighing:
    """`residual` leaves in what no concept explains, so that heads see rows like those they learned from."""

    points: int = POINTS
    estimator: Estimator = "jansen"
    residual: bool = True
    legacy: bool = False
    texts: int = TEXTS
    seed: int = 0

    def designs(self, concepts: int) -> Iterator[Design]:
        if self.legacy:
            return repeat(legacy_design(concepts))
        return scrambled_designs(concepts, self.points, seed=self.seed)


@dataclass(frozen=True, slots=True, eq=False)
class Importance:
    """`indices` by concept, averaged over texts; `constant` texts, where the head's margin never moves, count as 0."""

    indices: Floats
    deviations: Floats  # between texts
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
        each = logits[..., place, :]
        second = np.maximum(second, np.minimum(top, each))
        top = np.maximum(top, each)
    return np.asarray(top - second, np.float32)


def sample_rows(rows: Floats, texts: int, seed: int) -> Floats:
    """All, or as many drawn at random: never the first, which may all be of one kind."""
    if len(rows) <= texts:
        return rows
    return rows[np.sort(np.random.default_rng((seed, 3)).choice(len(rows), texts, replace=False))]


def weigh_concepts(
    head: Head, found: Decomposition, rows: Floats, weighing: Weighing | None = None
) -> Importance:
    """`rows` are those the decomposition and the head were fitted on."""
    weighing = weighing or Weighing()
    chosen = sample_rows(rows, weighing.texts, weighing.seed)
    margin = _Margin.of(head, found, weighing.points if not weighing.legacy else len(legacy_design(1).a))
    loads = found.project(chosen)
    rest = (
        chosen - found.restore(loads) + found.mean
        if weighing.residual
        else np.tile(found.mean, (len(chosen), 1))
    )
    starts = np.asarray(rest @ head.first + head.first_bias, np.float32)
    total, squares, constant = np.zeros(found.rank), np.zeros(found.rank), 0
    designs = weighing.designs(found.rank)
    for load, start in zip(loads.astype(np.float32), starts, strict=True):
        indices = estimate(*margin.outputs(load, start, next(designs)), weighing.estimator)
        if indices is None:
            constant += 1
            continue
        total += indices
        squares += indices**2
    mean = total / len(chosen)
    spread = np.sqrt(np.maximum(squares / len(chosen) - mean**2, 0))
    return Importance(mean, spread, len(chosen), constant)


@dataclass(frozen=True, slots=True, eq=False)
class _Margin:
    """A head seen from the masks. Arrays are reused from text to text: making them costs more than filling them."""

    steps: Singles  # r x 128: each concept after the first layer
    second: Singles  # C x 128
    bias: Singles  # C x 1
    hidden: Singles  # COLUMNS x 128 x N
    zeros: (
        Singles  # of the same size: numpy compares two arrays many times faster than an array with a number
    )

    @classmethod
    def of(cls, head: Head, found: Decomposition, points: int) -> _Margin:
        steps = (found.basis @ head.first).astype(np.float32)
        second, bias = head.second.T, head.second_bias[:, None]
        if len(second) == 2:  # only the difference matters
            second, bias = second[:1] - second[1:], bias[:1] - bias[1:]
        size = (COLUMNS, steps.shape[1], points)
        return cls(
            steps, np.ascontiguousarray(second), bias, np.empty(size, np.float32), np.zeros(size, np.float32)
        )

    def outputs(self, load: Singles, start: Singles, design: Design) -> tuple[Singles, Singles]:
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
