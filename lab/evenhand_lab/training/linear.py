"""Training of linear models: telling terms are chosen, then one separating plane per label is fitted over all parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack  # type: ignore[import-untyped]
from scipy.special import expit, logit  # type: ignore[import-untyped]
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_selection import chi2
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from evenhand.models.calibration import fit_temperature
from evenhand.models.inputs import ResumeInput
from evenhand.models.linear import model as linear_model
from evenhand.models.linear.model import Array, Floats, LinearModel, TermPart

MIN_DOCUMENTS = 5  # that share a term: a rarer one could tell of a person
Allowed = Callable[[str], bool]
"""Whether a term may be learned at all: one that could tell of a person may not."""
Gold = NDArray[np.bool_]
"""A row per resume, a column per label."""


@dataclass(frozen=True, slots=True)
class LinearRecipe:
    """`cost` is the price of an error while fitting: the higher, the closer to the examples."""

    terms: tuple[linear_model.TermReading, ...]
    vectors: tuple[linear_model.VectorReading, ...] = ()
    cost: float = 0.3


# Resumes counted and encoded once, so that fitting on one part of them after another costs little.


@dataclass(frozen=True, slots=True, eq=False)
class CountTable:
    """A row of counts per resume, over terms that enough resumes share."""

    reading: linear_model.TermReading
    terms: tuple[str, ...]
    counts: csr_matrix

    def weighed(self, part: TermPart, chosen: Sequence[int]) -> csr_matrix:
        """The chosen rows over the terms of a part, weighed as the model weighs them."""
        places = {term: place for place, term in enumerate(self.terms)}
        matrix = self.counts[list(chosen)][:, [places[term] for term in part.terms]]
        for start, end in pairwise(matrix.indptr):
            columns, counts = matrix.indices[start:end], matrix.data[start:end]
            matrix.data[start:end] = linear_model.weigh(columns, counts, part.idf, part.reading.weight)
        return matrix.astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class LinearInputs:
    """Of all resumes; `vectors` has a row per resume under the name of each neural part."""

    tables: tuple[CountTable, ...]
    vectors: Mapping[str, Array]
    resumes: int


def prepare(
    resumes: Sequence[ResumeInput],
    recipe: LinearRecipe,
    *,
    allowed: Allowed,
    encoder: linear_model.TextEncoder | None = None,
    reporting: Callable[[Iterable[ResumeInput]], Iterable[ResumeInput]] = iter,
) -> LinearInputs:
    """`reporting` wraps the resumes while they are encoded, which takes long, to show how far it is."""
    counted: dict[linear_model.Counted, CountTable] = {}  # once for all readings that count the same
    for reading in recipe.terms:
        if reading.counted not in counted:
            vectorizer = DictVectorizer(dtype=np.float32)
            counts = vectorizer.fit_transform(reading.count(resume) for resume in resumes)
            common = np.flatnonzero(counts.getnnz(axis=0) >= MIN_DOCUMENTS)
            known = {vectorizer.feature_names_[place]: place for place in common}
            places = {term: place for term, place in known.items() if allowed(term)}
            counted[reading.counted] = CountTable(reading, tuple(places), counts[:, list(places.values())])
    tables = tuple(replace(counted[reading.counted], reading=reading) for reading in recipe.terms)
    vectors: dict[str, list[Array]] = {reading.name: [] for reading in recipe.vectors}
    if recipe.vectors:
        if encoder is None:
            raise ValueError("neural parts need an encoder")
        for resume in reporting(resumes):
            for neural in recipe.vectors:
                vectors[neural.name].append(neural.vector(resume, encoder))
    return LinearInputs(tables, {name: np.array(rows, np.float32) for name, rows in vectors.items()}, len(resumes))


def fit(
    prepared: LinearInputs, gold: Gold, labels: Sequence[str], recipe: LinearRecipe, *, chosen: Sequence[int], seed: int
) -> LinearModel:
    """From the `chosen` resumes only; the others have no say in anything, not even in the choice of terms."""
    truth = gold[list(chosen)]
    parts = [choose_terms(table, truth, chosen=chosen) for table in prepared.tables]
    means = {name: vectors[list(chosen)].mean(axis=0) for name, vectors in prepared.vectors.items()}
    columns = [table.weighed(part, chosen) for part, table in zip(parts, prepared.tables, strict=True)]
    for reading in recipe.vectors:
        centred = prepared.vectors[reading.name][list(chosen)] - means[reading.name]
        columns.append(csr_matrix(reading.weight * centred.astype(np.float64)))
    matrix = hstack(columns).tocsr()
    planes, biases = [], []
    for label in range(truth.shape[1]):
        if len(set(truth[:, label])) == 1:  # nothing to tell apart: a label that nobody here has, or all have
            planes.append(np.zeros(matrix.shape[1]))
            biases.append(1.0 if truth[0, label] else -1.0)
            continue
        plane = LinearSVC(C=recipe.cost, random_state=seed, max_iter=5000).fit(matrix, truth[:, label])
        planes.append(plane.coef_[0])
        biases.append(plane.intercept_[0])
    # The coefficients are handed out to the parts in the order in which their columns were put together.
    ends = np.cumsum([part.shape[1] for part in columns])
    own = np.split(np.array(planes, np.float32).T, ends[:-1])
    terms = tuple(replace(part, coefficients=rows) for part, rows in zip(parts, own, strict=False))
    vectors = tuple(
        linear_model.VectorPart(reading, means[reading.name], rows)
        for reading, rows in zip(recipe.vectors, own[len(parts) :], strict=True)
    )
    return LinearModel(tuple(labels), np.array(biases, np.float32), terms, vectors)


def choose_terms(table: CountTable, truth: Gold, *, chosen: Sequence[int]) -> TermPart:
    """The terms that stand most unevenly among the labels (chi-squared), none that fewer than five resumes share."""
    counts = table.counts[list(chosen)]
    documents = counts.getnnz(axis=0)
    uneven, _ = chi2(counts > 0, truth[:, truth.any(axis=0)].astype(int))
    scores = np.where(documents < MIN_DOCUMENTS, -1, np.nan_to_num(uneven))
    best = np.argsort(-scores, kind="stable")[: table.reading.most]
    places = np.sort(best[scores[best] >= 0])
    idf = (np.log((1 + len(chosen)) / (1 + documents[places])) + 1).astype(np.float16)  # as it is saved
    terms = tuple(table.terms[place] for place in places)
    unfitted = np.zeros((len(places), truth.shape[1]), np.float32)
    return TermPart(table.reading, terms, idf.astype(np.float32), unfitted)


def logits_of(model: LinearModel, prepared: LinearInputs, chosen: Sequence[int]) -> Floats:
    """As the model's own `logits`, from what is counted and encoded already."""
    total = np.tile(model.bias.astype(np.float64), (len(chosen), 1))
    for part, table in zip(model.terms, prepared.tables, strict=True):
        total += table.weighed(part, chosen) @ part.coefficients.astype(np.float64)
    for vector in model.vectors:
        rows = prepared.vectors[vector.reading.name]
        total += np.array([vector.logits(rows[at]) for at in chosen])
    return total


