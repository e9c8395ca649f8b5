"""Learning a joined model: telling terms are chosen, then one separating plane per label is fitted over all parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack  # type: ignore[import-untyped]
from sklearn.svm import LinearSVC

from evenhand.models.joined.blocks import Array, Row, TermPart, VectorPart
from evenhand.models.joined.model import Floats, Joined
from evenhand.models.joined.prepared import CountTable, Prepared, renumber, weighed
from evenhand.models.joined.recipe import LEAST_DOCUMENTS, Recipe
from evenhand.models.joined.storing import to_bytes

Gold = NDArray[np.bool_]
"""A row per resume, a column per label."""


def fit(
    prepared: Prepared, gold: Gold, labels: Sequence[str], recipe: Recipe, *, chosen: Sequence[int], seed: int
) -> Joined:
    """From the `chosen` resumes only; the others have no say in anything, not even in the choice of terms."""
    truth = gold[list(chosen)]
    parts = [choose_terms(table, truth, chosen=chosen) for table in prepared.tables]
    means = {name: vectors[list(chosen)].mean(axis=0) for name, vectors in prepared.vectors.items()}
    matrix = _matrix(prepared, parts, means, recipe, chosen)
    coefficients, bias = _planes(matrix, truth, recipe, seed)
    return _joined(parts, means, coefficients, bias, labels, recipe)


def choose_terms(table: CountTable, truth: Gold, *, chosen: Sequence[int]) -> TermPart:
    """The terms that stand most unevenly among the labels (chi-squared), none that fewer than five resumes share."""
    documents = table.frequencies(chosen)
    scores = chi_squared([table.rows[at][0] for at in chosen], truth, documents)
    scores[documents < LEAST_DOCUMENTS] = -1
    best = np.argsort(-scores, kind="stable")[: table.reading.most]
    kept = np.sort(best[scores[best] >= 0])
    idf = (np.log((1 + len(chosen)) / (1 + documents[kept])) + 1).astype(np.float16)  # as it is saved
    terms = tuple(table.terms[place] for place in kept)
    unfitted = np.zeros((len(kept), truth.shape[1]), np.float32)
    return TermPart(table.reading, terms, idf.astype(np.float32), unfitted)


def chi_squared(rows: Sequence[NDArray[np.int32]], truth: Gold, documents: NDArray[np.int32]) -> Floats:
    """Of having a term against having a label, summed over the labels."""
    observed = np.zeros((truth.shape[1], len(documents)))
    for places, labels in zip(rows, truth, strict=True):
        for label in np.flatnonzero(labels):
            observed[label, places] += 1
    expected = truth.sum(axis=0)[:, None] / max(len(truth), 1) * documents[None, :]
    found = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(observed), where=expected > 0)
    return np.asarray(found.sum(axis=0))


def logits_of(model: Joined, prepared: Prepared, chosen: Sequence[int]) -> Floats:
    """As the model's own `logits`, from what is counted and encoded already."""
    total = np.tile(model.bias.astype(np.float64), (len(chosen), 1))
    for part, table in zip(model.terms, prepared.tables, strict=True):
        matrix = _sparse(_rows(part, table, chosen), len(part.terms))
        total += matrix @ part.coefficients.astype(np.float64)
    for vector in model.vectors:
        rows = prepared.vectors[vector.reading.name]
        total += np.array([vector.logits(rows[at]) for at in chosen])
    return total


def compact(model: Joined) -> Joined:
    """As it will be read back: coefficients that one byte can hold, and no term left that says nothing."""
    terms = []
    for part in model.terms:
        scale, small = to_bytes(part.coefficients)
        telling = np.flatnonzero(small.any(axis=1))
        terms.append(
            TermPart(
                part.reading,
                tuple(part.terms[place] for place in telling),
                part.idf[telling],
                (small[telling] * scale).astype(np.float32),
            )
        )
    vectors = tuple(
        VectorPart(part.reading, _halved(part.mean), _halved(part.coefficients)) for part in model.vectors
    )
    return Joined(model.labels, model.bias, tuple(terms), vectors)


def _halved(array: Array) -> Array:
    return array.astype(np.float16).astype(np.float32)


def _rows(part: TermPart, table: CountTable, chosen: Sequence[int]) -> list[Row]:
    new_places = np.array([part.places.get(term, -1) for term in table.terms], np.int32)
    rows = [renumber(table.rows[at], new_places) for at in chosen]
    return weighed(rows, part.idf, part.reading.weight)


def _sparse(rows: Sequence[Row], width: int) -> csr_matrix:
    starts = np.cumsum([0, *(len(places) for places, _ in rows)])
    places = np.concatenate([places for places, _ in rows]) if rows else np.zeros(0, np.int32)
    values = np.concatenate([values for _, values in rows]) if rows else np.zeros(0)
    return csr_matrix((values.astype(np.float64), places, starts), shape=(len(rows), width))


def _matrix(
    prepared: Prepared,
    parts: Sequence[TermPart],
    means: dict[str, Array],
    recipe: Recipe,
    chosen: Sequence[int],
) -> csr_matrix:
    found = [
        _sparse(_rows(part, table, chosen), len(part.terms))
        for part, table in zip(parts, prepared.tables, strict=True)
    ]
    for reading in recipe.vectors:
        centred = prepared.vectors[reading.name][list(chosen)] - means[reading.name]
        found.append(csr_matrix(reading.weight * centred.astype(np.float64)))
    return hstack(found).tocsr()


def _planes(matrix: csr_matrix, truth: Gold, recipe: Recipe, seed: int) -> tuple[Array, Array]:
    """A column of coefficients per label, and the biases."""
    columns, biases = [], []
    for label in range(truth.shape[1]):
        plane = LinearSVC(
            C=recipe.cost,
            class_weight="balanced" if recipe.balanced else None,
            random_state=seed,
            max_iter=5000,
        )
        if len(set(truth[:, label])) == 1:  # nothing to tell apart: a label that nobody here has, or all have
            columns.append(np.zeros(matrix.shape[1]))
            biases.append(1.0 if truth[0, label] else -1.0)
            continue
        plane.fit(matrix, truth[:, label])
        columns.append(plane.coef_[0])
        biases.append(plane.intercept_[0])
    return np.array(columns, np.float32).T, np.array(biases, np.float32)


def _joined(
    parts: Sequence[TermPart],
    means: dict[str, Array],
    coefficients: Array,
    bias: Array,
    labels: Sequence[str],
    recipe: Recipe,
) -> Joined:
    """The coefficients handed out to the parts, in the order in which their columns were put together."""
    start, terms, vectors = 0, [], []
    for part in parts:
        own = coefficients[start : start + len(part.terms)]
        terms.append(TermPart(part.reading, part.terms, part.idf, own))
        start += len(part.terms)
    for reading in recipe.vectors:
        width = len(means[reading.name])
        vectors.append(VectorPart(reading, means[reading.name], coefficients[start : start + width]))
        start += width
    return Joined(tuple(labels), bias, tuple(terms), tuple(vectors))
