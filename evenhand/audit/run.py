"""Running an audit of a job: what was asked for is measured, compared with the last time, and kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from evenhand.audit.history import combine, not_measured, severities, with_drift
from evenhand.audit.pseudonyms import without_contact
from evenhand.errors import EvenhandError, StoreError, UsageError
from evenhand.progress import Progress, no_progress
from evenhand.records.conversion import to_json
from evenhand.records.report import Report
from evenhand.rendering.report_pdf import pdf_bytes
from evenhand.search.rankers.registry import RANKERS
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.service import Service
from evenhand.store.audits import StoredAudit
from evenhand.store.store import Store

# What an audit is asked to measure, in one form for the command line, pages, schedules and the record.

KINDS = ("swaps", "outcomes")
KIND_WORDS = {
    "swaps": "Changed resumes: does a name, a place, a school or a gap move the ranking",
    "outcomes": "Outcomes: do groups fare differently, by what applicants said of themselves",
}
KEPT_RANKERS = tuple(name for name in RANKERS if name != Semantic.name)  # semantic ranks folders only
MAX_RESUMES = 100_000


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """`families` None: all; `most` None: as many resumes as the audit takes by itself."""

    job: str
    kinds: tuple[str, ...] = KINDS
    ranker: str = "best"
    families: tuple[str, ...] | None = None
    most: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_names("kind", self.kinds, KINDS)
        check_names("ranker", (self.ranker,), KEPT_RANKERS)
        if not self.kinds:
            raise UsageError("Say what is to be audited: swaps, outcomes or both.")
        if self.most is not None and not 1 <= self.most <= MAX_RESUMES:
            raise UsageError(f"An audit takes 1 to {MAX_RESUMES:,} resumes.")

    @property
    def kind(self) -> str:
        """Audits of the same kind and job can be compared."""
        return "+".join(name for name in KINDS if name in self.kinds)

    def to_json(self) -> dict[str, Any]:
        values = to_json(self)
        return {**values, "families": values["families"] or None}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> AuditRequest:
        families = value.get("families")
        return cls(
            job=str(value["job"]),
            kinds=tuple(value["kinds"]),
            ranker=str(value.get("ranker") or "best"),
            families=tuple(families) if families else None,
            most=value.get("most"),
            seed=int(value.get("seed") or 0),
        )


def check_names(what: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"There is no {what} {name!r} here; there are {', '.join(known)}.")


# Whoever works on an audit says so every two seconds: one that is silent is taken for gone, and another takes over.

EVERY_SECONDS = 2.0


class AuditProgress:
    """A bar whose numbers are written down, also while it stands still. `lost`: the audit is no longer ours."""

    def __init__(self, store: Store, id: str, *, lost: Callable[[], None]) -> None:
        self._store = store
        self._id = id
        self._lost = lost
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tell, name="evenhand-audit-telling", daemon=True)
        self.done, self.total, self.doing = 0, 0, "Preparing"

    def advance(self) -> None:
        self.done += 1

    def progress(self, label: str, total: int) -> AbstractContextManager[AuditProgress]:
        self.done, self.total, self.doing = 0, total, label
        return nullcontext(self)

    def __enter__(self) -> AuditProgress:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _tell(self) -> None:
        while not self._ended.wait(EVERY_SECONDS):
            if not self._store.audits.report_progress(self._id, done=self.done, total=self.total, doing=self.doing):
                self._lost()
                return


def run_audit(service: Service, request: AuditRequest, *, progress: Progress = no_progress) -> Report:
    """One report of all that was asked for, with what is new or worse since the last kept one of the same kind."""
    job = service.store.jobs.get(request.job)
    reports: dict[str, Report] = {}
    refused: list[EvenhandError] = []
    for kind in request.kinds:
        try:
            reports[kind] = MEASURES[kind](service, request, progress)
        except StoreError:
            raise
        except EvenhandError as error:
            refused.append(error)
            reports[kind] = not_measured(kind, str(error))
    if len(refused) == len(reports):
        raise refused[0]
    made = datetime.now(UTC).isoformat(timespec="seconds")
    report = without_contact(combine(reports, subject=job.title or job.id, made=made))
    before = service.store.audits.previous(request.kind, request.job)
    if before is None or before.made is None:
        return report
    known = {**before.findings, **severities(kept_report(service, before.id))}
    return with_drift(report, known, made_before=before.made.isoformat())


def _swaps(service: Service, request: AuditRequest, progress: Progress) -> Report:
    from evenhand.audit.swaps.editing import MAX_SUBJECTS  # noqa: PLC0415 - loads much, as all of these do
    from evenhand.audit.swaps.report import swap_report  # noqa: PLC0415
    from evenhand.audit.swaps.run import audit_job  # noqa: PLC0415
    from evenhand.audit.swaps.scoring import SwapRequest  # noqa: PLC0415

    most = request.most or MAX_SUBJECTS
    swaps = SwapRequest(rankers=(request.ranker,), families=request.families or None, most=most, seed=request.seed)
    return swap_report(audit_job(service, request.job, swaps, progress=progress))


def _outcomes(service: Service, request: AuditRequest, progress: Progress) -> Report:
    from evenhand.audit.outcomes.run import audit_job_outcomes  # noqa: PLC0415 - loads much

    return audit_job_outcomes(service, request.job, progress=progress)


MEASURES: dict[str, Callable[[Service, AuditRequest, Progress], Report]] = {"swaps": _swaps, "outcomes": _outcomes}


def run_and_keep(
    service: Service, request: AuditRequest, *, actor: str, progress: Progress = no_progress
) -> tuple[StoredAudit, Report]:
    """At once, for whoever waits for it."""
    id = service.store.audits.request(
        request.kind, job=request.job, request=request.to_json(), actor=actor, running=True
    )
    try:
        with AuditProgress(service.store, id, lost=lambda: None):
            report = run_audit(service, request, progress=progress)
    except BaseException as error:
        service.store.audits.fail(id, str(error) or type(error).__name__)
        raise
    return service.store.audits.finish(id, report.to_json()), report


def keep_report(service: Service, report: Report, *, actor: str, job: str | None = None) -> StoredAudit:
    """A report that was made elsewhere, such as one on a model or on concept removal, beside those made here."""
    kept = without_contact(report)
    try:
        content = json.loads(json.dumps(kept.to_json(), allow_nan=False))
        pdf_bytes(kept)  # what cannot be shown later is refused now
    except EvenhandError:
        raise
    except Exception as error:  # whatever a stranger's report does to what draws it
        raise UsageError(f"The report cannot be kept: {error}.") from error
    id = service.store.audits.request(report.kind, job=job, request={}, actor=actor, running=True)
    try:
        return service.store.audits.finish(id, content)
    except BaseException as error:
        service.store.audits.fail(id, str(error) or type(error).__name__)
        raise


def queue_audit(service: Service, request: AuditRequest, *, actor: str) -> str:
    """The id of an audit that a server will run soon. What cannot be asked for is refused now."""
    job = service.store.jobs.get(request.job)
    if not service.store.jobs.status_counts([job.id]).get(job.id):
        raise UsageError("Nobody has applied to this job yet, so there is nothing to audit.")
    return service.store.audits.request(request.kind, job=job.id, request=request.to_json(), actor=actor)


def kept_report(service: Service, id: str) -> Report:
    return Report.from_json(service.store.audits.report(id))
