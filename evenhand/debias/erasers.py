"""What can be done to a representation: removal of concepts in its variants, alone or joined with LEACE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]
from scipy.special import log_softmax, softmax  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression

from evenhand.debias.decomposition import Decomposition, Method
from evenhand.debias.probes import majority_accuracy
from evenhand.debias.samples import UNKNOWN, Codes, Floats, Samples, Variable
from evenhand.debias.weighing import WeighedConcepts
from evenhand.models.concept_removal import LinearMap, identity, subtract
from evenhand.records.conversion import to_json

# Removal of chosen concepts as one linear map: the same places of U and W go, so that what stays is a projection.


def remove(decomposition: Decomposition, concepts: Sequence[int], *, residual: bool = False) -> LinearMap:
    """Without `residual` only the other concepts stay (rank r - k); with it, all that is not one of `concepts`.

    Removed concepts fall to their value at the mean, which is 0 for SVD.
    """
    gone = np.zeros(decomposition.rank, bool)
    gone[list(concepts)] = True
    if residual:
        left, right = -decomposition.unmixing[:, gone], decomposition.basis[gone]
        return LinearMap(True, left, right, -(decomposition.mean @ left) @ right)
    left, right = decomposition.unmixing[:, ~gone], decomposition.basis[~gone]
    return LinearMap(False, left, right, decomposition.mean - (decomposition.mean @ left) @ right)


# LEACE in closed form: the smallest change after which no linear classifier does better than a constant.

TOLERANCE = 1e-6  # of the largest singular value: less is rounding. An absolute one, such as the .01 of
# concept-erasure, or a larger one would leave in the rows what they tell of a variable that they tell little of.


def fit_leace(rows: Floats, variables: Sequence[Variable], *, tolerance: float = TOLERANCE) -> LinearMap:
    """x - W^+ P W (x - mean) with W the whitening and P the projection on what whitened rows share with the labels."""
    centre = rows.mean(axis=0)
    whitening, unwhitening = _whiten(np.cov(rows, rowvar=False, bias=False))
    covariances = []
    for variable in variables:
        known = variable.codes != UNKNOWN
        marks = np.eye(len(variable.classes))[variable.codes[known]]
        own = rows[known]
        covariances.append((own - own.mean(axis=0)).T @ (marks - marks.mean(axis=0)) / known.sum())
    directions, values, _ = np.linalg.svd(whitening @ np.hstack(covariances), full_matrices=False)
    directions = directions[:, values > tolerance * values.max(initial=0)]
    left, right = -(whitening @ directions), (unwhitening @ directions).T
    return LinearMap(True, left, right, -(centre @ left) @ right)


def _whiten(covariance: Floats) -> tuple[Floats, Floats]:
    """The symmetric square root's inverse and the root; directions without variance are left alone."""
    values, vectors = np.linalg.eigh(np.atleast_2d(covariance))
    alive = values > values.max() * len(values) * np.finfo(np.float64).eps
    values, vectors = values[alive], vectors[:, alive]
    return (vectors / np.sqrt(values)) @ vectors.T, (vectors * np.sqrt(values)) @ vectors.T


@dataclass(frozen=True, slots=True)
class RemovalRecipe:
    """`joined`: LEACE after the removal. `residual`: what no concept explains stays."""

    method: Method
    rank: int
    k: int
    residual: bool = False
    joined: bool = False

    @property
    def name(self) -> str:
        if self.residual and self.joined and self.k == 0:  # nothing cut off and no concept removed
            return "LEACE alone"
        parts = [f"{self.method.upper()} r={self.rank}", f"k={self.k}"]
        parts += ["residual kept"] if self.residual else []
        return ", ".join(parts) + (" + LEACE" if self.joined else "")

    def to_json(self) -> dict[str, Any]:
        return to_json(self) | {"name": self.name}


def fit_recipe(recipe: RemovalRecipe, weighed: WeighedConcepts, train: Samples) -> LinearMap:
    """From training rows alone."""
    change = remove(weighed.decomposition, weighed.first(recipe.k), residual=recipe.residual)
    if recipe.joined:
        return change.then(fit_leace(change.apply(train.rows), train.sensitive))
    return change


# INLP: a linear classifier is trained, its directions are projected away, and again, until little is left to find.

ROUNDS = 50
MIN_GAIN = 0.03  # of accuracy over the largest class, on the rows it was trained on
STRENGTH = 1.0  # of the classifier's fit to standardised rows


def fit_inlp(rows: Floats, variables: Sequence[Variable], *, rounds: int = ROUNDS) -> LinearMap:
    """Orthonormal directions, those of earlier rounds taken out before the next is sought.

    Of a variable that is no longer found none are taken: they would be noise.
    """
    taken = np.zeros((rows.shape[1], 0))
    left = rows
    for _ in range(rounds):
        sought = [directions for variable in variables if (directions := _directions(left, variable)) is not None]
        if not sought:
            break
        fresh = np.hstack(sought)
        vectors, values, _ = np.linalg.svd(fresh - taken @ (taken.T @ fresh), full_matrices=False)
        fresh = vectors[:, values > 1e-8 * max(1.0, values.max(initial=0))]
        if not fresh.shape[1] or taken.shape[1] + fresh.shape[1] >= rows.shape[1]:
            break
        taken = np.linalg.qr(np.hstack([taken, fresh]))[0]
        left = rows - (rows @ taken) @ taken.T
    return subtract(taken) if taken.shape[1] else identity(rows.shape[1])


