"""RLACE-style: a projection of rank k against a linear adversary that answers every move, the projection relaxed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]
from scipy.special import log_softmax, softmax  # type: ignore[import-untyped]

from evenhand.debias.samples import UNKNOWN, Codes, Floats, Variable
from evenhand.models.concept_removal import LinearMap, subtract

ROUNDS = 40
ROWS = 3000  # at most, drawn at random
ANSWER_STEPS = 8  # of the adversary for each of the projection, from where it stood
STEP = 0.1  # of the projection, in units of its own size, smaller from round to round
RIDGE = 1e-4
CHECKED = 10  # rounds between two looks at what a projection of whole rank would leave


def fit_rlace(
    rows: Floats,
    variables: Sequence[Variable],
    *,
    rank: int | None = None,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> LinearMap:
    """Gradient ascent of the adversary's loss over symmetric P with eigenvalues in [0, 1] and trace `rank`, by default
    as many as there are differences between classes.

    It begins on the differences of the groups' means, without which a linear adversary already has little to hold on.

    The `rank` leading eigenvectors of P are taken out; of the rounds looked at, those that cost the adversary most.
    """
    rank = rank or sum(len(each.classes) - 1 for each in variables)
    places = np.sort(np.random.default_rng(seed).permutation(len(rows))[:ROWS])
    mean = rows.mean(axis=0)
    values = (rows[places] - mean) / (float(rows.std()) or 1.0)
    adversaries = [_Adversary(each.take(places), rows.shape[1]) for each in variables]
    relaxed = _start(values, adversaries, rank)
    best, directions = -np.inf, np.zeros((rows.shape[1], 0))
    for turn in range(rounds + 1):
        if turn % CHECKED == 0:
            leading = np.linalg.eigh(relaxed)[1][:, -rank:]
            cost = sum(each.cost(values - (values @ leading) @ leading.T) for each in adversaries)
            best, directions = (cost, leading) if cost > best else (best, directions)
        gradient = np.sum([each.answer(values, relaxed) for each in adversaries], axis=0)
        pace = STEP / np.sqrt(turn + 1) / max(float(np.linalg.norm(gradient)), 1e-12)
        relaxed = to_fantope(relaxed + pace * gradient, rank)
    return subtract(directions, towards=mean)


def _start(values: Floats, adversaries: Sequence[_Adversary], rank: int) -> Floats:
    """All weight on the differences of means; what rank is left is spread evenly over the rest."""
    differences = np.hstack([each.mean_differences(values) for each in adversaries])
    vectors, sizes, _ = np.linalg.svd(differences, full_matrices=False)
    chosen = vectors[:, sizes > 1e-9 * max(sizes.max(initial=0), 1e-30)][:, :rank]
    taken, dimension = chosen.shape[1], len(chosen)
    rest = (rank - taken) / max(1, dimension - taken)
    found: Floats = rest * np.eye(dimension) + (1 - rest) * chosen @ chosen.T
    return found


class _Adversary:
    """A linear softmax classifier that goes on from its last weights."""

    def __init__(self, of: Variable, dimension: int) -> None:
        self.known = of.codes != UNKNOWN
        self.codes: Codes = of.codes[self.known]
        self.marks = np.eye(len(of.classes))[self.codes]
        self.weights = np.zeros((dimension + 1, len(of.classes)))

    def mean_differences(self, values: Floats) -> Floats:
        rows = values[self.known]
        shares = np.maximum(self.marks.sum(axis=0), 1)
        found: Floats = rows.T @ (self.marks / shares) - rows.mean(axis=0)[:, None]
        return found

    def answer(self, values: Floats, relaxed: Floats) -> Floats:
        """Learns what P leaves; returns the gradient of its loss with respect to P, made symmetric."""
        rows = values[self.known]
        left = rows - rows @ relaxed
        self.weights = self._learn(left, self.weights, ANSWER_STEPS)[0]
        errors = softmax(left @ self.weights[:-1] + self.weights[-1], axis=1) - self.marks
        raw = -rows.T @ (errors @ self.weights[:-1].T) / len(rows)
        found: Floats = (raw + raw.T) / 2
        return found

    def cost(self, left: Floats) -> float:
        """What the best it can do still costs."""
        return self._learn(left[self.known], np.zeros_like(self.weights), 60)[1]

    def _learn(self, left: Floats, start: Floats, steps: int) -> tuple[Floats, float]:
        def loss(flat: Floats) -> tuple[float, Floats]:
            weights = flat.reshape(start.shape)
            logits = left @ weights[:-1] + weights[-1]
            errors = (softmax(logits, axis=1) - self.marks) / len(left)
            slope = np.vstack([left.T @ errors + RIDGE * weights[:-1], errors.sum(axis=0)])
            cost = -(log_softmax(logits, axis=1) * self.marks).sum() / len(left)
            return float(cost + RIDGE / 2 * (weights[:-1] ** 2).sum()), slope.ravel()

        found = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": steps})
        return np.asarray(found.x, np.float64).reshape(start.shape), float(found.fun)


def to_fantope(matrix: Floats, rank: int) -> Floats:
    """The nearest symmetric matrix with eigenvalues in [0, 1] that sum to `rank`."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    low, high = values.min() - 1, values.max()
    for _ in range(60):  # the sum falls as the shift grows
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(values - middle, 0, 1).sum() > rank else (low, middle)
    found: Floats = (vectors * np.clip(values - (low + high) / 2, 0, 1)) @ vectors.T
    return found
