"""Do groups fare differently: the audit of a job's decisions and ranking, and of any table that somebody has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.counting import Sample
from evenhand.audit.outcomes.ll144 import RACE, SEX, Ll144Summary, ll144_summary
from evenhand.audit.outcomes.measuring import LeftOut, measure
from evenhand.audit.outcomes.report import outcome_report
from evenhand.audit.outcomes.tables import TableColumns, meaning, read_table, table_sample
from evenhand.errors import UsageError
from evenhand.progress import Progress, no_progress
from evenhand.records.report import Report, ReportParagraph, ReportSection
from evenhand.search.index.schema import BANDS, band
from evenhand.search.service import FullRanking, Service
from evenhand.store.applications import NEW, OFFERED, SCREENED, SHORTLISTED, UNDO, Application
from evenhand.store.self_identifications import SelfIdentificationStore
from evenhand.version import __version__

# A job's applications as a sample to measure: what people decided, what the ranker gave, what applicants said.

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


def job_sample(
    service: Service, job: str | None, *, variables: Sequence[str] | None = None, progress: Progress = no_progress
) -> JobSample:
    """Of one job, or of all jobs together. Raises UsageError where nobody was asked, or not for these variables."""
    store = service.store
    jobs = [store.jobs.get(job)] if job else store.jobs.all(closed=True)
    answers = SelfIdentificationStore(store.context).read(job)
    names = _variables({name for answer in answers.values() for name in answer.groups}, variables)
    applications: list[Application] = []
    scores: list[float] = []
    bands: list[str | None] = []
    ranker: str | None = None
    with progress("Ranking", len(jobs)) as bar:
        for opening in jobs:
            own = sorted(store.applications.of_job(opening.id), key=lambda application: application.id)
            if own:
                ranker, own_scores, months = _ranked(service, opening.id, [application.id for application in own])
                scores += (as_shares(own_scores) if job is None else own_scores).tolist()
                bands += [None if number is None else f"{band(number)} years" for number in months]
            applications += own
            bar.advance()
    histories = store.decisions.histories([application.id for application in applications])
    # Ever: who was shortlisted and rejected after the interview was selected all the same. Undone does not count.
    selected = [
        application.status in SELECTED
        or any(
            decision.to_status in SELECTED and decision.undone_by is None and decision.action != UNDO
            for decision in histories.get(application.id, ())
        )
        for application in applications
    ]
    groups = {
        name: [
            answers[application.id].groups.get(name) if application.id in answers else None
            for application in applications
        ]
        for name in names
    }
    days = [application.received.date() for application in applications]
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
    titles = tuple(job.title or job.id for job in jobs)
    undecided = sum(
        application.status in UNDECIDED and not is_in for application, is_in in zip(applications, selected, strict=True)
    )
    first, last = (min(days), max(days)) if days else (None, None)
    return JobSample(sample, tuple(job.id for job in jobs), titles, undecided, ranker, first, last)


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


def _ranked(service: Service, job: str, ids: Sequence[str]) -> tuple[str, NDArray[np.float64], list[int | None]]:
    """The ranker of a job, and of these applications the scores and the months of experience."""
    whole = FullRanking.take(service, job)
    ordered = whole.ordered
    scores = dict(zip(ordered.keys, ordered.table.totals(), strict=True))
    months = dict(zip(ordered.keys, ordered.digests.headers["total"], strict=True))
    known = [months.get(id, -1) for id in ids]
    own_scores = np.array([scores.get(id, np.nan) for id in ids], np.float64)
    return whole.asked.criteria.ranker, own_scores, [None if number < 0 else int(number) for number in known]


def as_shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores of different jobs cannot be compared; the share of a job's applicants who score less can."""
    known = np.sort(scores[~np.isnan(scores)])
    shares = np.searchsorted(known, scores, side="left") / max(len(known), 1)
    return np.where(np.isnan(scores), np.nan, shares)


JOB_TITLE = "Do groups fare differently?"


