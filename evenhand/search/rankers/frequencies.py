"""What each resume has of a few terms or skills: the small dense tables that scores are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.search.analysis import term_id
from evenhand.search.digest import NOT_IN_USE, SKILL, Digest, DigestTable

Indices = NDArray[np.intp]


def frequencies(terms: Sequence[str], digests: Sequence[Digest]) -> NDArray[np.float64]:
    """Resumes x terms: how often each mentions each."""
    wanted, columns = _numbers(terms)
    table = DigestTable.of(digests)
    rows, found, places = _locate(wanted, table.terms, table.numbers("terms"))
    counts = np.zeros((len(table), len(wanted)))
    counts[rows, found] = table.counts[places]
    return counts[:, columns]


@dataclass(frozen=True, slots=True, eq=False)
class Mentions:
    """Resumes x terms."""

    counts: NDArray[np.float64]
    uses: NDArray[np.uint8]  # as in a Digest; NOT_IN_USE where a resume lacks a term


def mentions(terms: Sequence[str], digests: Sequence[Digest]) -> Mentions:
    """How often each resume mentions each term, and how long ago a job or project last did."""
    wanted, columns = _numbers(terms)
    table = DigestTable.of(digests)
    rows, found, places = _locate(wanted, table.terms, table.numbers("terms"))
    counts = np.zeros((len(table), len(wanted)))
    uses = np.full((len(table), len(wanted)), NOT_IN_USE, np.uint8)
    counts[rows, found] = table.counts[places]
    uses[rows, found] = table.uses[places]
    return Mentions(counts[:, columns], uses[:, columns])


def skill_table(skills: Sequence[str], digests: Sequence[Digest]) -> NDArray[np.void]:
    """Resumes x skills, of dtype SKILL; where a resume lacks a skill, all fields are 0 (and so is `id`)."""
    wanted, columns = _numbers(skills)
    table = DigestTable.of(digests)
    rows, found, places = _locate(wanted, table.skills["id"], table.numbers("skills"))
    held = np.zeros((len(table), len(wanted)), SKILL)
    held[rows, found] = table.skills[places]
    return held[:, columns]


def lengths(digests: Sequence[Digest]) -> NDArray[np.float64]:
    return DigestTable.of(digests).headers["length"].astype(np.float64)


def _numbers(names: Sequence[str]) -> tuple[NDArray[np.uint32], Indices]:
    """Distinct numbers, sorted, and for each name which of them is its own."""
    numbers = np.array([term_id(name) for name in names], np.uint32)
    return np.unique(numbers, return_inverse=True)


def _locate(
    wanted: NDArray[np.uint32], numbers: NDArray[np.uint32], lengths: NDArray[np.int64]
) -> tuple[Indices, Indices, Indices]:
    """Where wanted numbers stand: in which resume's stretch, which of them, and the place among all numbers."""
    if not len(wanted):
        none = np.empty(0, np.intp)
        return none, none, none
    # Nearly all terms of a resume are no term of the query; a look-up by the lower half of the number drops these
    # at a tenth of the cost of searching for each.
    perhaps = np.zeros(1 << 16, np.bool_)
    perhaps[wanted & 0xFFFF] = True
    places = np.flatnonzero(perhaps.take(numbers & np.uint32(0xFFFF)))
    columns = np.minimum(np.searchsorted(wanted, numbers[places]), len(wanted) - 1)
    same = wanted[columns] == numbers[places]
    places, columns = places[same], columns[same]
    return np.searchsorted(np.cumsum(lengths), places, side="right"), columns, places
