"""All label sequences of a short chain, one by one: what the sums and maxima must agree with."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def random_chain(length: int, labels: int, seed: int) -> tuple[Values, Values]:
    """Scores of each label at each place, and of each label after another."""
    rng = np.random.default_rng(seed)
    return rng.normal(0, 2, (length, labels)), rng.normal(0, 2, (labels, labels))


def all_paths(scores: Values, transitions: Values) -> dict[tuple[int, ...], float]:
    """Every label sequence with its score."""
    length, labels = scores.shape
    paths = {}
    for path in product(range(labels), repeat=length):
        total = sum(scores[place, label] for place, label in enumerate(path))
        total += sum(transitions[before, after] for before, after in pairwise(path))
        paths[path] = float(total)
    return paths


def best_by_enumeration(scores: Values, transitions: Values) -> list[int]:
    paths = all_paths(scores, transitions)
    best = max(paths.values())
    return next(list(path) for path, score in paths.items() if score == best)


def marginals_by_enumeration(scores: Values, transitions: Values) -> Values:
    paths = all_paths(scores, transitions)
    total = sum(np.exp(score) for score in paths.values())
    result = np.zeros(scores.shape)
    for path, score in paths.items():
        for place, label in enumerate(path):
            result[place, label] += np.exp(score) / total
    return result
