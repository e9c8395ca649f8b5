"""Concepts of training rows, weighed by heads of the task and of every sensitive variable, in the order of removal."""

from __future__ import annotations

from dataclasses import dataclass

from evenhand.debias.decomposition import Decomposition, Method, decompose
from evenhand.debias.heads import Head
from evenhand.debias.importance import Importance, Weighing, weigh_concepts
from evenhand.debias.ranking import Concept, combine, most_removable, rank_concepts
from evenhand.debias.samples import UNKNOWN, Samples, Variable
from evenhand.debias.training import Lesson, Protocol, train_head


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """On whole rows: one of the task, and one of each sensitive variable."""

    task: Head
    sensitive: tuple[Head, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """`concepts` in the order of removal; `limit`: how many may go before the first that carries much of the task."""

    found: Decomposition
    task: Importance
    sensitive: tuple[Importance, ...]
    concepts: tuple[Concept, ...]

    @property
    def limit(self) -> int:
        return most_removable(self.concepts)

    def first(self, k: int) -> tuple[int, ...]:
        """Places of the k concepts that go first."""
        return tuple(concept.index for concept in self.concepts[:k])


def fit_heads(
    train: Samples, validation: Samples, *, seed: int = 0, protocol: Protocol | None = None
) -> Heads:
    pairs = zip(train.sensitive, validation.sensitive, strict=True)
    return Heads(
        fit_task_head(train, validation, seed=seed, protocol=protocol),
        tuple(
            _fit_head(train, validation, here, there, seed + place + 1, protocol)
            for place, (here, there) in enumerate(pairs)
        ),
    )


def fit_task_head(
    train: Samples, validation: Samples, *, seed: int = 0, protocol: Protocol | None = None
) -> Head:
    return _fit_head(train, validation, train.task, validation.task, seed, protocol)


def _fit_head(
    train: Samples, validation: Samples, here: Variable, there: Variable, seed: int, protocol: Protocol | None
) -> Head:
    known, judged = here.codes != UNKNOWN, there.codes != UNKNOWN
    lesson = Lesson(
        train.rows[known], here.codes[known], validation.rows[judged], there.codes[judged], len(here.classes)
    )
    return train_head(lesson, seed=seed, protocol=protocol)


def weigh(
    train: Samples, heads: Heads, *, rank: int, method: Method = "svd", weighing: Weighing | None = None
) -> Weighed:
    """Fitted on the training rows and on nothing else."""
    found = decompose(train.rows, rank, method)
    task = weigh_concepts(heads.task, found, train.rows, weighing)
    sensitive = tuple(weigh_concepts(head, found, train.rows, weighing) for head in heads.sensitive)
    importance = combine([each.indices for each in sensitive])
    concepts = rank_concepts(importance, task.indices)
    return Weighed(found, task, sensitive, concepts)
