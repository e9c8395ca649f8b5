"""Figures 12 and 13 as published, and the records that print ours beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar, Literal

from evenhand.records.conversion import to_json
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.reproduce.results import Check

CUTS = (5, 10, 20)


@dataclass(frozen=True, slots=True)
class Scores:
    """P and NDCG at 5, 10 and 20."""

    precision: list[float]
    ndcg: list[float]

    def __str__(self) -> str:
        return " ".join(f"{value:.2f}" for value in self.precision + self.ndcg)


FIGURE_12 = {
    "bm25": Scores([0.18, 0.19, 0.21], [0.15, 0.17, 0.19]),
    "kl": Scores([0.43, 0.34, 0.36], [0.44, 0.37, 0.38]),
    "tfidf": Scores([0.60, 0.59, 0.49], [0.58, 0.57, 0.51]),
    "tfidf+skills": Scores([0.70, 0.63, 0.61], [0.73, 0.66, 0.64]),
}
FIGURE_13 = {
    "tfidf+skills": (Scores([0.60, 0.50, 0.48], [0.68, 0.59, 0.54]), Scores([0.80, 0.65, 0.65], [0.86, 0.73, 0.70]))
}
"""Without and with the filter, on the jobs that state years."""


@dataclass(frozen=True, slots=True)
class RankerQuality:
    """A ranker on one sort of jobs, averaged. Relevant is who has grade 2 or more."""

    material: str
    ranker: str
    scores: Scores  # NDCG with the grade as gain
    ndcg_exponential: list[float]  # with 2^grade - 1
    bottom: list[int]  # relevant ones among the last 20, by job; none where there are few applicants
    published: Scores | None


@dataclass(frozen=True, slots=True)
class Gain:
    """What leaving out applicants without the experience asked for adds to the six figures."""

    material: str
    ranker: str
    without: Scores
    filtered: Scores
    mean: float  # relative
    published: tuple[Scores, Scores] | None
    published_mean: float | None


def gain_of(without: RankerQuality, filtered: RankerQuality, published: tuple[Scores, Scores] | None) -> Gain:
    return Gain(
        without.material,
        without.ranker,
        without.scores,
        filtered.scores,
        mean_gain(without.scores, filtered.scores),
        published,
        mean_gain(*published) if published else None,
    )


def mean_gain(before: Scores, after: Scores) -> float:
    """The mean of the relative gains, as published; a figure of 0 has none."""
    pairs = zip(before.precision + before.ndcg, after.precision + after.ndcg, strict=True)
    gains = [second / first - 1 for first, second in pairs if first]
    return fmean(gains) if gains else 0.0


@dataclass(frozen=True, slots=True)
class Rankings(Measurement):
    title: ClassVar[str] = "rankers on graded applicants: P and NDCG at 5, 10, 20"
    jobs: dict[str, tuple[int, list[int]]]  # by material: how many, and the applicants of each
    figure_12: list[RankerQuality]
    figure_13: list[Gain]
    checks: list[Check]

    def to_json(self) -> dict[str, Any]:
        return {"cuts": list(CUTS), **to_json(self)}

    def rows(self) -> list[tuple[str, str]]:
        return [
            *((f"{name}: jobs, applicants of each", _sizes(*sizes)) for name, sizes in self.jobs.items()),
            *(row for each in self.figure_12 for row in _rows(each)),
            *(
                (f"{each.material}: {each.ranker} with the experience filter", _described(each))
                for each in self.figure_13
            ),
            *((check.claim, "yes" if check.holds else "no") for check in self.checks),
        ]


def _sizes(jobs: int, applicants: list[int]) -> str:
    least, most = min(applicants, default=0), max(applicants, default=0)
    return f"{jobs} jobs, {least if least == most else f'{least} to {most}'} applicants each"


def _rows(each: RankerQuality) -> Iterator[tuple[str, str]]:
    published = f"published {each.published}; " if each.published else ""
    yield f"{each.material}: {each.ranker}", f"{published}here {each.scores}"
    exponential = " ".join(f"{value:.2f}" for value in each.ndcg_exponential)
    yield f"{each.material}: {each.ranker}, NDCG with gain 2^grade - 1", exponential
    if each.bottom:
        yield f"{each.material}: {each.ranker}, relevant in the bottom 20", ", ".join(map(str, each.bottom))


def _described(gain: Gain) -> str:
    published = f" (published {gain.published_mean:+.1%})" if gain.published_mean is not None else ""
    return f"{gain.without} -> {gain.filtered}, mean gain {gain.mean:+.1%}{published}"


# How good a ranking is, by the grades people gave: the share of relevant ones at the top, and how early they
# come.

GainKind = Literal["linear", "exponential"]


def precision_at(grades: Sequence[int], k: int, *, relevant: int = 2) -> float:
    """`grades` in the order of the ranking. A list shorter than k has nothing relevant where it ends."""
    return sum(grade >= relevant for grade in grades[:k]) / k


def ndcg_at(grades: Sequence[int], k: int, *, gain: GainKind = "linear", pool: Sequence[int] = ()) -> float:
    """Järvelin and Kekäläinen's, with the discount log2(rank + 1) of common use.

    The ideal is the best order of all judged ones: of `pool` where the ranking holds only some of them. Where nothing
    is relevant every order is equally bad: 0.
    """
    ideal = _discounted(sorted(pool or grades, reverse=True)[:k], gain)
    return _discounted(grades[:k], gain) / ideal if ideal else 0.0


def relevant_in_bottom(grades: Sequence[int], k: int, *, relevant: int = 2) -> int:
    """How many relevant ones the last k hold."""
    return sum(grade >= relevant for grade in grades[-k:])


def _discounted(grades: Sequence[int], gain: GainKind) -> float:
    gains = (2**grade - 1 if gain == "exponential" else grade for grade in grades)
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(gains, start=1))
