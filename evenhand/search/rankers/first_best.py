"""The default ranker of version 0.1: rankings on record that it made are made again with it, and no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from evenhand.records.conversion import JsonRecord
from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers.background import Background, load_background
from evenhand.search.rankers.base import Contributions, Query, Ranker
from evenhand.search.rankers.fit import (
    FIRST_ASSUMPTIONS,
    FitFeature,
    RoleTable,
    add_up,
    compare_titles,
    measure_demands,
    measure_education,
    measure_experience,
    measure_skilled_months,
    measure_total,
    measure_words,
    rounded,
)
from evenhand.search.statistics import Statistics


@dataclass(frozen=True, slots=True)
class FirstWeights(JsonRecord):
    """As they stand in the ledger; the last three were never above 0 in a list that was recorded."""

    words: float = 45.0
    must_haves: float = 25.0
    nice_to_haves: float = 5.0
    experience: float = 10.0
    title: float = 10.0
    education: float = 5.0
    meaning: float = 0.0
    institutions: float = 0.0
    prediction: float = 0.0


FIRST_NAMES = {
    "words": "words of the job",
    "must_haves": "must-haves",
    "nice_to_haves": "nice-to-haves",
    "experience": "related experience",
    "title": "title",
    "education": "education",
}


def are_first(values: Mapping[str, float]) -> bool:
    """Whether weights on record are those of this version."""
    return "must_haves" in values


@dataclass(frozen=True)
class FirstBest(Ranker):
    """100 * sum of weight * share / sum of the weights of what the job asks for."""

    name: ClassVar[str] = "best"
    weights: FirstWeights = field(default_factory=FirstWeights)
    background: Background = field(default_factory=load_background, repr=False)

    def base(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        return add_up(self.weights.to_json(), FIRST_NAMES, self._features(query, pool), len(pool))

    def reference(self, query: Query, statistics: Statistics) -> float:
        return 100.0

    def _features(self, query: Query, pool: Sequence[ResumeFeatures]) -> dict[str, FitFeature]:
        job, background, assumptions = query.job, self.background, FIRST_ASSUMPTIONS
        must = [demand for demand in job.demands if demand.must]
        nice = [demand for demand in job.demands if not demand.must]
        title: FitFeature | None = None
        experience: FitFeature | None = None
        if job.title:
            roles = compare_titles(job.title, pool, background=background, assumptions=assumptions)
            needed = job.months or assumptions.months
            skilled = measure_skilled_months(must, pool, needed=needed, background=background)
            title = _measure_title(roles, job.title)
            experience = measure_experience(roles, asked=job.months, skilled=skilled, assumptions=assumptions)
        elif job.months:
            experience = measure_total(pool, job.months)
        found = {
            "words": measure_words(query, pool, background=background, assumptions=assumptions),
            "must_haves": measure_demands(must, pool, background=background, assumptions=assumptions),
            "nice_to_haves": measure_demands(nice, pool, background=background, assumptions=assumptions),
            "experience": experience,
            "title": title,
            "education": measure_education(job, pool, background=background),
        }
        return rounded(found)


def _measure_title(roles: RoleTable, title: str) -> FitFeature:
    """The position whose title is most like the job's, less for every year since."""
    values = roles.likeness * FIRST_ASSUMPTIONS.recency(roles.years)
    shares = np.zeros(len(roles.pool))
    np.maximum.at(shares, roles.resumes, values)

    def reason(row: int) -> str:
        for value, held, likeness in roles.titled(row, values)[:1]:
            if value > 0:
                until = f" until {held.end // 12}" if held.end else ""
                return f"{held.title}{until}: {likeness:.0%} like {title}"
        return f"no title like {title}"

    return FitFeature(shares, reason)