def _directions(rows: Floats, variable: Variable) -> Floats | None:
    """None where they hardly tell the classes apart better than always naming the largest does."""
    known = variable.codes != UNKNOWN
    scale = float(rows[known].std()) or 1.0
    classifier = LogisticRegression(C=STRENGTH, max_iter=200, tol=1e-3)
    classifier.fit(rows[known] / scale, variable.codes[known])
    gained = float(classifier.score(rows[known] / scale, variable.codes[known])) - majority_accuracy(variable)
    return np.asarray(classifier.coef_.T, np.float64) if gained > MIN_GAIN else None


# RLACE-style: a projection of rank k against a linear adversary that answers every move, the projection relaxed.

RLACE_ROUNDS = 40
ROWS = 3000  # at most, drawn at random
ANSWER_STEPS = 8  # of the adversary for each of the projection, from where it stood
STEP = 0.1  # of the projection, in units of its own size, smaller from round to round
RIDGE = 1e-4
CHECKED = 10  # rounds between two looks at what a projection of whole rank would leave


def fit_rlace(
    rows: Floats, variables: Sequence[Variable], *, rank: int | None = None, rounds: int = RLACE_ROUNDS, seed: int = 0
) -> LinearMap:
    """Gradient ascent of the adversary's loss over symmetric P with eigenvalues in [0, 1] and trace `rank`, by default
    as many as there are differences between classes.

    It begins on the differences of the groups' means, without which a linear adversary already has little to hold on.

    The `rank` leading eigenvectors of P are taken out; of the rounds looked at, those that cost the adversary most.
    """
    rank = rank or sum(len(variable.classes) - 1 for variable in variables)
    places = np.sort(np.random.default_rng(seed).permutation(len(rows))[:ROWS])
    mean = rows.mean(axis=0)
    values = (rows[places] - mean) / (float(rows.std()) or 1.0)
    adversaries = [_Adversary(variable.take(places), rows.shape[1]) for variable in variables]
    relaxed = _start(values, adversaries, rank)
    best, directions = -np.inf, np.zeros((rows.shape[1], 0))
    for turn in range(rounds + 1):
        if turn % CHECKED == 0:
            leading = np.linalg.eigh(relaxed)[1][:, -rank:]
            cost = sum(adversary.cost(values - (values @ leading) @ leading.T) for adversary in adversaries)
            best, directions = (cost, leading) if cost > best else (best, directions)
        gradient = np.sum([adversary.answer(values, relaxed) for adversary in adversaries], axis=0)
        pace = STEP / np.sqrt(turn + 1) / max(float(np.linalg.norm(gradient)), 1e-12)
        relaxed = to_fantope(relaxed + pace * gradient, rank)
    return subtract(directions, towards=mean)


def _start(values: Floats, adversaries: Sequence[_Adversary], rank: int) -> Floats:
    """All weight on the differences of means; what rank is left is spread evenly over the rest."""
    differences = np.hstack(
        [
            values[adversary.known].T @ (adversary.marks / np.maximum(adversary.marks.sum(axis=0), 1))
            - values[adversary.known].mean(axis=0)[:, None]
            for adversary in adversaries
        ]
    )
    vectors, sizes, _ = np.linalg.svd(differences, full_matrices=False)
    chosen = vectors[:, sizes > 1e-9 * max(sizes.max(initial=0), 1e-30)][:, :rank]
    taken, dimension = chosen.shape[1], len(chosen)
    rest = (rank - taken) / max(1, dimension - taken)
    return np.asarray(rest * np.eye(dimension) + (1 - rest) * chosen @ chosen.T, np.float64)


class _Adversary:
    """A linear softmax classifier that goes on from its last weights."""

    def __init__(self, of: Variable, dimension: int) -> None:
        self.known = of.codes != UNKNOWN
        self.codes: Codes = of.codes[self.known]
        self.marks = np.eye(len(of.classes))[self.codes]
        self.weights = np.zeros((dimension + 1, len(of.classes)))

    def answer(self, values: Floats, relaxed: Floats) -> Floats:
        """Learns what P leaves; returns the gradient of its loss with respect to P, made symmetric."""
        rows = values[self.known]
        left = rows - rows @ relaxed
        self.weights = self._learn(left, self.weights, ANSWER_STEPS)[0]
        errors = softmax(left @ self.weights[:-1] + self.weights[-1], axis=1) - self.marks
        raw = -rows.T @ (errors @ self.weights[:-1].T) / len(rows)
        return np.asarray((raw + raw.T) / 2, np.float64)

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

        fit = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": steps})
        return np.asarray(fit.x, np.float64).reshape(start.shape), float(fit.fun)


def to_fantope(matrix: Floats, rank: int) -> Floats:
    """The nearest symmetric matrix with eigenvalues in [0, 1] that sum to `rank`."""
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    low, high = values.min() - 1, values.max()
    for _ in range(60):  # the sum falls as the shift grows
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(values - middle, 0, 1).sum() > rank else (low, middle)
    return np.asarray((vectors * np.clip(values - (low + high) / 2, 0, 1)) @ vectors.T, np.float64)
