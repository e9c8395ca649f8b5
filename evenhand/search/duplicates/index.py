"""Sketches by key, and which of them resemble each other: locality-sensitive hashing, then the min-hashes themselves.

For each resume 256 bytes of bands and 256 of min-hashes are kept, and about 150 for its key: 0.7 GB for a million
resumes, about 1 GB while the largest arrays are merged or moved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Indel

from evenhand.records.conversion import JsonRecord
from evenhand.search.duplicates.sketch import (
    METHOD,
    Hashes,
    Sketch,
    SketchParameters,
    Span,
    Values,
    resemblance,
    shingle_set,
    sketch_many,
    without_contact,
)

# Bands of min-hashes as sorted arrays of numbers: who shares a band with whom is a binary search away.
#
# An entry is eight bytes: above, a hash of the band's place and values; below, the row of the sketch. Entries
# lie in sorted runs; runs of like size are merged, so there are few of them and each entry is moved a
# logarithmic number of times.

Entries = NDArray[np.uint64]
Rows = NDArray[np.int64]

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
FACTOR = np.uint64(0x9E3779B97F4A7C15)
FINISH = np.uint64(0xC4CEB9FE1A85EC53)
BAND_SLICE = 1 << 21  # entries looked at together


def band_hashes(values: Values, rows: int) -> Entries:
    """Of every sketch (a row) and band (a column) a hash in the upper half. The band's place is hashed with it."""
    bands = values.shape[1] // rows
    parts = values[:, : bands * rows].reshape(len(values), bands, rows).astype(np.uint64)
    hashes = np.broadcast_to(np.arange(1, bands + 1, dtype=np.uint64), parts.shape[:2]).copy()
    for place in range(rows):
        hashes = hashes * FACTOR + parts[:, :, place]
        hashes ^= hashes >> HALF
    return (hashes * FINISH) & ~LOW


def join_rows(hashes: Entries, first_row: int) -> Entries:
    """Entries in order, of sketches whose rows begin at `first_row`."""
    rows = np.arange(first_row, first_row + len(hashes), dtype=np.uint64)
    return np.sort((hashes | rows[:, None]).ravel())


class BandEntries:
    """Entries that grow: a million sketches of 32 bands take 256 MB, and as much again while the largest runs merge."""

    def __init__(self) -> None:
        self._runs: list[Entries] = []  # from large to small

    @property
    def array_bytes(self) -> int:
        return sum(run.nbytes for run in self._runs)

    def add(self, entries: Entries) -> None:
        self._runs.append(entries)
        while len(self._runs) > 1 and len(self._runs[-2]) < 2 * len(self._runs[-1]):
            self._merge_last()

    def meeting(self, hashes: Entries) -> Rows:
        """Rows that have one of these bands, repeats included."""
        found = [np.empty(0, np.int64)]
        for run in self._runs:
            starts = np.searchsorted(run, hashes)
            ends = np.searchsorted(run, hashes | LOW, "right")
            found += [rows_of(run[starts[at] : ends[at]]) for at in np.flatnonzero(starts < ends)]
        return np.concatenate(found)

    def neighbours(self, most: int) -> Iterator[tuple[Rows, Rows]]:
        """Rows that share a band, each with at most so many others of it: what a form letter shares, thousands have."""
        while len(self._runs) > 1:
            self._merge_last()
        entries = self._runs[0] if self._runs else np.empty(0, np.uint64)
        for start in range(0, len(entries), BAND_SLICE):
            part = entries[start : start + BAND_SLICE + most]
            for apart in range(1, most + 1):
                one, other = part[:BAND_SLICE][: len(part) - apart], part[apart:][:BAND_SLICE]
                meet = (one ^ other) <= LOW
                if not meet.any():
                    break  # where none stand so far apart, none stand further
                yield rows_of(one[meet]), rows_of(other[meet])

    def _merge_last(self) -> None:
        small, large = self._runs.pop(), self._runs.pop()
        merged = np.concatenate([large, small])
        merged.sort(kind="stable")  # which knows sorted stretches when it sees them
        self._runs.append(merged)


def rows_of(entries: Entries) -> Rows:
    return (entries & LOW).astype(np.int64)


Key = TypeVar("Key", bound=Hashable)

MARGIN = 0.12  # by which an estimate may miss the threshold and still be looked at: almost 3 standard errors
FRESH = 1024  # sketches that become a sorted run together
NEIGHBOURS = 64  # with which one sketch is paired for one band
SLICE = 1 << 14  # pairs whose min-hashes are compared at once
LARGER = 1.25


@dataclass(frozen=True, slots=True)
class DuplicateCandidate(Generic[Key]):
    """A sketch that resembles the one asked about, and how much, by their min-hashes."""

    key: Key
    estimate: float


