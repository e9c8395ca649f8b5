"""The default ranker: a readable sum of how well words, skills, experience, title and education fit, 100 for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from evenhand.records.conversion import JsonRecord
from evenhand.search.features import ResumeFeatures
from evenhand.search.rankers.background import Background, load_background
from evenhand.search.rankers.base import Contributions, Query, Ranker
from evenhand.search.rankers.fit import (
    Assumptions,
    FitFeature,
    compare_roles,
    measure_demands,
    measure_education,
    measure_experience,
    measure_skilled_months,
    measure_title,
    measure_total,
    measure_words,
)
from evenhand.search.rankers.semantic import Semantic, SemanticEncoder
from evenhand.search.statistics import Statistics

Quality = Callable[[ResumeFeatures], float]
"""How good the institutions of a resume are, as somebody who ranks may define it."""
Likelihood = Callable[[ResumeFeatures], float]
"""How likely a model holds it that a resume fits the job; whoever ranks has asked the model before."""
_DECIMALS = 6  # sums differ in their last bits with the number of resumes; a score must not


@dataclass(frozen=True, slots=True)
class Weights(JsonRecord):
    """Points of a full fit. For a job that asks for nothing of a kind the others share its points."""

    words: float = 45.0
    must_haves: float = 25.0
    nice_to_haves: float = 5.0
    experience: float = 10.0
    title: float = 10.0
    education: float = 5.0
    meaning: float = 0.0
    """Of the sentence encoder. It added nothing to the rest on judged jobs, so resumes need no encoding."""
    institutions: float = 0.0
    """Quality of schools and companies. It has to pass a bias audit before it gets a weight."""
    prediction: float = 0.0
    """How likely a trained model holds the fit. It knows only jobs like those it learned from, and has to show its
    gain and pass a bias audit before it gets a weight."""

    def __post_init__(self) -> None:
        if min(self.to_json().values()) < 0 or not sum(self.to_json().values()):
            raise ValueError("weights are not negative, and not all 0")


NAMES = {
    "words": "match with job ad",
    "must_haves": "must-haves",
    "nice_to_haves": "nice-to-haves",
    "experience": "related experience",
    "title": "title",
    "education": "education",
    "meaning": "meaning",
    "institutions": "institutions",
    "prediction": "predicted fit",
}
"""What people read for each weight."""
FORMER_NAMES = {"words of the job": "match with job ad"}
"""Parts as rankings on record call them that were made before a part got another name."""


MEANINGS = {
    "words": "Keywords of the ad that the resume mentions; those used in jobs, and recently, count more.",
    "must_haves": "The skills the job requires: which are there, where they were used, how recently and for how long.",
    "nice_to_haves": "The same for skills that are nice to have.",
    "experience": "Time in jobs whose titles are like this job's, each counted by its similarity, or with the "
    "must-haves, against the time required.",
    "title": "How similar past job titles are to this job's, without levels such as junior or senior; less for "
    "every year since.",
    "education": "Level and field of study, as far as the job asks for them.",
    "meaning": "How similar the resume is to the ad in meaning, by a sentence encoder.",
    "institutions": "Quality of schools and companies, as whoever ranks defines it.",
    "prediction": "How likely a trained model holds a fit.",
}
"""What each part of a score measures."""


def weight_rows(weights: Weights) -> list[tuple[str, float, str]]:
    """What counts at all, with its share of 100 points for a job that asks for everything, the largest first."""
    values: dict[str, float] = weights.to_json()
    total = sum(values.values())
    rows = [(NAMES[name], 100 * value / total, MEANINGS[name]) for name, value in values.items() if value]
    return sorted(rows, key=lambda row: -row[1])


@dataclass(frozen=True)
class Best(Ranker):
    """100 * sum of weight * share / sum of the weights of what the job asks for.

    A resume's score depends on the job and the resume alone, not on who else applied.
    """

    name: ClassVar[str] = "best"
    weights: Weights = field(default_factory=Weights)
    assumptions: Assumptions = field(default_factory=Assumptions)
    encoder: SemanticEncoder | None = None  # needed for meaning only
    quality: Quality | None = None  # 0 to 1, needed for institutions only
    likelihood: Likelihood | None = None  # 0 to 1, needed for prediction only
    background: Background = field(default_factory=load_background, repr=False)

    def __post_init__(self) -> None:
        if self.weights.meaning and self.encoder is None:
            raise ValueError("a weight of meaning needs a sentence encoder")
        if self.weights.institutions and self.quality is None:
            raise ValueError("a weight of institutions needs their quality")
        if self.weights.prediction and self.likelihood is None:
            raise ValueError("a weight of prediction needs a model's likelihoods")

    def base(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> Contributions:
        weights = self.weights.to_json()
        features = self.features(query, pool, statistics)
        total = sum(weights[name] for name in features)
        names = [name for name in features if weights[name]]
        values = np.zeros((len(pool), len(names)))
        for column, name in enumerate(names):
            values[:, column] = 100 * weights[name] / total * features[name].shares

        def reason(row: int, column: int) -> str:
            return features[names[column]].reason(row)

        return Contributions(tuple(NAMES[name] for name in names), values, reason, len(names))

    def reference(self, query: Query, statistics: Statistics) -> float:
        return 100.0

    def features(self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics) -> dict[str, FitFeature]:
        """By the names of the weights, for learning these; what the job asks nothing about is left out."""
        found = self._asked(query, pool) | self._wished(query, pool, statistics)
        return {
            name: FitFeature(np.round(feature.shares, _DECIMALS), feature.reason)
            for name, feature in found.items()
            if feature is not None
        }

    def _asked(self, query: Query, pool: Sequence[ResumeFeatures]) -> dict[str, FitFeature | None]:
        job, background, assumptions = query.job, self.background, self.assumptions
        must = [demand for demand in job.demands if demand.must]
        nice = [demand for demand in job.demands if not demand.must]
        title: FitFeature | None = None
        experience: FitFeature | None = None
        if job.title:
            roles = compare_roles(job.title, pool, background=background, assumptions=assumptions)
            needed = job.months or assumptions.months
            skilled = measure_skilled_months(must, pool, needed=needed, background=background)
            title = measure_title(roles, title=job.title, assumptions=assumptions)
            experience = measure_experience(roles, asked=job.months, skilled=skilled, assumptions=assumptions)
        elif job.months:
            experience = measure_total(pool, job.months)
        return {
            "words": measure_words(query, pool, background=background, assumptions=assumptions),
            "must_haves": measure_demands(must, pool, background=background, assumptions=assumptions),
            "nice_to_haves": measure_demands(nice, pool, background=background, assumptions=assumptions),
            "experience": experience,
            "title": title,
            "education": measure_education(job, pool, background=background),
        }

    def _wished(
        self, query: Query, pool: Sequence[ResumeFeatures], statistics: Statistics
    ) -> dict[str, FitFeature | None]:
        found: dict[str, FitFeature | None] = {}
        if self.encoder is not None and self.weights.meaning:
            table = Semantic(self.encoder).base(query, pool, statistics)
            closeness = np.clip(np.array(table.totals(), np.float64), 0.0, 1.0)
            found["meaning"] = FitFeature(closeness, lambda row: f"closeness of meaning {closeness[row]:.2f}")
        if self.quality is not None and self.weights.institutions:
            quality = np.array([self.quality(resume) for resume in pool], np.float64)
            found["institutions"] = FitFeature(quality, lambda _: "quality of schools and companies")
        if self.likelihood is not None and self.weights.prediction:
            likely = np.array([self.likelihood(resume) for resume in pool], np.float64)
            found["prediction"] = FitFeature(likely, lambda row: f"a model holds a fit for {likely[row]:.0%} likely")
        return found
