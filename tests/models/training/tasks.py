"""Small tasks with known answers, and how well a network does on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from evenhand.models.training.encoders import Tuning
from evenhand.models.training.examples import TrainingExample
from evenhand.models.training.loop import TrainedNetwork
from tests.models.training.small_bert import chance_words, resume

FILLERS = tuple("cdefghij")
FULL = Tuning("full", None)
Maker = Callable[[np.random.Generator, int], TrainingExample]


def examples(make: Maker, count: int, seed: int) -> list[TrainingExample]:
    rng = np.random.default_rng(seed)
    return [make(rng, number % 2) for number in range(count)]


def accuracy(trained: TrainedNetwork, rows: Sequence[TrainingExample]) -> float:
    labels = np.array([row.label for row in rows])
    return float((trained.logits(rows).argmax(axis=1) == labels).mean())


def placed_evidence(rng: np.random.Generator, label: int) -> TrainingExample:
    """Both words are in every resume; which of them was work and which an activity decides."""
    work, activity = ("a", "b") if label else ("b", "a")
    sections = [(2, f"{work} {chance_words(rng, 3, FILLERS)}"), (3, f"{activity} {chance_words(rng, 3, FILLERS)}")]
    return TrainingExample(resume(*sections), label)
