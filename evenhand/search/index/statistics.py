"""Collection statistics for the rankers, taken from the whole index whatever is filtered.

The whole index, because a score must not move when a facet is ticked: only the list gets shorter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property

import tantivy
from tantivy import DocAddress, Query

from evenhand.search.analysis import term_id
from evenhand.search.digest import Digest
from evenhand.search.index.schema import skill_code

SAMPLE = 256
"""Up to so many resumes with a term its occurrences are counted; beyond, estimated from the first so many."""

EXACT = 50_000
"""Where resumes were replaced, up to so many with a term are counted one by one; beyond, the share still there."""


class IndexStatistics:
    """Of one snapshot. Each answer is worked out once; documents that were replaced or removed never count."""

    def __init__(
        self,
        searcher: tantivy.Searcher,
        schema: tantivy.Schema,
        digests: Callable[[Sequence[DocAddress]], list[bytes]],
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
            self._documents[term] = self._documents_with(term)
        return self._documents[term]

    def idf(self, term: str) -> float:
        """Lucene's classic: 1 + ln(documents / (documents with the term + 1))."""
        return 1 + math.log(max(self.number, 1) / (self.document_frequency(term) + 1))

    def collection_frequency(self, term: str) -> int:
        if term not in self._occurrences:
            self._occurrences[term] = self._occurrences_of(term)
        return self._occurrences[term]

    def skill_frequency(self, skill: str) -> int:
        if skill not in self._skills:
            low, high = skill_code(skill, 0), skill_code(skill, None)
            self._skills[skill] = self._count(
                Query.range_query(
                    self._schema,
                    "skill_months",
                    tantivy.FieldType.Unsigned,
                    low,
                    high,
                    use_inverted_index=True,
                )
            )
        return self._skills[skill]

    def _documents_with(self, term: str) -> int:
        """tantivy knows at once how many there are with those that were replaced; without them it has to look."""
        listed = self._searcher.doc_freq("text", term)
        if self._listed == self.number:
            return listed
        if listed > EXACT:
            return round(listed * self.number / self._listed)
        return self._count(Query.term_query(self._schema, "text", term)) if listed else 0

    @cached_property
    def _listed(self) -> int:
        """Documents with those that were replaced and not yet cleared away: each has one status."""
        return sum(number for _, number in self._searcher.terms_with_prefix("status", ""))

    def _occurrences_of(self, term: str) -> int:
        documents = self.document_frequency(term)
        if not documents:
            return 0
        query = Query.const_score_query(Query.term_query(self._schema, "text", term), 0.0)
        hits = self._searcher.search(query, limit=SAMPLE, count=False).hits
        digests = self._digests([address for _, address in hits])
        counted = sum(_occurrences(Digest.from_bytes(digest), term_id(term)) for digest in digests)
        return round(counted * documents / len(digests))

    def _count(self, query: Query) -> int:
        found = self._searcher.search(Query.const_score_query(query, 0.0), limit=1, count=True)
        return int(found.count or 0)  # type: ignore[attr-defined]


def _occurrences(digest: Digest, number: int) -> int:
    at = int(digest.terms.searchsorted(number))
    present = at < len(digest.terms) and digest.terms[at] == number
    return int(digest.counts[at]) if present else 0
