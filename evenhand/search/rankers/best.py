"""The default ranker: a readable sum of role, requirements, licences, words, experience and education, 100 for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from evenhand.records.conversion import JsonRecord
from evenhand.records.job import Demand
from evenhand.search.features import FeatureTable, ResumeFeatures
from evenhand.search.rankers.background import Background, load_background
from evenhand.search.rankers.base import Contributions, Query, Ranker
from evenhand.search.rankers.fit import (
    Assumptions,
    FitFeature,
    add_up,
    compare_titles,
    measure_demands,
    measure_education,
    measure_experience,
    measure_role,
    measure_skilled_months,
    measure_total,
    measure_words,
    rounded,
)
from evenhand.search.rankers.roles import RoleVectors, load_roles
from evenhand.search.rankers.word_rankers import Bm25
from evenhand.search.statistics import Statistics

Likelihood = Callable[[ResumeFeatures], float]
"""How likely a model holds it that a resume fits the job; whoever ranks has asked the model before."""


@dataclass(frozen=True, slots=True)
class Weights(JsonRecord):
    """Points of a full fit. For a job that asks for nothing of a kind the others share its points."""

    role: float = 40.0
    requirements: float = 20.0
    licences: float = 6.0
    desirable: float = 7.0
    experience: float = 8.0
    education: float = 5.0
    words: float = 14.0
    prediction: float = 0.0
    """How likely a trained model holds a fit. It knows only jobs like those it learned from, and has to show its
    gain and pass a bias audit before it gets a weight."""

    def __post_init__(self) -> None:
        if min(self.to_json().values()) < 0 or not sum(self.to_json().values()):
            raise ValueError("weights are not negative, and not all 0")


NAMES = {
    "role": "Role match",
    "requirements": "Requirements",
    "licences": "Licences",
    "desirable": "Desirable skills",
    "experience": "Experience",
    "education": "Education",
    "words": "Match with job ad",
    "prediction": "Predicted fit",
}
"""What people read for each weight, in the order in which they read it."""


MEANINGS = {
    "role": "How similar past jobs are to this one, by their titles and by what was done there. The most similar one "
    "counts, less for every year since, and the resume as a whole.",
    "requirements": "What the job requires: which of it is there, where it was used, how recently and for how long.",
    "licences": "The licences and certificates the job requires: which of them the resume names.",
    "desirable": "The same for what is nice to have.",
    "experience": "Time in jobs whose titles are like this job's, each counted by its similarity, or with the "
    "requirements, against the time required.",
    "education": "Level and field of study, as far as the job asks for them.",
    "words": "Keywords of the ad that the resume mentions; those used in jobs, and recently, count more.",
    "prediction": "How likely a trained model holds a fit.",
}
"""What each part of a score measures."""

UNDERSTOOD = 60
"""Percent of a text's words that English resumes and ads have, from which it is taken to be in English."""


def weight_rows(weights: Weights) -> list[tuple[str, float, str]]:
    """What counts at all, with its share of 100 points for a job that asks for everything, in the order of display."""
    values: dict[str, float] = weights.to_json()
    total = sum(values.values())
    return [(NAMES[name], 100 * value / total, MEANINGS[name]) for name, value in values.items() if value]


