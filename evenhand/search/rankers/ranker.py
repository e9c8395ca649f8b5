"""The one interface of all rankers, and the part they share: terms the screener typed."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from evenhand.records.ranking import Score
from evenhand.search.digest import Digest, DigestTable
from evenhand.search.rankers.contributions import Contributions, join
from evenhand.search.rankers.frequencies import frequencies
from evenhand.search.rankers.query import Query, SearchTerm
from evenhand.search.statistics import Statistics

SEARCH_TERM_SHARE = 0.05
"""What the rarest possible typed term adds, as a share of the ranker's `reference` score."""


class Ranker(ABC):
    """`base` and `reference` are a ranker's own; everything else follows from them."""

    name: ClassVar[str]

    @abstractmethod
    def base(self, query: Query, digests: Sequence[Digest], statistics: Statistics) -> Contributions:
        """How well each resume fits the job. It does not look at the typed terms."""

    @abstractmethod
    def reference(self, query: Query, statistics: Statistics) -> float:
        """What a good fit scores more than none, so that typed terms weigh alike in every ranker.

        It depends on neither the resumes at hand nor the typed terms: what a term adds is the same for every resume
        that mentions it, whichever page or filter it is seen through.
        """

    def contributions(self, query: Query, digests: Sequence[Digest], statistics: Statistics) -> Contributions:
        digests = DigestTable.of(digests)
        return self.with_typed(self.base(query, digests, statistics), query, digests, statistics)

    def with_typed(
        self, own: Contributions, query: Query, digests: Sequence[Digest], statistics: Statistics
    ) -> Contributions:
        """What `base` found, and a bonus for each typed term that a resume mentions."""
        if not query.search_terms:
            return own
        unit = SEARCH_TERM_SHARE * (self.reference(query, statistics) or 1.0)
        return join((own, typed_terms(query.search_terms, digests, statistics, unit=unit)))

    def rank(self, query: Query, digests: Sequence[Digest], statistics: Statistics) -> list[Score]:
        """A score for each resume, in the order given; `contributions` is quicker when few are looked at."""
        return self.contributions(query, digests, statistics).scores()


def idf(document_frequency: int, number: int) -> float:
    """Lucene's classic form, positive for every term."""
    return 1.0 + math.log(number / (document_frequency + 1)) if number else 1.0


def typed_terms(
    search_terms: Sequence[SearchTerm],
    digests: Sequence[Digest],
    statistics: Statistics,
    *,
    unit: float,
) -> Contributions:
    """A fixed bonus for mentioning each, never more for mentioning it often, so no mentioning resume can move down."""
    words = sorted({word for typed in search_terms for word in typed.terms})
    mentioned = frequencies(words, digests) > 0
    column = {word: at for at, word in enumerate(words)}
    rarest = idf(0, statistics.number)
    values = np.zeros((len(digests), len(search_terms)))
    reasons = []
    for at, typed in enumerate(search_terms):
        # A phrase is at least as rare as its rarest word.
        frequency = min(statistics.document_frequency(word) for word in typed.terms)
        weight = unit * idf(frequency, statistics.number) / rarest
        values[:, at] = weight * mentioned[:, [column[word] for word in typed.terms]].all(axis=1)
        what = "mentions" if len(typed.terms) == 1 else "mentions every word of"
        reasons.append(f'{what} "{typed.text}"; {frequency} of {statistics.number} resumes do at most')
    names = tuple(f"search term: {typed.text}" for typed in search_terms)
    return Contributions(names, values, lambda _, column: reasons[column])
