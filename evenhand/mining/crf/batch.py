"""Decoding many short chains at once: the lines of a resume, place by place, all lines together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float32]
Numbers = NDArray[np.intp]


def decode(scores: Matrix, transitions: Matrix, lengths: Sequence[int]) -> tuple[Numbers, Matrix]:
    """Best label of every place and the probability of all, for chains that stand one after the other in `scores`.

    Each step handles the chains that are long enough for it, so the cost is that of the places, not of the
    longest chain times the number of chains.
    """
    steps = _arrange(lengths)
    return _best_paths(scores, transitions, steps), _chances(scores, transitions, steps)


@dataclass(frozen=True, slots=True)
class _Steps:
    """Places by their number in the chain, longest chain first: what a step handles lies side by side.

    Step s has the places `bounds[s]` up to `bounds[s + 1]`, and those of its chains come first in the step before.
    """

    bounds: list[int]
    onward: Numbers  # of each place, where it stands
    back: Numbers  # the same, each chain counted from its end


def _arrange(lengths: Sequence[int]) -> _Steps:
    counts = np.asarray(lengths, np.intp)
    ranks = np.empty_like(counts)
    ranks[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    live = len(counts) - np.cumsum(np.bincount(counts))  # chains longer than 0, 1, 2...
    bounds = np.concatenate([[0], np.cumsum(live)])
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    rank = np.repeat(ranks, counts)
    onward = bounds[number] + rank
    back = bounds[np.repeat(counts, counts) - 1 - number] + rank
    return _Steps(bounds[: len(live)].tolist(), onward, back)


def _best_paths(scores: Matrix, transitions: Matrix, steps: _Steps) -> Numbers:
    best = np.empty_like(scores)
    best[steps.onward] = scores
    bounds = steps.bounds
    onto = transitions[:, None]
    for before, now, end in zip(bounds, bounds[1:], bounds[2:], strict=False):
        # The label before comes first: so the maxima are over long contiguous rows, which is twice as fast.
        ways = np.add(best[before : before + end - now].T[:, :, None], onto, order="C")
        best[now:end] += np.maximum.reduce(ways, axis=0)
    return _walk_back(best, transitions, bounds)[steps.onward]


def _walk_back(best: Matrix, transitions: Matrix, bounds: list[int]) -> Numbers:
    """The label of every place, from the last one of each chain on: only the way into that one need be known."""
    paths: Numbers = best.argmax(1)
    into = np.ascontiguousarray(transitions.T)
    for before, now, end in zip(bounds[-3::-1], bounds[-2::-1], bounds[:0:-1], strict=False):
        last = before + end - now
        paths[before:last] = (best[before:last] + into[paths[now:end]]).argmax(1)
    return paths


def _chances(scores: Matrix, transitions: Matrix, steps: _Steps) -> Matrix:
    """Sums from both ends at once: from the last place on it is the same, with the transitions turned around."""
    local = np.exp(scores - scores.max(1, keepdims=True))
    ways = np.exp(transitions - transitions.max())
    both_ways = np.stack([ways, ways.T])
    sums = np.empty((2, *scores.shape), scores.dtype)
    sums[0, steps.onward] = local
    sums[1, steps.back] = local
    arriving = np.ones_like(sums)
    bounds = steps.bounds
    for before, now, end in zip(bounds, bounds[1:], bounds[2:], strict=False):
        here = sums[:, now:end]
        arrived = arriving[:, now:end]
        np.matmul(sums[:, before : before + end - now], both_ways, out=arrived)
        here *= arrived
        here /= np.add.reduce(here, axis=2, keepdims=True)  # or long chains would underflow
    joint: Matrix = sums[0, steps.onward] * arriving[1, steps.back]
    joint /= joint.sum(1, keepdims=True)
    return joint
