"""How well predicted labels fit the true ones: accuracy, F1, confusion, and how far errors go in ordered labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evenhand.records.conversion import JsonRecord

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClassFigures(JsonRecord):
    """`f1` is None for a label that nobody has and nobody was given; what divides by nothing else is 0."""

    label: str
    precision: float
    recall: float
    f1: float | None
    support: int  # resumes that truly have it


@dataclass(frozen=True)
class Evaluation:
    """One label each. `confusion` counts resumes: rows are what was predicted, columns what is true."""

    labels: tuple[str, ...]
    confusion: Counts
    ordered: bool = False

    @property
    def total(self) -> int:
        return int(self.confusion.sum())

    @property
    def errors(self) -> int:
        return self.total - int(np.trace(self.confusion))

    @property
    def accuracy(self) -> float:
        return _share(self.total - self.errors, self.total)

    @property
    def micro_f1(self) -> float:
        """Where everybody has one label and gets one, the same as accuracy."""
        return self.accuracy

    @property
    def macro_f1(self) -> float:
        return _macro(self.classes)

    @property
    def majority(self) -> float:
        """Accuracy of always saying the label that most have."""
        return _share(int(self.confusion.sum(axis=0).max(initial=0)), self.total)

    @cached_property
    def classes(self) -> tuple[ClassFigures, ...]:
        hits, predicted, true = (np.diag(self.confusion), self.confusion.sum(axis=1), self.confusion.sum(axis=0))
        return _classes(self.labels, hits, predicted, true)

    @property
    def percentages(self) -> NDArray[np.float64]:
        """The confusion in per cent of all resumes."""
        return 100 * self.confusion / max(self.total, 1)

    @property
    def adjacent_errors(self) -> int:
        """Those between neighbours in the order of the labels."""
        return int(np.trace(self.confusion, 1) + np.trace(self.confusion, -1))

    @property
    def adjacent_share(self) -> float:
        """Of all errors."""
        return _share(self.adjacent_errors, self.errors)

    @property
    def within_one(self) -> float:
        return _share(self.total - self.errors + self.adjacent_errors, self.total)

    def to_json(self) -> dict[str, Any]:
        order = ("adjacent_errors", "adjacent_share", "within_one") if self.ordered else ()
        return {
            "resumes": self.total,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "micro_f1": self.micro_f1,
            "majority": self.majority,
            **{name: getattr(self, name) for name in order},
            "classes": [row.to_json() for row in self.classes],
            "confusion": self.confusion.tolist(),
        }


@dataclass(frozen=True)
class SeveralEvaluation:
    """Any number of labels each: how often each was rightly given, given, and true."""

    labels: tuple[str, ...]
    hits: Counts
    predicted: Counts
    true: Counts
    total: int
    exact: int  # resumes with exactly the right labels

    @property
    def accuracy(self) -> float:
        return _share(self.exact, self.total)

    @property
    def micro_f1(self) -> float:
        return _share(2 * int(self.hits.sum()), int(self.predicted.sum() + self.true.sum()))

    @property
    def macro_f1(self) -> float:
        return _macro(self.classes)

    @cached_property
    def classes(self) -> tuple[ClassFigures, ...]:
        return _classes(self.labels, self.hits, self.predicted, self.true)

    def to_json(self) -> dict[str, Any]:
        return {
            "resumes": self.total,
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "micro_f1": self.micro_f1,
            "classes": [row.to_json() for row in self.classes],
        }


def evaluate(predicted: ArrayLike, gold: ArrayLike, labels: Sequence[str], *, ordered: bool = False) -> Evaluation:
    """From places in `labels`, one per resume."""
    found, true = np.asarray(predicted, np.int64), np.asarray(gold, np.int64)
    if found.shape != true.shape:
        raise ValueError("as many predictions as true labels are compared")
    confusion = np.zeros((len(labels), len(labels)), np.int64)
    np.add.at(confusion, (found, true), 1)
    return Evaluation(tuple(labels), confusion, ordered)


def evaluate_several(predicted: ArrayLike, gold: ArrayLike, labels: Sequence[str]) -> SeveralEvaluation:
    """From tables of 0 and 1, a row per resume and a column per label."""
    found, true = np.asarray(predicted) > 0, np.asarray(gold) > 0
    if found.shape != true.shape or found.shape[1:] != (len(labels),):
        raise ValueError("as many predictions as true labels are compared, with a column for every label")
    return SeveralEvaluation(
        labels=tuple(labels),
        hits=(found & true).sum(axis=0),
        predicted=found.sum(axis=0),
        true=true.sum(axis=0),
        total=len(true),
        exact=int((found == true).all(axis=1).sum()),
    )


def _classes(labels: Sequence[str], hits: Counts, predicted: Counts, true: Counts) -> tuple[ClassFigures, ...]:
    return tuple(
        ClassFigures(
            label,
            _share(int(hit), int(given)),
            _share(int(hit), int(support)),
            2 * int(hit) / int(given + support) if given + support else None,
            int(support),
        )
        for label, hit, given, support in zip(labels, hits, predicted, true, strict=True)
    )


def _macro(classes: Sequence[ClassFigures]) -> float:
    known = [row.f1 for row in classes if row.f1 is not None]
    return sum(known) / len(known) if known else 0.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
