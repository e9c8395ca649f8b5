"""Published figures beside ours, as records that print themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from evenhand_lab.benchmarks.fact_scores import Count, Macro, macro
from evenhand_lab.benchmarks.kit import Measurement

OURS = "ours"


@dataclass(frozen=True, slots=True)
class Published:
    precision: float
    recall: float
    f1: float

    def __str__(self) -> str:
        return f"{self.precision:.3f} {self.recall:.3f} {self.f1:.3f}"


@dataclass(frozen=True, slots=True)
class FeatureSetScore:
    """One kind of thing, one feature set, one sort of resumes: averages over documents."""

    material: str
    kind: str
    features: str
    precision: float
    recall: float
    f1: float
    count: int  # of the right answers
    published: Published | None

    def __str__(self) -> str:
        return f"{self.precision:.3f} {self.recall:.3f} {self.f1:.3f}"


def measured(
    material: str, kind: str, features: str, counts: Iterable[Count], published: Published | None
) -> FeatureSetScore:
    counts = list(counts)
    average: Macro = macro(counts)
    expected = sum(count.expected for count in counts)
    return FeatureSetScore(material, kind, features, average.precision, average.recall, average.f1, expected, published)


@dataclass(frozen=True, slots=True)
class Check:
    """A claim of the published ablation, and whether it holds here."""

    claim: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Ablation(Measurement):
    """Feature sets added up one by one, as published, and our own behind them."""

    title: ClassVar[str] = "P, R and F1 as published (generated resumes are not theirs) and ours"
    figure: str
    resumes: dict[str, str]  # how many, by material
    figures: list[FeatureSetScore]
    checks: list[Check]

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("resumes", ", ".join(f"{name}: {count}" for name, count in self.resumes.items())),
            *((f"{each.material}: {each.kind}, {each.features}", _beside(each)) for each in self.figures),
            *((check.claim, "yes" if check.holds else "no") for check in self.checks),
        ]


def _beside(each: FeatureSetScore) -> str:
    published = f"published {each.published}; " if each.published else ""
    return f"{published}here {each} (P R F1, n = {each.count})"


def grows(figures: Sequence[FeatureSetScore], material: str, kind: str, first: str, last: str) -> Check:
    """Whether the fuller feature set reaches at least the F1 of the smaller one."""
    f1 = {each.features: each.f1 for each in figures if (each.material, each.kind) == (material, kind)}
    return Check(f"{material}: {kind}, {last} at least {first}", f1[last] >= f1[first])
