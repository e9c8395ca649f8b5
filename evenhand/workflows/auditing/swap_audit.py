"""Swap audits: this pool and this job with other names, places, schools and careers, for rankers and models."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from evenhand.audit.swaps.comparison import compare_all
from evenhand.audit.swaps.effects import Floats
from evenhand.audit.swaps.stability import rank_bands
from evenhand.audit.swaps.values import Family
from evenhand.errors import UsageError
from evenhand.explain.asking import Asked
from evenhand.models.joined import JoinedJudge
from evenhand.models.judging.network import NetworkJudge
from evenhand.records.job import Job
from evenhand.records.ranking import Unread
from evenhand.records.report import Report
from evenhand.search.criteria import Criteria
from evenhand.search.rankers import SkillDictionary, make_query
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.statistics import PoolStatistics
from evenhand.settings import Settings
from evenhand.workflows.auditing.swap_judges import (
    ModelJudge,
    RankerJudge,
    Reading,
    RememberingSections,
    SwapJudge,
    score_digests,
)
from evenhand.workflows.auditing.swap_pool import MOST, Subject, draw, open_subjects, read_subjects
from evenhand.workflows.auditing.swap_record import SwapAudit, SwapRequest
from evenhand.workflows.auditing.swap_report import swap_report
from evenhand.workflows.auditing.swap_shares import measure_shares
from evenhand.workflows.auditing.swap_trying import plan_all, try_all, work_key
from evenhand.workflows.auditing.swap_values import swap_families
from evenhand.workflows.predicting import open_predictor
from evenhand.workflows.ranking import encoder_of
from evenhand.workflows.reading import PathLike
from evenhand.workflows.service import Service
from evenhand.workflows.watching import Watch, unwatched, watched

SHORTLIST = 0.1  # of the pool, where nobody says how many are invited
FEWEST_ON_LIST = 5


def audit_swaps(
    job: Job | None,
    files: Iterable[PathLike],
    request: SwapRequest | None = None,
    *,
    as_of: str | None = None,
    settings: Settings | None = None,
    watch: Watch = unwatched,
) -> SwapAudit:
    """Of resume files, for a job; without one only models that need none are audited."""
    settings, request = settings or Settings(), request or SwapRequest()
    if job is None and request.rankers:
        raise UsageError("Rankers rank for a job: name its file.")
    families = swap_families(request.families, values=request.values)
    models = _models(request, job, settings)  # what is lacking is said before the work
    encoder = _encoder(request, settings)
    everyone, errors = read_subjects(files, as_of=as_of, settings=settings, watch=watch)
    if not everyone:
        raise UsageError("There is no resume that could be read, so nothing to audit.")
    rankers = list(_rankers_of_files(request, job, everyone, encoder, watch)) if job else []
    setup = _Setup(
        subject=(job.title or "a job without a title") if job else "these resumes",
        families=families,
        judges=(*rankers, *models),
        encoder=encoder,
        pool=len(everyone),
        errors=tuple(errors),
    )
    return _audit(setup, draw(everyone, request.most, request.seed), request, settings, watch)


def audit_job(
    service: Service, job: str, request: SwapRequest | None = None, *, watch: Watch = unwatched
) -> SwapAudit:
    """Of those who applied for a job, with the weights in force and everyone else as they stand."""
    request, settings = request or SwapRequest(), service.settings
    kept = service.store.job(job)
    families = swap_families(request.families, values=request.values)
    models = _models(request, kept.requirements, settings)
    rankers = [_ranker_of_job(service, job, name, request) for name in request.rankers]
    subjects = open_subjects(service.store, job, most=request.most, seed=request.seed, watch=watch)
    if not subjects:
        raise UsageError(
            "Nobody whose resume could be read has applied for this job, so there is nothing to audit."
        )
    setup = _Setup(
        subject=kept.title or job,
        families=families,
        judges=(*rankers, *models),
        encoder=None,
        pool=len(rankers[0].everyone) if rankers else len(subjects),
    )
    return _audit(setup, subjects, request, settings, watch)


def audit_job_swaps(
    service: Service,
    job: str,
    *,
    rankers: Sequence[str] = ("best",),
    families: Sequence[str] | None = None,
    most: int | None = None,
    seed: int = 0,
    watch: Watch = unwatched,
) -> Report:
    """As `audit_job`, for pages and schedules."""
    request = SwapRequest(
        rankers=tuple(rankers),
        families=tuple(families) if families else None,
        most=most or MOST,
        seed=seed,
    )
    return swap_report(audit_job(service, job, request, watch=watch))


@dataclass(frozen=True, slots=True, eq=False)
class _Setup:
    subject: str
    families: tuple[Family, ...]
    judges: tuple[SwapJudge, ...]
    encoder: RememberingSections | None
    pool: int
    errors: tuple[Unread, ...] = field(default=())


def _audit(
    setup: _Setup, subjects: Sequence[Subject], request: SwapRequest, settings: Settings, watch: Watch
) -> SwapAudit:
    started = time.monotonic()
    planned = plan_all(subjects, setup.families, seed=request.seed)
    kept = settings.data_path / "audits" / _key(setup, request)
    trials = try_all(
        planned,
        setup.families,
        setup.judges,
        encoder=setup.encoder,
        kept=kept,
        settings=settings,
        watch=watch,
    )
    shutil.rmtree(kept, ignore_errors=True)  # it is done: nothing is left to go on with
    comparisons = tuple(compare_all(trials))
    shares = measure_shares(
        planned, trials, setup.judges, encoder=setup.encoder, settings=settings, watch=watch
    )
    return SwapAudit(
        setup.subject,
        request,
        tuple(planned),
        trials,
        tuple(replace(each, share=shares.get((each.judge, each.family, each.group))) for each in comparisons),
        {outcome.judge: rank_bands(trials, outcome) for outcome in trials.outcomes if outcome.is_ranker},
        setup.pool,
        shortlist_of(setup.pool, request),
        time.monotonic() - started,
        setup.errors,
    )


def _key(setup: _Setup, request: SwapRequest) -> str:
    """Everything that scores depend on beside the resumes of a block: the same run again finds its blocks."""
    judges = [_judge_told(judge) for judge in setup.judges]
    families = [_told(family) for family in setup.families]
    return work_key(setup.subject, setup.pool, request.seed, judges, families)


def _judge_told(judge: SwapJudge) -> list[Any]:
    if isinstance(judge, RankerJudge):
        return [judge.name, float(np.sum(judge.everyone)), judge.query.text]
    return [judge.name, judge.asked.manifest.version if isinstance(judge, ModelJudge) else ""]


def _told(family: Family) -> list[Any]:
    return [family.name, family.edit, [[group.name, list(group.values)] for group in family.groups]]


def shortlist_of(pool: int, request: SwapRequest) -> int:
    return request.shortlist or max(FEWEST_ON_LIST, round(SHORTLIST * pool))


def _encoder(request: SwapRequest, settings: Settings) -> RememberingSections | None:
    if Semantic.name not in request.rankers:
        return None
    found = encoder_of(Semantic.name, settings)
    return RememberingSections(found) if found else None


def _models(request: SwapRequest, job: Job | None, settings: Settings) -> list[ModelJudge]:
    return [_model(task, job, settings) for task in request.models]


def _model(name: str, job: Job | None, settings: Settings) -> ModelJudge:
    """A task, or a task and a model: "occupation", "occupation:it-roles"."""
    task, _, model = name.partition(":")
    predictor = open_predictor(
        task, model=model or None, job=job if task == "fit" else None, precision="fp32", settings=settings
    )
    if not isinstance(predictor.judge, JoinedJudge | NetworkJudge):
        raise UsageError(f"The model {predictor.manifest.name} is of a kind that is not audited.")
    return ModelJudge(name, Asked(predictor.judge, predictor.job_text))


def _rankers_of_files(
    request: SwapRequest,
    job: Job,
    everyone: Sequence[Subject],
    encoder: RememberingSections | None,
    watch: Watch,
) -> Iterator[RankerJudge]:
    readings = [Reading(subject.text, subject.profile, encoder) for subject in everyone]
    digests = [each.digest for each in watched(readings, watch, "Comparing resumes", len(readings))]
    statistics = PoolStatistics(digests)
    forms = (
        form
        for subject in everyone
        for skill in subject.profile.skills
        for form in (skill.name, *skill.surfaces)
    )
    query = make_query(job, dictionary=SkillDictionary(forms))
    for name in request.rankers:
        ranker = make_ranker(name, encoder=encoder)
        scores: Floats = np.sort(score_digests(ranker, query, statistics, digests))
        yield RankerJudge(ranker, query, statistics, scores, shortlist_of(len(everyone), request))


def _ranker_of_job(service: Service, job: str, name: str, request: SwapRequest) -> RankerJudge:
    criteria = Criteria(job=job, ranker=name)
    with service.turns, service.screener(job, ranker=name) as screener:
        asked = screener.ask(criteria)
        total = screener.snapshot.count(asked.filter.query())
        ordered = screener.order(asked, depth=max(screener.depth, total))
        everyone: Floats = np.sort(np.array(ordered.table.totals(), np.float64))
        statistics = screener.snapshot.statistics
        return RankerJudge(
            screener.ranker, asked.query, statistics, everyone, shortlist_of(len(everyone), request)
        )
