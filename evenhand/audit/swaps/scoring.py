"""Every planned edit made, read anew and judged, block by block; a run that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.statistics import Floats
from evenhand.audit.swaps.comparison import RankBand, SwapComparison
from evenhand.audit.swaps.editing import MAX_SUBJECTS, AuditSubject, apply_edits
from evenhand.audit.swaps.effects import Integers, TrialOutcome, Trials, columns_of
from evenhand.audit.swaps.plan import Family, SwapVariant, plan
from evenhand.documents.reading import in_order
from evenhand.errors import UsageError
from evenhand.explain.attribution import ScoringModel
from evenhand.explain.places import PlacedResume, placed_text
from evenhand.mining.in_process import is_failed, shortened
from evenhand.mining.process_pool import MiningPool
from evenhand.progress import Progress, no_progress
from evenhand.records import canonical_json
from evenhand.records.document import Document
from evenhand.records.job import Job
from evenhand.records.profile import Profile
from evenhand.records.ranking import Unread
from evenhand.search.evidence import complete_for_job
from evenhand.search.feature_extraction import extract_features, with_skills_of
from evenhand.search.features import ResumeFeatures
from evenhand.search.padding import features_for_job, is_padded
from evenhand.search.rankers.base import Query, Ranker
from evenhand.search.rankers.registry import RANKERS
from evenhand.search.rankers.semantic import SectionEncoder, section_vectors
from evenhand.search.statistics import Statistics
from evenhand.settings import Settings
from evenhand.version import __version__

# What is audited: rankers and models, each asked for a score and a label of any reading of a resume.


@dataclass
class ResumeReading:
    """A resume, or one with something changed, as it was read: what judges need of it is made once for all of them."""

    text: str
    profile: Profile
    encoder: SectionEncoder | None = None

    @cached_property
    def features(self) -> ResumeFeatures:
        vectors = section_vectors(self.text, self.profile, self.encoder) if self.encoder else None
        return extract_features(self.text, self.profile, vectors=vectors)

    def features_for(self, job: Job) -> ResumeFeatures:
        """As a list of this job has them."""
        completed = complete_for_job(self.profile, self.text, job)
        if is_padded(job, self.text):
            vectors = section_vectors(self.text, self.profile, self.encoder) if self.encoder else None
            return features_for_job(self.text, completed, job, vectors=vectors)
        return self.features if completed is self.profile else with_skills_of(self.features, completed)

    @cached_property
    def placed(self) -> PlacedResume:
        return placed_text(self.text, self.profile)


@dataclass(frozen=True, slots=True, eq=False)
class SwapScores:
    """A row per reading; `label` is 0 for rankers until ranks are known."""

    score: Floats
    label: Integers


class SwapScorer(Protocol):
    @property
    def name(self) -> str: ...

    def score(self, base: ResumeReading, readings: Sequence[ResumeReading]) -> SwapScores:
        """Readings of one resume, of which `base` is the resume as it is."""

    def outcome(self, scores: SwapScores, base: SwapScores, resumes: Integers) -> TrialOutcome:
        """All rows together; `resumes` are the places of their resumes among those in `base`."""


@dataclass(frozen=True, slots=True, eq=False)
class RankerScorer:
    """A ranker on one job. `everyone` are the scores of all who are ranked; only the edited resume changes."""

    ranker: Ranker
    query: Query
    statistics: Statistics
    everyone: Floats  # in ascending order
    shortlist: int

    @property
    def name(self) -> str:
        return f"ranker {self.ranker.name}"

    def score(self, base: ResumeReading, readings: Sequence[ResumeReading]) -> SwapScores:
        features = [reading.features_for(self.query.job) for reading in readings]
        scores = score_features(self.ranker, self.query, self.statistics, features)
        return SwapScores(scores, np.zeros(len(readings), np.int64))

    def outcome(self, scores: SwapScores, base: SwapScores, resumes: Integers) -> TrialOutcome:
        own = base.score[resumes]
        rank, base_rank = self._ranks(scores.score, own), self._ranks(base.score, base.score)
        on_list, base_on_list = self._listed(rank), self._listed(base_rank)
        return TrialOutcome(self.name, scores.score, on_list, base.score, base_on_list, rank, base_rank)

    def _ranks(self, scores: Floats, own: Floats) -> Integers:
        """1 and how many others are better; equals share a rank. Who is not read at all stands last."""
        better = len(self.everyone) - np.searchsorted(self.everyone, scores, side="right")
        ranks: Integers = (1 + better - (own > scores)).astype(np.int64)
        return np.where(np.isfinite(scores), ranks, len(self.everyone))

    def _listed(self, ranks: Integers) -> Integers:
        return (ranks <= self.shortlist).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class ModelScorer:
    """A model: the score is the logit of the label that it gives the resume as it is."""

    title: str
    model: ScoringModel

    @property
    def name(self) -> str:
        return f"model {self.title}"

    def score(self, base: ResumeReading, readings: Sequence[ResumeReading]) -> SwapScores:
        model = self.model.with_cache_of(base.placed.resume)
        target = int(model.logits([base.placed])[0].argmax())
        logits = model.logits([reading.placed for reading in readings])
        return SwapScores(logits[:, target], logits.argmax(axis=1))

    def outcome(self, scores: SwapScores, base: SwapScores, resumes: Integers) -> TrialOutcome:
        labels = tuple(self.model.manifest.labels)
        return TrialOutcome(self.name, scores.score, scores.label, base.score, base.label, labels=labels)


def score_features(ranker: Ranker, query: Query, statistics: Statistics, features: Sequence[ResumeFeatures]) -> Floats:
    return np.array(ranker.contributions(query, features, statistics).totals(), np.float64)


@dataclass(eq=False)
class CachingSectionEncoder:
    """An encoder that reads no section twice: most edits leave most sections alone. A section that stays the same also
    keeps the very same vector; read beside other texts, its last bits could differ and pass for an effect."""

    inner: SectionEncoder
    known: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        new = list(dict.fromkeys(text for text in texts if text not in self.known))
        if new:
            self.known.update(zip(new, self.inner.encode(new), strict=True))
        return np.array([self.known[text] for text in texts], np.float32)

    def windows(self, text: str, /) -> list[tuple[int, int]]:
        return self.inner.windows(text)


BLOCK = 8  # resumes; what a run that is stopped loses at most


@dataclass(frozen=True, slots=True)
class SwapPlan:
    """A resume with all that is to be tried with it."""

    number: int
    subject: AuditSubject
    variants: tuple[SwapVariant, ...]


def plan_all(subjects: Sequence[AuditSubject], families: Sequence[Family], *, seed: int) -> list[SwapPlan]:
    return [
        SwapPlan(number, subject, tuple(plan(subject.marked(), families, number=number, seed=seed)))
        for number, subject in enumerate(subjects)
    ]


def try_all(
    planned: Sequence[SwapPlan],
    families: tuple[Family, ...],
    scorers: Sequence[SwapScorer],
    *,
    encoder: SectionEncoder | None = None,
    kept: Path | None = None,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> Trials:
    """`kept` is a folder for what is done already; the same pool, families and judges find it again there."""
    settings = settings or Settings()
    blocks = [planned[start : start + BLOCK] for start in range(0, len(planned), BLOCK)]
    files = [_file(kept, block, scorers) for block in blocks]
    done = [_load(file, block, scorers) for file, block in zip(files, blocks, strict=True)]
    missing = [one for block, scores in zip(blocks, done, strict=True) if scores is None for one in block]
    total = sum(len(one.variants) for one in planned)
    with progress("Trying edits", total) as bar, MiningPool(settings) as miners:
        profiles = read_variants(missing, miners, settings)
        for at, block in enumerate(blocks):
            if done[at] is None:
                done[at] = _score_block(block, scorers, profiles, encoder)
                _save(files[at], done[at])
            for _ in range(sum(len(one.variants) for one in block)):
                bar.advance()
    trials = columns_of([(plan.number, variant) for plan in planned for variant in plan.variants], families)
    place: Integers = np.array([at for at, plan in enumerate(planned) for _ in plan.variants], np.int64)
    outcomes = []
    for number, scorer in enumerate(scorers):
        parts = [block[number] for block in done if block is not None]
        base, tried = (_joined([part[side] for part in parts]) for side in (0, 1))
        outcomes.append(scorer.outcome(tried, base, place))
    return replace(trials, outcomes=tuple(outcomes))


def read_variants(
    planned: Sequence[SwapPlan], miners: MiningPool, settings: Settings
) -> Iterator[tuple[Document, Profile]]:
    """In the order of the plan, on all processors; an edited text is mined as if it had come that way."""

    def read(item: tuple[AuditSubject, SwapVariant]) -> tuple[Document, Profile]:
        subject, variant = item
        if not variant.edits:
            return subject.document, subject.profile
        document = apply_edits(subject.document, variant.edits).document
        part, _ = shortened(document, settings.mined_characters)
        return document, miners.mine(part, as_of=subject.profile.as_of)

    items = ((one.subject, variant) for one in planned for variant in one.variants)
    return in_order(read, items, threads=settings.workers or os.cpu_count() or 1)


Block = list[tuple[SwapScores, SwapScores]]
"""For each judge: of the resumes of a block as they are, and of all that was tried with them."""


def _score_block(
    block: Sequence[SwapPlan],
    scorers: Sequence[SwapScorer],
    profiles: Iterator[tuple[Document, Profile]],
    encoder: SectionEncoder | None,
) -> Block:
    by_scorer: list[list[tuple[SwapScores, SwapScores]]] = [[] for _ in scorers]
    for one in block:
        base = ResumeReading(one.subject.text, one.subject.profile, encoder)
        read = list(islice(profiles, len(one.variants)))
        readings = [ResumeReading(document.text, profile, encoder) for document, profile in read]
        lost = np.array([is_failed(profile) for _, profile in read], bool)
        for rows, scorer in zip(by_scorer, scorers, strict=True):
            tried = scorer.score(base, readings)
            rows.append((scorer.score(base, [base]), replace(tried, score=np.where(lost, np.nan, tried.score))))
    return [(_joined([base for base, _ in rows]), _joined([tried for _, tried in rows])) for rows in by_scorer]


def _joined(parts: Sequence[SwapScores]) -> SwapScores:
    return SwapScores(np.concatenate([part.score for part in parts]), np.concatenate([part.label for part in parts]))


def work_key(*parts: Any) -> str:
    """Names the folder of a run: another pool, job, seed or version is another run."""
    return hashlib.sha256(canonical_json([__version__, *parts]).encode()).hexdigest()[:24]


def _file(kept: Path | None, block: Sequence[SwapPlan], scorers: Sequence[SwapScorer]) -> Path | None:
    if kept is None:
        return None
    tried = [
        [one.subject.document.sha256, one.subject.profile.as_of, [variant.value for variant in one.variants]]
        for one in block
    ]
    return kept / f"{work_key(tried, [scorer.name for scorer in scorers])}.npz"


def _load(file: Path | None, block: Sequence[SwapPlan], scorers: Sequence[SwapScorer]) -> Block | None:
    """None for what is not there, or is not whole: then it is done again."""
    if file is None or not file.exists():
        return None
    rows = sum(len(one.variants) for one in block)
    try:
        with np.load(file, allow_pickle=False) as kept:
            loaded = [
                tuple(SwapScores(kept[f"{kind}_score_{at}"], kept[f"{kind}_label_{at}"]) for kind in ("base", "tried"))
                for at in range(len(scorers))
            ]
    except (OSError, KeyError, ValueError, BadZipFile):
        return None
    is_whole = all(len(base.score) == len(block) and len(tried.score) == rows for base, tried in loaded)
    return [(base, tried) for base, tried in loaded] if is_whole else None


def _save(file: Path | None, block: Block | None) -> None:
    if file is None or block is None:
        return
    arrays = {
        f"{kind}_{column}_{at}": getattr(scores, column)
        for at, both in enumerate(block)
        for kind, scores in zip(("base", "tried"), both, strict=True)
        for column in ("score", "label")
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(f".{os.getpid()}.tmp.npz")
    np.savez(unfinished, **arrays)
    unfinished.replace(file)  # at once: a run that is killed leaves a whole block or none


# What a swap audit was asked and what it found, before it is put into words.


@dataclass(frozen=True, slots=True)
class SwapRequest:
    """What is to be audited, and how. Without rankers and models it is the ranker best."""

    rankers: tuple[str, ...] = ("best",)
    models: tuple[str, ...] = ()  # tasks: occupation, level, fit
    families: tuple[str, ...] | None = None  # all
    most: int | None = MAX_SUBJECTS  # resumes that are edited
    shortlist: int | None = None
    seed: int = 0
    values: Path | None = None

    def __post_init__(self) -> None:
        unknown = [ranker for ranker in self.rankers if ranker not in RANKERS]
        if unknown:
            raise UsageError(f"There is no ranker {unknown[0]!r}; there are {', '.join(RANKERS)}.")
        if not self.rankers and not self.models:
            raise UsageError("Name a ranker or a model to audit.")
        for name, number in (("resumes", self.most), ("places on the shortlist", self.shortlist)):
            if number is not None and number < 1:
                raise UsageError(f"The number of {name} must be at least 1.")


@dataclass(frozen=True, slots=True, eq=False)
class SwapAudit:
    """All that was tried and found. `planned` holds the resumes, to show pairs with their texts."""

    subject: str
    request: SwapRequest
    planned: tuple[SwapPlan, ...]
    trials: Trials
    comparisons: tuple[SwapComparison, ...]
    bands: dict[str, list[RankBand]]  # by ranker
    pool: int  # who is ranked
    shortlist: int
    seconds: float
    errors: tuple[Unread, ...] = ()
