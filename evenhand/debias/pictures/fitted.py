"""The figures of one fit: what was measured at every k, brought into the form that charts take."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evenhand.debias.fairness import floor_accuracy
from evenhand.debias.fitting import Fitted
from evenhand.debias.pictures.co_importance import co_importance
from evenhand.debias.pictures.series import Standing, Sweep
from evenhand.debias.pictures.sweeps import accuracies_over_k
from evenhand.debias.pictures.trade_off import trade_off
from evenhand.debias.scoring import Score
from evenhand.debias.sweep import Point
from evenhand.records.report import Chart

VALIDATION, TEST = 0, 1
LABELLED = 5  # so many k at most have their number beside the curve


def charts_of(
    fitted: Fitted, *, judged: int = TEST, variable: int = 0, rivals: Sequence[Standing] = ()
) -> tuple[Chart, ...]:
    """What concepts weigh, both accuracies over k, and the one against the other, of one sensitive variable."""
    sweep = sweep_of(fitted, judged=judged, variable=variable, rivals=rivals)
    steps = sorted({0, 1, sweep.recommended or 0, *_every(sweep.ks)})
    return (
        co_importance(
            fitted.weighed.concepts, sensitive_name=sweep.sensitive_name, task_name=sweep.task_name
        ),
        accuracies_over_k(sweep),
        trade_off(sweep, labelled=steps),
    )


def sweep_of(
    fitted: Fitted,
    *,
    judged: int = TEST,
    variable: int = 0,
    reference: Standing | None = None,
    rivals: Sequence[Standing] = (),
) -> Sweep:
    """Plain removal by the chosen decomposition. The line is the worse of the two probes that are not linear."""
    points = _plain(fitted)
    scores = [point.scores[judged] for point in points]
    part = (fitted.divided.validation, fitted.divided.test)[judged]
    chosen = fitted.choice.recipe
    return Sweep(
        ks=tuple(point.recipe.k for point in points if point.recipe),
        sensitive=tuple(100 * score.leaks[variable].worse for score in scores),
        task=tuple(_percent(score.task) for score in scores),
        floor=100 * floor_accuracy(part.task, part.sensitive[variable]),
        original=standing(fitted.points[0].scores[judged], "original", variable=variable),
        reference=reference,
        rivals=tuple(rivals),
        probe="worse of MLP and RBF",
        probes=(("linear", tuple(_percent(score.leaks[variable].linear) for score in scores)),),
        recommended=None if chosen.joined or chosen.residual else chosen.k,
        sensitive_name=part.sensitive[variable].name,
        task_name=part.task.name,
    )


def standing(score: Score, name: str, *, variable: int = 0) -> Standing:
    """Of any method that was scored on the same rows."""
    return Standing(name, 100 * score.leaks[variable].worse, _percent(score.task))


def _plain(fitted: Fitted) -> list[Point]:
    chosen = fitted.choice.recipe
    found = [
        point
        for point in fitted.points
        if point.recipe
        and (point.recipe.method, point.recipe.rank) == (chosen.method, chosen.rank)
        and not point.recipe.joined
        and not point.recipe.residual
    ]
    return sorted(found, key=lambda point: point.recipe.k if point.recipe else -1)


def _every(ks: Sequence[int]) -> Sequence[int]:
    return ks[:: max(1, len(ks) // LABELLED)]


def _percent(values: Sequence[float]) -> float:
    return 100 * float(np.mean(values))
