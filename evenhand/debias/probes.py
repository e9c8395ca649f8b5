"""Probes: fresh classifiers that try to tell a sensitive variable from what removal left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from evenhand.debias.samples import UNKNOWN, Codes, Floats, Variable
from evenhand.debias.scaling import fit_scaling
from evenhand.debias.training import Lesson, Protocol, train_heads

LINEAR_COSTS = (0.1, 10.0)


@dataclass(frozen=True, slots=True)
class Probing:
    """How thoroughly to look. The kernel's cost grows with the square of its rows; more are drawn at random."""

    seeds: tuple[int, ...] = (0, 1, 2)
    protocol: Protocol = field(default_factory=Protocol)
    rbf_rows: int = 3000
    rbf_costs: tuple[float, ...] = (1.0, 10.0)
    rbf_seeds: int | None = None  # only so many machines; their results stand in for the other seeds too

    def quick(self, *, seeds: int = 1) -> Probing:
        """For one of many points of a curve, or one of many candidates."""
        return replace(self, seeds=self.seeds[:seeds], rbf_rows=1500, rbf_costs=(1.0,), rbf_seeds=1)


@dataclass(frozen=True, slots=True, eq=False)
class Leak:
    """Accuracy of each probe on rows that it has not seen, a value per seed."""

    variable: str
    linear: tuple[float, ...]
    mlp: tuple[float, ...]
    rbf: tuple[float, ...]

    @property
    def worse(self) -> float:
        """The larger mean of the two that are not linear: what a determined reader would get."""
        return max(float(np.mean(self.mlp)), float(np.mean(self.rbf)))


def make_lesson(rows: Sequence[Floats], variables: Sequence[Variable]) -> Lesson:
    """Rows to learn from and rows to choose by; those whose label nobody knows are left out."""
    (learned, codes), (chosen, chosen_codes) = (
        _known(each, variable) for each, variable in zip(rows[:2], variables, strict=True)
    )
    return Lesson(learned, codes, chosen, chosen_codes, len(variables[0].classes))


def measure_leaks(lesson: Lesson, judged: Sequence[tuple[Floats, Variable]], probing: Probing) -> list[Leak]:
    """A leak for each set of rows judged on. Every seed trains an MLP of its own and draws the kernel's rows anew."""
    (heads,) = train_heads(lesson, probing.seeds, probing.protocol)
    linear = _linear(lesson)
    machines = [_rbf(lesson, seed, probing) for seed in probing.seeds[: probing.rbf_seeds]]
    found = []
    for given, variable in judged:
        rows, truth = _known(given, variable)
        found.append(
            Leak(
                variable.name,
                (float((linear(rows) == truth).mean()),) * len(probing.seeds),
                tuple(float((head.predict(rows) == truth).mean()) for head in heads),
                _filled([float((machine.predict(rows) == truth).mean()) for machine in machines], probing),
            )
        )
    return found


def _filled(values: list[float], probing: Probing) -> tuple[float, ...]:
    return tuple(values[place % len(values)] for place in range(len(probing.seeds)))


def _known(rows: Floats, each: Variable) -> tuple[Floats, Codes]:
    known = each.codes != UNKNOWN
    return rows[known], each.codes[known]


def _linear(lesson: Lesson) -> Callable[[Floats], Codes]:
    """Without chance: the fit is convex, and only its strength is chosen."""
    scaling = fit_scaling(lesson.rows)
    rows, chosen = scaling.apply(lesson.rows), scaling.apply(lesson.judged)
    fits = [
        LogisticRegression(C=cost, max_iter=300, tol=1e-3).fit(rows, lesson.codes) for cost in LINEAR_COSTS
    ]
    best = max(fits, key=lambda fit: float(fit.score(chosen, lesson.judged_codes)))
    return lambda given: np.asarray(best.predict(scaling.apply(given)), np.int64)


def _rbf(lesson: Lesson, seed: int, probing: Probing) -> SVC:
    """On another nine tenths of the rows for each seed: on all of them every seed would give the same machine."""
    count = min(probing.rbf_rows, int(0.9 * len(lesson.rows)))
    places = np.random.default_rng((seed, 7)).permutation(len(lesson.rows))[:count]
    machines = [
        SVC(C=cost, gamma="scale", cache_size=500).fit(lesson.rows[places], lesson.codes[places])
        for cost in probing.rbf_costs
    ]
    if len(machines) == 1:
        return machines[0]
    return max(machines, key=lambda machine: float(machine.score(lesson.judged, lesson.judged_codes)))
