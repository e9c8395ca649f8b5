"""Concepts of training rows, weighed by heads of the task and of every sensitive variable, in the order of removal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.decomposition import Decomposition, Method, decompose
from evenhand.debias.heads import Head, HeadTrainingData, Protocol, train_head
from evenhand.debias.importance import Importance, ImportanceSettings, weigh_concepts
from evenhand.debias.samples import UNKNOWN, Floats, Samples, Variable

# The order in which concepts go: those that tell much of the sensitive variable and little of the task first.

MUCH = 0.2  # total index for the task: a concept with a hand in more of what moves its head is not for removal

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
    degrees = np.degrees(np.arctan2(np.asarray(task, np.float64), np.asarray(sensitive, np.float64)))
    silent = (np.asarray(sensitive) == 0) & (np.asarray(task) == 0)
    return np.where(silent, 45.0, degrees)


def rank_concepts(
    sensitive: NDArray[np.floating], task: NDArray[np.floating], *, much: float = MUCH
) -> tuple[Concept, ...]:
    """In the order of removal; of angles that are as good as equal the larger sensitive importance goes first."""
    degrees = angles(sensitive, task)
    order = sorted(range(len(degrees)), key=lambda at: (round(float(degrees[at]) / SAME_ANGLE), -sensitive[at], at))
    return tuple(
        Concept(at, turn, float(sensitive[at]), float(task[at]), float(degrees[at]), bool(task[at] > much))
        for turn, at in enumerate(order, start=1)
    )


def combine(importances: list[Floats]) -> Floats:
    """Of several sensitive variables: the most that a concept tells of any, each first brought to their mean sum."""
    if len(importances) == 1:
        return importances[0]
    sums = [max(float(importance.sum()), 1e-12) for importance in importances]
    scaled = [importance * (float(np.mean(sums)) / total) for importance, total in zip(importances, sums, strict=True)]
    combined: Floats = np.maximum.reduce(scaled)
    return combined


def most_removable(concepts: tuple[Concept, ...]) -> int:
    """How many may go before the first that carries much of the task."""
    return next((at for at, concept in enumerate(concepts) if concept.carries), len(concepts))


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """On whole rows: one of the task, and one of each sensitive variable."""

    task: Head
    sensitive: tuple[Head, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WeighedConcepts:
    """`concepts` in the order of removal; `limit`: how many may go before the first that carries much of the task."""

    decomposition: Decomposition
    task: Importance
    sensitive: tuple[Importance, ...]
    concepts: tuple[Concept, ...]

    @property
    def limit(self) -> int:
        return most_removable(self.concepts)

    def first(self, k: int) -> tuple[int, ...]:
        """Places of the k concepts that go first."""
        return tuple(concept.index for concept in self.concepts[:k])


def fit_heads(train: Samples, validation: Samples, *, seed: int = 0, protocol: Protocol | None = None) -> Heads:
    pairs = zip(train.sensitive, validation.sensitive, strict=True)
    return Heads(
        fit_task_head(train, validation, seed=seed, protocol=protocol),
        tuple(
            _fit_head(train, validation, here, there, seed + place + 1, protocol)
            for place, (here, there) in enumerate(pairs)
        ),
    )


def fit_task_head(train: Samples, validation: Samples, *, seed: int = 0, protocol: Protocol | None = None) -> Head:
    return _fit_head(train, validation, train.task, validation.task, seed, protocol)


def _fit_head(
    train: Samples, validation: Samples, here: Variable, there: Variable, seed: int, protocol: Protocol | None
) -> Head:
    known, known_there = here.codes != UNKNOWN, there.codes != UNKNOWN
    training_data = HeadTrainingData(
        train.rows[known], here.codes[known], validation.rows[known_there], there.codes[known_there], len(here.classes)
    )
    return train_head(training_data, seed=seed, protocol=protocol)


def weigh(
    train: Samples, heads: Heads, *, rank: int, method: Method = "svd", weighing: ImportanceSettings | None = None
) -> WeighedConcepts:
    """Fitted on the training rows and on nothing else."""
    decomposition = decompose(train.rows, rank, method)
    task = weigh_concepts(heads.task, decomposition, train.rows, weighing)
    sensitive = tuple(weigh_concepts(head, decomposition, train.rows, weighing) for head in heads.sensitive)
    importance = combine([weighed.indices for weighed in sensitive])
    concepts = rank_concepts(importance, task.indices)
    return WeighedConcepts(decomposition, task, sensitive, concepts)
