"""Fills an index with composed candidates, step by step so that memory stays small, and remembers what it took."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.bench.candidates.base import RESUMES, Base, Group, make_base
from evenhand.bench.candidates.composing import compose
from evenhand.bench.candidates.entries import make_entry
from evenhand.search.digest import Digest
from evenhand.search.digest.record import VERSION as DIGEST_VERSION
from evenhand.search.index import Entry, IndexWriter
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
    """A finished pool; the seconds are those of composing and indexing, without the resumes it is made from."""

    applications: int
    seed: int
    resumes: int
    digest_version: int
    seconds: float
    vocabulary: int  # distinct terms
    terms: int  # in all

    @property
    def key(self) -> tuple[int, ...]:
        return self.applications, self.seed, self.resumes, self.digest_version


def build(
    folder: Path, openings: Sequence[Opening], *, seed: int, resumes: int = RESUMES, watch: Watch = unwatched
) -> About:
    """Build the pool, or do nothing where it is there. One that was left unfinished begins anew."""
    total = sum(opening.applications for opening in openings)
    key = (total, seed, resumes, DIGEST_VERSION)
    with IndexWriter(folder, memory_bytes=_MEMORY_BYTES, threads=2) as writer:
        before = _read_about(folder)
        if before and before.key == key and writer.reached == total:
            return before
        (folder / _ABOUT).unlink(missing_ok=True)
        if writer.reached:
            writer.clear()
        base = make_base(resumes, seed=seed, watch=watch)
        started, seen = time.perf_counter(), Seen()
        with watch("indexing candidates", total) as bar:
            entries = seen.through(_entries(base, openings, seed, bar))
            for reached in [*range(STEP, total, STEP), total]:
                writer.apply(islice(entries, reached - writer.reached), (), reached)
    # Only here are the last segments merged.
    about = About(*key, time.perf_counter() - started, len(seen.vocabulary()), seen.terms)
    (folder / _ABOUT).write_text(json.dumps(asdict(about)))
    return about


def _read_about(folder: Path) -> About | None:
    try:
        return About(**json.loads((folder / _ABOUT).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _entries(base: Base, openings: Sequence[Opening], seed: int, bar: Bar) -> Iterator[Entry]:
    number = 0
    for opening in openings:
        for _ in range(opening.applications):
            candidate = compose(base, number, seed=seed, group=opening.group)
            number += 1
            yield make_entry(candidate, seed=seed, job=opening.id, revision=number, wanted=opening.skills)
            bar.advance()


class Seen:
    """The terms of all entries that passed."""

    def __init__(self) -> None:
        self.terms = 0
        self._known: NDArray[np.uint32] = np.empty(0, np.uint32)
        self._fresh: list[NDArray[np.uint32]] = []

    def through(self, entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            digest = Digest.from_bytes(entry.digest)
            self.terms += digest.length
            self._fresh.append(digest.terms)
            if len(self._fresh) == STEP:
                self.vocabulary()
            yield entry

    def vocabulary(self) -> NDArray[np.uint32]:
        """Numbers of the distinct terms. They leave out names and addresses, as digests do."""
        self._known = np.unique(np.concatenate([self._known, *self._fresh]))
        self._fresh = []
        return self._known
