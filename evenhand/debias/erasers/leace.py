"""LEACE in closed form: the smallest change after which no linear classifier does better than a constant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenhand.debias.samples import UNKNOWN, Floats, Variable
from evenhand.models.concept_removal import LinearMap

TOLERANCE = 1e-6  # of the largest singular value: less is rounding. An absolute one, such as the .01 of
# concept-erasure, or a larger one would leave in the rows what they tell of a variable that they tell little of.


def fit_leace(rows: Floats, variables: Sequence[Variable], *, tolerance: float = TOLERANCE) -> LinearMap:
    """x - W^+ P W (x - mean) with W the whitening and P the projection on what whitened rows share with the labels."""
    centre = rows.mean(axis=0)
    whitening, unwhitening = _whiten(np.cov(rows, rowvar=False, bias=False))
    shared = whitening @ _cross_covariance(rows, variables)
    directions, values, _ = np.linalg.svd(shared, full_matrices=False)
    directions = directions[:, values > tolerance * values.max(initial=0)]
    left, right = -(whitening @ directions), (unwhitening @ directions).T
    return LinearMap(True, left, right, -(centre @ left) @ right)


def _whiten(covariance: Floats) -> tuple[Floats, Floats]:
    """The symmetric square root's inverse and the root; directions without variance are left alone."""
    values, vectors = np.linalg.eigh(np.atleast_2d(covariance))
    alive = values > values.max() * len(values) * np.finfo(np.float64).eps
    values, vectors = values[alive], vectors[:, alive]
    return (vectors / np.sqrt(values)) @ vectors.T, (vectors * np.sqrt(values)) @ vectors.T


def _cross_covariance(rows: Floats, variables: Sequence[Variable]) -> Floats:
    columns = [_covary(rows, each) for each in variables]
    return np.hstack(columns)


def _covary(rows: Floats, each: Variable) -> Floats:
    known = each.codes != UNKNOWN
    marks = np.eye(len(each.classes))[each.codes[known]]
    found: Floats = (rows[known] - rows[known].mean(axis=0)).T @ (marks - marks.mean(axis=0)) / known.sum()
    return found
