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
    found: dict[str, dict[str, Explanation]] = {}
    failures: dict[str, dict[str, str]] = {}
    labels = explainer.labels(document, profile, target=target)
    for label in labels:
        for baseline in BASELINES:
            chosen = replace(explainer, method=replace(explainer.method, baseline=baseline))
            try:
                (each,) = chosen.explain(document, profile, target=label, faithful=False, changes=False)
            except UnknownBaseline as error:
                failures.setdefault(label, {})[baseline] = str(error)
                continue
            found.setdefault(label, {})[baseline] = each.explanation
    return tuple(_comparison(found[label], failures.get(label, {})) for label in labels)


def _comparison(found: dict[str, Explanation], failures: dict[str, str]) -> BaselineComparison:
    one = next(iter(found.values()))
    rows = [_row(name, found.get(name), failures.get(name)) for name in BASELINES]
    pairs = [_pair(found[first], found[second]) for first, second in combinations(found, 2)]
    return BaselineComparison(one.file, one.task, one.target, one.method, tuple(rows), tuple(pairs))


def _row(name: str, found: Explanation | None, message: str | None) -> BaselineRow:
    if found is None:
        return BaselineRow(name, None, None, None, None, None, None, message)
    return BaselineRow(
        name, found.output, found.baseline_output, found.delta, found.converged, found.special, found.seconds
    )


def _pair(first: Explanation, second: Explanation) -> BaselinePair:
    scores = [np.array([word.score for word in each.words]) for each in (first, second)]
    tops = [{word.start for word in top_words(each.words, TOP)} for each in (first, second)]
    size = max(1, min(TOP, len(first.words)))
    return BaselinePair(first.baseline, second.baseline, spearman(*scores), len(tops[0] & tops[1]) / size)


def spearman(first: Floats, second: Floats) -> float | None:
    """The correlation of ranks, ties sharing theirs."""
    ranks = _ranks(first), _ranks(second)
    if any(np.ptp(each) == 0 for each in ranks):
        return None
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(scores: Floats) -> Floats:
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    shared: Floats = np.cumsum(counts) - (counts - 1) / 2
    return shared[places]
