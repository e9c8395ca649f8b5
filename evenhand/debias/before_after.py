"""A concept removed from an occupation model and from the semantic ranker, and both audited before and after.

Less leak is not a fairer outcome: what can be read from the rows, what a swap of words does, and how groups fare are
measured side by side on the same resumes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from evenhand.audit.statistics import Floats
from evenhand.audit.swaps.comparison import SwapComparison, compare_all
from evenhand.audit.swaps.editing import AuditSubject, draw, read_subjects
from evenhand.audit.swaps.effects import Integers, TrialOutcome
from evenhand.audit.swaps.plan import swap_families
from evenhand.audit.swaps.scoring import (
    CachingSectionEncoder,
    RankerScorer,
    ResumeReading,
    SwapScorer,
    SwapScores,
    plan_all,
    score_features,
    try_all,
)
from evenhand.debias.fitting import FittedRemoval, FittingPlan, fit_removal
from evenhand.debias.heads import Head
from evenhand.debias.probes import tpr_gap
from evenhand.debias.run import open_encoder, retrain_head, source_of
from evenhand.debias.samples import make_samples, variable
from evenhand.debias.scoring import RemovalScore, final_bench, measure
from evenhand.errors import UsageError
from evenhand.explain.attribution import centred
from evenhand.models.concept_removal import LinearMap, debias_encoder, identity
from evenhand.plugins import generated_resumes
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.conversion import JsonRecord
from evenhand.records.job import Job
from evenhand.search.rankers.base import SkillDictionary, make_query
from evenhand.search.rankers.semantic import SectionEncoder, Semantic
from evenhand.search.statistics import PoolStatistics
from evenhand.settings import Settings

FAMILIES = {"gender": ("name_gender", "gender_words"), "origin": ("name_origin",)}
"""Which words tell of a variable."""
MIN_CLASS_SIZE = 12  # resumes of an occupation that is learned
MAX_EDITED = 120
SHORTLIST = 0.1
PLAIN, ERASED = "as it is", "without"


@dataclass(frozen=True, slots=True)
class GroupOutcome(JsonRecord):
    """How groups fare under one judge: a gap in true positive rates, or the impact ratio of a shortlist."""

    scorer: str = field(metadata={"json": "judge"})
    figure: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True, eq=False)
class BeforeAfter:
    sensitive: str
    fitted: FittedRemoval
    scores: tuple[RemovalScore, RemovalScore]
    comparisons: tuple[SwapComparison, ...]  # of judges named before, then of the same after
    outcomes: tuple[GroupOutcome, ...]
    resumes: int
    edited: int


@dataclass(frozen=True, slots=True, eq=False)
class HeadScorer:
    """An occupation model on rows of the sentence encoder: one hidden layer, learned on what `change` leaves."""

    title: str
    head: Head
    change: LinearMap
    encoder: SectionEncoder
    labels: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"model {self.title}"

    def score(self, base: ResumeReading, readings: Sequence[ResumeReading]) -> SwapScores:
        target = int(self._logits([base])[0].argmax())
        logits = self._logits(readings)
        return SwapScores(logits[:, target], logits.argmax(axis=1))

    def _logits(self, readings: Sequence[ResumeReading]) -> Floats:
        rows = np.array([row_of(reading.text, self.encoder) for reading in readings])
        return centred(self.head.logits(self.change.apply(rows)).astype(np.float64))

    def outcome(self, scores: SwapScores, base: SwapScores, resumes: Integers) -> TrialOutcome:
        return TrialOutcome(self.name, scores.score, scores.label, base.score, base.label, labels=self.labels)


@dataclass(frozen=True, slots=True, eq=False)
class ReencodingScorer:
    """A ranker on vectors of its own: what others read of a resume, it reads with its own encoder."""

    inner: RankerScorer
    encoder: SectionEncoder
    title: str

    @property
    def name(self) -> str:
        return f"ranker {self.title}"

    def score(self, base: ResumeReading, readings: Sequence[ResumeReading]) -> SwapScores:
        own = [ResumeReading(reading.text, reading.profile, self.encoder) for reading in readings]
        return self.inner.score(base, own)

    def outcome(self, scores: SwapScores, base: SwapScores, resumes: Integers) -> TrialOutcome:
        return replace(self.inner.outcome(scores, base, resumes), scorer=self.name)


def row_of(text: str, encoder: SectionEncoder) -> Floats:
    """The mean of a text's windows, of length 1: all of the text, who somebody is included."""
    parts = [text[start:end] for start, end in encoder.windows(text) if text[start:end].strip()]
    mean = np.asarray(encoder.encode(parts), np.float64).mean(axis=0)
    return np.asarray(mean / (np.linalg.norm(mean) or 1.0), np.float64)


