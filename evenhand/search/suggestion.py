"""Which skills to ask for next: those the job's applicants have and the job does not mention yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Literal

from evenhand.records.job import Job
from evenhand.search.analysis import terms

Mode = Literal["count", "kl"]

LIMIT = 20


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A skill, how many of the job's applicants have it, and what it was ordered by."""

    skill: str
    applicants: int
    score: float

    def to_json(self) -> dict[str, Any]:
        return {"skill": self.skill, "applicants": self.applicants, "score": self.score}


def suggest(
    job: Job,
    counts: Mapping[str, int],
    *,
    applicants: int,
    all_counts: Mapping[str, int] | None = None,
    all_applicants: int = 0,
    mode: Mode = "count",
    limit: int = LIMIT,
) -> list[Suggestion]:
    """Skills by how many of the job's `applicants` have them (`counts`), or by how much they set the job apart.

    In mode "kl" the score is p(s|job) log(p(s|job) / p(s|all)), p being shares of applicants, of this job and of all
    jobs (`all_counts`, `all_applicants`; this job's among them). What is no more common here than anywhere is left out.
    """
    known = _mentioned(job, counts)
    found = [
        Suggestion(skill, count, _score(skill, count, applicants, all_counts or {}, all_applicants, mode))
        for skill, count in counts.items()
        if count > 0 and skill not in known
    ]
    kept = [each for each in found if each.score > 0]
    return sorted(kept, key=lambda each: (-each.score, -each.applicants, each.skill))[: max(0, limit)]


def _score(
    skill: str, count: int, applicants: int, all_counts: Mapping[str, int], all_applicants: int, mode: Mode
) -> float:
    if mode == "count":
        return float(count)
    here = count / applicants
    # All jobs include this one, whatever the counts say that were taken a moment earlier.
    anywhere = max(all_counts.get(skill, 0), count) / max(all_applicants, applicants)
    return here * log(here / anywhere)


def _mentioned(job: Job, skills: Mapping[str, int]) -> set[str]:
    """Skills the job asks for, by any name its understanding knows, and those whose own name its text has."""
    asked = {skill for demand in job.demands for skill in demand.skills}
    text = _spelled(terms(job.text))
    return asked | {skill for skill in skills if (name := terms(skill)) and _spelled(name) in text}


def _spelled(words: Sequence[str]) -> str:
    """So that a sequence of whole terms is found, and no part of a term."""
    return f" {' '.join(words)} "
