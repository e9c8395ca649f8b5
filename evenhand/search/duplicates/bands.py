"""Bands of min-hashes as sorted arrays of numbers: who shares a band with whom is a binary search away.

An entry is eight bytes: above, a hash of the band's place and values; below, the row of the sketch. Entries lie in
sorted runs; runs of like size are merged, so there are few of them and each entry is moved a logarithmic number of
times.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evenhand.search.duplicates.sketch import Values

Entries = NDArray[np.uint64]
Rows = NDArray[np.int64]

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
FACTOR = np.uint64(0x9E3779B97F4A7C15)
FINISH = np.uint64(0xC4CEB9FE1A85EC53)
SLICE = 1 << 21  # entries looked at together


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


class Runs:
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
        for start in range(0, len(entries), SLICE):
            part = entries[start : start + SLICE + most]
            for apart in range(1, most + 1):
                one, other = part[:SLICE][: len(part) - apart], part[apart:][:SLICE]
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
