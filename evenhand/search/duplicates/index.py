"""Sketches by key, and which of them resemble each other: locality-sensitive hashing, then the min-hashes themselves.

For each resume 256 bytes of bands and 256 of min-hashes are kept, and about 150 for its key: 0.7 GB for a million
resumes, about 1 GB while the largest arrays are merged or moved.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from evenhand.search.duplicates.bands import Rows, Runs, band_hashes, join_rows
from evenhand.search.duplicates.sketch import METHOD, Method, Sketch

Key = TypeVar("Key", bound=Hashable)

MARGIN = 0.12  # by which an estimate may miss the threshold and still be looked at: almost 3 standard errors
FRESH = 1024  # sketches kept apart until they become a sorted run
NEIGHBOURS = 64  # with which one sketch is paired for one band
SLICE = 1 << 14  # pairs whose min-hashes are compared at once
LARGER = 1.25


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Key]):
    """A sketch that resembles the one asked about, and how much, by their min-hashes."""

    key: Key
    estimate: float


class DuplicateIndex(Generic[Key]):
    """The order of adding changes nothing about which pairs are found. Sketches of too little text are not kept."""

    def __init__(self, method: Method = METHOD) -> None:
        self.method = method
        self.compared = 0  # pairs with a band in common whose min-hashes `pairs` looked at, the last time
        self._keys: list[Key] = []  # by row; the rows of discarded keys stay, not live
        self._row: dict[Key, int] = {}
        self._values = np.empty((FRESH, method.hashes), np.uint16)
        self._is_live = np.zeros(FRESH, np.bool_)
        self._fresh = np.empty((FRESH, method.bands), np.uint64)  # bands of the rows from `_indexed` on
        self._indexed = 0  # rows that are in runs
        self._runs = Runs()

    def __len__(self) -> int:
        return len(self._row)

    def __contains__(self, key: object) -> bool:
        return key in self._row

    @property
    def array_bytes(self) -> int:
        """What bands and min-hashes take; keys come on top."""
        arrays = (self._values, self._is_live, self._fresh)
        return self._runs.array_bytes + sum(array.nbytes for array in arrays)

    def add(self, key: Key, sketch: Sketch, *, limit: int | None = None) -> list[Candidate[Key]]:
        """Keep a sketch and return those that it resembles, as `find`. A known key gets the new sketch."""
        self.discard(key)
        if not self._compares(sketch):
            return []
        bands = band_hashes(sketch.values[None], self.method.rows)[0]
        found = self._find(sketch, bands, limit)
        self._append(key, sketch, bands)
        return found

    def add_many(self, sketches: Iterable[tuple[Key, Sketch]]) -> None:
        """Keep many without asking what each resembles; `pairs` tells that of all at once."""
        for key, sketch in sketches:
            self.discard(key)
            if self._compares(sketch):
                self._append(key, sketch, None)
        self._index_fresh()

    def discard(self, key: Key) -> None:
        row = self._row.pop(key, None)
        if row is not None:
            self._is_live[row] = False

    def find(self, sketch: Sketch, *, limit: int | None = None) -> list[Candidate[Key]]:
        """Those kept that resemble the sketch, most alike first, the first added first among equals."""
        if not self._compares(sketch):
            return []
        return self._find(sketch, band_hashes(sketch.values[None], self.method.rows)[0], limit)

    def pairs(self) -> Iterator[tuple[Key, Key, float]]:
        """All that resemble each other, each pair once with the estimate, in the order of adding."""
        self._index_fresh()
        self.compared = 0
        found = [np.empty(0, np.uint64)]
        for one, other in self._runs.neighbours(NEIGHBOURS):
            self.compared += len(one)
            near = self._estimates(one, other) >= self.method.threshold - MARGIN
            near &= self._is_live[one] & self._is_live[other]
            found.append((one[near].astype(np.uint64) << np.uint64(32)) | other[near].astype(np.uint64))
        packed = np.unique(np.concatenate(found))
        one, other = (
            (packed >> np.uint64(32)).astype(np.int64),
            (packed & np.uint64(0xFFFFFFFF)).astype(np.int64),
        )
        for a, b, estimate in zip(
            one.tolist(), other.tolist(), self._estimates(one, other).tolist(), strict=True
        ):
            yield self._keys[a], self._keys[b], estimate

    def _compares(self, sketch: Sketch) -> bool:
        if sketch.width != self.method.width or len(sketch.values) != self.method.hashes:
            raise ValueError("a sketch of another method")
        return sketch.shingles >= self.method.least_shingles

    def _find(self, sketch: Sketch, bands: NDArray[np.uint64], limit: int | None) -> list[Candidate[Key]]:
        fresh = self._fresh[: len(self._keys) - self._indexed]
        among_fresh = self._indexed + np.flatnonzero((fresh == bands).any(axis=1))
        rows = np.unique(np.concatenate([self._runs.meeting(bands), among_fresh]))
        rows = rows[self._is_live[rows]]
        estimates = np.mean(self._values[rows] == sketch.values, axis=1)
        near = estimates >= self.method.threshold - MARGIN
        rows, estimates = rows[near], estimates[near]
        order = np.lexsort((rows, -estimates))[:limit]
        return [Candidate(self._keys[rows[at]], float(estimates[at])) for at in order]

    def _append(self, key: Key, sketch: Sketch, bands: NDArray[np.uint64] | None) -> None:
        """Without its bands they are worked out later, for many at once."""
        row = len(self._keys)
        if row == len(self._values):
            size = int(row * LARGER) + FRESH
            self._values = np.concatenate(
                [self._values, np.empty((size - row, self.method.hashes), np.uint16)]
            )
            self._is_live = np.concatenate([self._is_live, np.zeros(size - row, np.bool_)])
        self._keys.append(key)
        self._row[key] = row
        self._values[row] = sketch.values
        self._is_live[row] = True
        if bands is not None:
            self._fresh[row - self._indexed] = bands
        if len(self._keys) - self._indexed == FRESH:
            self._index_fresh()

    def _index_fresh(self) -> None:
        values = self._values[self._indexed : len(self._keys)]
        if len(values):
            self._runs.add(join_rows(band_hashes(values, self.method.rows), self._indexed))
            self._indexed = len(self._keys)

    def _estimates(self, one: Rows, other: Rows) -> NDArray[np.float64]:
        estimates = np.empty(len(one))
        for start in range(0, len(one), SLICE):
            part = slice(start, start + SLICE)
            estimates[part] = np.mean(self._values[one[part]] == self._values[other[part]], axis=1)
        return estimates
