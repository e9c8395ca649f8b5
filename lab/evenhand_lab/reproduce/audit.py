"""`evenhand reproduce audit`: published bias audits beside ours, on callbacks, names and variants of resumes."""

from __future__ import annotations

import csv
import gzip
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import ClassVar

import numpy as np
from scipy.stats import rankdata  # type: ignore[import-untyped]
from scipy.stats import t as student

from evenhand.audit import statistics as stats
from evenhand.audit.statistics import Estimate, Floats, Rate, ratio
from evenhand.errors import UsageError
from evenhand.progress import Progress, no_progress
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.reproduce.audit_names import NamesResult, measure_names, mine_texts, read_names, score_all
from evenhand_lab.reproduce.results import Check, check_rows

# The callbacks of the correspondence study of Bertrand and Mullainathan (2004): the published gap, recovered.

FOLDER, FILE = "bertrand-mullainathan", "ResumeNames.csv.gz"
PUBLISHED = (0.0965, 0.0645)  # callbacks of names that sound white, and of those that sound African American
SHUFFLES = 20_000
Row = Mapping[str, str]
SPLITS: dict[str, Row] = {  # the values that rows have to have
    "all": {},
    "resumes of high quality": {"quality": "high"},
    "resumes of low quality": {"quality": "low"},
    "with a gap in the career": {"holes": "yes"},
    "without a gap in the career": {"holes": "no"},
    "women's names": {"gender": "female"},
    "men's names": {"gender": "male"},
}
TRAITS = {"high quality": ("quality", "high"), "gap in the career": ("holes", "yes")}


@dataclass(frozen=True, slots=True)
class CallbackRow:
    """White less African American names; p by shuffling which applications had which."""

    among: str
    white: Rate
    black: Rate
    gap: Estimate
    ratio: Estimate
    p: float

    def __str__(self) -> str:
        return (
            f"{_share(self.white)} against {_share(self.black)}; gap {_points(self.gap)} points; "
            f"ratio {self.ratio.value:.2f} ({self.ratio.low:.2f} to {self.ratio.high:.2f}); {_p_words(self.p)}"
        )


@dataclass(frozen=True, slots=True)
class TraitRow:
    """Callbacks with a trait less those without, whatever the name: does a gap, does quality matter by itself?"""

    trait: str
    having: Rate
    lacking: Rate
    gap: Estimate
    p: float

    def __str__(self) -> str:
        sides = f"{_share(self.having)} against {_share(self.lacking)}"
        return f"{sides}; gap {_points(self.gap)} points; {_p_words(self.p)}"


