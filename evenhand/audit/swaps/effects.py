"""How much one group's words change an outcome, how sure that is, and how much words of the same group change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats  # type: ignore[import-untyped]

from evenhand.audit.statistics import CONFIDENCE, ConfidenceInterval, Floats, finite
from evenhand.audit.swaps.plan import PLACEBO, Family, SwapVariant

Integers = NDArray[np.int64]

POWER = 0.8
COMPARED = 25  # about as many groups as are tried on one ranker or model, for which Holm corrects


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of paired differences. `error` allows for words that recur: twenty resumes with the same odd name are not
    twenty witnesses."""

    number: int
    mean: float
    error: float
    interval: ConfidenceInterval
    freedom: int = 1

    @property
    def p(self) -> float:
        """Two-sided, of the mean against its error."""
        if not self.error:
            return 1.0 if self.mean == 0 else 0.0
        return float(2 * stats.t.sf(abs(self.mean) / self.error, self.freedom))

    def to_json(self) -> dict[str, Any]:
        return {"n": self.number, "mean": self.mean, "error": finite(self.error), "interval": self.interval.to_json()}


def mean_of(differences: Floats, words: Sequence[Integers] = (), *, confidence: float = CONFIDENCE) -> Mean:
    """`words` number the words behind each difference, one array for each side of the pair; without them every resume
    stands for itself."""
    number = len(differences)
    if number < 2:
        mean = float(differences.mean()) if number else 0.0
        return Mean(number, mean, float("inf"), ConfidenceInterval(float("-inf"), float("inf")))
    mean = float(differences.mean())
    residuals = differences - mean
    alone = float(residuals @ residuals) / number / (number - 1)
    clustered = [_clustered(residuals, word) for word in words]
    both = 0.0
    if len(words) > 1:
        both = _clustered(residuals, words[0] * (int(words[1].max(initial=0)) + 1) + words[1])
    # Of Cameron, Gelbach and Miller; never below what resumes that stand for themselves would have.
    variance = max(sum(clustered) - both, *clustered, alone) if words else alone
    smallest = min([number, *(len(np.unique(word)) for word in words)])
    freedom = max(smallest - 1, 1)
    half = float(stats.t.ppf(0.5 + confidence / 2, freedom)) * float(np.sqrt(variance))
    return Mean(number, mean, float(np.sqrt(variance)), ConfidenceInterval(mean - half, mean + half), freedom)


def _clustered(residuals: Floats, words: Integers) -> float:
    _, places = np.unique(words, return_inverse=True)
    sums = np.bincount(places, weights=residuals)
    count = len(sums)
    correction = count / (count - 1) if count > 1 else 1.0
    return float(sums @ sums) / len(residuals) ** 2 * correction


@dataclass(frozen=True, slots=True)
class Effect:
    """Of one group against the reference, on one outcome; `placebo` is that of two values of the reference group."""

    effect: Mean
    placebo: Mean
    p: float  # the larger of Wilcoxon's over resumes and that of the mean, which allows for words that recur
    unit: float  # what the outcome varies by in the pool, so that effects of different outcomes compare

    @property
    def band(self) -> ConfidenceInterval:
        """Within it lies, on average over resumes, what words of one and the same group do."""
        within = self.placebo.interval
        return ConfidenceInterval(min(within.low, 0.0), max(within.high, 0.0))

    @property
    def is_outside(self) -> bool:
        """Whether the interval of the effect has no point in common with the placebo band."""
        return not self.effect.interval.overlaps(self.band)

    @property
    def in_units(self) -> float:
        return self.effect.mean / self.unit if self.unit else 0.0

    @property
    def detectable(self) -> float:
        """In units: the smallest effect that would be found in four of five audits like this one. Where scores do not
        differ at all there is no unit, and nothing can be said unless nothing changed either."""
        half = (self.effect.interval.high - self.effect.interval.low) / 2
        beyond = max(self.band.high, -self.band.low)
        strict = float(stats.norm.ppf(1 - (1 - CONFIDENCE) / 2 / COMPARED)) * self.effect.error
        needed = max(half + beyond, strict) + float(stats.norm.ppf(POWER)) * self.effect.error
        if not self.unit:
            return float("inf") if needed or self.effect.mean else 0.0
        return needed / self.unit

    def to_json(self) -> dict[str, Any]:
        return {
            "effect": self.effect.to_json(),
            "placebo": self.placebo.to_json(),
            "placebo_band": self.band.to_json(),
            "outside_placebo": self.is_outside,
            "p": self.p,
            "unit": self.unit,
            "effect_in_units": self.in_units,
            "detectable_in_units": finite(self.detectable),
        }


def measure_effect(
    differences: Floats,
    placebo: Floats,
    *,
    words: Sequence[Integers] = (),
    placebo_words: Sequence[Integers] = (),
    unit: float,
) -> Effect:
    effect = mean_of(differences, words)
    return Effect(effect, mean_of(placebo, placebo_words), max(signed_rank_p(differences), effect.p), unit)


def signed_rank_p(differences: Floats) -> float:
    """Two-sided; 1 where nothing differs. Pratt's ranks: a pair without a difference speaks against an effect."""
    if len(differences) < 2 or not np.any(differences):
        return 1.0
    return float(stats.wilcoxon(differences, zero_method="pratt", correction=True, method="approx").pvalue)


# Everything that was tried and what came of it, as columns: three rows for each resume and family, then rewordings.


@dataclass(frozen=True, slots=True, eq=False)
class TrialOutcome:
    """What one ranker or model made of every row. `label` is the place of the label a model says; for a ranker it is
    whether the resume would be on the shortlist. `base` and `base_label` are of the resumes as they are."""

    scorer: str  # "ranker best", "model occupation"
    score: Floats
    label: Integers
    base: Floats
    base_label: Integers
    rank: Integers | None = None  # of rankers; 1 is the best
    base_rank: Integers | None = None
    labels: tuple[str, ...] = ()  # of models

    @property
    def is_ranker(self) -> bool:
        return self.rank is not None


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """`family` -1 is a harmless rewording. `group` is a place in the family's list; `word` is the same for values that
    share what may tell: cities of one country are not so many witnesses."""

    families: tuple[Family, ...]
    resume: Integers
    family: Integers
    group: Integers
    word: Integers
    outcomes: tuple[TrialOutcome, ...] = field(default=())

    def triples(self, family: int) -> NDArray[np.int64]:
        """Rows of a family, by three: a value of the reference, another one of it, one of another group."""
        rows: NDArray[np.int64] = np.flatnonzero(self.family == family).reshape(-1, 3)
        return rows

    def rewordings(self) -> Integers:
        rows: Integers = np.flatnonzero(self.family == -1)
        return rows


def columns_of(variants: Sequence[tuple[int, SwapVariant]], families: tuple[Family, ...]) -> Trials:
    """`variants` with the number of their resume, in the order of the plan."""
    places = {
        (family.name, group.name): (place, number)
        for place, family in enumerate(families)
        for number, group in enumerate(family.groups)
    }
    places[PLACEBO, PLACEBO] = (-1, 0)
    words: dict[str, int] = {}
    rows = np.zeros((len(variants), 4), np.int64)
    for row, (resume, variant) in enumerate(variants):
        word = words.setdefault(telling_part(variant.value), len(words))
        rows[row] = (resume, *places[variant.family, variant.group], word)
    return Trials(families, rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3])


def telling_part(value: str) -> str:
    """What stands behind the last comma: the country of a city, the club of a member."""
    return value.rpartition(",")[2].strip()
