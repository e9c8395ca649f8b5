"""A job's applications as a sample to measure: what people decided, what the ranker gave, what applicants said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from evenhand.audit.outcomes.eeo import RACE, SEX
from evenhand.audit.outcomes.sample import Sample
from evenhand.errors import UsageError
from evenhand.search.index.schema import BANDS, band
from evenhand.store import Application, Decision
from evenhand.store.self_identifications import SelfIdentifications
from evenhand.store.statuses import NEW, OFFERED, SCREENED, SHORTLISTED, UNDO
from evenhand.workflows.service import Service
from evenhand.workflows.watching import Watch, unwatched
from evenhand.workflows.whole_list import WholeList

SELECTED = (SHORTLISTED, OFFERED)
UNDECIDED = (NEW, SCREENED)
CHOSEN = "were shortlisted or offered the job"
BAND_ORDER = tuple(f"{name} years" for name, _, _ in BANDS)


@dataclass(frozen=True, slots=True)
class JobSample:
    sample: Sample
    jobs: tuple[str, ...]
    titles: tuple[str, ...]
    undecided: int
    ranker: str | None  # which order the scores are of
    first: date | None  # when the first and the last application came
    last: date | None


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Of one job, by application: the score and the months of experience."""

    ranker: str
    scores: Mapping[str, float]
    months: Mapping[str, int | None]


def job_sample(
    service: Service, job: str | None, *, variables: Sequence[str] | None = None, watch: Watch = unwatched
) -> JobSample:
    """Of one job, or of all jobs together. Raises UsageError where nobody was asked, or not for these variables."""
    store = service.store
    kept = [store.job(job)] if job else store.jobs(closed=True)
    said = SelfIdentifications.of(store).read(job)
    names = _variables({name for each in said.values() for name in each.groups}, variables)
    applications: list[Application] = []
    scores: list[float] = []
    bands: list[str | None] = []
    ranker: str | None = None
    with watch("Ranking", len(kept)) as bar:
        for each in kept:
            own = sorted(store.applications_of(each.id), key=lambda application: application.id)
            ranked = _ranked(service, each.id) if own else None
            ranker = ranked.ranker if ranked else ranker
            applications += own
            scores += _scores(own, ranked, as_shares=job is None)
            bands += [_band(ranked, application.id) for application in own]
            bar.advance()
    selected = _selected(store.histories([each.id for each in applications]), applications)
    groups = {
        name: [said[each.id].groups.get(name) if each.id in said else None for each in applications]
        for name in names
    }
    days = [each.received.date() for each in applications]
    sample = Sample(
        groups,
        selected=np.array(selected, dtype=np.bool_),
        chosen=CHOSEN,
        scores=np.array(scores, dtype=np.float64),
        bands=bands,
        band_name="experience",
        band_order=BAND_ORDER,
        days=days,
    )
    titles = tuple(each.title or each.id for each in kept)
    undecided = sum(
        each.status in UNDECIDED and not is_in for each, is_in in zip(applications, selected, strict=True)
    )
    first, last = (min(days), max(days)) if days else (None, None)
    return JobSample(sample, tuple(each.id for each in kept), titles, undecided, ranker, first, last)


def _variables(known: set[str], wanted: Sequence[str] | None) -> list[str]:
    """Sex and race before all others, and with nothing asked for those two alone where they are known."""
    if not known:
        raise UsageError(
            "Nobody's group is known: import what applicants said of themselves with `evenhand audit groups import`."
        )
    if wanted:
        for name in wanted:
            if name not in known:
                raise UsageError(f"There is no variable {name!r}; there are {', '.join(sorted(known))}.")
        return list(dict.fromkeys(wanted))
    usual = [name for name in (SEX, RACE) if name in known]
    return usual or sorted(known)


def _ranked(service: Service, job: str) -> _Ranked:
    whole = WholeList.take(service, job)
    ordered = whole.ordered
    totals = ordered.table.totals()
    months = ordered.digests.headers["total"]
    return _Ranked(
        whole.asked.criteria.ranker,
        {key: float(total) for key, total in zip(ordered.keys, totals, strict=True)},
        {key: None if number < 0 else int(number) for key, number in zip(ordered.keys, months, strict=True)},
    )


def _scores(own: Sequence[Application], ranked: _Ranked | None, *, as_shares: bool) -> list[float]:
    """Scores of different jobs cannot be compared; the share of a job's applicants who score less can."""
    scores = np.array([ranked.scores.get(each.id, np.nan) if ranked else np.nan for each in own])
    if as_shares and len(scores):
        known = np.sort(scores[~np.isnan(scores)])
        shares = np.searchsorted(known, scores, side="left") / max(len(known), 1)
        scores = np.where(np.isnan(scores), np.nan, shares)
    return [float(score) for score in scores]


def _band(ranked: _Ranked | None, id: str) -> str | None:
    months = ranked.months.get(id) if ranked else None
    return None if months is None else f"{band(months)} years"


def _selected(histories: Mapping[str, Sequence[Decision]], applications: Sequence[Application]) -> list[bool]:
    """Ever: who was shortlisted and rejected after the interview was selected all the same. Undone does not count."""
    return [
        each.status in SELECTED
        or any(
            decision.to_status in SELECTED and decision.undone_by is None and decision.action != UNDO
            for decision in histories.get(each.id, ())
        )
        for each in applications
    ]
