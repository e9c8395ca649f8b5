"""The order in which concepts go: those that tell much of the sensitive variable and little of the task first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.samples import Floats

MUCH = (
    0.2  # total index for the task: a concept with a hand in more of what moves its head is not for removal
)

SAME_ANGLE = 0.5  # degrees: an estimated index is not sure enough to tell nearer angles apart


@dataclass(frozen=True, slots=True)
class Concept:
    """`index` is its place in the decomposition, `order` its turn in the removal, from 1."""

    index: int
    order: int
    sensitive: float
    task: float
    angle: float  # degrees: 0 tells of the sensitive variable only, 90 of the task only
    carries: bool  # much of the task: its index is above MUCH

    @property
    def colour(self) -> float:
        """90 - angle: large goes first, as the co-importance plot has it."""
        return 90 - self.angle


def angles(sensitive: NDArray[np.floating], task: NDArray[np.floating]) -> Floats:
    """atan(task / sensitive) in degrees; a concept that neither head uses stands in the middle."""
    found = np.degrees(np.arctan2(np.asarray(task, np.float64), np.asarray(sensitive, np.float64)))
    silent = (np.asarray(sensitive) == 0) & (np.asarray(task) == 0)
    return np.where(silent, 45.0, found)


def rank_concepts(
    sensitive: NDArray[np.floating], task: NDArray[np.floating], *, much: float = MUCH
) -> tuple[Concept, ...]:
    """In the order of removal; of angles that are as good as equal the larger sensitive importance goes first."""
    degrees = angles(sensitive, task)
    order = sorted(
        range(len(degrees)), key=lambda at: (round(float(degrees[at]) / SAME_ANGLE), -sensitive[at], at)
    )
    return tuple(
        Concept(at, turn, float(sensitive[at]), float(task[at]), float(degrees[at]), bool(task[at] > much))
        for turn, at in enumerate(order, start=1)
    )


def combine(importances: list[Floats]) -> Floats:
    """Of several sensitive variables: the most that a concept tells of any, each first brought to their mean sum."""
    if len(importances) == 1:
        return importances[0]
    sums = [max(float(each.sum()), 1e-12) for each in importances]
    scaled = [each * (float(np.mean(sums)) / total) for each, total in zip(importances, sums, strict=True)]
    found: Floats = np.maximum.reduce(scaled)
    return found


def most_removable(concepts: tuple[Concept, ...]) -> int:
    """How many may go before the first that carries much of the task."""
    return next((at for at, concept in enumerate(concepts) if concept.carries), len(concepts))
