"""What a collection of resumes is like as a whole: how many, how long, and how many mention what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import NotFound
from evenhand.search.analysis import term_id
from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers.background import Background, load_background


class Statistics(Protocol):
    """What rankers ask of a collection. Terms are those of `analysis.terms`, skills canonical names."""

    @property
    def number(self) -> int: ...  # of resumes

    @property
    def total_terms(self) -> int: ...  # the sum of their lengths

    @property
    def average_length(self) -> float:
        return self.total_terms / self.number if self.number else 0.0

    def document_frequency(self, term: str) -> int: ...

    def collection_frequency(self, term: str) -> int: ...  # occurrences in all resumes together

    def skill_frequency(self, skill: str) -> int: ...  # resumes that have it


class PoolStatistics:
    """Counted from features: right for a folder, or as the reference for what an index reports."""

    def __init__(self, pool: Sequence[ResumeFeatures]) -> None:
        self.number = len(pool)
        self.total_terms = sum(resume.length for resume in pool)
        self._terms, self._documents, self._occurrences = _frequencies(pool)
        skills = [resume.skills["id"] for resume in pool]
        self._skills, self._having = np.unique(
            np.concatenate(skills) if skills else np.empty(0, np.uint32), return_counts=True
        )

    @property
    def average_length(self) -> float:
        return self.total_terms / self.number if self.number else 0.0

    def document_frequency(self, term: str) -> int:
        return _at(self._terms, self._documents, term_id(term))

    def collection_frequency(self, term: str) -> int:
        return _at(self._terms, self._occurrences, term_id(term))

    def skill_frequency(self, skill: str) -> int:
        return _at(self._skills, self._having, term_id(skill))


def _frequencies(pool: Sequence[ResumeFeatures]) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.int64]]:
    if not pool:
        none = np.empty(0, np.int64)
        return np.empty(0, np.uint32), none, none
    # A number and its count in one word: sorting these is several times quicker than sorting one by the other.
    numbers = np.concatenate([resume.terms for resume in pool]).astype(np.uint64)
    packed = np.sort(numbers << np.uint64(16) | np.concatenate([resume.counts for resume in pool]))
    distinct, starts, documents = np.unique(packed >> np.uint64(16), return_index=True, return_counts=True)
    counts = (packed & np.uint64(0xFFFF)).astype(np.int64)
    occurrences = np.add.reduceat(counts, starts) if len(starts) else np.empty(0, np.int64)
    return distinct.astype(np.uint32), documents.astype(np.int64), occurrences


def _at(keys: NDArray[np.uint32], values: NDArray[np.int64], key: int) -> int:
    at = int(np.searchsorted(keys, np.uint32(key)))
    return int(values[at]) if at < len(keys) and keys[at] == key else 0


class BlendedStatistics(Statistics):
    """A collection's own counts with those that ship: the resumes of one job alone would tell that among chefs the
    word "chef" is worth nothing. The own ones count at most as much as the others, however many they are."""

    def __init__(self, own: Statistics, background: Background | None = None) -> None:
        self._own = own
        self._background = background or load_background()
        self._share = min(1.0, self._background.size.resumes / own.number) if own.number else 1.0

    @property
    def number(self) -> int:
        return self._background.size.resumes + self._scaled(self._own.number)

    @property
    def total_terms(self) -> int:
        return self._background.size.occurrences + self._scaled(self._own.total_terms)

    def document_frequency(self, term: str) -> int:
        return self._background.word(term).resumes + self._scaled(self._own.document_frequency(term))

    def collection_frequency(self, term: str) -> int:
        return self._background.word(term).occurrences + self._scaled(self._own.collection_frequency(term))

    def skill_frequency(self, skill: str) -> int:
        return self._background.skills.get(skill, 0) + self._scaled(self._own.skill_frequency(skill))

    def _scaled(self, count: int) -> int:
        """What is there at all stays above 0."""
        return math.ceil(count * self._share)


# Statistics that note every answer they give, and statistics that answer from such notes: a ranking made again.


class RecordingStatistics(Statistics):
    """Passes each question on and keeps the answer."""

    def __init__(self, source: Statistics) -> None:
        self._source = source
        self._number: int | None = None
        self._total_terms: int | None = None
        self._documents: dict[str, int] = {}
        self._occurrences: dict[str, int] = {}
        self._skills: dict[str, int] = {}

    @property
    def number(self) -> int:
        self._number = self._source.number
        return self._number

    @property
    def total_terms(self) -> int:
        self._total_terms = self._source.total_terms
        return self._total_terms

    def document_frequency(self, term: str) -> int:
        return self._documents.setdefault(term, self._source.document_frequency(term))

    def collection_frequency(self, term: str) -> int:
        return self._occurrences.setdefault(term, self._source.collection_frequency(term))

    def skill_frequency(self, skill: str) -> int:
        return self._skills.setdefault(skill, self._source.skill_frequency(skill))

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self._number,
            "total_terms": self._total_terms,
            "documents": dict(self._documents),
            "occurrences": dict(self._occurrences),
            "skills": dict(self._skills),
        }


class RecordedStatistics(Statistics):
    """Raises NotFound when asked for what nobody asked at the time: that ranking was made in another way."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self._answers = answers

    @property
    def number(self) -> int:
        return self._single("number")

    @property
    def total_terms(self) -> int:
        return self._single("total_terms")

    def document_frequency(self, term: str) -> int:
        return self._of("documents", term)

    def collection_frequency(self, term: str) -> int:
        return self._of("occurrences", term)

    def skill_frequency(self, skill: str) -> int:
        return self._of("skills", skill)

    def _single(self, name: str) -> int:
        answer = self._answers.get(name)
        if not isinstance(answer, int):
            raise NotFound(f"The record of the ranking holds no {name}.")
        return answer

    def _of(self, name: str, key: str) -> int:
        answer = self._answers.get(name, {}).get(key)
        if not isinstance(answer, int):
            raise NotFound(f"The record of the ranking does not say how many {name} have {key!r}.")
        return answer
