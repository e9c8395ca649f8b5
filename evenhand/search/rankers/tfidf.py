"""Lucene's classic TF-IDF, plain and with a boost of the terms that name skills."""

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
from evenhand.search.rankers.ranker import Ranker, idf
from evenhand.search.statistics import Statistics


@dataclass(frozen=True)
class Tfidf(Ranker):
    """coord * queryNorm * sum over the query's terms of sqrt(freq) * idf^2 * boost * lengthNorm."""

    name: ClassVar[str] = "tfidf"
    skill_boost: float = 1.0

    def base(self, query: Query, digests: Sequence[Digest], statistics: Statistics) -> Contributions:
        words = [term.term for term in query.terms]
        found = frequencies(words, digests)
        rarity, boosts = self._weights(query, statistics)
        values = np.sqrt(found) * (rarity**2 * boosts * _query_norm(rarity, boosts))
        values *= _length_norm(digests)[:, None]
        matched = np.count_nonzero(found, axis=1)
        values *= (matched / max(len(words), 1))[:, None]

        def reason(row: int, column: int) -> str:
            boost = f", a skill: x{boosts[column]:g}" if boosts[column] != 1 else ""
            return (
                f"stands {found[row, column]:g} times, idf {rarity[column]:.3f}{boost}; "
                f"{matched[row]} of {len(words)} terms of the job matched"
            )

        return Contributions(tuple(words), values, reason)

    def reference(self, query: Query, statistics: Statistics) -> float:
        """The score of a resume of average length that has every term of the job once."""
        rarity, boosts = self._weights(query, statistics)
        total = math.fsum((rarity**2 * boosts).tolist()) * _query_norm(rarity, boosts)
        return total / math.sqrt(statistics.average_length) if statistics.average_length else 0.0

    def _weights(
        self, query: Query, statistics: Statistics
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        rarity = [idf(statistics.document_frequency(term.term), statistics.number) for term in query.terms]
        boosts = [self.skill_boost if term.skill else 1.0 for term in query.terms]
        return np.array(rarity, np.float64), np.array(boosts, np.float64)


@dataclass(frozen=True)
class TfidfSkills(Tfidf):
    """The same with terms that name a skill, or stand in a phrase that does, counting for more."""

    name: ClassVar[str] = "tfidf+skills"
    skill_boost: float = 3.0


def _query_norm(rarity: NDArray[np.float64], boosts: NDArray[np.float64]) -> float:
    """It makes scores of different jobs more alike; within a job it changes no order."""
    squares = math.fsum(((rarity * boosts) ** 2).tolist())
    return 1.0 / math.sqrt(squares) if squares else 0.0


def _length_norm(digests: Sequence[Digest]) -> NDArray[np.float64]:
    return 1.0 / np.sqrt(np.maximum(lengths(digests), 1.0))