def compact(model: LinearModel) -> LinearModel:
    """As it will be read back: coefficients that one byte can hold, and no term left that says nothing."""
    terms = []
    for part in model.terms:
        scale, small = to_bytes(part.coefficients)
        telling = np.flatnonzero(small.any(axis=1))
        names = tuple(part.terms[place] for place in telling)
        coefficients = (small[telling] * scale).astype(np.float32)
        terms.append(TermPart(part.reading, names, part.idf[telling], coefficients))
    vectors = []
    for vector in model.vectors:
        mean, halved = (array.astype(np.float16).astype(np.float32) for array in (vector.mean, vector.coefficients))
        vectors.append(linear_model.VectorPart(vector.reading, mean, halved))
    return LinearModel(model.labels, model.bias, tuple(terms), tuple(vectors))


# What is written into a model's folder, to be read by `evenhand.models.linear.storing`.

MAX_INT8 = 127


def to_settings(model: LinearModel) -> dict[str, Any]:
    return {
        "terms": [part.reading.to_json() for part in model.terms],
        "vectors": [part.reading.to_json() for part in model.vectors],
    }


def to_vocabulary(model: LinearModel) -> str:
    """A line for each term: its part, a tab, the term."""
    return "".join(f"{part.reading.name}\t{term}\n" for part in model.terms for term in part.terms)