@dataclass(frozen=True)
class Best(Ranker):
    """100 * sum of weight * share / sum of the weights of what the job asks for.

    A resume's score depends on the job and the resume alone, not on who else applied. Only in a language that is not
    understood it is one of words, which are weighed by the collection.
    """

    name: ClassVar[str] = "best"
    weights: Weights = field(default_factory=Weights)
    assumptions: Assumptions = field(default_factory=Assumptions)
    likelihood: Likelihood | None = None  # 0 to 1, needed for prediction only
    background: Background = field(default_factory=load_background, repr=False)
    roles: RoleVectors = field(default_factory=load_roles, repr=False)

    def __post_init__(self) -> None:
        if self.weights.prediction and self.likelihood is None:
            raise ValueError("a weight of prediction needs a model's likelihoods")

    def base(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        features = self.features(query, pool, statistics)
        foreign = self._foreign(query, pool)
        table = add_up(self.weights.to_json(), NAMES, features, len(pool))
        if not foreign.any() or NAMES["words"] not in table.names:
            return table
        values, at = table.values.copy(), table.names.index(NAMES["words"])
        values[foreign] = 0.0
        values[foreign, at] = 100 * features["words"].shares[foreign]

        def reason(row: int, column: int) -> str | None:
            if not foreign[row]:
                return table.reason(row, column)
            if column == at:
                return f"{table.reason(row, column)}. {ONLY_WORDS}"
            return "not counted: not in a language that is understood"

        return replace(table, values=values, reason=reason)

    def reference(self, query: Query, statistics: Statistics) -> float:
        return 100.0

    def features(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> dict[str, FitFeature]:
        """By the names of the weights, for learning these; what the job asks nothing about is left out."""
        job, background, assumptions = query.job, self.background, self.assumptions
        licences = [demand for demand in job.demands if demand.must and demand.kind == "licence"]
        must = [demand for demand in job.demands if demand.must and demand.kind != "licence"]
        nice = [demand for demand in job.demands if not demand.must]
        found = {
            "role": measure_role(query, pool, roles=self.roles, assumptions=assumptions),
            "requirements": measure_demands(must, pool, background=background, assumptions=assumptions),
            "licences": measure_demands(licences, pool, background=background, assumptions=assumptions),
            "desirable": measure_demands(nice, pool, background=background, assumptions=assumptions),
            "experience": self._experience(query, pool, must),
            "education": measure_education(job, pool, background=background),
            "words": self._words(query, pool, statistics),
            "prediction": self._prediction(pool),
        }
        return rounded(found)

    def _experience(self, query: Query, pool: Sequence[ResumeFeatures], must: list[Demand]) -> FitFeature | None:
        job = query.job
        if not job.title:
            return measure_total(pool, job.months) if job.months else None
        titles = compare_titles(job.title, pool, background=self.background, assumptions=self.assumptions)
        needed = job.months or self.assumptions.months
        skilled = measure_skilled_months(must, pool, needed=needed, background=self.background)
        return measure_experience(titles, asked=job.months, skilled=skilled, assumptions=self.assumptions)

    def _words(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> FitFeature | None:
        """In a language that is not understood, by BM25 in its very order: nothing is known of how common a word is."""
        foreign = self._foreign(query, pool)
        own = measure_words(query, pool, background=self.background, assumptions=self.assumptions)
        if not foreign.any():
            return own
        table, full = Bm25().base(query, pool, statistics), Bm25().reference(query, statistics) or 1.0
        totals = np.maximum(np.array(table.totals(), np.float64), 0.0)
        lexical = totals / (totals + full / 2)
        shares = np.where(foreign, lexical, own.shares if own else 0.0)

        def reason(row: int) -> str:
            if not foreign[row]:
                return own.reason(row) if own else "no telling words"
            return f"{np.count_nonzero(table.values[row])} of the job's {len(table.names)} words"

        return FitFeature(shares, reason)

    def _foreign(self, query: Query, pool: Sequence[ResumeFeatures]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Resumes of which, or of whose job, too little is understood to measure anything but words."""
        known = sum(term.count for term in query.terms if self.background.knows(term.term))
        total = sum(term.count for term in query.terms)
        if total and 100 * known < UNDERSTOOD * total:
            return np.ones(len(pool), np.bool_)
        headers = FeatureTable.of(pool).headers
        return np.asarray((headers["known"] < UNDERSTOOD) & (headers["length"] >= MIN_TERMS))

    def _prediction(self, pool: Sequence[ResumeFeatures]) -> FitFeature | None:
        if self.likelihood is None or not self.weights.prediction:
            return None
        likely = np.array([self.likelihood(resume) for resume in pool], np.float64)
        return FitFeature(likely, lambda row: f"a model holds a fit for {likely[row]:.0%} likely")


MIN_TERMS = 20  # of a resume: shorter ones tell no language
ONLY_WORDS = "The ad or the resume is in a language that is not understood: only words are compared."
