"""Probes: fresh classifiers that try to tell a sensitive variable from what removal left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, islice

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from evenhand.debias.heads import HeadTrainingData, Protocol, fit_scaling, train_heads
from evenhand.debias.samples import UNKNOWN, Codes, Floats, Variable

LINEAR_COSTS = (0.1, 10.0)


@dataclass(frozen=True, slots=True)
class ProbeSettings:
    """How thoroughly to look. The kernel's cost grows with the square of its rows; more are drawn at random."""

    seeds: tuple[int, ...] = (0, 1, 2)
    protocol: Protocol = field(default_factory=Protocol)
    rbf_rows: int = 3000
    rbf_costs: tuple[float, ...] = (1.0, 10.0)
    rbf_seeds: int | None = None  # only so many machines; their results stand in for the other seeds too

    def quick(self, *, seeds: int = 1) -> ProbeSettings:
        """For one of many points of a curve, or one of many candidates."""
        return replace(self, seeds=self.seeds[:seeds], rbf_rows=1500, rbf_costs=(1.0,), rbf_seeds=1)


@dataclass(frozen=True, slots=True, eq=False)
class Leakage:
    """Accuracy of each probe on rows that it has not seen, a value per seed."""

    variable: str
    linear: tuple[float, ...]
    mlp: tuple[float, ...]
    rbf: tuple[float, ...]

    @property
    def worse(self) -> float:
        """The larger mean of the two that are not linear: what a determined reader would get."""
        return max(float(np.mean(self.mlp)), float(np.mean(self.rbf)))


def make_training_data(rows: Sequence[Floats], variables: Sequence[Variable]) -> HeadTrainingData:
    """Rows to learn from and rows to choose by; those whose label nobody knows are left out."""
    (learned, codes), (chosen, chosen_codes) = (
        _known(part, variable) for part, variable in zip(rows[:2], variables, strict=True)
    )
    return HeadTrainingData(learned, codes, chosen, chosen_codes, len(variables[0].classes))


def measure_leaks(
    training_data: HeadTrainingData, evaluated: Sequence[tuple[Floats, Variable]], probing: ProbeSettings
) -> list[Leakage]:
    """A leak for each set of rows judged on. Every seed trains an MLP of its own and draws the kernel's rows anew."""
    (heads,) = train_heads(training_data, probing.seeds, probing.protocol)
    linear = _linear(training_data)
    machines = [_rbf(training_data, seed, probing) for seed in probing.seeds[: probing.rbf_seeds]]
    leaks = []
    for given, variable in evaluated:
        rows, truth = _known(given, variable)
        rbf = [float((machine.predict(rows) == truth).mean()) for machine in machines]
        leaks.append(
            Leakage(
                variable.name,
                (float((linear(rows) == truth).mean()),) * len(probing.seeds),
                tuple(float((head.predict(rows) == truth).mean()) for head in heads),
                tuple(islice(cycle(rbf), len(probing.seeds))),
            )
        )
    return leaks


def _known(rows: Floats, variable: Variable) -> tuple[Floats, Codes]:
    known = variable.codes != UNKNOWN
    return rows[known], variable.codes[known]


def _linear(training_data: HeadTrainingData) -> Callable[[Floats], Codes]:
    """Without chance: the fit is convex, and only its strength is chosen."""
    scaling = fit_scaling(training_data.rows)
    rows, chosen = scaling.apply(training_data.rows), scaling.apply(training_data.validation)
    fits = [LogisticRegression(C=cost, max_iter=300, tol=1e-3).fit(rows, training_data.codes) for cost in LINEAR_COSTS]
    best = max(fits, key=lambda fit: float(fit.score(chosen, training_data.validation_codes)))
    return lambda given: np.asarray(best.predict(scaling.apply(given)), np.int64)


def _rbf(training_data: HeadTrainingData, seed: int, probing: ProbeSettings) -> SVC:
    """On another nine tenths of the rows for each seed: on all of them every seed would give the same machine."""
    count = min(probing.rbf_rows, int(0.9 * len(training_data.rows)))
    places = np.random.default_rng((seed, 7)).permutation(len(training_data.rows))[:count]
    machines = [
        SVC(C=cost, gamma="scale", cache_size=500).fit(training_data.rows[places], training_data.codes[places])
        for cost in probing.rbf_costs
    ]
    if len(machines) == 1:
        return machines[0]
    judged = training_data.validation, training_data.validation_codes
    return max(machines, key=lambda machine: float(machine.score(*judged)))


# Figures of the task by group: the gap in true positive rates, and how well the task alone tells the group.

MIN_ROWS = 5  # of a class and group; a rate of fewer says nothing


def class_gaps(guesses: Codes, task: Variable, sensitive: Variable) -> dict[str, float]:
    """By class of the task: the largest true positive rate of any group minus the smallest."""
    right = guesses == task.codes
    gaps = {}
    for place, name in enumerate(task.classes):
        rates = [
            float(right[rows].mean())
            for group in range(len(sensitive.classes))
            if (rows := (task.codes == place) & (sensitive.codes == group)).sum() >= MIN_ROWS
        ]
        if len(rates) > 1:
            gaps[name] = max(rates) - min(rates)
    return gaps


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
