"""How a model does by group: accuracy, and for every label true and false positive rate, precision, selection rate.

A gap is the rate of a group less that of everybody else; like for like, it is taken within each true label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import fisher_exact  # type: ignore[import-untyped]

from evenhand.audit.statistics import (
    DRAWS,
    UNKNOWN,
    Bools,
    Estimate,
    Floats,
    Ints,
    Rate,
    around,
    hits_by_chance,
    newcombe_estimate,
    share_at_least,
    wilson_rate,
)

MIN_GROUP_SIZE = 30  # resumes of a group, and of the others, before a gap is spoken of
MIN_CELL_SIZE = 10  # resumes of a group with a label, and of the others with it, before a gap of that label is
Measure = Literal["tpr", "fpr", "precision", "selection"]
MEASURES: tuple[Measure, ...] = ("tpr", "fpr", "precision", "selection")


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPredictions:
    """What is true and what was said: a row per resume and a column per label, True where it has it.

    Where one label is true of each, a row has one True; where the model said nothing, a row of `predicted` has none.
    """

    labels: tuple[str, ...]
    true: Bools
    predicted: Bools

    @property
    def right(self) -> Bools:
        """Exactly the true labels were said."""
        return np.asarray((self.true == self.predicted).all(axis=1))

    @property
    def found(self) -> Bools:
        """A true label was among those said: what opportunity is about."""
        return np.asarray((self.true & self.predicted).any(axis=1))

    @property
    def stratum(self) -> Ints:
        """The first true label of each, so that like is compared with like; -1 for none."""
        return np.where(self.true.any(axis=1), self.true.argmax(axis=1), -1)


@dataclass(frozen=True, slots=True)
class LabelGap:
    """One measure of one label: of the group, of the others, and the difference; unknown where too few were counted."""

    label: str
    measure: Measure
    group: Rate
    others: Rate
    gap: Estimate
    p: float | None
    is_enough: bool


@dataclass(frozen=True, slots=True)
class GroupGaps:
    """`like_for_like` is the mean of the gaps in TPR over labels, those weighing most that tell most; `rms` is the
    root of the mean of their squares, which chance alone makes larger than 0: `rms_by_chance` says how much."""

    group: str
    resumes: int
    others: int
    accuracy: Rate
    others_accuracy: Rate
    accuracy_gap: Estimate
    like_for_like: Estimate
    like_for_like_p: float | None
    rms: float | None
    rms_by_chance: Estimate
    rms_p: float | None
    labels: tuple[LabelGap, ...]

    @property
    def is_enough(self) -> bool:
        return min(self.resumes, self.others) >= MIN_GROUP_SIZE and self.like_for_like.value is not None

    def of(self, measure: Measure) -> tuple[LabelGap, ...]:
        return tuple(label for label in self.labels if label.measure == measure)


def measure_gaps(
    predictions: LabelledPredictions, groups: Sequence[str], *, seed: int = 0, draws: int = DRAWS
) -> tuple[GroupGaps, ...]:
    """One per group that anybody belongs to, by name; an empty name is not known and left out."""
    given = np.asarray(groups)
    known = given != ""
    kept = LabelledPredictions(predictions.labels, predictions.true[known], predictions.predicted[known])
    names = sorted(set(given[known].tolist()))
    return tuple(
        _gaps(kept, name, given[known] == name, rng=np.random.default_rng((seed, place)), draws=draws)
        for place, name in enumerate(names)
    )


def _gaps(
    predictions: LabelledPredictions, group: str, inside: Bools, *, rng: np.random.Generator, draws: int
) -> GroupGaps:
    right = predictions.right
    accuracy, others = _rate(right[inside]), _rate(right[~inside])
    tables = _strata(predictions, inside)
    like_for_like, like_for_like_p = _like_for_like(tables, rng, draws)
    rms, rms_by_chance, rms_p = _rms(tables, rng, draws)
    return GroupGaps(
        group=group,
        resumes=accuracy.whole,
        others=others.whole,
        accuracy=accuracy,
        others_accuracy=others,
        accuracy_gap=newcombe_estimate(accuracy, others),
        like_for_like=like_for_like,
        like_for_like_p=like_for_like_p,
        rms=rms,
        rms_by_chance=rms_by_chance,
        rms_p=rms_p,
        labels=tuple(
            _label_gap(label, measure, predictions.true[:, place], predictions.predicted[:, place], inside)
            for place, label in enumerate(predictions.labels)
            for measure in MEASURES
        ),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Strata:
    """Per true label: members and hits of the group, and of the others."""

    members: Ints
    hits: Ints
    other_members: Ints
    other_hits: Ints

    @property
    def weights(self) -> Floats:
        """Those of Mantel and Haenszel, which let a label count by what both sides can say of it."""
        both = self.members * self.other_members / np.maximum(self.members + self.other_members, 1)
        total = both.sum()
        return np.asarray(both / total if total else both, np.float64)

    def gap(self, hits: Ints) -> Floats:
        """Per row of `hits` and label, the group's rate less the others' when the group has that many."""
        all_hits = self.hits + self.other_hits
        own = hits / np.maximum(self.members, 1)
        others = (all_hits - hits) / np.maximum(self.other_members, 1)
        return np.asarray(own - others, np.float64)

    def gaps_by_chance(self, rng: np.random.Generator, draws: int) -> Floats:
        """Per shuffle of membership within labels, and label."""
        hits, sizes = self.hits + self.other_hits, self.members + self.other_members
        return self.gap(hits_by_chance(hits, sizes - hits, self.members, rng=rng, draws=draws))


def _strata(predictions: LabelledPredictions, inside: Bools) -> _Strata:
    size = len(predictions.labels)
    stratum, found = predictions.stratum, predictions.found
    known = stratum >= 0

    def count(rows: Bools) -> Ints:
        return np.bincount(stratum[rows], minlength=size).astype(np.int64)

    return _Strata(
        count(known & inside), count(known & inside & found), count(known & ~inside), count(known & ~inside & found)
    )


def _like_for_like(tables: _Strata, rng: np.random.Generator, draws: int) -> tuple[Estimate, float | None]:
    """The interval by drawing again within every label and side, the p by shuffling membership within labels."""
    weights = tables.weights
    if not weights.any():
        return UNKNOWN, None
    seen = float(tables.gap(tables.hits[None, :])[0] @ weights)
    own = _drawn(tables.hits, tables.members, rng, draws)
    others = _drawn(tables.other_hits, tables.other_members, rng, draws)
    by_chance = tables.gaps_by_chance(rng, draws) @ weights
    return around(seen, (own - others) @ weights), share_at_least(abs(seen), np.abs(by_chance))


def _drawn(hits: Ints, members: Ints, rng: np.random.Generator, draws: int) -> Floats:
    """Rates of the bootstrap: drawing hits and misses again is a binomial. A label where all or none were found would
    never vary, so half a hit and half a miss are added to each."""
    chances = (hits + 0.5) / (members + 1)
    spread = rng.binomial(members, chances, (draws, len(members))) / np.maximum(members, 1)
    centre = hits / np.maximum(members, 1) - chances  # what the added halves moved is moved back
    return np.asarray(spread + centre, np.float64)


def _rms(tables: _Strata, rng: np.random.Generator, draws: int) -> tuple[float | None, Estimate, float | None]:
    """Over the labels of which there are enough on both sides, each with the same weight, as in Bias in Bios."""
    enough = (tables.members >= MIN_CELL_SIZE) & (tables.other_members >= MIN_CELL_SIZE)
    if not enough.any():
        return None, UNKNOWN, None
    gaps = tables.gap(tables.hits[None, :]), tables.gaps_by_chance(rng, draws)
    [seen], by_chance = (np.sqrt((gap[:, enough] ** 2).mean(axis=1)) for gap in gaps)
    return float(seen), around(float(by_chance.mean()), by_chance), share_at_least(float(seen), by_chance)


def _label_gap(label: str, measure: Measure, true: Bools, predicted: Bools, inside: Bools) -> LabelGap:
    among, counted = {
        "tpr": (true, predicted),
        "fpr": (~true, predicted),
        "precision": (predicted, true),
        "selection": (np.ones_like(true), predicted),
    }[measure]
    group, others = _rate(counted[among & inside]), _rate(counted[among & ~inside])
    enough = min(group.whole, others.whole) >= MIN_CELL_SIZE
    table = [[group.part, group.whole - group.part], [others.part, others.whole - others.part]]
    p = float(fisher_exact(table)[1]) if enough else None
    return LabelGap(label, measure, group, others, newcombe_estimate(group, others), p, enough)


def _rate(hits: Bools) -> Rate:
    return wilson_rate(int(hits.sum()), len(hits))


# How far the best and the worst served group lie apart: the difference and the ratio.


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """Over groups that are large enough; the ratio is the worst over the best."""

    measure: str
    best: str
    worst: str
    difference: float
    ratio: float


def measure_spread(true: Ints, predicted: Ints, groups: Sequence[str]) -> tuple[GroupSpread, ...]:
    """From places in the labels, one each; -1 where nothing was said. None where fewer than two groups are enough."""
    given = np.asarray(groups)
    names, counts = np.unique(given[given != ""], return_counts=True)
    names = names[counts >= MIN_GROUP_SIZE]
    if len(names) < 2:
        return ()
    hits = [(predicted == true)[given == name] for name in names]
    labels = [true[given == name] for name in names]
    accuracies = [float(own.mean()) for own in hits]
    # Balanced: over the labels that somebody of the group truly has.
    recalls = [
        float(np.mean([own[truth == label].mean() for label in np.unique(truth)]))
        for own, truth in zip(hits, labels, strict=True)
    ]
    return _spread("accuracy", accuracies, names), _spread("balanced accuracy", recalls, names)


def _spread(measure: str, values: list[float], names: NDArray[np.str_]) -> GroupSpread:
    best, worst = max(values), min(values)
    served = str(names[values.index(best)]), str(names[values.index(worst)])
    return GroupSpread(measure, *served, best - worst, worst / best if best else float("nan"))
