"""Reading the index: a snapshot answers every part of one search from the same state."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import tantivy
from tantivy import DocAddress, Occur, Query

from evenhand.errors import StoreError
from evenhand.search.analysis import term_id
from evenhand.search.criteria import Criteria
from evenhand.search.features import FeatureTable, ResumeFeatures
from evenhand.search.index.files import FeatureReader, committed_opstamp, open_tantivy, state_stamp, usable_state
from evenhand.search.index.schema import Conditions, Filter, HiddenWords, IndexEntry, conjunction, skill_code
from evenhand.search.people import MAX_PEOPLE, PersonTerm
from evenhand.search.query_language import PhraseCondition, SearchText
from evenhand.search.rankers.base import idf
from evenhand.search.statistics import BlendedStatistics

# Collection statistics for the rankers, taken from the whole index whatever is filtered.
#
# The whole index, because a score must not move when a facet is ticked: only the list gets shorter.


SAMPLE = 256
"""Up to so many resumes with a term its occurrences are counted; beyond, estimated from the first so many."""

EXACT = 50_000
"""Where resumes were replaced, up to so many with a term are counted one by one; beyond, the share still there."""


class IndexStatistics:
    """Of one snapshot. Each answer is worked out once; documents that were replaced or removed never count."""

    def __init__(
        self, searcher: tantivy.Searcher, schema: tantivy.Schema, digests: Callable[[Sequence[DocAddress]], list[bytes]]
    ) -> None:
        self._searcher = searcher
        self._schema = schema
        self._digests = digests
        self._documents: dict[str, int] = {}
        self._occurrences: dict[str, int] = {}
        self._skills: dict[str, int] = {}
        self._total_terms: int | None = None

    @property
    def number(self) -> int:
        return self._searcher.num_docs

    @property
    def total_terms(self) -> int:
        if self._total_terms is None:
            found = self._searcher.aggregate(Query.all_query(), {"terms": {"sum": {"field": "length"}}})
            self._total_terms = int(found["terms"]["value"] or 0)
        return self._total_terms

    @property
    def average_length(self) -> float:
        return self.total_terms / self.number if self.number else 0.0

    def document_frequency(self, term: str) -> int:
        if term not in self._documents:
            # tantivy knows at once how many there are with those that were replaced; without them it has to look.
            listed = self._searcher.doc_freq("text", term)
            if self._listed == self.number or not listed:
                self._documents[term] = listed
            elif listed > EXACT:
                self._documents[term] = round(listed * self.number / self._listed)
            else:
                self._documents[term] = _count(self._searcher, Query.term_query(self._schema, "text", term))
        return self._documents[term]

    def collection_frequency(self, term: str) -> int:
        if term not in self._occurrences:
            self._occurrences[term] = self._occurrences_of(term)
        return self._occurrences[term]

    def skill_frequency(self, skill: str) -> int:
        if skill not in self._skills:
            low, high, kind = skill_code(skill, 0), skill_code(skill, None), tantivy.FieldType.Unsigned
            query = Query.range_query(self._schema, "skill_months", kind, low, high, use_inverted_index=True)
            self._skills[skill] = _count(self._searcher, query)
        return self._skills[skill]

    @cached_property
    def _listed(self) -> int:
        """Documents with those that were replaced and not yet cleared away: each has one status."""
        return sum(number for _, number in self._searcher.terms_with_prefix("status", ""))

    def _occurrences_of(self, term: str) -> int:
        documents = self.document_frequency(term)
        if not documents:
            return 0
        query = _unscored(Query.term_query(self._schema, "text", term))
        hits = self._searcher.search(query, limit=SAMPLE, count=False).hits
        digests = self._digests([address for _, address in hits])
        resumes = map(ResumeFeatures.from_bytes, digests)
        counted = sum(int(resume.counts[resume.terms == term_id(term)].sum()) for resume in resumes)
        return round(counted * documents / len(digests))


def _count(searcher: tantivy.Searcher, query: Query) -> int:
    return int(searcher.search(_unscored(query), limit=1, count=True).count or 0)  # type: ignore[attr-defined]


DEPTH = 2_000
_TRIES = 10
_PAUSE_SECONDS = 0.005
_CACHE_SIZE = 20_000  # some 40 MB: scores and fragments of 20 candidates for each of 500 searches
MAX_TERMS = 32
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
        return Snapshot(index, FeatureReader(folder), state.revision, ahead=ahead, settled=state.settled)
    except (ValueError, OSError) as error:
        raise StoreError("The search index is damaged: build it anew.") from error


class Snapshot:
    """One state of the index. Addresses are good for this snapshot only."""

    def __init__(
        self, index: tantivy.Index, digests: FeatureReader, revision: int, *, ahead: bool = False, settled: bool = False
    ) -> None:
        self.searcher = index.searcher()
        self.schema = index.schema
        self.revision = revision
        self.ahead = ahead  # of its revision: the writer has committed and not yet said how far it came
        self.settled = settled and not ahead  # exactly what the store was at the revision
        self.conditions = Conditions(self.schema, self.searcher)
        self.own_statistics = IndexStatistics(
            self.searcher, self.schema, lambda addresses: [digest for _, digest in self.digests(addresses)]
        )
        self.statistics = BlendedStatistics(self.own_statistics)
        self._digests = digests
        self._remembered: dict[Hashable, Any] = {}

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was worked out for this snapshot before: another page or wish asks for the same counts again."""
        value: T | None = self._remembered.get(key)
        if value is None:
            value = make()
            if len(self._remembered) >= _CACHE_SIZE:  # by any thread at any moment: it is not read again
                self._remembered.clear()
            self._remembered[key] = value
        return value

    @property
    def number(self) -> int:
        return self.searcher.num_docs

    def filter(self, criteria: Criteria, text: SearchText, hidden: HiddenWords | None = None) -> Filter:
        return self.conditions.filter(criteria, text, hidden)

    def only_masked(self, words: PhraseCondition, job: str, *, with_names: bool) -> list[str]:
        """Applications for the job in which the words stand only where they are masked."""
        found = self.conditions.only_masked(words, job, with_names=with_names)
        return [id for id, _ in self.digests(self.everyone(found))]

    def count(self, query: Query) -> int:
        return _count(self.searcher, query)

    def everyone(self, query: Query) -> list[DocAddress]:
        """All that match, for pools small enough to be ordered in full."""
        found = self.searcher.search(_unscored(query), limit=max(self.count(query), 1), count=False)
        return [address for _, address in found.hits]

    def has_any(self, query: Query) -> bool:
        """Whether anything matches, which is known sooner than how much."""
        return bool(self.searcher.search(_unscored(query), limit=1, count=False).hits)

    def people(self, query: Query, wanted: Sequence[PersonTerm]) -> list[DocAddress]:
        """Of those that match the query, the ones with the most of the names and contacts wanted; none with none."""
        asked = [
            Query.boost_query(
                Query.const_score_query(Query.term_set_query(self.schema, "person", sorted(term.keys)), 1.0),
                term.weight,
            )
            for term in wanted
        ]
        if not asked:
            return []
        anyone = Query.boolean_query([(Occur.Should, part) for part in asked])
        hits = self.searcher.search(conjunction([_unscored(query), anyone]), limit=MAX_PEOPLE, count=False).hits
        return [address for score, address in hits if score == hits[0][0]]

    def propose(
        self,
        query: Query,
        terms: Sequence[tuple[str, float]],
        *,
        wishes: Sequence[tuple[PhraseCondition, float]] = (),
        depth: int = DEPTH,
        hidden: HiddenWords | None = None,
    ) -> list[DocAddress]:
        """The best of those that match, by a disjunction of boosted terms; filled up with any that match."""
        wanted = self.wanted(terms, wishes=wishes, hidden=hidden)
        found: list[DocAddress] = []
        if wanted:
            both = conjunction([_unscored(query), wanted])
            found = [hit for _, hit in self.searcher.search(both, limit=max(depth, 1), count=False).hits]
        if len(found) < depth:
            taken = {(address.segment_ord, address.doc) for address in found}
            hits = self.searcher.search(_unscored(query), limit=max(depth, 1), count=False).hits
            others = [address for _, address in hits if (address.segment_ord, address.doc) not in taken]
            found += others[: depth - len(found)]
        return found

    def wanted(
        self,
        terms: Sequence[tuple[str, float]],
        *,
        wishes: Sequence[tuple[PhraseCondition, float]] = (),
        hidden: HiddenWords | None = None,
    ) -> Query | None:
        """The disjunction by which `propose` finds the best."""
        should = [Query.boost_query(self.conditions.words(words, hidden), boost) for words, boost in wishes]
        should += [
            Query.boost_query(Query.term_query(self.schema, "text", term), boost)
            for term, boost in self._strongest(terms)
        ]
        return Query.boolean_query([(Occur.Should, part) for part in should]) if should else None

    def digests(self, addresses: Sequence[DocAddress]) -> list[tuple[str, bytes]]:
        """Application and digest of each, in the same order."""
        return self._digests.read(self._places(addresses))

    def table(self, addresses: Sequence[DocAddress]) -> tuple[list[str], FeatureTable]:
        """The same for ranking many, as columns."""
        return self._digests.table(self._places(addresses))

    def entry(self, address: DocAddress) -> IndexEntry:
        """All that is kept of one application, for a page of results."""
        stored = self.searcher.doc(address)
        digest = self._digests.read([stored["place"][0]])[0][1]
        return IndexEntry.from_facts(json.loads(stored["facts"][0]), stored["text"][0], digest)

    def find(self, application: str) -> DocAddress | None:
        query = Query.term_query(self.schema, "application", application)
        hits = self.searcher.search(query, limit=1, count=False).hits
        return hits[0][1] if hits else None

    def _strongest(self, terms: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
        if len(terms) <= MAX_TERMS:
            return list(terms)
        mentioned = [pair for pair in terms if self.own_statistics.document_frequency(pair[0])]
        number, frequency = self.statistics.number, self.statistics.document_frequency
        return sorted(mentioned, key=lambda pair: (-pair[1] * idf(frequency(pair[0]), number), pair[0]))[:MAX_TERMS]

    def _places(self, addresses: Sequence[DocAddress]) -> list[int]:
        return [int(place or 0) for place in self.searcher.fast_field_values("place", list(addresses))]


def _unscored(query: Query) -> Query:
    return Query.const_score_query(query, 0.0)
