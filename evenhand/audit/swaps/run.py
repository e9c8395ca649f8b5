"""Swap audits: this pool and this job with other names, places, schools and careers, for rankers and models."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from evenhand.audit.statistics import Floats
from evenhand.audit.swaps.comparison import Share, compare_all, rank_bands
from evenhand.audit.swaps.editing import (
    AuditSubject,
    EditedDocument,
    Place,
    apply_edits,
    draw,
    open_subjects,
    read_subjects,
)
from evenhand.audit.swaps.effects import Trials
from evenhand.audit.swaps.plan import Family, SwapVariant, swap_families
from evenhand.audit.swaps.scoring import (
    CachingSectionEncoder,
    ModelScorer,
    RankerScorer,
    ResumeReading,
    SwapAudit,
    SwapPlan,
    SwapRequest,
    SwapScorer,
    plan_all,
    score_features,
    try_all,
    work_key,
)
from evenhand.documents.reading import PathLike, in_order
from evenhand.errors import NothingToExplain, UsageError
from evenhand.explain.attribution import ScoringModel
from evenhand.explain.run import Explainer, open_explainer
from evenhand.mining.in_process import shortened
from evenhand.mining.process_pool import MiningPool
from evenhand.models.inference.network import NetworkClassifier
from evenhand.models.linear.storing import LinearClassifier
from evenhand.models.predict import open_predictor
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.document import Document
from evenhand.records.job import Job
from evenhand.records.ranking import Unread
from evenhand.search.criteria import Criteria
from evenhand.search.rankers.base import SkillDictionary, make_query
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.rankers.semantic import SectionEncoder, Semantic
from evenhand.search.ranking import encoder_of
from evenhand.search.service import Service
from evenhand.search.statistics import BlendedStatistics, PoolStatistics
from evenhand.settings import Settings

SHORTLIST = 0.1  # of the pool, where nobody says how many are invited
MIN_LISTED = 5


def audit_swaps(
    job: Job | None,
    files: Iterable[PathLike],
    request: SwapRequest | None = None,
    *,
    as_of: str | None = None,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> SwapAudit:
    """Of resume files, for a job; without one only models that need none are audited."""
    settings, request = settings or Settings(), request or SwapRequest()
    if job is None and request.rankers:
        raise UsageError("Rankers rank for a job: name its file.")
    families = swap_families(request.families, values=request.values)
    models = [_model(task, job, settings) for task in request.models]  # what is lacking is said before the work
    encoder = _encoder(request, settings)
    everyone, errors = read_subjects(files, as_of=as_of, settings=settings, progress=progress)
    if not everyone:
        raise UsageError("There is no resume that could be read, so nothing to audit.")
    rankers = list(_rankers_of_files(request, job, everyone, encoder, progress)) if job else []
    subject = (job.title or "a job without a title") if job else "these resumes"
    scorers: tuple[SwapScorer, ...] = (*rankers, *models)
    chosen = draw(everyone, request.most, request.seed)
    return _audit(
        subject, len(everyone), chosen, families, scorers, request, settings, progress, encoder=encoder, errors=errors
    )


def audit_job(
    service: Service, job: str, request: SwapRequest | None = None, *, progress: Progress = no_progress
) -> SwapAudit:
    """Of those who applied for a job, with the weights in force and everyone else as they stand."""
    request, settings = request or SwapRequest(), service.settings
    stored = service.store.jobs.get(job)
    families = swap_families(request.families, values=request.values)
    models = [_model(task, stored.requirements, settings) for task in request.models]
    rankers = [_ranker_of_job(service, job, name, request) for name in request.rankers]
    subjects = open_subjects(service.store, job, most=request.most, seed=request.seed, progress=progress)
    if not subjects:
        raise UsageError("Nobody whose resume could be read has applied for this job, so there is nothing to audit.")
    pool = len(rankers[0].everyone) if rankers else len(subjects)
    return _audit(stored.title or job, pool, subjects, families, (*rankers, *models), request, settings, progress)


def _audit(
    subject: str,
    pool: int,
    subjects: Sequence[AuditSubject],
    families: tuple[Family, ...],
    scorers: tuple[SwapScorer, ...],
    request: SwapRequest,
    settings: Settings,
    progress: Progress,
    *,
    encoder: CachingSectionEncoder | None = None,
    errors: Sequence[Unread] = (),
) -> SwapAudit:
    started = time.monotonic()
    planned = plan_all(subjects, families, seed=request.seed)
    # Everything that scores depend on beside the resumes of a block: the same run again finds its blocks.
    scorer_keys = [
        [scorer.name, float(np.sum(scorer.everyone)), scorer.query.text]
        if isinstance(scorer, RankerScorer)
        else [scorer.name, scorer.model.manifest.version if isinstance(scorer, ModelScorer) else ""]
        for scorer in scorers
    ]
    family_keys = [
        [family.name, family.edit, [[group.name, list(group.values)] for group in family.groups]] for family in families
    ]
    key = work_key(subject, pool, request.seed, scorer_keys, family_keys)
    blocks = settings.data_path / "audits" / key
    trials = try_all(planned, families, scorers, encoder=encoder, kept=blocks, settings=settings, progress=progress)
    shutil.rmtree(blocks, ignore_errors=True)  # it is done: nothing is left to go on with
    comparisons = tuple(compare_all(trials))
    shares = measure_shares(planned, trials, scorers, encoder=encoder, settings=settings, progress=progress)
    return SwapAudit(
        subject,
        request,
        tuple(planned),
        trials,
        tuple(
            replace(comparison, share=shares.get((comparison.scorer, comparison.family, comparison.group)))
            for comparison in comparisons
        ),
        {outcome.scorer: rank_bands(trials, outcome) for outcome in trials.outcomes if outcome.is_ranker},
        pool,
        shortlist_of(pool, request),
        time.monotonic() - started,
        tuple(errors),
    )


def shortlist_of(pool: int, request: SwapRequest) -> int:
    return request.shortlist or max(MIN_LISTED, round(SHORTLIST * pool))


def _encoder(request: SwapRequest, settings: Settings) -> CachingSectionEncoder | None:
    if Semantic.name not in request.rankers:
        return None
    encoder = encoder_of(Semantic.name, settings)
    return CachingSectionEncoder(encoder) if encoder else None


def _model(name: str, job: Job | None, settings: Settings) -> ModelScorer:
    """A task, or a task and a model: "occupation", "occupation:it-roles"."""
    task, _, model = name.partition(":")
    predictor = open_predictor(
        task, model=model or None, job=job if task == "fit" else None, precision="fp32", settings=settings
    )
    if not isinstance(predictor.classifier, LinearClassifier | NetworkClassifier):
        raise UsageError(f"The model {predictor.manifest.name} is of a kind that is not audited.")
    return ModelScorer(name, ScoringModel(predictor.classifier, predictor.job_text))


def _rankers_of_files(
    request: SwapRequest,
    job: Job,
    everyone: Sequence[AuditSubject],
    encoder: CachingSectionEncoder | None,
    progress: Progress,
) -> Iterator[RankerScorer]:
    readings = [ResumeReading(subject.text, subject.profile, encoder) for subject in everyone]
    label = "Comparing resumes"
    features = [reading.features_for(job) for reading in with_progress(readings, progress, label, len(readings))]
    statistics = BlendedStatistics(PoolStatistics(features))
    forms = (form for subject in everyone for skill in subject.profile.skills for form in (skill.name, *skill.surfaces))
    query = make_query(job, dictionary=SkillDictionary(forms))
    for name in request.rankers:
        ranker = make_ranker(name, encoder=encoder)
        scores: Floats = np.sort(score_features(ranker, query, statistics, features))
        yield RankerScorer(ranker, query, statistics, scores, shortlist_of(len(everyone), request))


def _ranker_of_job(service: Service, job: str, name: str, request: SwapRequest) -> RankerScorer:
    criteria = Criteria(job=job, ranker=name)
    with service.turns, service.screener(job, ranker=name) as screener:
        asked = screener.ask(criteria)
        total = screener.snapshot.count(asked.filter.query())
        ordered = screener.order(asked, depth=max(screener.depth, total))
        everyone: Floats = np.sort(np.array(ordered.table.totals(), np.float64))
        statistics = screener.snapshot.statistics
        return RankerScorer(screener.ranker, asked.query, statistics, everyone, shortlist_of(len(everyone), request))


# How much of a score lies on the words that were put in, beside how many of all words they are. For a ranker: how much
# of its score goes when these words are blanked. For a model: their share of an explanation.

LOOKED_AT = 6  # resumes for each group
LOOKED_AT_BY_NETWORKS = 2  # whose explanations take seconds each

SHARES = ("attribution", "tokens", "signed")

Key = tuple[str, str, str]  # scorer, family, group


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """One edited resume, read with the new words and, for rankers, with blanks in their place."""

    variant: SwapVariant
    edited: EditedDocument
    reading: ResumeReading
    without: ResumeReading | None

    @property
    def token_share(self) -> float:
        """Share of all words that are new."""
        text = self.edited.document.text
        return sum(len(text[start:end].split()) for start, end in self.edited.places) / max(len(text.split()), 1)


def measure_shares(
    planned: Sequence[SwapPlan],
    trials: Trials,
    scorers: Sequence[SwapScorer],
    *,
    encoder: SectionEncoder | None = None,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> dict[Key, Share]:
    settings = settings or Settings()
    chosen = list(_chosen(planned, trials))
    needs_blank = any(isinstance(scorer, RankerScorer) for scorer in scorers)
    shares: dict[Key, list[Share]] = defaultdict(list)
    seen: Counter[Key] = Counter()
    explainers = {}
    for scorer in scorers:
        if isinstance(scorer, ModelScorer):
            task, _, model = scorer.title.partition(":")
            explainer = open_explainer(task, model=model or None, job=scorer.model.job_text, settings=settings)
            explainers[scorer.name] = explainer
    with MiningPool(settings) as miners:
        reader = _Reader(miners, encoder, settings, needs_blank)
        cases = in_order(reader.read, chosen, threads=settings.workers or os.cpu_count() or 1)
        for case in with_progress(cases, progress, "Weighing words", len(chosen)):
            for scorer in scorers:
                key = (scorer.name, case.variant.family, case.variant.group)
                is_network = isinstance(scorer, ModelScorer) and isinstance(scorer.model.classifier, NetworkClassifier)
                if seen[key] < (LOOKED_AT_BY_NETWORKS if is_network else LOOKED_AT):
                    seen[key] += 1
                    if scorer.name in explainers:
                        shares[key] += _explained(case, explainers[scorer.name])
                    elif isinstance(scorer, RankerScorer) and case.without is not None:
                        full, rest = scorer.score(case.reading, [case.reading, case.without]).score.tolist()
                        change = (full - rest) / abs(full) if full else 0.0
                        shares[key] += [Share(1, abs(change), case.token_share, change)] if full else []
    return {
        key: Share(len(some), *(fmean(getattr(share, name) for share in some) for name in SHARES))
        for key, some in shares.items()
        if some
    }


def _chosen(planned: Sequence[SwapPlan], trials: Trials) -> Iterator[tuple[AuditSubject, SwapVariant]]:
    """Of every group that is compared with a reference, the first resumes that have it."""
    taken: Counter[tuple[str, str]] = Counter()
    compared = {(family.name, group.name) for family in trials.families for group in family.others}
    for one in planned:
        for variant in one.variants:
            key = (variant.family, variant.group)
            if key in compared and taken[key] < LOOKED_AT:
                taken[key] += 1
                yield one.subject, variant


@dataclass(frozen=True, slots=True, eq=False)
class _Reader:
    miners: MiningPool
    encoder: SectionEncoder | None
    settings: Settings
    needs_blank: bool

    def read(self, chosen: tuple[AuditSubject, SwapVariant]) -> _Case:
        subject, variant = chosen
        edited = apply_edits(subject.document, variant.edits)
        without = blanked(edited.document, edited.places) if self.needs_blank else None
        return _Case(
            variant,
            edited,
            self._reading(edited.document, subject.profile.as_of),
            self._reading(without, subject.profile.as_of) if without else None,
        )

    def _reading(self, document: Document, as_of: str) -> ResumeReading:
        part, _ = shortened(document, self.settings.mined_characters)
        return ResumeReading(document.text, self.miners.mine(part, as_of=as_of), self.encoder)


def _explained(case: _Case, explainer: Explainer) -> list[Share]:
    document = case.edited.document
    try:
        explained = explainer.explain(document, case.reading.profile, faithful=False, changes=False)
    except NothingToExplain:
        return []
    words = explained[0].explanation.words
    total = sum(abs(word.score) for word in words)
    places = case.edited.places
    own = [word.score for word in words if any(start < word.end and word.start < end for start, end in places)]
    return [Share(1, sum(map(abs, own)) / total, case.token_share, sum(own) / total)] if total else []


def blanked(document: Document, places: Sequence[Place]) -> Document:
    characters = list(document.text)
    for start, end in places:
        characters[start:end] = ["\n" if character == "\n" else " " for character in characters[start:end]]
    return replace(document, text="".join(characters))
