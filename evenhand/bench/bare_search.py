"""The floor of the search bench: bare tantivy on the same index files, answering the same questions.

It gives the best twenty by its own BM25, the same facet counts, the documents and its own snippets; no ranker of ours,
no parts of scores, no matches, and no counts that are exact over several segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import tantivy
from tantivy import Occur, Query, SnippetGenerator

PAGE = 20
MOST_VALUES = 50


@dataclass(frozen=True, slots=True)
class Pass:
    """Facets that are counted on the same set."""

    query: Query
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    filter: Query
    words: Query
    passes: tuple[Pass, ...]
    bands: tuple[tuple[Query, ...], ...] = ()  # of skills with months: how many are in each

    @property
    def query(self) -> Query:
        """The filter does not score."""
        unscored = Query.const_score_query(self.filter, 0.0)
        return Query.boolean_query([(Occur.Must, unscored), (Occur.Must, self.words)])


@dataclass(frozen=True, slots=True)
class Answer:
    addresses: list[tantivy.DocAddress]
    facets: list[dict[str, Any]]
    bands: list[list[int]]
    snippets: list[str]


class Bare:
    def __init__(self, searcher: tantivy.Searcher, schema: tantivy.Schema) -> None:
        self._searcher = searcher
        self._schema = schema

    def answer(self, question: Question) -> Answer:
        addresses = self.rank(question)
        return Answer(addresses, *self.count(question), self.page(question, addresses))

    def rank(self, question: Question) -> list[tantivy.DocAddress]:
        hits = self._searcher.search(question.query, limit=PAGE, count=False).hits
        return [address for _, address in hits]

    def count(self, question: Question) -> tuple[list[dict[str, Any]], list[list[int]]]:
        facets = [dict(self._searcher.aggregate(each.query, _terms(each.names))) for each in question.passes]
        return facets, [[self._matching(query) for query in queries] for queries in question.bands]

    def _matching(self, query: Query) -> int:
        unscored = Query.const_score_query(query, 0.0)
        return int(self._searcher.search(unscored, limit=1, count=True).count or 0)  # type: ignore[attr-defined]

    def page(self, question: Question, addresses: Sequence[tantivy.DocAddress]) -> list[str]:
        generator = SnippetGenerator.create(self._searcher, question.words, self._schema, "text")
        documents = [self._searcher.doc(address) for address in addresses]
        return [generator.snippet_from_doc(document).to_html() for document in documents]


def _terms(names: Sequence[str]) -> dict[str, Any]:
    return {name: {"terms": {"field": name, "size": MOST_VALUES}} for name in names}
