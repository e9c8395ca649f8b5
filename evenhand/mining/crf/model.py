"""A trained chain model: labels, the weight of each attribute for each label, and of each label after another."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.mining.crf import batch
from evenhand.mining.crf.memory import Memory, Piece

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
        numbers: list[int] = []  # of all places, one after the other
        bounds: list[int] = []
        for names in places:
            bounds.append(len(numbers))
            numbers.append(self.nothing)
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
    def nothing(self) -> int:
        """The number of an attribute without weight: it keeps a place without attributes from vanishing."""
        return len(self.weights)

    @cached_property
    def _padded(self) -> NDArray[np.float32]:
        return np.vstack([self.weights, np.zeros((1, len(self.labels)), np.float32)])

    def decode(
        self, scores: NDArray[np.float32], lengths: Sequence[int]
    ) -> tuple[list[str], NDArray[np.float32]]:
        """Labels, and at each place the probabilities of all of them, for chains that stand one after the other."""
        paths, chances = batch.decode(scores, self.transitions, lengths)
        return [self.labels[label] for label in paths.tolist()], chances

    def tag(self, places: Iterable[Iterable[str]]) -> tuple[list[str], list[float]]:
        """Labels and their probabilities for one chain."""
        return self.label(self.scores(places))

    def label(
        self, scores: NDArray[np.float32], lengths: Sequence[int] | None = None
    ) -> tuple[list[str], list[float]]:
        """The same where the scores are known; with lengths, for several chains one after the other."""
        if not len(scores):
            return [], []
        path, chances = batch.decode(scores, self.transitions, lengths or [len(scores)])
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
