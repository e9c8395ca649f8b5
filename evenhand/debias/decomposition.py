"""Concepts of a matrix: the directions that explain most of it, by truncated SVD, PCA or ICA, of training rows only."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy.sparse.linalg import svds  # type: ignore[import-untyped]

from evenhand.debias.samples import Floats
from evenhand.errors import UsageError

Method = Literal["svd", "pca", "ica"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, slots=True, eq=False)
class Decomposition:
    """A ≈ U W + mean. `unmixing` is the pseudo-inverse of W, so a new row's u is (a - mean) W^+: nothing is solved.

    Concepts stand in the order of `strengths`, largest first, whatever order the solver gave them.
    """

    method: Method
    basis: Floats  # W, r x d
    unmixing: Floats  # W^+, d x r
    mean: Floats  # d; zeros for SVD, which does not centre
    strengths: Floats  # singular values; for ICA the norm that each concept has in the training rows

    @property
    def rank(self) -> int:
        return len(self.basis)

    def project(self, rows: Floats) -> Floats:
        """u of each row."""
        return np.asarray((rows - self.mean) @ self.unmixing, np.float64)

    def restore(self, loads: Floats) -> Floats:
        """Rows of given u, the mean put back."""
        return np.asarray(loads @ self.basis + self.mean, np.float64)


def decompose(rows: Floats, rank: int, method: Method = "svd", *, seed: int = 0) -> Decomposition:
    """UsageError for a rank that the rows cannot have, or a method that there is not."""
    if method not in METHODS:
        raise UsageError(f"There is no decomposition {method!r}; there are {', '.join(METHODS)}.")
    if not 1 <= rank < min(rows.shape):
        raise UsageError(f"{rows.shape[0]} rows of {rows.shape[1]} numbers have no {rank} concepts to tell apart.")
    values = np.asarray(rows, np.float64)
    if method == "ica":
        return _fit_ica(values, rank, seed)
    mean = values.mean(axis=0) if method == "pca" else np.zeros(rows.shape[1])
    # It starts from ones, the same for everybody, and gives the smallest first.
    _, strengths, directions = svds(values - mean, k=rank, v0=np.ones(min(rows.shape)))
    order = np.argsort(strengths)[::-1]
    strengths, directions = strengths[order].copy(), directions[order]
    directions = directions * _signs(directions)[:, None]
    tiny = float(np.finfo(np.float64).tiny + strengths.max(initial=0) * 1e-12)
    unmixing = directions.T / np.maximum(strengths, tiny)
    return Decomposition(method, strengths[:, None] * directions, unmixing, mean, strengths)


def _signs(directions: Floats) -> Floats:
    """That make the entry of largest size in each positive."""
    largest = np.abs(directions).argmax(axis=1)
    return np.where(directions[np.arange(len(directions)), largest] < 0, -1.0, 1.0)


def _fit_ica(rows: Floats, rank: int, seed: int) -> Decomposition:
    from sklearn.decomposition import FastICA  # noqa: PLC0415 - a second to load, and few ask for it
    from sklearn.exceptions import ConvergenceWarning  # noqa: PLC0415

    learner = FastICA(n_components=rank, random_state=seed, whiten="unit-variance", max_iter=1000, tol=1e-3)
    with warnings.catch_warnings():
        # Where some sources are Gaussian their directions never settle. Any turn of them is as good a basis.
        warnings.simplefilter("ignore", ConvergenceWarning)
        loads = learner.fit_transform(rows)
    basis = learner.mixing_.T
    strengths = np.linalg.norm(loads, axis=0) * np.linalg.norm(basis, axis=1)
    order = np.argsort(strengths)[::-1]
    basis = basis[order] * _signs(basis[order])[:, None]
    return Decomposition("ica", basis, np.linalg.pinv(basis), learner.mean_.copy(), strengths[order])
