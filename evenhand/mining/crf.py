"""A trained chain model: labels, the weight of each attribute for each label, and of each label after another."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

# Decoding many short chains at once: the lines of a resume, place by place, all lines together.

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
    # Back from the last place of each chain: only the way into that one need be known.
    paths: Numbers = best.argmax(1)
    into = np.ascontiguousarray(transitions.T)
    for before, now, end in zip(bounds[-3::-1], bounds[-2::-1], bounds[:0:-1], strict=False):
        last = before + end - now
        paths[before:last] = (best[before:last] + into[paths[now:end]]).argmax(1)
    return paths[steps.onward]


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


# Summed weights of attributes that recur together, remembered so that meeting them again costs one look-up.

Piece = tuple[str, ...]
"""Attributes that go together wherever they are found."""
Score = Callable[[Sequence[Piece]], NDArray[np.float32]]
"""The sums of each piece: a row with a column for each label."""
CACHE_SIZE = 50_000

_Key = TypeVar("_Key", str, Piece)


class Memory(Generic[_Key]):
    """For each key the sums of the pieces that `pieces_of` gives it, as many for each."""

    def __init__(self, score: Score, pieces_of: Callable[[_Key], Sequence[Piece]], *, pieces: int, labels: int) -> None:
        self._score = score
        self._pieces_of: Callable[[_Key], Sequence[Piece]] = pieces_of
        self._rows: dict[_Key, int] = {}
        self._table = np.zeros((0, pieces, labels), np.float32)
        self._lock = Lock()

    def sums(self, keys: Sequence[_Key]) -> NDArray[np.float32]:
        """One matrix per key: a row for each of its pieces, a column for each label."""
        with self._lock:
            try:
                rows = [self._rows[key] for key in keys]
            except KeyError:
                self._learn(keys)
                rows = [self._rows[key] for key in keys]
            return self._table.take(np.array(rows, np.intp), axis=0)

    def _learn(self, keys: Sequence[_Key]) -> None:
        if len(self._rows) > CACHE_SIZE:
            self._rows.clear()
        new = [key for key in dict.fromkeys(keys) if key not in self._rows]
        sums = self._score([piece for key in new for piece in self._pieces_of(key)])
        used, size = len(self._rows), len(self._rows) + len(new)
        if len(self._table) < size:  # room is doubled so that growing stays cheap
            room = np.zeros((max(size, 2 * used, 1024), *self._table.shape[1:]), np.float32)
            room[:used] = self._table[:used]
            self._table = room
        self._table[used:size] = sums.reshape(len(new), *self._table.shape[1:])
        self._rows.update(zip(new, range(used, size), strict=True))


FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # so that the same weights give the same file


@dataclass(frozen=True)
class Crf:
    """`transitions[a, b]` is the weight of label b following label a."""

    labels: tuple[str, ...]
    attributes: dict[str, int]  # name to row of the weights
    weights: NDArray[np.float32]
    transitions: NDArray[np.float32]
    about: dict[str, object]  # how it was trained

    def scores(self, places: Iterable[Iterable[str]]) -> NDArray[np.float32]:
        """The score of every label at every place, from the attributes that hold there; unknown ones count nothing."""
        known = self.attributes
        nothing = len(self.weights)  # an attribute without weight keeps a place without attributes from vanishing
        numbers: list[int] = []  # of all places, one after the other
        bounds: list[int] = []
        for names in places:
            bounds.append(len(numbers))
            numbers.append(nothing)
            numbers += [known[name] for name in names if name in known]
        return _sums(self._padded[numbers], bounds)

    def piece_scores(self, places: Sequence[Sequence[Piece]]) -> NDArray[np.float32]:
        """The same for places that are told as pieces, of which each has at least one; their sums are remembered."""
        sums = self._memory.sums([piece for pieces in places for piece in pieces])[:, 0]
        return _sums(sums, [0, *accumulate(map(len, places))][:-1])

    @cached_property
    def _memory(self) -> Memory[Piece]:
        return Memory(self.scores, lambda piece: (piece,), pieces=1, labels=len(self.labels))

    @cached_property
    def _padded(self) -> NDArray[np.float32]:
        return np.vstack([self.weights, np.zeros((1, len(self.labels)), np.float32)])

    def decode(self, scores: NDArray[np.float32], lengths: Sequence[int]) -> tuple[list[str], NDArray[np.float32]]:
        """Labels, and at each place the probabilities of all of them, for chains that stand one after the other."""
        paths, chances = decode(scores, self.transitions, lengths)
        return [self.labels[label] for label in paths.tolist()], chances

    def tag(self, places: Iterable[Iterable[str]]) -> tuple[list[str], list[float]]:
        """Labels and their probabilities for one chain."""
        return self.label(self.scores(places))

    def label(self, scores: NDArray[np.float32], lengths: Sequence[int] | None = None) -> tuple[list[str], list[float]]:
        """The same where the scores are known; with lengths, for several chains one after the other."""
        if not len(scores):
            return [], []
        path, chances = decode(scores, self.transitions, lengths or [len(scores)])
        return [self.labels[label] for label in path.tolist()], chances[np.arange(len(path)), path].tolist()


def _sums(rows: NDArray[np.float32], bounds: list[int]) -> NDArray[np.float32]:
    """Of the rows from each bound up to the next."""
    if not bounds:
        return rows[:0]
    result: NDArray[np.float32] = np.add.reduceat(rows, bounds, axis=0)
    return result


def save(model: Crf, path: Path) -> None:
    """One file: the weights as they are, the names as plain text that anybody can search for a person."""
    names = sorted(model.attributes, key=model.attributes.__getitem__)
    about = {"labels": model.labels, "about": model.about}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (
            ("about.json", json.dumps(about, indent=1, sort_keys=True).encode()),
            ("attributes.txt", "\n".join(names).encode()),
            ("weights.npy", _array_bytes(model.weights.astype(np.float16))),
            ("transitions.npy", _array_bytes(model.transitions.astype(np.float32))),
        ):
            archive.writestr(zipfile.ZipInfo(name, FIXED_TIME), data, zipfile.ZIP_DEFLATED)


def load(path: Path) -> Crf:
    with zipfile.ZipFile(path) as archive:
        about = json.loads(archive.read("about.json"))
        names = archive.read("attributes.txt").decode().split("\n")
        weights = np.load(io.BytesIO(archive.read("weights.npy")), allow_pickle=False).astype(np.float32)
        transitions = np.load(io.BytesIO(archive.read("transitions.npy")), allow_pickle=False)
    attributes = {name: row for row, name in enumerate(names)}
    return Crf(tuple(about["labels"]), attributes, weights, transitions, about["about"])


def _array_bytes(array: NDArray[np.floating]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()
