"""What somebody did in a position as a vector: the mean of vectors of its words, learned from titles and what they
stand over. `SOURCES.md` says from what; no sentence encoder runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from evenhand.search.analysis import term_id

VERSION = "2c4483760a51"
"""Of the vectors that ship: features of resumes that were made with others are made anew."""
STEPS = 127  # of a stored number: vectors are of length 1
TITLE = 0.5
"""What the title of a position counts beside its text."""

Vector = NDArray[np.float64]
Stored = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """How the vectors of a fixed collection lie, so that a likeness can be told from a usual one."""

    mean: Vector
    covariance: Vector

    def standardise(self, vectors: Stored, query: Stored) -> NDArray[np.float64]:
        """By how many standard deviations each is more like the query than one of the collection is on average."""
        # Whole numbers below 2^24, so that the sums are exact on every processor.
        likeness = (vectors.astype(np.float32) @ query.astype(np.float32)).astype(np.float64) / STEPS**2
        asked = query.astype(np.float64) / STEPS
        deviation = math.sqrt(max(float(asked @ self.covariance @ asked), 1e-12))
        values: NDArray[np.float64] = (likeness - float(asked @ self.mean)) / deviation
        return values


@dataclass(frozen=True, eq=False)
class RoleVectors:
    """Vectors of words, and the spread of positions and of whole resumes."""

    version: str
    numbers: NDArray[np.uint32]  # of the terms, sorted
    words: Stored
    scales: Vector
    positions: Spread
    resumes: Spread

    @cached_property
    def _table(self) -> NDArray[np.float64]:
        """Whole numbers: the same resume has the same bytes on every processor."""
        return np.rint(self.words.astype(np.float64) * self.scales[:, None] * _FINE)

    def encode(self, numbers: NDArray[np.uint32], counts: NDArray[np.integer]) -> Vector:
        """Of length 1, or 0 where no word is known. A word counts by the logarithm of how often it stands."""
        at = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        known = self.numbers[at] == numbers
        weights = np.rint(1000.0 * (1.0 + np.log(counts[known].astype(np.float64))))
        return unit((weights[:, None] * self._table[at[known]]).sum(axis=0))

    def encode_terms(self, terms: Sequence[str]) -> Vector:
        numbers = np.fromiter(map(term_id, terms), np.uint32, len(terms))
        distinct, counts = np.unique(numbers, return_counts=True)
        return self.encode(distinct, counts)


_FINE = 2.0**16


def unit(vector: Vector) -> Vector:
    length = math.sqrt(math.fsum((vector * vector).tolist()))
    return vector / length if length else vector


def stored(vector: Vector) -> Stored:
    return np.rint(vector * STEPS).astype(np.int8)


@lru_cache(maxsize=1)
def load_roles() -> RoleVectors:
    """Those that ship with the package."""
    return read_roles(files(__package__).joinpath("roles.npz").read_bytes())


def read_roles(data: bytes) -> RoleVectors:
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        spreads = [
            Spread(arrays[f"{name}_mean"].astype(np.float64), arrays[f"{name}_covariance"].astype(np.float64))
            for name in ("position", "resume")
        ]
        return RoleVectors(str(arrays["version"]), arrays["numbers"], arrays["words"], arrays["scales"], *spreads)
