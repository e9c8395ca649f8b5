"""Finds the near duplicates among the resumes in the store: what is new against everything."""

from __future__ import annotations

from functools import lru_cache

from evenhand.progress import Progress, no_progress
from evenhand.search.duplicates.index import DuplicateIndex, check_pairs
from evenhand.search.duplicates.sketch import Sketch, contact_spans, without_contact
from evenhand.store.base import slices
from evenhand.store.store import Store

BATCH = 256  # resumes compared between two transactions
CACHE_SIZE = 1_000


def find_new_duplicates(store: Store, *, progress: Progress = no_progress) -> int:
    """Compares what has not been compared yet with everything; how many pairs were found.

    Every sketch is loaded and put into bands once (0.7 GB and seconds for a million), then each new one is looked
    up, so a night's batch costs as much as the batch is large. Cut off, the next run goes on where this one stopped.
    """
    fresh = list(store.duplicates.sketches(compared=False))
    if not fresh:
        return 0
    index: DuplicateIndex[str] = DuplicateIndex()
    index.add_many((sha256, Sketch.from_bytes(data)) for sha256, data in store.duplicates.sketches())
    count = 0
    with progress("Comparing", len(fresh)) as bar:
        for batch in slices(fresh, BATCH):
            count += _compare(store, index, dict(batch))
            for _ in batch:
                bar.advance()
    return count


def _compare(store: Store, index: DuplicateIndex[str], fresh: dict[str, bytes]) -> int:
    candidates = {
        (min(sha256, other.key), max(sha256, other.key), other.estimate)
        for sha256, data in fresh.items()
        for other in index.find(Sketch.from_bytes(data))
        if other.key != sha256
    }

    @lru_cache(CACHE_SIZE)
    def stripped(sha256: str) -> str:
        profile = store.documents.profile(sha256)
        text = store.documents.text(sha256)
        return without_contact(text, contact_spans(profile) if profile else ())

    near = list(check_pairs(sorted(candidates), stripped))
    store.duplicates.add([(pair.a, pair.b, pair.resemblance) for pair in near], compared=list(fresh))
    return len(near)
