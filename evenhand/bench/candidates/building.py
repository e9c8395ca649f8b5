"""Fills an index with composed candidates, step by step: memory stays small, and what was cut off is continued."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.bench.candidates.base import RESUMES, Base, Group, make_base
from evenhand.bench.candidates.composing import compose
from evenhand.bench.candidates.entries import make_entry
from evenhand.search.digest import DigestTable
from evenhand.search.digest.record import VERSION as DIGEST_VERSION
from evenhand.search.index import Entry, IndexReader, IndexWriter
from evenhand.search.index.digest_file import DigestReader
from evenhand.workflows.watching import Bar, Watch, unwatched

STEP = 20_000
_ABOUT = "about.json"
_MEMORY_BYTES = 600_000_000  # of tantivy's writer: fewer and larger segments to merge


@dataclass(frozen=True, slots=True)
class Opening:
    """A job of the pool: so many applications, of people of one occupation or of all."""

    id: str
    applications: int
    skills: frozenset[str]  # that it asks for
    group: Group | None = None


@dataclass(frozen=True, slots=True)
class About:
    """A pool; the seconds are those of composing and indexing, without the resumes it is made from."""

    applications: int
    seed: int
    resumes: int
    digest_version: int
    seconds: float = 0.0
    vocabulary: int = 0  # distinct terms, names and addresses left out
    terms: int = 0  # in all

    @property
    def key(self) -> tuple[int, ...]:
        return self.applications, self.seed, self.resumes, self.digest_version


def build(
    folder: Path, openings: Sequence[Opening], *, seed: int, resumes: int = RESUMES, watch: Watch = unwatched
) -> About:
    """Build the pool, finish it where it was left, or do nothing where it is there."""
    total = sum(opening.applications for opening in openings)
    about = About(total, seed, resumes, DIGEST_VERSION)
    with IndexWriter(folder, memory_bytes=_MEMORY_BYTES, threads=2) as writer:
        before = _read_about(folder)
        if before and before.key == about.key:
            about = before
        elif writer.reached:
            writer.clear()
        if writer.reached == total and about.terms:
            return about
        about = _fill(folder, writer, about, openings, watch)
        started = time.perf_counter()
    # On leaving, the writer has waited for the last segments to be merged.
    return _keep(folder, _counted(folder, _later(about, started)))


def _fill(
    folder: Path, writer: IndexWriter, about: About, openings: Sequence[Opening], watch: Watch
) -> About:
    if writer.reached == about.applications:
        return about
    base = make_base(about.resumes, seed=about.seed, watch=watch)
    with watch("indexing candidates", about.applications - writer.reached) as bar:
        entries = _entries(base, openings, about.seed, writer.reached, bar)
        while writer.reached < about.applications:
            started = time.perf_counter()
            reached = min(writer.reached + STEP, about.applications)
            writer.apply(islice(entries, reached - writer.reached), (), reached)
            about = _keep(folder, _later(about, started))
    return about


def _later(about: About, started: float) -> About:
    return replace(about, seconds=about.seconds + time.perf_counter() - started)


def _keep(folder: Path, about: About) -> About:
    (folder / _ABOUT).write_text(json.dumps(asdict(about)))
    return about


def _read_about(folder: Path) -> About | None:
    try:
        return About(**json.loads((folder / _ABOUT).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _entries(base: Base, openings: Sequence[Opening], seed: int, first: int, bar: Bar) -> Iterator[Entry]:
    """From the `first` on: a candidate depends on its number alone."""
    number = 0
    for opening in openings:
        for at in range(max(number, first), number + opening.applications):
            candidate = compose(base, at, seed=seed, group=opening.group)
            yield make_entry(candidate, seed=seed, job=opening.id, revision=at + 1, wanted=opening.skills)
            bar.advance()
        number += opening.applications


def _counted(folder: Path, about: About) -> About:
    known: NDArray[np.uint32] = np.empty(0, np.uint32)
    digests = DigestReader(folder).everything()
    while some := list(islice(digests, STEP)):
        known = np.union1d(known, DigestTable(some).terms)
    terms = IndexReader(folder).snapshot().statistics.total_terms
    return replace(about, vocabulary=len(known), terms=terms)