def audit_job_outcomes(
    service: Service,
    job: str | None,
    *,
    variables: Sequence[str] | None = None,
    shortlist: int | None = None,
    left_out: LeftOut | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Of one job, or of all jobs together. `shortlist` is how many of the ranking to look at; as many as selected
    if not given."""
    data = job_sample(service, job, variables=variables, progress=progress)
    outcomes = measure(data.sample, shortlist=shortlist, left_out=left_out)
    about = [
        f"{data.sample.size:,} applications. Selected are those that {data.sample.chosen}, also if they were rejected "
        f"later; decisions that were undone do not count. On {data.undecided:,} nothing is decided yet: they "
        "count as not selected."
    ]
    if data.ranker:
        compared = "as they are now" if job else "each as the share of the job's applicants who score less"
        about.append(f"Scores are those of the ranker {data.ranker}, {compared}.")
    return outcome_report(
        outcomes,
        title=JOB_TITLE,
        subject=data.titles[0] if len(data.titles) == 1 else f"{len(data.titles):,} jobs together",
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        chosen=data.sample.chosen,
        band_name=data.sample.band_name,
        first=(ReportSection("What was counted", tuple(map(ReportParagraph, about))),),
        facts=(
            ("jobs", f"{len(data.jobs):,}"),
            ("undecided", f"{data.undecided:,}"),
            ("ranker", data.ranker or "none"),
            ("Evenhand", __version__),
        ),
        data={"jobs": list(data.jobs), "undecided": data.undecided, "ranker": data.ranker},
    )


def audit_table_outcomes(
    file: Path, columns: TableColumns, *, shortlist: int | None = None, left_out: LeftOut | None = None
) -> Report:
    """Of a table, without any store."""
    table = read_table(file)
    sample, skipped = table_sample(table, columns)
    outcomes = measure(sample, shortlist=shortlist, left_out=left_out)
    about = f"{len(table.rows):,} rows of {table.name}. {meaning(columns)}"
    if skipped:
        about += f" {skipped:,} rows without an outcome are left out."
    return outcome_report(
        outcomes,
        title=JOB_TITLE,
        subject=table.name,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        chosen=sample.chosen,
        band_name=sample.band_name,
        first=(ReportSection("What was counted", (ReportParagraph(about),)),),
        facts=(("rows left out", f"{skipped:,}"), ("Evenhand", __version__)),
        data={"rows": len(table.rows), "rows_left_out": skipped},
    )


def job_ll144(
    service: Service,
    job: str | None,
    *,
    distributed: str,
    tool: str | None = None,
    left_out: LeftOut | None = None,
    progress: Progress = no_progress,
) -> Ll144Summary:
    """What the public page of Local Law 144 has to say; `distributed` is the day the tool was first used."""
    data = job_sample(service, job, variables=("sex", "race"), progress=progress)
    came = f"received from {data.first} to {data.last}" if data.first else "none received yet"
    return ll144_summary(
        data.sample,
        tool=tool or f"Evenhand {__version__}, ranker {data.ranker or 'none'}",
        audited=datetime.now(UTC).date().isoformat(),
        distributed=checked_day(distributed),
        data_statement=(
            f"Historical data of this employer: {data.sample.size:,} applications for {len(data.jobs):,} "
            f"{'job' if len(data.jobs) == 1 else 'jobs'}, {came}. Sex and race are what applicants said of themselves "
            f"when asked; none was inferred. Selected are those that {data.sample.chosen}; on {data.undecided:,} "
            "nothing is decided yet."
        ),
        left_out=left_out,
    )


def checked_day(text: str) -> str:
    try:
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError as error:
        raise UsageError(f"{text!r} is not a day; write it as 2026-01-31.") from error


def parse_left_out(wishes: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """From "race=Two or more races=why": the variable, the group, and the justification."""
    reasons: dict[str, dict[str, str]] = {}
    for wish in wishes:
        variable, _, rest = wish.partition("=")
        group, _, reason = rest.partition("=")
        if not (variable.strip() and group.strip() and reason.strip()):
            raise UsageError(f"{wish!r} should be VARIABLE=GROUP=WHY.")
        reasons.setdefault(variable.strip(), {})[group.strip()] = reason.strip()
    return reasons
