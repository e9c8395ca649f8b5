"""What each resume has of a few terms or skills: the small dense tables that scores are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.search.analysis import term_id
from evenhand.search.digest import NOT_IN_USE, SKILL, Digest

Indices = NDArray[np.intp]


def frequencies(terms: Sequence[str], digests: Sequence[Digest]) -> NDArray[np.float64]:
    """Resumes x terms: how often each mentions each."""
    wanted, columns = _numbers(terms)
    rows, found, places = _locate(wanted, [digest.terms for digest in digests])
    table = np.zeros((len(digests), len(wanted)))
    if len(places):
        table[rows, found] = np.concatenate([digest.counts for digest in digests])[places]
    return table[:, columns]


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """Resumes x terms."""

    counts: NDArray[np.float64]
    uses: NDArray[np.uint8]  # as in a Digest; NOT_IN_USE where a resume lacks a term


def mentions(terms: Sequence[str], digests: Sequence[Digest]) -> Mentions:
    """How often each resume mentions each term, and how long ago a job or project last did."""
    wanted, columns = _numbers(terms)
    rows, found, places = _locate(wanted, [digest.terms for digest in digests])
    counts = np.zeros((len(digests), len(wanted)))
    uses = np.full((len(digests), len(wanted)), NOT_IN_USE, np.uint8)
    if len(places):
        counts[rows, found] = np.concatenate([digest.counts for digest in digests])[places]
        uses[rows, found] = np.concatenate([digest.uses for digest in digests])[places]
    return Mentions(counts[:, columns], uses[:, columns])


def skill_table(skills: Sequence[str], digests: Sequence[Digest]) -> NDArray[np.void]:
    """Resumes x skills, of dtype SKILL; where a resume lacks a skill, all fields are 0 (and so is `id`)."""
    wanted, columns = _numbers(skills)
    rows, found, places = _locate(wanted, [digest.skills["id"] for digest in digests])
    table = np.zeros((len(digests), len(wanted)), SKILL)
    if len(places):
        table[rows, found] = end_to_end([digest.skills for digest in digests], SKILL)[places]
    return table[:, columns]


def end_to_end(arrays: Sequence[NDArray[np.void]], kind: np.dtype[np.void]) -> NDArray[np.void]:
    """numpy's concatenate looks at the fields of every single array, which takes ten times as long."""
    return np.frombuffer(b"".join([array.tobytes() for array in arrays]), kind)


def lengths(digests: Sequence[Digest]) -> NDArray[np.float64]:
    return np.array([digest.length for digest in digests], np.float64)


def _numbers(names: Sequence[str]) -> tuple[NDArray[np.uint32], Indices]:
    """Distinct numbers, sorted, and for each name which of them is its own."""
    numbers = np.array([term_id(name) for name in names], np.uint32)
    return np.unique(numbers, return_inverse=True)


def _locate(
    wanted: NDArray[np.uint32], arrays: Sequence[NDArray[np.uint32]]
) -> tuple[Indices, Indices, Indices]:
    """Where wanted numbers stand: which array, which number, and the place in all arrays put end to end."""
    if not len(wanted) or not arrays:
        none = np.empty(0, np.intp)
        return none, none, none
    numbers = np.concatenate(arrays)
    # Nearly all terms of a resume are no term of the query; a look-up by the lower half of the number drops these
    # at a tenth of the cost of searching for each.
    perhaps = np.zeros(1 << 16, np.bool_)
    perhaps[wanted & 0xFFFF] = True
    places = np.flatnonzero(perhaps.take(numbers & np.uint32(0xFFFF)))
    columns = np.minimum(np.searchsorted(wanted, numbers[places]), len(wanted) - 1)
    same = wanted[columns] == numbers[places]
    places, columns = places[same], columns[same]
    ends = np.cumsum([len(array) for array in arrays])
    return np.searchsorted(ends, places, side="right"), columns, places
