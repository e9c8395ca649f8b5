"""How many applications each entry of the watch lists flags, where the pool is small enough to look at all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache

from tantivy import Query

from evenhand.mining.organisations import NameList
from evenhand.search.index.reader import Snapshot
from evenhand.search.matching import NO_HIRE, NOT_ACCREDITED
from evenhand.search.service import Service
from evenhand.store.watchlist import WatchlistEntry

MAX_APPLICATIONS = (
    5_000  # applications; about half a second's work, done once for each state of the index and the lists
)
Key = tuple[str, str]
"""A list and a name on it."""


def count_flagged(service: Service, entries: Iterable[WatchlistEntry]) -> Mapping[Key, int] | None:
    """None for a pool in which counting would take too long. What applicants typed into forms is not looked at."""
    snapshot = service.snapshot()
    if snapshot.number > MAX_APPLICATIONS:
        return None
    names = tuple((entry.list, entry.name) for entry in entries)
    return snapshot.remember(("watched", names), lambda: _count(snapshot, names))


def _count(snapshot: Snapshot, names: tuple[Key, ...]) -> Counter[Key]:
    lists = {list: NameList(name for own, name in names if own == list) for list in (NO_HIRE, NOT_ACCREDITED)}

    @cache
    def look_up(list: str, name: str) -> str | None:
        match = lists[list].best(name)
        return match.entry if match else None

    counts: Counter[Key] = Counter()
    for address in snapshot.everyone(Query.all_query()):
        entry = snapshot.entry(address)
        written = [(NO_HIRE, name) for name in entry.employers]
        written += [(NOT_ACCREDITED, name) for name in entry.universities]
        counts.update({(list, listed) for list, name in written if (listed := look_up(list, name))})
    return counts