def _p_words(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _share(rate: Rate) -> str:
    return f"{100 * (rate.value or 0.0):.2f}% ({rate.part} of {rate.whole})"


def _points(gap: Estimate) -> str:
    low, high = 100 * (gap.low or 0.0), 100 * (gap.high or 0.0)
    return f"{100 * (gap.value or 0.0):+.2f} (95% interval {low:+.2f} to {high:+.2f})"


def read_callbacks(data: Path) -> list[Row]:
    path = data / FOLDER / FILE
    if not path.is_file():
        raise UsageError(f"There are no callbacks in {data}: it needs {FOLDER}/{FILE}.")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measure_callbacks(rows: Sequence[Row], *, seed: int = 0) -> tuple[list[CallbackRow], list[TraitRow]]:
    gaps, traits = [], []
    for among, wanted in SPLITS.items():
        some = [row for row in rows if wanted.items() <= row.items()]
        white = _rate(row for row in some if row["ethnicity"] == "cauc")
        black = _rate(row for row in some if row["ethnicity"] == "afam")
        if white.part and black.part:
            gap, p = _compare(white, black, seed)
            gaps.append(CallbackRow(among, white, black, gap, ratio(white, black), p))
    for trait, (column, value) in TRAITS.items():
        having = _rate(row for row in rows if row[column] == value)
        lacking = _rate(row for row in rows if row[column] != value)
        if having.whole and lacking.whole:
            traits.append(TraitRow(trait, having, lacking, *_compare(having, lacking, seed)))
    return gaps, traits


def _rate(rows: Iterator[Row]) -> Rate:
    called = [row["call"] == "1" for row in rows]
    return stats.wilson_rate(sum(called), len(called))


def _compare(first: Rate, second: Rate, seed: int) -> tuple[Estimate, float]:
    """The difference of both rates, and its two-sided p."""
    hits, total = first.part + second.part, first.whole + second.whole
    sizes = (np.array([number]) for number in (hits, total - hits, first.whole))
    drawn = stats.hits_by_chance(*sizes, rng=np.random.default_rng(seed), draws=SHUFFLES)[:, 0]
    seen = abs(first.part / first.whole - second.part / second.whole)
    p = stats.share_at_least(seen, np.abs(drawn / first.whole - (hits - drawn) / second.whole))
    return stats.newcombe_estimate(first, second), p


# Resumes of one substance in 24 wordings (school, gap, years, keywords): what each factor alone does to scores.

VARIANTS_FOLDER = "goodhart-variants"
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
    folder = data / VARIANTS_FOLDER
    try:
        variants = json.loads((folder / "resume_variants.json").read_text(encoding="utf-8"))
        with (folder / "job_descriptions.csv").open(encoding="utf-8", newline="") as file:
            jobs = {row["title"]: f"{row['title']}\n\n{row['description']}" for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"There are no variants of resumes in {data}: it needs a folder {VARIANTS_FOLDER}.") from error
    return variants, jobs


def measure_variants(
    variants: Sequence[Variant], jobs: Mapping[str, str], *, settings: Settings, progress: Progress
) -> list[EffectRow]:
    mined = mine_texts([variant["resume_text"] for variant in variants], settings=settings, progress=progress)
    scores: dict[str, list[Floats]] = {}
    for text in jobs.values():
        for ranker, found in score_all(text, mined, LABEL, settings=settings, progress=progress):
            scores.setdefault(ranker, []).append(found)
    pairs = product(scores.items(), CONTRASTS)
    return [measure_effect(ranker, contrast, variants, tables) for (ranker, tables), contrast in pairs]


def measure_effect(
    ranker: str, contrast: tuple[str, str, str, str], variants: Sequence[Variant], tables: Sequence[Floats]
) -> EffectRow:
    words, factor, having, lacking = contrast
    rest = [name for name in FACTORS if name != factor]
    known = {(row["base_resume_id"], row[factor], *(row[name] for name in rest)): at for at, row in enumerate(variants)}
    by_base: dict[str, list[float]] = {}
    places: list[float] = []
    for table in tables:
        spread = float(table.std()) or 1.0
        ranks = rankdata(-table)  # equal scores share the mean of their places
        for (base, value, *others), at in known.items():
            twin = known.get((base, lacking, *others))  # differs in the factor alone
            if value == having and twin is not None:
                by_base.setdefault(base, []).append((table[at] - table[twin]) / spread)
                places.append(ranks[twin] - ranks[at])
    every = np.array([change for changes in by_base.values() for change in changes])
    means = [float(np.mean(values)) for values in by_base.values()]
    mean = float(np.mean(means))
    effect = Estimate(mean, None, None)
    if len(means) > 1:
        half = float(student.ppf(0.975, len(means) - 1) * np.std(means, ddof=1) / np.sqrt(len(means)))
        effect = Estimate(mean, mean - half, mean + half)
    risen, fallen = int((every > SAME).sum()), int((every < -SAME).sum())
    return EffectRow(ranker, words, effect, float(np.mean(places)), len(every), risen, fallen)


MIN_NAMES = 2  # names of each group, to show that it runs
FOUR_FIFTHS = 0.8


@dataclass(frozen=True, slots=True)
class AuditReproduction(Measurement):
    title: ClassVar[str] = "published bias audits: callbacks by name, names among equals, variants of resumes"
    callbacks: list[CallbackRow]
    traits: list[TraitRow]
    names: NamesResult
    effects: list[EffectRow]
    checks: list[Check]
    seconds: float

    def rows(self) -> list[tuple[str, str]]:
        names = self.names
        return [
            *((f"callbacks, {row.among}: white against African American names", str(row)) for row in self.callbacks),
            *((f"callbacks, {row.trait}: with against without", str(row)) for row in self.traits),
            *((f"first among eight, {row.job}, {row.ranker}", str(row)) for row in names.tops),
            *((f"same resume, other name, {row.job}, {row.ranker}", str(row)) for row in names.pairs),
            (f"{names.names} names, where mining found them", str(names.blanking)),
            *((f"{row.contrast}, {row.ranker}", str(row)) for row in self.effects),
            *check_rows(self.checks, "holds", "does not hold"),
            ("wall time", f"{self.seconds / 60:.1f} min"),
        ]


def run(
    data: Path | None = None,
    *,
    n: int | None = None,
    seed: int = 0,
    small: bool = False,
    progress: Progress = no_progress,
) -> AuditReproduction:
    """`n` names of each of the eight groups, all 100 without; `small` takes two."""
    if data is None:
        raise UsageError("The experiment audit needs --data: the folder of the published audits.")
    started = time.perf_counter()
    settings = Settings()
    callbacks, traits = measure_callbacks(read_callbacks(data), seed=seed)
    variants, jobs = read_variants(data)
    given = read_names(data, n=n or (MIN_NAMES if small else None))
    effects = measure_variants(variants, jobs, settings=settings, progress=progress)
    names = measure_names(given, seed=seed, settings=settings, progress=progress)
    return AuditReproduction(
        callbacks, traits, names, effects, check(callbacks, names, effects), time.perf_counter() - started
    )


def check(callbacks: Sequence[CallbackRow], names: NamesResult, effects: Sequence[EffectRow]) -> list[Check]:
    all_of_them = callbacks[0]
    recovered = all(
        round(100 * (rate.value or 0.0), 2) == round(100 * published, 2)
        for rate, published in zip((all_of_them.white, all_of_them.black), PUBLISHED, strict=True)
    )
    disparities = [row.disparity for row in names.tops if row.disparity is not None]
    moved = [row for row in names.pairs if row.p < 0.05 / max(len(names.pairs), 1)]
    return [
        Check("callbacks of 9.65% and 6.45% are recovered", recovered),
        Check("their gap does not include 0", all_of_them.gap.excludes_zero),
        Check("no ranker or model puts a group first less than four fifths as often as another",
              all(disparity >= FOUR_FIFTHS for disparity in disparities)),
        Check("no group's names move a score (Bonferroni over jobs and rankers)", not moved),
        Check("a gap in the career lowers no score on average",
              not any((row.effect.high or 0.0) < 0 for row in effects if "gap" in row.contrast)),
    ]  # fmt: skip
