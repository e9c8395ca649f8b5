"""Training of linear models: telling terms are chosen, then one separating plane per label is fitted over all parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack  # type: ignore[import-untyped]
from scipy.special import expit, logit  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from evenhand.models.calibration import fit_temperature
from evenhand.models.inputs import ResumeInput
from evenhand.models.linear import model as linear_model
from evenhand.models.linear.model import Array, Floats, LinearModel, TermPart

# What is decided before a linear model is fitted.


MIN_DOCUMENTS = 5  # that share a term: a rarer one could tell of a person


@dataclass(frozen=True, slots=True)
class LinearRecipe:
    """`cost` is the price of an error while fitting: the higher, the closer to the examples."""

    terms: tuple[linear_model.TermReading, ...]
    vectors: tuple[linear_model.VectorReading, ...] = ()
    cost: float = 0.3
    balanced: bool = False  # whether errors on rare labels cost more


# Resumes counted and encoded once, so that fitting on one part of them after another costs little.

Allowed = Callable[[str], bool]
"""Whether a term may be learned at all: one that could tell of a person may not."""


@dataclass(frozen=True, slots=True, eq=False)
class CountTable:
    """A row of counts per resume, over terms that enough resumes share."""

    reading: linear_model.TermReading
    terms: tuple[str, ...]
    rows: tuple[linear_model.Row, ...]

    def frequencies(self, chosen: Sequence[int]) -> linear_model.Places:
        """In how many of the chosen resumes each term stands."""
        found = np.zeros(len(self.terms), np.int32)
        for at in chosen:
            found[self.rows[at][0]] += 1
        return found


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
    each: Callable[[Iterable[ResumeInput]], Iterable[ResumeInput]] = iter,
) -> LinearInputs:
    """`each` wraps the resumes while they are encoded, which takes long, to show how far it is."""
    counted: dict[linear_model.Counted, CountTable] = {}  # once for all readings that count the same
    for reading in recipe.terms:
        if reading.counted not in counted:
            counted[reading.counted] = count(resumes, reading, allowed=allowed)
    tables = tuple(replace(counted[reading.counted], reading=reading) for reading in recipe.terms)
    vectors: dict[str, list[Array]] = {reading.name: [] for reading in recipe.vectors}
    if recipe.vectors:
        if encoder is None:
            raise ValueError("neural parts need an encoder")
        for resume in each(resumes):
            for neural in recipe.vectors:
                vectors[neural.name].append(neural.vector(resume, encoder))
    return LinearInputs(tables, {name: np.array(rows, np.float32) for name, rows in vectors.items()}, len(resumes))


def count(resumes: Sequence[ResumeInput], reading: linear_model.TermReading, *, allowed: Allowed) -> CountTable:
    numbers: dict[str, int] = {}
    counted = []
    for resume in resumes:
        counts = reading.count(resume)
        places = np.fromiter((numbers.setdefault(term, len(numbers)) for term in counts), np.int32, len(counts))
        counted.append((places, np.fromiter(counts.values(), np.float32, len(counts))))
    documents = np.zeros(len(numbers), np.int32)
    for places, _ in counted:
        documents[places] += 1
    terms = sorted(term for term, number in numbers.items() if documents[number] >= MIN_DOCUMENTS and allowed(term))
    new_places = np.full(len(numbers), -1, np.int32)
    new_places[[numbers[term] for term in terms]] = np.arange(len(terms), dtype=np.int32)
    return CountTable(reading, tuple(terms), tuple(renumber(row, new_places) for row in counted))


def renumber(row: linear_model.Row, new_places: linear_model.Places) -> linear_model.Row:
    """With the new places, in their order; what has none (-1) is left out."""
    places, values = new_places[row[0]], row[1]
    kept = places >= 0
    places, values = places[kept], values[kept]
    order = np.argsort(places)
    return places[order], values[order]


Gold = NDArray[np.bool_]
"""A row per resume, a column per label."""


def fit(
    prepared: LinearInputs, gold: Gold, labels: Sequence[str], recipe: LinearRecipe, *, chosen: Sequence[int], seed: int
) -> LinearModel:
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
    scores[documents < MIN_DOCUMENTS] = -1
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


def logits_of(model: LinearModel, prepared: LinearInputs, chosen: Sequence[int]) -> Floats:
    """As the model's own `logits`, from what is counted and encoded already."""
    total = np.tile(model.bias.astype(np.float64), (len(chosen), 1))
    for part, table in zip(model.terms, prepared.tables, strict=True):
        matrix = _sparse(_rows(part, table, chosen), len(part.terms))
        total += matrix @ part.coefficients.astype(np.float64)
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


def _rows(part: TermPart, table: CountTable, chosen: Sequence[int]) -> list[linear_model.Row]:
    new_places = np.array([part.places.get(term, -1) for term in table.terms], np.int32)
    rows = [renumber(table.rows[at], new_places) for at in chosen]
    return [(places, linear_model.weigh(places, counts, part.idf, part.reading.weight)) for places, counts in rows]


