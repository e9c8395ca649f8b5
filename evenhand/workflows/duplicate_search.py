"""Finds the near duplicates among kept resumes: what is new against everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from evenhand.search.duplicates import DuplicateIndex, Sketch, check_pairs, contact_spans, without_contact
from evenhand.store import Store
from evenhand.workflows.watching import Watch, unwatched

STEP = 256  # resumes compared between two transactions
REMEMBERED = 1_000


def find_new_duplicates(store: Store, *, watch: Watch = unwatched) -> int:
    """Compares what has not been compared yet with everything; how many pairs were found.

    Every sketch is loaded and put into bands once (0.7 GB and seconds for a million), then each new one is looked
    up, so a night's batch costs as much as the batch is large. Cut off, the next run goes on where this one stopped.
    """
    fresh = dict(_sketches(store.sketches(compared=False)))
    if not fresh:
        return 0
    index: DuplicateIndex[str] = DuplicateIndex()
    index.add_many(_sketches(store.sketches()))
    found = 0
    with watch("Comparing", len(fresh)) as bar:
        waiting: dict[str, Sketch] = {}
        for sha256, sketch in fresh.items():
            waiting[sha256] = sketch
            if len(waiting) == STEP:
                found += _compare(store, index, waiting)
                waiting = {}
            bar.advance()
        found += _compare(store, index, waiting)
    return found


def _compare(store: Store, index: DuplicateIndex[str], fresh: dict[str, Sketch]) -> int:
    candidates = {
        (min(sha256, other.key), max(sha256, other.key), other.estimate)
        for sha256, sketch in fresh.items()
        for other in index.find(sketch)
        if other.key != sha256
    }

    @lru_cache(REMEMBERED)
    def stripped(sha256: str) -> str:
        profile = store.profile(sha256)
        text = store.document_text(sha256)
        return without_contact(text, contact_spans(profile) if profile else ())

    near = list(check_pairs(sorted(candidates), stripped))
    store.add_duplicates([(pair.a, pair.b, pair.resemblance) for pair in near], compared=list(fresh))
    return len(near)


def _sketches(kept: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, Sketch]]:
    for sha256, data in kept:
        yield sha256, Sketch.from_bytes(data)
