"""Rankers by words alone: Okapi BM25, divergence of language models, and TF-IDF."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers.base import Contributions, Query, QueryTerm, Ranker, frequencies, idf, lengths
from evenhand.search.statistics import Statistics


@dataclass(frozen=True)
class Bm25(Ranker):
    """sum of idf * (k1+1)tf / (k1((1-b) + b length/average) + tf) * (k3+1)qtf / (k3+qtf)."""

    name: ClassVar[str] = "bm25"
    k1: float = 1.2
    b: float = 0.75
    k3: float = 7.0

    # Okapi's first weight, ln((N-n+.5)/(n+.5)), is negative for terms of more than half the resumes, so that in a
    # small pile the resume that lacks what all others have comes first: 1 is added inside the logarithm.

    def base(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        words = [term.term for term in query.terms]
        found = frequencies(words, pool)
        weights = self._weights(query, statistics)
        average = statistics.average_length or 1.0
        room = self.k1 * ((1 - self.b) + self.b * lengths(pool) / average)
        values = weights * (self.k1 + 1) * found / np.maximum(room[:, None] + found, np.finfo(float).tiny)

        def reason(row: int, column: int) -> str:
            term = query.terms[column]
            return f"stands {found[row, column]:g} times, {term.count} in the job, weight {weights[column]:.3f}"

        return Contributions(tuple(words), values, reason)

    def reference(self, query: Query, statistics: Statistics) -> float:
        """The score of a resume of average length that has every term of the job once."""
        return max(math.fsum(self._weights(query, statistics).tolist()), 0.0)

    def _weights(self, query: Query, statistics: Statistics) -> NDArray[np.float64]:
        weights = []
        for term in query.terms:
            frequency = statistics.document_frequency(term.term)
            odds = (statistics.number - frequency + 0.5) / (frequency + 0.5)
            weights.append(math.log1p(odds) * ((self.k3 + 1) * term.count / (self.k3 + term.count)))
        return np.array(weights, np.float64)


# Kullback-Leibler divergence of language models with Dirichlet smoothing.


@dataclass(frozen=True)
class Kl(Ranker):
    """sum of p(w|q) log p(w|d), p(w|d) = (tf + mu p(w|C)) / (length + mu). A term of no resume says nothing."""

    name: ClassVar[str] = "kl"
    mu: float = 1000.0

    def base(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        known = [term for term in query.terms if statistics.collection_frequency(term.term)]
        words = [term.term for term in known]
        found = frequencies(words, pool)
        share, common = _shares(known, query), _common(known, statistics)
        values = share * np.log((found + self.mu * common) / (lengths(pool)[:, None] + self.mu))

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


def _shares(known: Sequence[QueryTerm], query: Query) -> NDArray[np.float64]:
    total = sum(term.count for term in query.terms) or 1
    return np.array([term.count / total for term in known], np.float64)


def _common(known: Sequence[QueryTerm], statistics: Statistics) -> NDArray[np.float64]:
    return np.array([statistics.collection_frequency(term.term) / statistics.total_terms for term in known], np.float64)


# Lucene's classic TF-IDF, plain and with a boost of the terms that name skills.


@dataclass(frozen=True)
class Tfidf(Ranker):
    """coord * queryNorm * sum over the query's terms of sqrt(freq) * idf^2 * boost * lengthNorm."""

    name: ClassVar[str] = "tfidf"
    skill_boost: float = 1.0

    def base(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        words = [term.term for term in query.terms]
        found = frequencies(words, pool)
        rarity, boosts = self._weights(query, statistics)
        values = np.sqrt(found) * (rarity**2 * boosts * _query_norm(rarity, boosts))
        values *= (1.0 / np.sqrt(np.maximum(lengths(pool), 1.0)))[:, None]
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

    def _weights(self, query: Query, statistics: Statistics) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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
