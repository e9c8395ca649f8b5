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
        return share(self.total - self.errors, self.total)

    @property
    def micro_f1(self) -> float:
        """Where everybody has one label and gets one, the same as accuracy."""
        return self.accuracy

    @property
    def macro_f1(self) -> float:
        return macro_f1(self.classes)

    @property
    def majority(self) -> float:
        """Accuracy of always saying the label that most have."""
        return share(int(self.confusion.sum(axis=0).max(initial=0)), self.total)

    @cached_property
    def classes(self) -> tuple[ClassFigures, ...]:
        hits, predicted, true = (np.diag(self.confusion), self.confusion.sum(axis=1), self.confusion.sum(axis=0))
        return class_figures(self.labels, hits, predicted, true)

    @property
    def adjacent_errors(self) -> int:
        """Those between neighbours in the order of the labels."""
        return int(np.trace(self.confusion, 1) + np.trace(self.confusion, -1))

    @property
    def adjacent_share(self) -> float:
        """Of all errors."""
        return share(self.adjacent_errors, self.errors)

    @property
    def within_one(self) -> float:
        return share(self.total - self.errors + self.adjacent_errors, self.total)

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


def evaluate(predicted: ArrayLike, gold: ArrayLike, labels: Sequence[str], *, ordered: bool = False) -> Evaluation:
    """From places in `labels`, one per resume."""
    given, true = np.asarray(predicted, np.int64), np.asarray(gold, np.int64)
    if given.shape != true.shape:
        raise ValueError("as many predictions as true labels are compared")
    confusion = np.zeros((len(labels), len(labels)), np.int64)
    np.add.at(confusion, (given, true), 1)
    return Evaluation(tuple(labels), confusion, ordered)


def class_figures(labels: Sequence[str], hits: Counts, predicted: Counts, true: Counts) -> tuple[ClassFigures, ...]:
    return tuple(
        ClassFigures(
            label,
            share(int(hit), int(given)),
            share(int(hit), int(support)),
            2 * int(hit) / int(given + support) if given + support else None,
            int(support),
        )
        for label, hit, given, support in zip(labels, hits, predicted, true, strict=True)
    )


def macro_f1(classes: Sequence[ClassFigures]) -> float:
    known = [row.f1 for row in classes if row.f1 is not None]
    return sum(known) / len(known) if known else 0.0


def share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
