"""Statistics that note every answer they give, and statistics that answer from such notes: a ranking made again."""

from __future__ import annotations

from typing import Any

from evenhand.errors import NotFound
from evenhand.search.statistics import Statistics


class RecordingStatistics:
    """Passes each question on and keeps the answer."""

    def __init__(self, asked: Statistics) -> None:
        self._asked = asked
        self._number: int | None = None
        self._total_terms: int | None = None
        self._documents: dict[str, int] = {}
        self._occurrences: dict[str, int] = {}
        self._skills: dict[str, int] = {}

    @property
    def number(self) -> int:
        self._number = self._asked.number
        return self._number

    @property
    def total_terms(self) -> int:
        self._total_terms = self._asked.total_terms
        return self._total_terms

    @property
    def average_length(self) -> float:
        return self.total_terms / self.number if self.number else 0.0

    def document_frequency(self, term: str) -> int:
        self._documents[term] = found = self._asked.document_frequency(term)
        return found

    def collection_frequency(self, term: str) -> int:
        self._occurrences[term] = found = self._asked.collection_frequency(term)
        return found

    def skill_frequency(self, skill: str) -> int:
        self._skills[skill] = found = self._asked.skill_frequency(skill)
        return found

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self._number,
            "total_terms": self._total_terms,
            "documents": dict(self._documents),
            "occurrences": dict(self._occurrences),
            "skills": dict(self._skills),
        }


class RecordedStatistics:
    """Raises NotFound when asked for what nobody asked at the time: that ranking was made in another way."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self._answers = answers

    @property
    def number(self) -> int:
        return self._single("number")

    @property
    def total_terms(self) -> int:
        return self._single("total_terms")

    @property
    def average_length(self) -> float:
        return self.total_terms / self.number if self.number else 0.0

    def document_frequency(self, term: str) -> int:
        return self._of("documents", term)

    def collection_frequency(self, term: str) -> int:
        return self._of("occurrences", term)

    def skill_frequency(self, skill: str) -> int:
        return self._of("skills", skill)

    def _single(self, name: str) -> int:
        found = self._answers.get(name)
        if not isinstance(found, int):
            raise NotFound(f"The record of the ranking holds no {name}.")
        return found

    def _of(self, name: str, key: str) -> int:
        found = self._answers.get(name, {}).get(key)
        if not isinstance(found, int):
            raise NotFound(f"The record of the ranking does not say how many {name} have {key!r}.")
        return found
