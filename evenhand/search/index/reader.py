"""Reading the index: a snapshot answers every part of one search from the same state."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import tantivy
from tantivy import DocAddress, Occur, Query

from evenhand.errors import StoreError
from evenhand.search.criteria import Criteria
from evenhand.search.digest import DigestTable
from evenhand.search.index.conditions import Conditions, Filter, conjunction
from evenhand.search.index.digest_file import DigestReader
from evenhand.search.index.entry import Entry
from evenhand.search.index.folder import committed_opstamp, open_tantivy, usable_state
from evenhand.search.index.state import state_stamp
from evenhand.search.index.statistics import IndexStatistics
from evenhand.search.query.tree import SearchText, Words

DEPTH = 2_000
_TRIES = 10
_PAUSE_SECONDS = 0.005
_MOST_REMEMBERED = 20_000  # some 40 MB: scores and fragments of 20 candidates for each of 500 searches
MOST_TERMS = 32
"""Of a proposal: more terms make tantivy slower and change the best 2,000 hardly at all."""

T = TypeVar("T")


class IndexReader:
    """Opens again by itself when a writer has committed or begun anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamp = (0, 0)
        self._snapshot = self._newest()

    def snapshot(self) -> Snapshot:
        """The newest committed state. Raises StoreError where there is no index that can be used."""
        if state_stamp(self._folder) != self._stamp:
            self._snapshot = self._newest()
        return self._snapshot

    def _newest(self) -> Snapshot:
        found: Snapshot | None = None
        for number in range(_TRIES):
            time.sleep(number * _PAUSE_SECONDS)
            stamp = state_stamp(self._folder)
            snapshot = _open(self._folder)
            # A writer that began anew meanwhile may have changed one file under us and not yet the other.
            if state_stamp(self._folder) == stamp:
                self._stamp, found = stamp, snapshot
                if not snapshot.ahead:
                    return snapshot
        if found is not None:  # whoever committed did not come to write the state
            return found
        raise StoreError("The search index changes faster than it can be opened; try again.")


def _open(folder: Path) -> Snapshot:
    state = usable_state(folder)
    if state is None:
        raise StoreError("The search index is missing, damaged or of another version: build it anew.")
    try:
        index = open_tantivy(folder)
        ahead = committed_opstamp(folder) != state.opstamp
        # Only now, so that every digest the index points to is there.
        return Snapshot(index, DigestReader(folder), state.revision, ahead=ahead, settled=state.settled)
    except (ValueError, OSError) as error:
        raise StoreError("The search index is damaged: build it anew.") from error


