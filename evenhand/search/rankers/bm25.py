"""Okapi BM25 with all three of its parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evenhand.search.digest import Digest
from evenhand.search.rankers.contributions import Contributions
from evenhand.search.rankers.frequencies import frequencies, lengths
from evenhand.search.rankers.query import Query
from evenhand.search.rankers.ranker import Ranker
from evenhand.search.statistics import Statistics


@dataclass(frozen=True)
class Bm25(Ranker):
    """sum of idf * (k1+1)tf / (k1((1-b) + b length/average) + tf) * (k3+1)qtf / (k3+qtf)."""

    name: ClassVar[str] = "bm25"
    k1: float = 1.2
    b: float = 0.75
    k3: float = 7.0
    robertson: bool = False
    """Okapi's first weight, ln((N-n+.5)/(n+.5)), is negative for terms of more than half the resumes, so that in a
    small pile the resume that lacks what all others have comes first. By default 1 is added inside the logarithm."""

    def base(self, query: Query, digests: Sequence[Digest], statistics: Statistics) -> Contributions:
        words = [term.term for term in query.terms]
        found = frequencies(words, digests)
        weights = self._weights(query, statistics)
        average = statistics.average_length or 1.0
        room = self.k1 * ((1 - self.b) + self.b * lengths(digests) / average)
        values = weights * (self.k1 + 1) * found / np.maximum(room[:, None] + found, np.finfo(float).tiny)

        def reason(row: int, column: int) -> str:
            term = query.terms[column]
            return (
                f"stands {found[row, column]:g} times, {term.count} in the job, weight {weights[column]:.3f}"
            )

        return Contributions(tuple(words), values, reason)

    def reference(self, query: Query, statistics: Statistics) -> float:
        """The score of a resume of average length that has every term of the job once."""
        return max(math.fsum(self._weights(query, statistics).tolist()), 0.0)

    def _weights(self, query: Query, statistics: Statistics) -> NDArray[np.float64]:
        return np.array(
            [
                self._idf(statistics.document_frequency(term.term), statistics.number)
                * ((self.k3 + 1) * term.count / (self.k3 + term.count))
                for term in query.terms
            ],
            np.float64,
        )

    def _idf(self, frequency: int, number: int) -> float:
        odds = (number - frequency + 0.5) / (frequency + 0.5)
        return math.log(odds) if self.robertson else math.log1p(odds)
