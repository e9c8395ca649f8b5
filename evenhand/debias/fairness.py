"""Figures of the task by group: the gap in true positive rates, and how well the task alone tells the group."""

from __future__ import annotations

import numpy as np

from evenhand.debias.samples import UNKNOWN, Codes, Variable

LEAST_ROWS = 5  # of a class and group; a rate of fewer says nothing


def class_gaps(guesses: Codes, task: Variable, sensitive: Variable) -> dict[str, float]:
    """By class of the task: the largest true positive rate of any group minus the smallest."""
    right = guesses == task.codes
    found = {}
    for place, name in enumerate(task.classes):
        rates = [
            float(right[rows].mean())
            for group in range(len(sensitive.classes))
            if (rows := (task.codes == place) & (sensitive.codes == group)).sum() >= LEAST_ROWS
        ]
        if len(rates) > 1:
            found[name] = max(rates) - min(rates)
    return found


def tpr_gap(guesses: Codes, task: Variable, sensitive: Variable) -> float | None:
    """Root mean square of the gaps of all classes; None where no class has two groups to compare."""
    gaps = np.array(list(class_gaps(guesses, task, sensitive).values()))
    return float(np.sqrt((gaps**2).mean())) if len(gaps) else None


def floor_accuracy(task: Variable, sensitive: Variable) -> float:
    """The best that anybody can tell of the group who knows the task's label: its larger group, class by class.

    A model that is fair and always right cannot be below.
    """
    known = sensitive.codes != UNKNOWN
    counts = np.zeros((len(task.classes), len(sensitive.classes)))
    np.add.at(counts, (task.codes[known], sensitive.codes[known]), 1)
    return float(counts.max(axis=1).sum() / max(1.0, counts.sum()))


def majority_accuracy(sensitive: Variable) -> float:
    """What always naming the largest group gets right."""
    counts = np.bincount(sensitive.codes[sensitive.codes != UNKNOWN], minlength=len(sensitive.classes))
    return float(counts.max() / max(1, counts.sum()))
