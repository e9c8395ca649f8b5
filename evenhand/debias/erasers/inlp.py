"""INLP: a linear classifier is trained, its directions are projected away, and again, until little is left to find."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression

from evenhand.debias.fairness import majority_accuracy
from evenhand.debias.samples import UNKNOWN, Floats, Variable
from evenhand.models.concept_removal import LinearMap, identity, subtract

ROUNDS = 50
LEAST_GAIN = 0.03  # of accuracy over the largest class, on the rows it was trained on
STRENGTH = 1.0  # of the classifier's fit to standardised rows


def fit_inlp(rows: Floats, variables: Sequence[Variable], *, rounds: int = ROUNDS) -> LinearMap:
    """Orthonormal directions, those of earlier rounds taken out before the next is sought.

    Of a variable that is no longer found none are taken: they would be noise.
    """
    taken = np.zeros((rows.shape[1], 0))
    left = rows
    for _ in range(rounds):
        sought = [directions for each in variables if (directions := _directions(left, each)) is not None]
        if not sought:
            break
        found = np.hstack(sought)
        found = _orthonormal(found - taken @ (taken.T @ found))
        if not found.shape[1] or taken.shape[1] + found.shape[1] >= rows.shape[1]:
            break
        taken = np.linalg.qr(np.hstack([taken, found]))[0]
        left = rows - (rows @ taken) @ taken.T
    return subtract(taken) if taken.shape[1] else identity(rows.shape[1])


def _directions(rows: Floats, each: Variable) -> Floats | None:
    """None where they hardly tell the classes apart better than always naming the largest does."""
    known = each.codes != UNKNOWN
    scale = float(rows[known].std()) or 1.0
    classifier = LogisticRegression(C=STRENGTH, max_iter=200, tol=1e-3)
    classifier.fit(rows[known] / scale, each.codes[known])
    gained = float(classifier.score(rows[known] / scale, each.codes[known])) - majority_accuracy(each)
    return np.asarray(classifier.coef_.T, np.float64) if gained > LEAST_GAIN else None


def _orthonormal(directions: Floats) -> Floats:
    vectors, values, _ = np.linalg.svd(directions, full_matrices=False)
    return np.asarray(vectors[:, values > 1e-8 * max(1.0, values.max(initial=0))], np.float64)