class Snapshot:
    """One state of the index. Addresses are good for this snapshot only."""

    def __init__(
        self,
        index: tantivy.Index,
        digests: DigestReader,
        revision: int,
        *,
        ahead: bool = False,
        settled: bool = False,
    ) -> None:
        self.searcher = index.searcher()
        self.schema = index.schema
        self.revision = revision
        self.ahead = ahead  # of its revision: the writer has committed and not yet said how far it came
        self.settled = settled and not ahead  # exactly what the store was at the revision
        self.conditions = Conditions(self.schema, self.searcher)
        self.statistics = IndexStatistics(self.searcher, self.schema, self._digest_bytes)
        self._digests = digests
        self._remembered: dict[Hashable, Any] = {}

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was worked out for this snapshot before: another page or wish asks for the same counts again."""
        if key not in self._remembered:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[key] = make()
        found: T = self._remembered[key]
        return found

    @property
    def number(self) -> int:
        return self.searcher.num_docs

    def filter(self, criteria: Criteria, text: SearchText) -> Filter:
        return self.conditions.filter(criteria, text)

    def count(self, query: Query) -> int:
        return int(self.searcher.search(_unscored(query), limit=1, count=True).count or 0)  # type: ignore[attr-defined]

    def everyone(self, query: Query) -> list[DocAddress]:
        """All that match, for pools small enough to be ordered in full."""
        found = self.searcher.search(_unscored(query), limit=max(self.count(query), 1), count=False)
        return [address for _, address in found.hits]

    def propose(
        self,
        query: Query,
        terms: Sequence[tuple[str, float]],
        *,
        wishes: Sequence[tuple[Words, float]] = (),
        depth: int = DEPTH,
    ) -> list[DocAddress]:
        """The best of those that match, by a disjunction of boosted terms; filled up with any that match."""
        wanted = self.wanted(terms, wishes=wishes)
        found: list[DocAddress] = []
        if wanted:
            both = conjunction([_unscored(query), wanted])
            found = [hit for _, hit in self.searcher.search(both, limit=max(depth, 1), count=False).hits]
        if len(found) < depth:
            found += self._others(query, found, depth)
        return found

    def wanted(
        self, terms: Sequence[tuple[str, float]], *, wishes: Sequence[tuple[Words, float]] = ()
    ) -> Query | None:
        """The disjunction by which `propose` finds the best."""
        should = [Query.boost_query(self.conditions.words(words), boost) for words, boost in wishes]
        should += [self._boosted(term, boost) for term, boost in self._strongest(terms)]
        return Query.boolean_query([(Occur.Should, part) for part in should]) if should else None

    def digests(self, addresses: Sequence[DocAddress]) -> list[tuple[str, bytes]]:
        """Application and digest of each, in the same order."""
        return self._digests.read(self._places(addresses))

    def table(self, addresses: Sequence[DocAddress]) -> tuple[list[str], DigestTable]:
        """The same for ranking many, as columns."""
        return self._digests.table(self._places(addresses))

    def mentioning(self, words: Words, addresses: Sequence[DocAddress]) -> list[bool]:
        """Which of these mention a phrase or prefix: digests know terms, but not what stands beside what."""
        places = self._places(addresses)
        if not places:
            return []
        among = Query.term_set_query(self.schema, "place", places)
        query = conjunction([_unscored(among), _unscored(self.conditions.words(words))])
        hits = self.searcher.search(query, limit=len(places), count=False).hits
        found = set(self._places([address for _, address in hits]))
        return [place in found for place in places]

    def entry(self, address: DocAddress) -> Entry:
        """All that is kept of one application, for a page of results."""
        stored = self.searcher.doc(address)
        digest = self._digests.read([stored["place"][0]])[0][1]
        return Entry.from_facts(json.loads(stored["facts"][0]), stored["text"][0], digest)

    def find(self, application: str) -> DocAddress | None:
        query = Query.term_query(self.schema, "application", application)
        hits = self.searcher.search(query, limit=1, count=False).hits
        return hits[0][1] if hits else None

    def _strongest(self, terms: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
        if len(terms) <= MOST_TERMS:
            return list(terms)
        mentioned = [pair for pair in terms if self.statistics.document_frequency(pair[0])]
        weighed = sorted(mentioned, key=lambda pair: (-pair[1] * self.statistics.idf(pair[0]), pair[0]))
        return weighed[:MOST_TERMS]

    def _boosted(self, term: str, boost: float) -> Query:
        return Query.boost_query(Query.term_query(self.schema, "text", term), boost)

    def _others(self, query: Query, found: list[DocAddress], depth: int) -> list[DocAddress]:
        taken = {(address.segment_ord, address.doc) for address in found}
        hits = self.searcher.search(_unscored(query), limit=max(depth, 1), count=False).hits
        fresh = [address for _, address in hits if (address.segment_ord, address.doc) not in taken]
        return fresh[: depth - len(found)]

    def _places(self, addresses: Sequence[DocAddress]) -> list[int]:
        return [int(place or 0) for place in self.searcher.fast_field_values("place", list(addresses))]

    def _digest_bytes(self, addresses: Sequence[DocAddress]) -> list[bytes]:
        return [digest for _, digest in self.digests(addresses)]


def _unscored(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)
