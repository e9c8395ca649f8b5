"""`evenhand bench swaps`: what a swap audit finds where the truth is known, and how long one of a whole pool takes.

First judges whose bias was put in, or left out, on edited resumes: how often each is found by its size, and how often
something is found where there is nothing. Then the rankers on generated resumes, every family of edits and placebo,
beside the floor: mining as many resumes and doing nothing with them.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from statistics import fmean
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

from evenhand.audit.statistics import Floats
from evenhand.audit.swaps.comparison import SwapComparison, compare_all
from evenhand.audit.swaps.editing import AuditSubject, read_subjects
from evenhand.audit.swaps.effects import Integers, TrialOutcome, Trials, columns_of
from evenhand.audit.swaps.plan import Family, swap_families
from evenhand.audit.swaps.run import audit_swaps
from evenhand.audit.swaps.scoring import SwapRequest, plan_all
from evenhand.mining.pipeline import mine_with_documents, read_job
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.settings import Settings
from evenhand_lab.benchmarks.kit import Measurement, timed
from evenhand_lab.corpora.generate import generate

RESUMES = 500
RUNS = 40
POWER_RUNS = 10
SIZES = (0.05, 0.1, 0.2, 0.35, 0.5, 1.0)  # logits, where scores vary by 2
PLANTS = (("name_gender", "female"), ("place_rural", "rural"), ("school_type", "elite"), ("career_gap", "gap"))
RANKERS = ("bm25", "tfidf", "kl", "tfidf+skills", "best")
MAX_SECONDS = 600
FLOOR = 200  # resumes mined for the floor
MODELS = {"occupation": 16}  # resumes edited; of networks an explanation alone takes ten seconds


@dataclass(frozen=True, slots=True)
class Power:
    """Share of audits that found a planted bias, by its size in logits."""

    family: str
    group: str
    pairs: int
    found: dict[float, float]

    def row(self) -> tuple[str, str]:
        told = ", ".join(f"{size:g}: {share:.0%}" for size, share in self.found.items())
        return (f"  {self.family}, {self.group}, {self.pairs} pairs", told)


@dataclass(frozen=True, slots=True)
class ModelTime:
    """What a model adds: seconds for each edited resume, mining and explanations included."""

    task: str
    resumes: int
    edited: int
    seconds: float

    def row(self) -> tuple[str, str]:
        per_resume = self.seconds / self.edited
        return (
            f"  the model {self.task}, {self.edited:,} edited resumes",
            f"{per_resume:.2f} s each, so {self.seconds / self.resumes * RESUMES / 60:.0f} min for {RESUMES} resumes",
        )


@dataclass(frozen=True, slots=True)
class Auditing(Measurement):
    title: ClassVar[str] = "swap audits: planted bias found, none invented, and how long a pool takes"
    resumes: int
    silent: int  # audits without bias that found nothing
    runs: int
    power: tuple[Power, ...]
    edited: int
    families: int
    seconds: float
    floor_seconds: float  # mining as many resumes
    findings: tuple[str, ...]
    models: tuple[ModelTime, ...] = ()

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("resumes edited", f"{self.resumes}"),
            ("judges without bias, audits that found nothing", f"{self.silent} of {self.runs} (at least 95%)"),
            ("planted bias found, by size in logits (scores vary by 2)", f"{POWER_RUNS} audits each"),
            *(row.row() for row in self.power),
            (f"all {self.families} families and placebo, {len(RANKERS)} rankers", f"{self.edited:,} edited resumes"),
            ("  took", f"{self.seconds:.0f} s (at most {MAX_SECONDS} for 500 resumes)"),
            ("  mining as many alone (the floor)", f"{self.floor_seconds:.0f} s, {self.ratio:.2f} times as long"),
            ("  found on these rankers", ", ".join(self.findings) or "nothing"),
            *(model.row() for model in self.models),
        ]

    @property
    def ratio(self) -> float:
        return self.seconds / self.floor_seconds if self.floor_seconds else 0.0


def run(*, n: int = RESUMES, seed: int = 1, progress: Progress = no_progress) -> Auditing:
    ad = resources.files("evenhand").joinpath("sample_jobs", "accountant.txt").read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder), n=n, seed=seed, kind="mixed", formats=("txt",), workers=os.cpu_count() or 1)
        files = sorted(str(path) for path in Path(folder, "resumes").rglob("*.txt"))
        settings = Settings(data=str(Path(folder, "data")))
        subjects, _ = read_subjects(files, settings=settings, progress=progress)
        tried = try_edits(subjects, swap_families(), seed=seed)
        silent = [
            not found_groups(audit_injected(tried, seed=number, as_ranker=number % 2 == 0))
            for number in with_progress(range(RUNS), progress, "Judges without bias", RUNS)
        ]
        power = tuple(_power(tried, family, group, progress) for family, group in PLANTS)
        job = read_job(ad, settings)
        request = SwapRequest(rankers=RANKERS)
        audit, seconds = timed(
            lambda: audit_swaps(job, files, request, settings=settings, progress=progress), time.perf_counter
        )
        edited = len(audit.trials.resume)
        some = [subject.document for subject in subjects[:FLOOR]]
        mined, floor = timed(
            lambda: list(mine_with_documents(some, as_of="2026-11", settings=settings)), time.perf_counter
        )
        models = []
        for task, most in MODELS.items():
            request = SwapRequest(rankers=(), models=(task,))
            of_model = audit_swaps(None, files[:most], request, settings=settings, progress=progress)
            models.append(ModelTime(task, len(of_model.planned), len(of_model.trials.resume), of_model.seconds))
    return Auditing(
        resumes=len(subjects),
        silent=sum(silent),
        runs=RUNS,
        power=power,
        edited=edited,
        families=len(audit.trials.families),
        seconds=seconds,
        floor_seconds=floor * edited / len(mined),
        findings=tuple(
            f"{finding.scorer}: {finding.group} ({finding.score.in_units:+.3f} of the spread)"
            for finding in audit.comparisons
            if finding.is_finding
        ),
        models=tuple(models),
    )


def _power(tried: EditTrials, family: str, group: str, progress: Progress) -> Power:
    found: dict[float, float] = {}
    pairs = 0
    for size in with_progress(SIZES, progress, f"Planted: {family}", len(SIZES)):
        audits = [
            audit_injected(tried, seed=1000 + number, plant=InjectedBias(family, group, size))
            for number in range(POWER_RUNS)
        ]
        pairs = next(audit.score.effect.number for audit in audits[0] if (audit.family, audit.group) == (family, group))
        found[size] = fmean((family, group) in found_groups(audit) for audit in audits)
    return Power(family, group, pairs, found)


_WORD = re.compile(r"[^\W_]+")
# Judges whose bias is known, because it was put in: does a swap audit find it, and nothing where there is none.
#
# A judge has a whim about every word that is put in, so that one name does differ from another for no reason; on top
# of that one group may be given a bonus. Forty such judges without a bonus are forty audits that must stay silent.

SPREAD = 2.0  # logits: what scores of such judges vary by from resume to resume

WHIM = 0.3  # logits: from one name of a group to another


@dataclass(frozen=True, slots=True)
class InjectedBias:
    """A bonus in logits for every resume that has a word of the group."""

    family: str
    group: str
    size: float


@dataclass(frozen=True, slots=True, eq=False)
class EditTrials:
    """Every edit of some resumes, and how often each word occurs in them as they are."""

    trials: Trials
    base: csr_matrix  # resumes x words


def try_edits(subjects: Sequence[AuditSubject], families: tuple[Family, ...], *, seed: int) -> EditTrials:
    planned = plan_all(subjects, families, seed=seed)
    rows = [(one.number, variant) for one in planned for variant in one.variants]
    return EditTrials(columns_of(rows, families), _counts([one.subject.text for one in planned]))


def _counts(texts: Sequence[str]) -> csr_matrix:
    known: dict[str, int] = {}
    columns: list[int] = []
    ends = [0]
    for text in texts:
        columns += [known.setdefault(word.lower(), len(known)) for word in _WORD.findall(text)]
        ends.append(len(columns))
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(texts), len(known)))


def audit_injected(
    tried: EditTrials, *, seed: int, plant: InjectedBias | None = None, as_ranker: bool = False
) -> list[SwapComparison]:
    """One audit of one judge by chance, with or without a bonus."""
    rng = np.random.default_rng(seed)
    trials = tried.trials
    raw: Floats = np.log1p(tried.base) @ rng.normal(size=tried.base.shape[1])
    base = SPREAD / float(raw.std() or 1.0) * raw
    score = base[trials.resume] + _whims(trials, rng)
    if plant is not None:
        family = next(number for number, family in enumerate(trials.families) if family.name == plant.family)
        group = [group.name for group in trials.families[family].groups].index(plant.group)
        score = score + plant.size * ((trials.family == family) & (trials.group == group))
    outcome = _ranked(base, score, trials.resume) if as_ranker else _labelled(base, score)
    return compare_all(replace(trials, outcomes=(outcome,)))


def _whims(trials: Trials, rng: np.random.Generator) -> Floats:
    """What the judge makes of each word that is put in: by chance, and on average the same for every group.

    Weights of single words would not do: all community colleges have two words in common, and a judge with a whim
    about these does treat that group differently. Where values are no examples, each resume has its own.
    """
    found: Floats = rng.normal(0, WHIM / 3, len(trials.resume))
    for at, family in enumerate(trials.families):
        for group in range(len(family.groups)):
            rows = (trials.family == at) & (trials.group == group)
            words, places = np.unique(trials.word[rows], return_inverse=True)
            if not family.fixed and len(words):
                own = rng.normal(0, WHIM, len(words))
                found[rows] += (own - own.mean())[places]
    return found


def _labelled(base: Floats, score: Floats) -> TrialOutcome:
    middle = float(np.median(base))
    above, base_above = ((values > middle).astype(np.int64) for values in (score, base))
    return TrialOutcome("model planted", score, above, base, base_above, labels=("no", "yes"))


def _ranked(base: Floats, score: Floats, resume: Integers) -> TrialOutcome:
    everyone = np.sort(base)
    shortlist = max(5, len(base) // 10)

    def ranks(values: Floats, own: Floats) -> Integers:
        better = len(everyone) - np.searchsorted(everyone, values, side="right")
        return (1 + better - (own > values)).astype(np.int64)

    rank, base_rank = ranks(score, base[resume]), ranks(base, base)
    listed, base_listed = ((ranks <= shortlist).astype(np.int64) for ranks in (rank, base_rank))
    return TrialOutcome("ranker planted", score, listed, base, base_listed, rank, base_rank)


def found_groups(comparisons: Sequence[SwapComparison]) -> set[tuple[str, str]]:
    return {(comparison.family, comparison.group) for comparison in comparisons if comparison.is_finding}
