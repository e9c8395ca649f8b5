"""Decoding many short chains at once: the lines of a resume, place by place, all lines together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]


def decode(
    scores: Matrix, transitions: Matrix, lengths: Sequence[int]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Best label of every place and the probability of all, for chains that stand one after the other in `scores`.

    Each step handles the chains that are long enough for it, so the cost is that of the places, not of the
    longest chain times the number of chains.
    """
    order = np.argsort(-np.asarray(lengths), kind="stable")
    sorted_lengths = np.asarray(lengths)[order]
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])[order]
    steps = int(sorted_lengths[0]) if len(sorted_lengths) else 0
    active = [int(np.searchsorted(-sorted_lengths, -step, side="left")) for step in range(steps)]
    paths = _best_paths(scores, transitions, starts, sorted_lengths, active)
    return paths, _chances(scores, transitions, starts, active)


def _best_paths(
    scores: Matrix,
    transitions: Matrix,
    starts: NDArray[np.intp],
    lengths: NDArray[np.intp],
    active: Sequence[int],
) -> NDArray[np.intp]:
    back = np.empty(scores.shape, np.intp)
    best = scores[starts]
    for step in range(1, len(active)):
        live = active[step]
        ways = best[:live, :, None] + transitions
        back[starts[:live] + step] = ways.argmax(1)
        best[:live] = ways.max(1) + scores[starts[:live] + step]
    paths = np.empty(len(scores), np.intp)
    paths[starts + lengths - 1] = best.argmax(1)
    for step in range(len(active) - 1, 0, -1):
        places = starts[: active[step]] + step
        paths[places - 1] = back[places, paths[places]]
    return paths


def _chances(
    scores: Matrix, transitions: Matrix, starts: NDArray[np.intp], active: Sequence[int]
) -> NDArray[np.float32]:
    local = np.exp(scores - scores.max(1, keepdims=True))
    steps = np.exp(transitions - transitions.max())
    forward = np.empty_like(local)
    backward = np.ones_like(local)
    row = local[starts]
    forward[starts] = row / row.sum(1, keepdims=True)
    for step in range(1, len(active)):
        places = starts[: active[step]] + step
        row = (forward[places - 1] @ steps) * local[places]
        forward[places] = row / row.sum(1, keepdims=True)
    for step in range(len(active) - 1, 0, -1):
        places = starts[: active[step]] + step
        row = (local[places] * backward[places]) @ steps.T
        backward[places - 1] = row / row.sum(1, keepdims=True)
    joint = forward * backward
    result: NDArray[np.float32] = joint / joint.sum(1, keepdims=True)
    return result