class DuplicateIndex(Generic[Key]):
    """The order of adding changes nothing about which pairs are found. Sketches of too little text are not kept."""

    def __init__(self, method: SketchParameters = METHOD) -> None:
        self.method = method
        self.compared = 0  # pairs with a band in common whose min-hashes `pairs` looked at, the last time
        self._keys: list[Key] = []  # by row
        self._values = np.empty((FRESH, method.hashes), np.uint16)  # with room for rows to come
        self._indexed = 0  # rows that are in runs
        self._runs = BandEntries()

    def __len__(self) -> int:
        return len(self._keys)

    @property
    def array_bytes(self) -> int:
        """What bands and min-hashes take; keys come on top."""
        return self._runs.array_bytes + self._values.nbytes

    def add_many(self, sketches: Iterable[tuple[Key, Sketch]]) -> None:
        """Keep sketches, each under a key of its own."""
        for key, sketch in sketches:
            if not self._compares(sketch):
                continue
            row = len(self._keys)
            if row == len(self._values):
                room = int(row * LARGER) + FRESH - row
                self._values = np.concatenate([self._values, np.empty((room, self.method.hashes), np.uint16)])
            self._keys.append(key)
            self._values[row] = sketch.values
            if len(self._keys) - self._indexed == FRESH:
                self._index_fresh()
        self._index_fresh()

    def find(self, sketch: Sketch) -> list[DuplicateCandidate[Key]]:
        """Those kept that resemble the sketch, most alike first, the first added first among equals."""
        if not self._compares(sketch):
            return []
        rows = np.unique(self._runs.meeting(band_hashes(sketch.values[None], self.method.rows)[0]))
        estimates = np.mean(self._values[rows] == sketch.values, axis=1)
        near = estimates >= self.method.threshold - MARGIN
        rows, estimates = rows[near], estimates[near]
        order = np.lexsort((rows, -estimates))
        return [DuplicateCandidate(self._keys[rows[at]], float(estimates[at])) for at in order]

    def pairs(self) -> Iterator[tuple[Key, Key, float]]:
        """All that resemble each other, each pair once with the estimate, in the order of adding."""
        self.compared = 0
        found = [np.empty(0, np.uint64)]
        for one, other in self._runs.neighbours(NEIGHBOURS):
            self.compared += len(one)
            near = self._estimates(one, other) >= self.method.threshold - MARGIN
            found.append((one[near].astype(np.uint64) << HALF) | other[near].astype(np.uint64))
        packed = np.unique(np.concatenate(found))
        one, other = (packed >> HALF).astype(np.int64), rows_of(packed)
        for a, b, estimate in zip(one.tolist(), other.tolist(), self._estimates(one, other).tolist(), strict=True):
            yield self._keys[a], self._keys[b], estimate

    def _compares(self, sketch: Sketch) -> bool:
        if sketch.width != self.method.width or len(sketch.values) != self.method.hashes:
            raise ValueError("a sketch of another method")
        return sketch.shingles >= self.method.least_shingles

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


# Near-duplicate pairs: proposed by sketches, then compared exactly, shingle by shingle.

CACHE_SIZE = 4096  # sets of shingles, about 5 kB each


@dataclass(frozen=True, slots=True)
class DuplicatePair(Generic[Key]):
    """Two texts and the share of shingles they have in common; a person decides what that means."""

    a: Key
    b: Key
    resemblance: float


def check_pairs(
    candidates: Iterable[tuple[Key, Key, float]], text_of: Callable[[Key], str], *, method: SketchParameters = METHOD
) -> Iterator[DuplicatePair[Key]]:
    """The candidates that are near-duplicates. `text_of` gives a text with its contact lines left out already."""

    @lru_cache(CACHE_SIZE)
    def shingles(key: Key) -> Hashes:
        return shingle_set(text_of(key), width=method.width)

    for a, b, _ in candidates:
        found = resemblance(shingles(a), shingles(b))
        if found >= method.threshold:
            yield DuplicatePair(a, b, found)


def find_duplicates(
    texts: Mapping[Key, str], *, spans: Mapping[Key, Sequence[Span]] | None = None, method: SketchParameters = METHOD
) -> list[DuplicatePair[Key]]:
    """All near-duplicate pairs of a folder of resumes; `spans` are the known places of contact data."""
    known = spans or {}
    stripped = {key: without_contact(text, known.get(key, ())) for key, text in texts.items()}
    index: DuplicateIndex[Key] = DuplicateIndex(method)
    index.add_many(zip(stripped, sketch_many(stripped.values(), method=method), strict=True))
    return list(check_pairs(index.pairs(), stripped.__getitem__, method=method))


# Where two texts differ, word by word, as segments to be shown side by side or in colours.

Kind = Literal["same", "only_a", "only_b"]

WORD = re.compile(r"\s*\S+(?:\s+\Z)?|\s+\Z")
LINE = re.compile(r"\s*\S[^\n]*(?:\s+\Z)?|\s+\Z")
MAX_WORDS = 20_000  # the comparison grows with the product of the lengths; longer texts are compared line by line


@dataclass(frozen=True, slots=True)
class DiffSegment(JsonRecord):
    """A stretch of text, white space before its words included; what is the same is told in the words of a."""

    kind: Kind
    text: str


def diff(a: str, b: str) -> tuple[DiffSegment, ...]:
    """What a and b share in this order, and what only one of them has. White space does not count as a difference.

    The segments that are the same or only in a make up a, to the character.
    """
    words_a, words_b = WORD.findall(a), WORD.findall(b)
    if max(len(words_a), len(words_b)) > MAX_WORDS:
        words_a, words_b = LINE.findall(a), LINE.findall(b)
    steps = Indel.opcodes(_compared(words_a), _compared(words_b))
    found: list[DiffSegment] = []
    for is_same, stretch in groupby(steps, key=lambda step: step.tag == "equal"):
        changes = list(stretch)
        left = "".join("".join(words_a[step.src_start : step.src_end]) for step in changes)
        right = "".join("".join(words_b[step.dest_start : step.dest_end]) for step in changes)
        found += [DiffSegment("same", left)] if is_same else [DiffSegment("only_a", left), DiffSegment("only_b", right)]
    return tuple(segment for segment in found if segment.text)


def _compared(words: Sequence[str]) -> list[str]:
    return [" ".join(word.split()) for word in words]
