"""RLACE-style: a projection of rank k against a linear adversary, each learning in turn, the projection relaxed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import softmax  # type: ignore[import-untyped]

from evenhand.debias.linear_map import LinearMap, subtract
from evenhand.debias.samples import UNKNOWN, Codes, Floats, Variable

ROUNDS = 600
BATCH = 256
ADVERSARY_STEPS = 3  # for each step of the projection: a weak adversary would be beaten by nothing
ADVERSARY_RATE, PROJECTION_RATE = 0.05, 0.05


def fit_rlace(
    rows: Floats, variables: Sequence[Variable], *, rank: int = 1, rounds: int = ROUNDS, seed: int = 0
) -> LinearMap:
    """Gradient ascent of the adversary's loss over symmetric P with eigenvalues in [0, 1] and trace `rank`.

    The projection of the last relaxed P: its `rank` leading eigenvectors are taken out.
    """
    rng = np.random.default_rng(seed)
    mean = rows.mean(axis=0)
    scale = float(rows.std()) or 1.0
    values = (rows - mean) / scale
    relaxed = np.eye(rows.shape[1]) * (rank / rows.shape[1])
    adversaries = [_Adversary(each, rows.shape[1]) for each in variables]
    for _ in range(rounds):
        batch = rng.integers(0, len(rows), BATCH)
        for _ in range(ADVERSARY_STEPS):
            for adversary in adversaries:
                adversary.learn(values[batch] - values[batch] @ relaxed, batch)
            batch = rng.integers(0, len(rows), BATCH)
        gradient = np.sum([each.gradient(values[batch], relaxed, batch) for each in adversaries], axis=0)
        relaxed = to_fantope(relaxed + PROJECTION_RATE * gradient, rank)
    directions = np.linalg.eigh(relaxed)[1][:, -rank:]
    return subtract(directions, towards=mean)


class _Adversary:
    """A linear softmax classifier under momentum."""

    def __init__(self, of: Variable, dimension: int) -> None:
        self.of = of
        self.weights = np.zeros((dimension, len(of.classes)))
        self.bias = np.zeros(len(of.classes))
        self.speed = np.zeros_like(self.weights)

    def learn(self, rows: Floats, places: Codes) -> None:
        rows, errors = self._errors(rows, places)
        self.speed = 0.9 * self.speed + rows.T @ errors
        self.weights -= ADVERSARY_RATE * (self.speed + 1e-4 * self.weights)
        self.bias -= ADVERSARY_RATE * errors.sum(axis=0)

    def gradient(self, rows: Floats, relaxed: Floats, places: Codes) -> Floats:
        """Of the loss with respect to P, made symmetric."""
        codes = self.of.codes[places]
        known = codes != UNKNOWN
        _, errors = self._errors(rows - rows @ relaxed, places)
        raw = -rows[known].T @ (errors @ self.weights.T)
        found: Floats = (raw + raw.T) / 2
        return found

    def _errors(self, rows: Floats, places: Codes) -> tuple[Floats, Floats]:
        codes = self.of.codes[places]
        known = codes != UNKNOWN
        guesses = softmax(rows[known] @ self.weights + self.bias, axis=1)
        guesses[np.arange(known.sum()), codes[known]] -= 1
        return rows[known], guesses / max(1, known.sum())


def to_fantope(matrix: Floats, rank: int) -> Floats:
    """The nearest symmetric matrix with eigenvalues in [0, 1] that sum to `rank`."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    low, high = values.min() - 1, values.max()
    for _ in range(60):  # the sum falls as the shift grows
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(values - middle, 0, 1).sum() > rank else (low, middle)
    found: Floats = (vectors * np.clip(values - (low + high) / 2, 0, 1)) @ vectors.T
    return found