def to_tensors(model: LinearModel) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {"bias": model.bias}
    for part in model.terms:
        scale, small = to_bytes(part.coefficients)
        name = part.reading.name
        found |= {f"{name}.coefficients": small, f"{name}.scale": scale}
        found[f"{name}.idf"] = part.idf.astype(np.float16)
    for vector in model.vectors:
        found[f"{vector.reading.name}.coefficients"] = vector.coefficients.astype(np.float16)
        found[f"{vector.reading.name}.mean"] = vector.mean.astype(np.float16)
    return found


def to_bytes(coefficients: Array) -> tuple[Array, NDArray[np.int8]]:
    """One scale per label: the largest coefficient becomes 127."""
    largest = np.abs(coefficients).max(axis=0, initial=0)
    scale = np.where(largest > 0, largest / MAX_INT8, 1).astype(np.float32)
    return scale, np.rint(coefficients / scale).astype(np.int8)


# From counted resumes to a model that ships: fitted, made small, and made honest about how sure it is.

CUTS = np.linspace(0.2, 0.8, 61)
Parts = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True, eq=False)
class LinearTrainingResult:
    """`agreement` is the share of held-out judgements that the model says with and without being made small."""

    model: LinearModel
    temperature: float
    held_out: Floats  # logits, a row per resume learned from, by models that had not seen it
    agreement: float


@dataclass(frozen=True, slots=True)
class LinearTrainingData:
    """Everything that fitting needs besides which resumes to fit on."""

    prepared: LinearInputs
    gold: Gold
    labels: tuple[str, ...]
    recipe: LinearRecipe
    several: bool
    seed: int

    def fit(self, chosen: Sequence[int]) -> LinearModel:
        return fit(self.prepared, self.gold, self.labels, self.recipe, chosen=chosen, seed=self.seed)


def learn(lesson: LinearTrainingData, parts: Parts) -> LinearTrainingResult:
    """Fits on all `parts` together. What is chosen afterwards, temperature or borders, is chosen on held-out logits:
    each part judged by a model of the others."""
    chosen = sorted(at for part in parts for at in part)
    rows = np.zeros((lesson.prepared.resumes, len(lesson.labels)))
    same = []
    for part in parts:
        full = lesson.fit(sorted(set(chosen) - set(part)))
        small, whole = (logits_of(model, lesson.prepared, part) for model in (compact(full), full))
        rows[list(part)] = small
        agrees = (small > 0) == (whole > 0) if lesson.several else small.argmax(axis=1) == whole.argmax(axis=1)
        same.append(agrees.ravel())
    held_out, agreement = rows[chosen], float(np.concatenate(same).mean())
    model = compact(lesson.fit(chosen))
    truth = lesson.gold[chosen]
    if not lesson.several:
        return LinearTrainingResult(model, fit_temperature(held_out, truth.argmax(axis=1)), held_out, agreement)
    slopes, offsets = borders(held_out, truth)
    moved = held_out * slopes + offsets
    return LinearTrainingResult(
        rescaled(model, slopes, offsets), fit_temperature(moved, truth, several=True), moved, agreement
    )


def borders(logits: Floats, truth: Gold) -> tuple[Floats, Floats]:
    """Slope and offset per label: log-odds by Platt's method, then moved together so that saying every label above
    one half gives the best micro-F1."""
    slopes, offsets = np.ones(truth.shape[1]), np.zeros(truth.shape[1])
    for label, column in enumerate(truth.T):
        if len(set(column)) == 2:
            fitted = LogisticRegression(C=1e6).fit(logits[:, label, None], column)
            slopes[label], offsets[label] = fitted.coef_[0, 0], fitted.intercept_[0]
    sure = expit(logits * slopes + offsets)
    best = max(CUTS, key=lambda cut: (micro_f1(sure >= cut, truth), -abs(cut - 0.5)))
    return slopes, offsets - logit(best)


def micro_f1(said: Gold, truth: Gold) -> float:
    return float(2 * (said & truth).sum() / max(said.sum() + truth.sum(), 1))


def rescaled(model: LinearModel, slopes: Floats, offsets: Floats) -> LinearModel:
    """Every label's logit times its slope plus its offset, put into coefficients and bias."""
    scale = slopes.astype(np.float32)
    terms = tuple(replace(part, coefficients=part.coefficients * scale) for part in model.terms)
    vectors = tuple(replace(part, coefficients=part.coefficients * scale) for part in model.vectors)
    return LinearModel(model.labels, (model.bias * slopes + offsets).astype(np.float32), terms, vectors)