def _sparse(rows: Sequence[linear_model.Row], width: int) -> csr_matrix:
    starts = np.cumsum([0, *(len(places) for places, _ in rows)])
    places = np.concatenate([places for places, _ in rows]) if rows else np.zeros(0, np.int32)
    values = np.concatenate([values for _, values in rows]) if rows else np.zeros(0)
    return csr_matrix((values.astype(np.float64), places, starts), shape=(len(rows), width))


def _matrix(
    prepared: LinearInputs,
    parts: Sequence[TermPart],
    means: dict[str, Array],
    recipe: LinearRecipe,
    chosen: Sequence[int],
) -> csr_matrix:
    found = [
        _sparse(_rows(part, table, chosen), len(part.terms)) for part, table in zip(parts, prepared.tables, strict=True)
    ]
    for reading in recipe.vectors:
        centred = prepared.vectors[reading.name][list(chosen)] - means[reading.name]
        found.append(csr_matrix(reading.weight * centred.astype(np.float64)))
    return hstack(found).tocsr()


def _planes(matrix: csr_matrix, truth: Gold, recipe: LinearRecipe, seed: int) -> tuple[Array, Array]:
    """A column of coefficients per label, and the biases."""
    columns, biases = [], []
    for label in range(truth.shape[1]):
        plane = LinearSVC(
            C=recipe.cost, class_weight="balanced" if recipe.balanced else None, random_state=seed, max_iter=5000
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
    recipe: LinearRecipe,
) -> LinearModel:
    """The coefficients handed out to the parts, in the order in which their columns were put together."""
    start, terms, vectors = 0, [], []
    for part in parts:
        own = coefficients[start : start + len(part.terms)]
        terms.append(TermPart(part.reading, part.terms, part.idf, own))
        start += len(part.terms)
    for reading in recipe.vectors:
        width = len(means[reading.name])
        vectors.append(linear_model.VectorPart(reading, means[reading.name], coefficients[start : start + width]))
        start += width
    return LinearModel(tuple(labels), bias, tuple(terms), tuple(vectors))


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
    held_out, agreement = _held_out(lesson, parts, chosen)
    model = compact(lesson.fit(chosen))
    truth = lesson.gold[chosen]
    if not lesson.several:
        return LinearTrainingResult(model, fit_temperature(held_out, truth.argmax(axis=1)), held_out, agreement)
    slopes, offsets = borders(held_out, truth)
    moved = held_out * slopes + offsets
    return LinearTrainingResult(
        rescaled(model, slopes, offsets), fit_temperature(moved, truth, several=True), moved, agreement
    )


def _held_out(lesson: LinearTrainingData, parts: Parts, chosen: Sequence[int]) -> tuple[Floats, float]:
    rows = np.zeros((lesson.prepared.resumes, len(lesson.labels)))
    same = []
    for part in parts:
        others = sorted(set(chosen) - set(part))
        full = lesson.fit(others)
        rows[list(part)] = logits_of(compact(full), lesson.prepared, part)
        before = logits_of(full, lesson.prepared, part)
        same.append(_said(before, lesson.several) == _said(rows[list(part)], lesson.several))
    return rows[list(chosen)], float(np.concatenate([each.ravel() for each in same]).mean())


def _said(logits: Floats, several: bool) -> NDArray[np.generic]:
    return np.asarray(logits > 0 if several else logits.argmax(axis=1))


def borders(logits: Floats, truth: Gold) -> tuple[Floats, Floats]:
    """Slope and offset per label: log-odds by Platt's method, then moved together so that saying every label above
    one half gives the best micro-F1."""
    lines = [_line(logits[:, at], truth[:, at]) for at in range(truth.shape[1])]
    slopes, offsets = (np.array(column) for column in zip(*lines, strict=True))
    sure = expit(logits * slopes + offsets)
    best = max(CUTS, key=lambda cut: (micro_f1(sure >= cut, truth), -abs(cut - 0.5)))
    return slopes, offsets - logit(best)


def _line(logits: Floats, truth: NDArray[np.bool_]) -> tuple[float, float]:
    if len(set(truth)) == 1:
        return 1.0, 0.0
    fitted = LogisticRegression(C=1e6).fit(logits[:, None], truth)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def micro_f1(said: Gold, truth: Gold) -> float:
    return float(2 * (said & truth).sum() / max(said.sum() + truth.sum(), 1))


def rescaled(model: LinearModel, slopes: Floats, offsets: Floats) -> LinearModel:
    """Every label's logit times its slope plus its offset, put into coefficients and bias."""
    scale = slopes.astype(np.float32)
    terms: tuple[TermPart, ...] = tuple(replace(part, coefficients=part.coefficients * scale) for part in model.terms)
    vectors: tuple[linear_model.VectorPart, ...] = tuple(
        replace(part, coefficients=part.coefficients * scale) for part in model.vectors
    )
    bias = (model.bias * slopes + offsets).astype(np.float32)
    return LinearModel(model.labels, bias, terms, vectors)
