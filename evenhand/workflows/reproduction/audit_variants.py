"""Resumes of one substance in 24 wordings (school, gap, years, keywords): what each factor alone does to scores."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import t as student  # type: ignore[import-untyped]

from evenhand.audit.models.chance import Floats
from evenhand.audit.models.intervals import Estimate
from evenhand.errors import UsageError
from evenhand.settings import Settings
from evenhand.workflows.reproduction.audit_scores import mine_texts, score_all
from evenhand.workflows.watching import Watch

FOLDER = "goodhart-variants"
LABEL = "INFORMATION-TECHNOLOGY"
SAME = 1e-9
FACTORS = ("university_tier", "keyword_framing", "employment_gap", "years_framing")
CONTRASTS: tuple[tuple[str, str, str, str], ...] = (
    ("a renowned school instead of none", "university_tier", "top_tier", "omitted"),
    ("a renowned school instead of an unranked one", "university_tier", "top_tier", "unranked"),
    ("a stated gap in the career", "employment_gap", "gap_present", "no_gap"),
    ("years of experience stated", "years_framing", "explicit_years", "project_only"),
    ("a list of keywords", "keyword_framing", "stuffed", "natural"),
)
Variant = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class EffectRow:
    """The mean of all pairs of resumes that differ in this factor alone, in standard deviations of all scores of a
    job; the interval is Student's over the resumes of different substance, of which there are few."""

    ranker: str
    contrast: str
    effect: Estimate
    places: float  # mean change of rank among all variants, positive when it rises
    pairs: int
    risen: int
    fallen: int

    def __str__(self) -> str:
        tied = self.pairs - self.risen - self.fallen
        low, high = self.effect.low or 0.0, self.effect.high or 0.0
        return (
            f"{self.effect.value or 0.0:+.2f} sd (95% interval {low:+.2f} to {high:+.2f}), {self.places:+.1f} places; "
            f"of {self.pairs} pairs {self.risen} rise, {self.fallen} fall, {tied} tie"
        )


def read_variants(data: Path) -> tuple[list[Variant], dict[str, str]]:
    """The variants, and the texts of the job ads by their titles."""
    folder = data / FOLDER
    try:
        variants = json.loads((folder / "resume_variants.json").read_text(encoding="utf-8"))
        with (folder / "job_descriptions.csv").open(encoding="utf-8", newline="") as file:
            jobs = {row["title"]: f"{row['title']}\n\n{row['description']}" for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"There are no variants of resumes in {data}: it needs a folder {FOLDER}."
        ) from error
    return variants, jobs


def measure_variants(
    variants: Sequence[Variant], jobs: Mapping[str, str], *, settings: Settings, watch: Watch
) -> list[EffectRow]:
    mined = mine_texts([each["resume_text"] for each in variants], settings=settings, watch=watch)
    scores: dict[str, list[Floats]] = {}
    for text in jobs.values():
        for ranker, found in score_all(text, mined, LABEL, settings=settings, watch=watch):
            scores.setdefault(ranker, []).append(found)
    return [
        measure_effect(ranker, contrast, variants, tables)
        for ranker, tables in scores.items()
        for contrast in CONTRASTS
    ]


def measure_effect(
    ranker: str, contrast: tuple[str, str, str, str], variants: Sequence[Variant], tables: Sequence[Floats]
) -> EffectRow:
    words, factor, having, lacking = contrast
    by_base: dict[str, list[float]] = {}
    places: list[float] = []
    for table in tables:
        spread = float(table.std()) or 1.0
        ranks = _ranks(table)
        for base, one, other in _pairs(variants, factor, having, lacking):
            by_base.setdefault(base, []).append((table[one] - table[other]) / spread)
            places.append(ranks[other] - ranks[one])
    every = np.array([each for values in by_base.values() for each in values])
    return EffectRow(
        ranker,
        words,
        _interval([float(np.mean(values)) for values in by_base.values()]),
        float(np.mean(places)),
        len(every),
        int((every > SAME).sum()),
        int((every < -SAME).sum()),
    )


def _pairs(
    variants: Sequence[Variant], factor: str, having: str, lacking: str
) -> Iterator[tuple[str, int, int]]:
    """The base, and the places of two variants that differ in the factor alone."""
    rest = [name for name in FACTORS if name != factor]
    known = {
        (each["base_resume_id"], each[factor], *(each[name] for name in rest)): at
        for at, each in enumerate(variants)
    }
    for (base, value, *others), at in known.items():
        if value == having and (twin := known.get((base, lacking, *others))) is not None:
            yield base, at, twin


def _ranks(scores: Floats) -> Floats:
    """From 1; equal scores share the mean of their places."""
    above = (scores[:, None] < scores[None, :]).sum(axis=1)
    equal = (scores[:, None] == scores[None, :]).sum(axis=1)
    return np.asarray(above + (equal + 1) / 2, np.float64)


def _interval(values: Sequence[float]) -> Estimate:
    mean = float(np.mean(values))
    if len(values) < 2:
        return Estimate(mean, None, None)
    half = float(student.ppf(0.975, len(values) - 1) * np.std(values, ddof=1) / np.sqrt(len(values)))
    return Estimate(mean, mean - half, mean + half)
