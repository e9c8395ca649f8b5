"""Sums and maxima over all label sequences of a chain, given the score of each label at each place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
"""One row per place, one column per label."""


def best_path(scores: Scores, transitions: Scores) -> NDArray[np.intp]:
    """The label sequence with the highest score (Viterbi)."""
    places, labels = scores.shape
    back = np.empty((places, labels), np.intp)
    best = scores[0]
    for place in range(1, places):
        ways = best[:, None] + transitions
        back[place] = ways.argmax(0)
        best = ways.max(0) + scores[place]
    path = np.empty(places, np.intp)
    path[-1] = best.argmax()
    for place in range(places - 1, 0, -1):
        path[place - 1] = back[place, path[place]]
    return path


def log_partition(scores: Scores, transitions: Scores) -> float:
    """log Z: the logarithm of the sum over all label sequences of exp(score)."""
    total = scores[0]
    for row in scores[1:]:
        total = _log_sum_exp(total[:, None] + transitions, axis=0) + row
    return float(_log_sum_exp(total, axis=0))


def path_score(scores: Scores, transitions: Scores, path: NDArray[np.intp]) -> float:
    return float(scores[np.arange(len(path)), path].sum() + transitions[path[:-1], path[1:]].sum())


def marginals(scores: Scores, transitions: Scores) -> Scores:
    """Probability of each label at each place, over all sequences."""
    forward, backward = _sweeps(scores, transitions)
    joint: Scores = forward * backward
    joint /= joint.sum(1, keepdims=True)
    return joint


def pair_marginals(scores: Scores, transitions: Scores) -> NDArray[np.float64]:
    """Probability of each pair of labels at each two neighbouring places."""
    forward, backward = _sweeps(scores, transitions)
    local = np.exp(scores - scores.max(1, keepdims=True))
    steps = np.exp(transitions - transitions.max())
    pairs: NDArray[np.float64] = forward[:-1, :, None] * steps[None] * (local[1:] * backward[1:])[:, None, :]
    pairs /= pairs.sum((1, 2), keepdims=True)
    return pairs


def _sweeps(scores: Scores, transitions: Scores) -> tuple[Scores, Scores]:
    """Forward and backward sums, each row scaled to sum to one so that long chains neither over- nor underflow."""
    local = np.exp(scores - scores.max(1, keepdims=True))
    steps = np.exp(transitions - transitions.max())
    forward = np.empty_like(scores)
    backward = np.empty_like(scores)
    forward[0] = local[0] / local[0].sum()
    for place in range(1, len(scores)):
        row = (forward[place - 1] @ steps) * local[place]
        forward[place] = row / row.sum()
    backward[-1] = 1.0
    for place in range(len(scores) - 2, -1, -1):
        row = steps @ (local[place + 1] * backward[place + 1])
        backward[place] = row / row.sum()
    return forward, backward


def _log_sum_exp(values: Scores, *, axis: int) -> Scores:
    top = values.max(axis, keepdims=True)
    result: Scores = np.log(np.exp(values - top).sum(axis)) + top.squeeze(axis)
    return result
