"""Running an audit of a job: what was asked for is measured, compared with the last time, and kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime

from evenhand.errors import EvenhandError, StoreError, UsageError
from evenhand.records.report import Report
from evenhand.records.report_reading import report_from_json
from evenhand.store.audit_rows import KeptAudit
from evenhand.workflows.auditing.combining import combine, not_measured, severities, with_drift
from evenhand.workflows.auditing.quoting import without_contact
from evenhand.workflows.auditing.requests import AuditRequest
from evenhand.workflows.auditing.telling import Telling
from evenhand.workflows.auditing.writing import pdf_bytes
from evenhand.workflows.service import Service
from evenhand.workflows.watching import Watch, unwatched


def run_audit(service: Service, request: AuditRequest, *, watch: Watch = unwatched) -> Report:
    """One report of all that was asked for, with what is new or worse since the last kept one of the same kind."""
    job = service.store.job(request.job)
    reports: dict[str, Report] = {}
    refused: list[EvenhandError] = []
    for kind in request.kinds:
        try:
            reports[kind] = MEASURES[kind](service, request, watch)
        except StoreError:
            raise
        except EvenhandError as error:
            refused.append(error)
            reports[kind] = not_measured(kind, str(error))
    if len(refused) == len(reports):
        raise refused[0]
    made = datetime.now(UTC).isoformat(timespec="seconds")
    report = without_contact(combine(reports, subject=job.title or job.id, made=made))
    before = service.store.previous_audit(request.kind, request.job)
    if before is None or before.made is None:
        return report
    known = {**before.findings, **severities(kept_report(service, before.id))}
    return with_drift(report, known, made_before=before.made.isoformat())


def _swaps(service: Service, request: AuditRequest, watch: Watch) -> Report:
    from evenhand.workflows.auditing.swap_audit import audit_job_swaps  # noqa: PLC0415 - loads much

    return audit_job_swaps(
        service,
        request.job,
        rankers=(request.ranker,),
        families=request.families,
        most=request.most,
        seed=request.seed,
        watch=watch,
    )


def _outcomes(service: Service, request: AuditRequest, watch: Watch) -> Report:
    from evenhand.workflows.auditing.outcome_audit import audit_job_outcomes  # noqa: PLC0415 - loads much

    return audit_job_outcomes(service, request.job, watch=watch)


MEASURES: dict[str, Callable[[Service, AuditRequest, Watch], Report]] = {
    "swaps": _swaps,
    "outcomes": _outcomes,
}


def run_and_keep(
    service: Service, request: AuditRequest, *, actor: str, watch: Watch = unwatched
) -> tuple[KeptAudit, Report]:
    """At once, for whoever waits for it."""
    id = service.store.ask_audit(
        request.kind, job=request.job, request=request.to_json(), actor=actor, running=True
    )
    try:
        with Telling(service.store, id, lost=lambda: None):
            report = run_audit(service, request, watch=watch)
    except BaseException as error:
        service.store.fail_audit(id, str(error) or type(error).__name__)
        raise
    return service.store.finish_audit(id, report.to_json()), report


def keep_report(service: Service, report: Report, *, actor: str, job: str | None = None) -> KeptAudit:
    """A report that was made elsewhere, such as one on a model or on concept removal, beside those made here."""
    kept = without_contact(report)
    try:
        told = json.loads(json.dumps(kept.to_json(), allow_nan=False))
        pdf_bytes(kept)  # what cannot be shown later is refused now
    except EvenhandError:
        raise
    except Exception as error:  # whatever a stranger's report does to what draws it
        raise UsageError(f"The report cannot be kept: {error}.") from error
    id = service.store.ask_audit(report.kind, job=job, request={}, actor=actor, running=True)
    try:
        return service.store.finish_audit(id, told)
    except BaseException as error:
        service.store.fail_audit(id, str(error) or type(error).__name__)
        raise


def ask(service: Service, request: AuditRequest, *, actor: str) -> str:
    """The id of an audit that a server will run soon. What cannot be asked for is refused now."""
    job = service.store.job(request.job)
    if not service.store.status_counts([job.id]).get(job.id):
        raise UsageError("Nobody has applied to this job yet, so there is nothing to audit.")
    return service.store.ask_audit(request.kind, job=job.id, request=request.to_json(), actor=actor)


def kept_report(service: Service, id: str) -> Report:
    return report_from_json(service.store.audit_report(id))
