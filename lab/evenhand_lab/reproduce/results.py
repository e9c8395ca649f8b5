"""Published figures beside ours, as records that print themselves."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, ClassVar

from rich.table import Table

from evenhand.audit.statistics import ConfidenceInterval
from evenhand_lab.benchmarks.fact_scores import Count, macro, macro_interval
from evenhand_lab.benchmarks.kit import Measurement, in_brackets

OURS = "ours"
PUBLISHED: dict[str, Any] = tomllib.loads(resources.files(__package__).joinpath("published.toml").read_text("utf-8"))


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
    interval: ConfidenceInterval | None = None  # of F1, drawing documents

    def __str__(self) -> str:
        return f"{self.precision:.3f} {self.recall:.3f} {self.f1:.3f}{in_brackets(self.interval)}"


def measured(
    material: str, kind: str, features: str, counts: Iterable[Count], published: Published | None
) -> FeatureSetScore:
    counts = list(counts)
    average = macro(counts)
    expected = sum(count.expected for count in counts)
    scores = (average.precision, average.recall, average.f1)
    return FeatureSetScore(material, kind, features, *scores, expected, published, macro_interval(counts))


def published_scores(figure: str) -> dict[tuple[str, str], Published]:
    """By kind and feature set."""
    by_kind = PUBLISHED[figure].items()
    return {(kind, features): Published(*scores) for kind, by_set in by_kind for features, scores in by_set.items()}


def check_rows(checks: Iterable[Check], yes: str = "yes", no: str = "no") -> list[tuple[str, str]]:
    return [(check.claim, yes if check.holds else no) for check in checks]


def published_first(published: object | None, here: str) -> str:
    return f"published {published}; here {here}" if published else f"here {here}"


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
            *(
                (
                    f"{score.material}: {score.kind}, {score.features}",
                    published_first(score.published, f"{score} (P R F1, n = {score.count})"),
                )
                for score in self.figures
            ),
            *check_rows(self.checks),
        ]

    def table(self) -> Table:
        title = f"{self.figure}: 5 folds by resume, more than 90% overlap, averages over documents"
        table = Table("Resumes", "Kind", "Features", "n", "published P R F1", "here P R F1", title=title)
        for score in self.figures:
            names = (score.material, score.kind, score.features)
            table.add_row(*names, str(score.count), str(score.published or ""), str(score))
        table.caption = "; ".join(f"{claim}: {answer}" for claim, answer in check_rows(self.checks))
        return table


def grows(figures: Sequence[FeatureSetScore], material: str, kind: str, first: str, last: str) -> Check:
    """Whether the fuller feature set reaches at least the F1 of the smaller one."""
    f1 = {figure.features: figure.f1 for figure in figures if (figure.material, figure.kind) == (material, kind)}
    return Check(f"{material}: {kind}, {last} at least {first}", f1[last] >= f1[first])
