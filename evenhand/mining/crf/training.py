"""Learning a chain model from labelled sequences: L-BFGS on the conditional log-likelihood with an L2 penalty."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pycrfsuite
from numpy.typing import NDArray

from evenhand.mining.crf import chain
from evenhand.mining.crf.model import Crf


@dataclass(frozen=True, slots=True)
class Labelled:
    """Places with their attributes and labels; `document` tells which resume they are from."""

    document: str
    attributes: list[list[str]]
    labels: list[str]


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    l1: float = 0.0
    l2: float = 1.0
    iterations: int = 100
    documents: int = 1  # an attribute seen in fewer resumes is not learned: it could tell of a person


def train(sequences: Sequence[Labelled], settings: TrainingSettings | None = None) -> Crf:
    settings = settings or TrainingSettings()
    common = common_attributes(sequences, settings.documents)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": settings.l1,
            "c2": settings.l2,
            "max_iterations": settings.iterations,
            "feature.possible_transitions": True,
        }
    )
    for sequence in sequences:
        kept = [[name for name in names if name in common] for names in sequence.attributes]
        trainer.append(kept, sequence.labels)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        trainer.train(str(path))
        return _frozen(path, settings)


def common_attributes(sequences: Iterable[Labelled], documents: int) -> set[str]:
    """Attributes that occur in at least so many resumes."""
    if documents <= 1:
        return {name for sequence in sequences for names in sequence.attributes for name in names}
    seen: dict[str, set[str]] = {}
    for sequence in sequences:
        seen.setdefault(sequence.document, set()).update(
            name for names in sequence.attributes for name in names
        )
    counts = Counter(name for names in seen.values() for name in names)
    return {name for name, count in counts.items() if count >= documents}


def _frozen(path: Path, settings: TrainingSettings) -> Crf:
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    info = tagger.info()
    labels = tuple(sorted(info.labels))
    number = {label: place for place, label in enumerate(labels)}
    names = sorted({name for name, _ in info.state_features})
    attributes = {name: row for row, name in enumerate(names)}
    weights = np.zeros((len(names), len(labels)), np.float32)
    for (name, label), weight in info.state_features.items():
        weights[attributes[name], number[label]] = weight
    transitions = np.zeros((len(labels), len(labels)), np.float32)
    for (before, after), weight in info.transitions.items():
        transitions[number[before], number[after]] = weight
    tagger.close()
    about: dict[str, object] = {
        "l1": settings.l1,
        "l2": settings.l2,
        "iterations": settings.iterations,
        "documents": settings.documents,
    }
    return Crf(labels, attributes, weights, transitions, about)


def log_likelihood(model: Crf, sequence: Labelled) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
    """Of one labelled sequence, with its gradients for the weights and for the transitions (without penalty)."""
    scores = model.scores(sequence.attributes).astype(np.float64)
    transitions = model.transitions.astype(np.float64)
    number = {label: place for place, label in enumerate(model.labels)}
    path = np.array([number[label] for label in sequence.labels])
    value = chain.path_score(scores, transitions, path) - chain.log_partition(scores, transitions)
    surplus = -chain.marginals(scores, transitions)
    surplus[np.arange(len(path)), path] += 1.0
    for_weights = np.zeros(model.weights.shape)
    for place, names in enumerate(sequence.attributes):
        for name in names:
            if name in model.attributes:
                for_weights[model.attributes[name]] += surplus[place]
    for_transitions = -chain.pair_marginals(scores, transitions).sum(0)
    np.add.at(for_transitions, (path[:-1], path[1:]), 1.0)
    return value, for_weights, for_transitions
