"""A ranked list: every score with the parts that sum to it, every match with its place in the resume."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.records.conversion import JsonRecord
from evenhand.records.document import Failure
from evenhand.records.job import Job
from evenhand.records.profile import Evidence


@dataclass(frozen=True, slots=True)
class Part(JsonRecord):
    """One addend of a score. `reason` says in plain words what it came from."""

    name: str
    value: float
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "value": self.value, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Score:
    """Never a bare number: its value is the sum of its parts."""

    parts: tuple[Part, ...]

    @property
    def value(self) -> float:
        return math.fsum(part.value for part in self.parts)


def is_enough(months: int | None, required: int | None) -> bool:
    """Whether a skill that is there meets a demand. Months that nobody stated do not: the screener is to ask."""
    return required is None or (months is not None and months >= required)


IN_NAME = "name"
"""Method of evidence that lies within the name of an employer, client or school."""


def only_in_names(places: Sequence[Evidence]) -> bool:
    return bool(places) and all(place.method == IN_NAME for place in places)


@dataclass(frozen=True, slots=True)
class Match(JsonRecord):
    """A skill the job asks for and the resume has; months None where nothing dated mentions it."""

    skill: str
    months: int | None
    required_months: int | None
    must: bool
    evidence: tuple[Evidence, ...]

    @property
    def only_in_names(self) -> bool:
        """Whether nothing but the name of an employer or school mentions it: "Oracle Corp" is no Oracle database."""
        return only_in_names(self.evidence)

    def to_json(self) -> dict[str, Any]:
        return {
            "skill": self.skill,
            "months": self.months,
            "required_months": self.required_months,
            "must": self.must,
            "evidence": [evidence.to_json() for evidence in self.evidence],
        }


@dataclass(frozen=True, slots=True)
class Flag(JsonRecord):
    """Something a person should look at: duplicate, no_hire, not_accredited, hidden_text, ... Never a verdict."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Snippet(JsonRecord):
    """A fragment of the visible text. Highlights are half-open offsets into `text`; `start` its place in the resume."""

    text: str
    highlights: tuple[tuple[int, int], ...]
    start: int


@dataclass(frozen=True, slots=True)
class Result:
    rank: int
    file: str | None
    candidate: str | None  # the name the resume gives
    score: Score
    matched: tuple[Match, ...] = ()
    missing: tuple[str, ...] = ()  # must-haves the resume does not mention
    flags: tuple[Flag, ...] = ()
    snippets: tuple[Snippet, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "rank": self.rank,
            "file": self.file,
            "candidate": self.candidate,
            "score": self.score.value,
            "parts": [part.to_json() for part in self.score.parts],
            "matched": [match.to_json() for match in self.matched],
            "missing": list(self.missing),
            "flags": [flag.to_json() for flag in self.flags],
            "snippets": [snippet.to_json() for snippet in self.snippets],
        }


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be ranked; it is named, never dropped."""

    file: str
    failure: Failure

    def to_json(self) -> dict[str, Any]:
        return {"file": self.file, **self.failure.to_json()}


@dataclass(frozen=True, slots=True)
class Ranking(JsonRecord):
    job: Job
    ranker: str
    total: int  # candidates ranked, of which `results` may be the first ones
    results: tuple[Result, ...]
    errors: tuple[Unread, ...] = ()


# Scores as people see them: a length beside the best one, and a number of a readable width.

FULL = {"best": 100.0}
"""What a perfect fit scores, where a ranker has such a number; bars are drawn beside it."""


class ScoreScale:
    """Scores of one ranking. Below zero (log-likelihoods) the worst one shown is the empty bar, else zero is."""

    def __init__(self, ranking: Ranking) -> None:
        values = [result.score.value for result in ranking.results]
        self.full = FULL.get(ranking.ranker)
        self.best = self.full or max(values, default=0.0)
        self.zero = min(0.0, *values) if values else 0.0
        largest = max(map(abs, (*values, self.best)))
        self._decimals = 1 if largest >= 100 else 2 if largest >= 10 else 3

    def share(self, value: float) -> float:
        """0 to 1: of a perfect fit, or else of the best one."""
        span = self.best - self.zero
        return min((value - self.zero) / span, 1.0) if span > 0 else 0.0

    def share_words(self, value: float) -> str:
        return f"of {self.full:g}" if self.full else f"{self.share(value):.0%} of the best"

    def text(self, value: float) -> str:
        """Never "-0.00"."""
        return f"{value:z.{self._decimals}f}"
