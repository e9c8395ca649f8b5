"""One resume, one label, every baseline: how far the choice of a baseline decides what an explanation says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from evenhand.errors import UnknownBaseline
from evenhand.explain.attribution import Floats, top_words
from evenhand.explain.linear import BASELINES
from evenhand.explain.run import Explainer
from evenhand.records.conversion import JsonRecord
from evenhand.records.document import Document
from evenhand.records.explanation import Explanation
from evenhand.records.profile import Profile

TOP = 10
FIGURES = ("output", "baseline_output", "delta", "converged", "special", "seconds")


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """`message` says why there are no figures."""

    baseline: str
    output: float | None
    baseline_output: float | None
    delta: float | None
    converged: bool | None
    special: float | None
    seconds: float | None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class BaselinePair:
    """`overlap` is the share of the ten strongest words that both have; `correlation` is Spearman's, None of words
    that all score the same."""

    first: str
    second: str
    correlation: float | None
    overlap: float


@dataclass(frozen=True, slots=True)
class BaselineComparison(JsonRecord):
    file: str | None
    task: str
    target: str
    method: str
    baselines: tuple[BaselineRow, ...]
    pairs: tuple[BaselinePair, ...]


def compare_baselines(
    explainer: Explainer, document: Document, profile: Profile, *, target: str | None = None
) -> tuple[BaselineComparison, ...]:
    """For every label that would be explained."""
    if explainer.method.name == "occlusion":
        raise UnknownBaseline("Occlusion takes words away: there are no baselines to compare.")
    comparisons = []
    for label in explainer.labels(document, profile, target=target):
        explanations: list[Explanation] = []
        rows: list[BaselineRow] = []
        for baseline in BASELINES:
            chosen = replace(explainer, method=replace(explainer.method, baseline=baseline))
            try:
                (explained,) = chosen.explain(document, profile, target=label, faithful=False, changes=False)
            except UnknownBaseline as error:
                rows.append(BaselineRow(baseline, None, None, None, None, None, None, str(error)))
                continue
            explanations.append(explained.explanation)
            rows.append(BaselineRow(baseline, *(getattr(explained.explanation, name) for name in FIGURES)))
        pairs = tuple(_pair(first, second) for first, second in combinations(explanations, 2))
        one = explanations[0]
        comparisons.append(BaselineComparison(one.file, one.task, one.target, one.method, tuple(rows), pairs))
    return tuple(comparisons)


def _pair(first: Explanation, second: Explanation) -> BaselinePair:
    scores = [np.array([word.score for word in explanation.words]) for explanation in (first, second)]
    tops = [{word.start for word in top_words(explanation.words, TOP)} for explanation in (first, second)]
    size = max(1, min(TOP, len(first.words)))
    return BaselinePair(first.baseline, second.baseline, spearman(*scores), len(tops[0] & tops[1]) / size)


def spearman(first: Floats, second: Floats) -> float | None:
    """The correlation of ranks, ties sharing theirs."""
    ranks = []
    for scores in (first, second):
        _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
        ranks.append((np.cumsum(counts) - (counts - 1) / 2)[places])
        if len(counts) < 2:
            return None
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])
