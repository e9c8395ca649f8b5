"""What a generated candidate is put together from: heads, jobs, projects and other sections, their terms counted once.

A resume's counts are the sums of its blocks', since blocks are whole lines and no term crosses the end of a line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.search.analysis import term_id, terms

COUNT_BITS, USE_BITS = 16, 8
Skills = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
"""Canonical names, each with its places in a block's text."""


@dataclass(frozen=True, slots=True)
class Work:
    """A job or project. Months are those of a digest; None where the resume does not say."""

    title: str | None
    employer: str | None
    start: int | None
    end: int | None
    present: bool  # it goes on
    months: int | None
    title_terms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Study:
    degree: str | None
    level: str | None
    field: str | None
    university: str | None
    field_terms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines. `packed` holds of each distinct term, in order: its number, room for its use, its count."""

    text: str
    packed: NDArray[np.uint64]
    length: int  # terms
    skills: Skills = ()
    work: Work | None = None
    studies: tuple[Study, ...] = ()
    certifications: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Head:
    """The lines with name and contact; `gaps` are the labels of what is the person's own, and the text after each."""

    before: str
    gaps: tuple[tuple[str, str], ...]
    block: Block  # with a blank for each gap
    city: str | None
    country: str


@dataclass(frozen=True, slots=True)
class Part:
    """A section: a heading with entries that can be exchanged one by one, or one block without a heading of its own."""

    type: str
    heading: Block | None
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Resume:
    """`group` is kind and occupation: parts are exchanged within it."""

    group: tuple[str, str]
    head: Head
    parts: tuple[Part, ...]
    name: str
    phone: str
    as_of: str


def pack(text: str) -> tuple[NDArray[np.uint64], int]:
    found = terms(text)
    numbers, counts = np.unique(np.fromiter(map(term_id, found), np.uint64, len(found)), return_counts=True)
    return numbers << np.uint64(COUNT_BITS + USE_BITS) | counts.astype(np.uint64), len(found)
