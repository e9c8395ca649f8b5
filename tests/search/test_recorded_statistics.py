"""What was asked of a collection can be answered again, and nothing else."""

from __future__ import annotations

import json

import pytest

from evenhand.errors import NotFound
from evenhand.search.statistics import RecordedStatistics, RecordingStatistics, Statistics


class Counts:
    number = 40
    total_terms = 1000
    average_length = 25.0

    def document_frequency(self, term: str) -> int:
        return len(term)

    def collection_frequency(self, term: str) -> int:
        return 2 * len(term)

    def skill_frequency(self, skill: str) -> int:
        return 3 * len(skill)


def ask(statistics: Statistics) -> list[float]:
    return [
        statistics.document_frequency("java"),
        statistics.document_frequency("c"),
        statistics.collection_frequency("java"),
        statistics.skill_frequency("sql"),
        statistics.average_length,
    ]


def test_answers_are_noted_and_given_again() -> None:
    recording = RecordingStatistics(Counts())
    assert ask(recording) == [4, 1, 8, 9, 25.0]
    noted = json.loads(json.dumps(recording.to_json()))
    assert noted == {
        "number": 40,
        "total_terms": 1000,
        "documents": {"java": 4, "c": 1},
        "occurrences": {"java": 8},
        "skills": {"sql": 9},
    }
    assert ask(RecordedStatistics(noted)) == [4, 1, 8, 9, 25.0]


def test_what_nobody_asked_is_not_made_up() -> None:
    nothing = RecordedStatistics(RecordingStatistics(Counts()).to_json())
    with pytest.raises(NotFound, match="does not say how many documents have 'java'"):
        nothing.document_frequency("java")
    with pytest.raises(NotFound, match="holds no number"):
        _ = nothing.number
