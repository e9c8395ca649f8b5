"""Kullback-Leibler divergence of language models with Dirichlet smoothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenhand.search.digest import Digest
from evenhand.search.rankers.contributions import Contributions
from evenhand.search.rankers.frequencies import frequencies, lengths
from evenhand.search.rankers.query import Query, QueryTerm
from evenhand.search.rankers.ranker import Ranker
from evenhand.search.statistics import Statistics


@dataclass(frozen=True)
class Kl(Ranker):
    """sum of p(w|q) log p(w|d), p(w|d) = (tf + mu p(w|C)) / (length + mu). A term of no resume says nothing."""

    name: ClassVar[str] = "kl"
    mu: float = 1000.0

    def base(self, query: Query, digests: Sequence[Digest], statistics: Statistics) -> Contributions:
        known = [term for term in query.terms if statistics.collection_frequency(term.term)]
        words = [term.term for term in known]
        found = frequencies(words, digests)
        share, common = _shares(known, query), _common(known, statistics)
        values = share * np.log((found + self.mu * common) / (lengths(digests)[:, None] + self.mu))

        def reason(row: int, column: int) -> str:
            return (
                f"stands {found[row, column]:g} times; {share[column]:.2%} of the job, "
                f"{common[column]:.3%} of all resumes"
            )

        return Contributions(tuple(words), values, reason)

    def reference(self, query: Query, statistics: Statistics) -> float:
        """How much more a resume scores with every term of the job once than with none."""
        known = [term for term in query.terms if statistics.collection_frequency(term.term)]
        gains = _shares(known, query) * np.log1p(1 / (self.mu * _common(known, statistics)))
        return math.fsum(gains.tolist())


def _shares(known: Sequence[QueryTerm], query: Query) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    total = sum(term.count for term in query.terms) or 1
    return np.array([term.count / total for term in known], np.float64)


def _common(
    known: Sequence[QueryTerm], statistics: Statistics
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array(
        [statistics.collection_frequency(term.term) / statistics.total_terms for term in known], np.float64
    )