def audit_removal(
    folder: Path,
    job: Job,
    *,
    sensitive: str = "gender",
    most: int = MAX_EDITED,
    plan: FittingPlan | None = None,
    seed: int = 0,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> BeforeAfter:
    """`folder` is a generated corpus, which has the truth about occupations and groups."""
    if sensitive not in FAMILIES:
        raise UsageError(f"There are no words to swap for {sensitive!r}; there are for {', '.join(FAMILIES)}.")
    settings = settings or Settings()
    encoder = open_encoder(settings)
    caching = CachingSectionEncoder(encoder)
    known = read_corpus_truth(folder, sensitive, settings, progress)
    subjects = with_progress(known.subjects, progress, "Encoding", len(known.subjects))
    rows = np.array([row_of(subject.text, caching) for subject in subjects])
    samples = make_samples(rows, variable("occupation", known.occupations), [variable(sensitive, known.groups)])
    plan = plan or FittingPlan(seed=seed)
    with progress("Removing", 1):
        fitted = fit_removal(samples, plan, source=source_of(encoder))
    erased = CachingSectionEncoder(debias_encoder(encoder, fitted.removal))
    change, labels = fitted.removal.change, fitted.divided.train.task.classes
    heads = (
        HeadScorer("occupation", fitted.heads.task, identity(change.dimension), caching, labels),
        HeadScorer(f"occupation {ERASED}", retrain_head(fitted, seed=seed), change, caching, labels),
    )
    rankers, ratios = _rankers(job, known, caching, erased)
    unseen = [known.subjects[place] for place in fitted.parts.test.tolist()]  # nothing was fitted on them
    planned = plan_all(draw(unseen, most, seed), swap_families(FAMILIES[sensitive]), seed=seed)
    scorers: list[SwapScorer] = [*heads, *rankers]
    trials = try_all(
        planned, swap_families(FAMILIES[sensitive]), scorers, encoder=caching, settings=settings, progress=progress
    )
    bench, test = final_bench(fitted.divided), fitted.divided.test
    scores = (
        measure(PLAIN, identity(rows.shape[1]), bench, plan.probing)[0],
        measure(ERASED, change, bench, plan.probing)[0],
    )
    guesses = [head.head.predict(head.change.apply(test.rows)) for head in heads]
    gaps = [tpr_gap(guess, test.task, test.sensitive[0]) for guess in guesses]
    outcomes = (
        GroupOutcome("model occupation", "gap in true positive rates", *gaps),
        GroupOutcome("ranker semantic", "lowest impact ratio on the shortlist", *ratios),
    )
    comparisons = tuple(compare_all(trials))
    return BeforeAfter(sensitive, fitted, scores, comparisons, outcomes, len(known.subjects), len(planned))


@dataclass(frozen=True, slots=True)
class CorpusTruth:
    """Resumes of a generated corpus beside the truth about them."""

    subjects: tuple[AuditSubject, ...]
    occupations: tuple[str, ...]
    groups: tuple[str, ...]


def read_corpus_truth(
    folder: Path, sensitive: str, settings: Settings, progress: Progress = no_progress
) -> CorpusTruth:
    """Of occupations with enough resumes to be learned."""
    corpus = generated_resumes().occupation_rows(folder)
    paths = {str(row.file): row for row in corpus.rows}
    subjects, _ = read_subjects(paths, as_of=corpus.as_of, settings=settings, progress=progress)
    rows = [paths[subject.key] for subject in subjects]
    occupations = [row.label or "" for row in rows]
    enough = {name for name, count in Counter(occupations).items() if count >= MIN_CLASS_SIZE}
    places = [at for at, name in enumerate(occupations) if name in enough]
    if len(enough) < 2:
        raise UsageError(f"{folder} has too few resumes of each occupation; make a larger corpus.")
    return CorpusTruth(
        tuple(subjects[at] for at in places),
        tuple(occupations[at] for at in places),
        tuple(rows[at].groups[sensitive] for at in places),
    )


def _rankers(
    job: Job, known: CorpusTruth, plain: SectionEncoder, erased: SectionEncoder
) -> tuple[list[ReencodingScorer], list[float | None]]:
    """The semantic ranker as it is and without the concept; the lowest impact ratio of any group on each shortlist."""
    skills = (skill for subject in known.subjects for skill in subject.profile.skills)
    query = make_query(
        job, dictionary=SkillDictionary(form for skill in skills for form in (skill.name, *skill.surfaces))
    )
    shortlist = max(5, round(SHORTLIST * len(known.subjects)))
    scorers: list[ReencodingScorer] = []
    ratios: list[float | None] = []
    groups = np.array(known.groups)
    for title, encoder in ((Semantic.name, plain), (f"{Semantic.name} {ERASED}", erased)):
        features = [ResumeReading(subject.text, subject.profile, encoder).features for subject in known.subjects]
        statistics, ranker = PoolStatistics(features), Semantic(encoder)
        scores = score_features(ranker, query, statistics, features)
        inner = RankerScorer(ranker, query, statistics, np.sort(scores), shortlist)
        scorers.append(ReencodingScorer(inner, encoder, title))
        selected = groups[np.argsort(-scores, kind="stable")[:shortlist]]
        rates = [float(np.mean(selected == name) / np.mean(groups == name)) for name in np.unique(groups)]
        ratios.append(min(rates) / max(rates) if max(rates) else None)
    return scorers, ratios
