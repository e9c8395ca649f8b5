"""Bias audits for auditors and admins: the list, a new one, how far it is, its report, and the report as a file."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form
from fastapi.responses import JSONResponse, RedirectResponse, Response

from evenhand.audit.evidence_pack import make_pack
from evenhand.audit.history import TRENDS, audit_lines, chart_picture
from evenhand.audit.notices import give_notice, notices
from evenhand.audit.pseudonyms import only_changes
from evenhand.audit.run import KEPT_RANKERS, KIND_WORDS, KINDS, AuditRequest, kept_report, queue_audit
from evenhand.audit.swaps.plan import family_words
from evenhand.errors import NotFound, UsageError
from evenhand.records.event import EventDraft
from evenhand.records.report import Report
from evenhand.rendering import report_pdf
from evenhand.rendering.html import resource
from evenhand.rendering.report_page import report_body
from evenhand.store.audits import DONE, EVERY, FAILED, StoredAudit
from evenhand.web.access import AuditingUser, Visit, public, visibility_of
from evenhand.web.rendering import Text, attachment, page

router = APIRouter()
ADDRESS = "/audits"
FORMS = {"html": "text/html; charset=utf-8", "pdf": "application/pdf", "json": "application/json"}
SHOWN = 100
Texts = Annotated[list[str], Form()]


@router.get(ADDRESS)
def show_audits(visit: AuditingUser, job: str = "", said: str = "") -> Response:
    return list_page(visit, job=job, said=said)


@router.get(f"{ADDRESS}/report.css", dependencies=[Depends(public)])
def show_style() -> Response:
    """The style of reports, which is the same in files that are downloaded."""
    return Response(resource("evenhand.rendering", "report.css"), media_type="text/css")


@router.get(f"{ADDRESS}/new")
def show_form(visit: AuditingUser, job: str = "") -> Response:
    return _form_page(visit, {"job": job})


@router.post(ADDRESS)
def begin(
    visit: AuditingUser,
    job: Text = "",
    kinds: Texts = [],  # noqa: B006 - FastAPI copies it
    ranker: Text = "best",
    families: Texts = [],  # noqa: B006
    most: Text = "",
    seed: Text = "0",
) -> Response:
    given = {"job": job, "kinds": kinds, "ranker": ranker, "families": families, "most": most, "seed": seed}
    try:
        id = queue_audit(visit.service, request_of(given), actor=visit.user.id)
    except (UsageError, NotFound) as error:
        return _form_page(visit, given, message=str(error))
    visit.context.auditor.wake()
    return RedirectResponse(f"{ADDRESS}/{id}", 303)


@router.get(ADDRESS + "/{audit}")
def show_audit(visit: AuditingUser, audit: str) -> Response:
    stored = visit.store.audits.get(audit)
    [line] = audit_lines(visit.store, [stored])
    if stored.state != DONE:
        return page(visit.request, "audits/progress.html", line=line, audit=stored, state=state_of(stored))
    report = opened(visit, stored, "page")
    body = report_body(report, lambda chart, number: f"{ADDRESS}/{stored.id}/charts/{number}.svg")
    return page(visit.request, "audits/show.html", line=line, audit=stored, body=body, trends=TRENDS)


@router.get(ADDRESS + "/{audit}/state")
def show_state(visit: AuditingUser, audit: str) -> Response:
    return JSONResponse(state_of(visit.store.audits.get(audit)))


@router.get(ADDRESS + "/{audit}/charts/{number}.svg")
def show_chart(visit: AuditingUser, audit: str, number: int) -> Response:
    return Response(chart_picture(kept_report(visit.service, audit), number), media_type="image/svg+xml")


@router.get(ADDRESS + "/{audit}/report.{form}")
def download(visit: AuditingUser, audit: str, form: str) -> Response:
    if form not in FORMS:
        raise NotFound("Reports are to be had as html, pdf and json.")
    stored = visit.store.audits.get(audit)
    report = opened(visit, stored, form)
    make = {"html": report_pdf.html_bytes, "pdf": report_pdf.pdf_bytes, "json": report_pdf.json_bytes}[form]
    return attachment(make(report), FORMS[form], f"audit-{stored.id}.{form}")


def state_of(audit: StoredAudit) -> dict[str, Any]:
    """Small enough to be asked for every second."""
    return {
        "state": audit.state,
        "is_over": audit.state in (DONE, FAILED),
        "done": audit.done,
        "total": audit.total,
        "doing": audit.doing or "",
        "message": audit.message or "",
    }


MAX_NUMBER_DIGITS = 18


def request_of(given: dict[str, Any]) -> AuditRequest:
    most, seed = str(given.get("most") or "").strip(), str(given.get("seed") or "0").strip()
    if most and not (most.isdecimal() and len(most) <= MAX_NUMBER_DIGITS):
        raise UsageError("The maximum number of resumes must be a whole number, or empty.")
    if not (seed.isdecimal() and len(seed) <= MAX_NUMBER_DIGITS):
        raise UsageError("The random seed must be a whole number.")
    if not given.get("job"):
        raise UsageError("Choose a job.")
    numbers = {"most": int(most) if most else None, "seed": int(seed)}
    return AuditRequest.from_json({**given, **numbers, "families": given.get("families") or None})


def list_page(visit: Visit, *, job: str = "", said: str = "", message: str = "") -> Response:
    store = visit.store
    jobs = store.jobs.all(closed=True)
    return page(
        visit.request,
        "audits/list.html",
        lines=audit_lines(store, store.audits.all(job=job or None, limit=SHOWN)),
        jobs=jobs,
        open_jobs=[one for one in jobs if not one.closed],
        titles={one.id: one.title or "Job without a title" for one in jobs},
        job=job,
        unopened=visit.service.rejected_unopened(job or None),
        schedules=store.audits.schedules(),
        every=EVERY,
        kinds=KINDS,
        trends=TRENDS,
        said=said,
        message=message,
    )


def _form_page(visit: Visit, given: dict[str, Any], *, message: str = "") -> Response:
    return page(
        visit.request,
        "audits/new.html",
        jobs=visit.store.jobs.all(),
        kinds=KIND_WORDS,
        rankers=KEPT_RANKERS,
        families=family_words(),
        given={"kinds": list(KINDS), "families": [], "ranker": "best", "most": "", "seed": "0", **given},
        message=message,
    )


def opened(visit: Visit, audit: StoredAudit, form: str) -> Report:
    """That it was read is on record: it quotes resumes."""
    report = seen_report(visit, audit)
    body = {"action": "read", "audit": audit.id, "form": form}
    visit.recorder.record([EventDraft("audit", visit.user.id, job=audit.job, body=body)])
    return report


def seen_report(visit: Visit, audit: StoredAudit) -> Report:
    """Who sees the job blind sees no resume quoted."""
    report = kept_report(visit.service, audit.id)
    if audit.job and visibility_of(visit, audit.job).is_blind:
        return only_changes(report)
    return report


# Around bias audits: schedules, the notices that applicants were given, and the evidence pack. Auditors and
# admins.

audit_records_router = APIRouter()


@audit_records_router.post(f"{ADDRESS}/schedules")
def schedule(
    visit: AuditingUser,
    every: Text = "",
    job: Text = "",
    kinds: Texts = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    try:
        if every == "off":
            visit.store.audits.unschedule(job or None, actor=visit.user.id)
        else:
            wanted = AuditRequest(job, tuple(kinds)).to_json()
            visit.store.audits.schedule(every, job=job or None, request=wanted, actor=visit.user.id)
    except (UsageError, NotFound) as error:
        return list_page(visit, message=str(error))
    said = "unscheduled" if every == "off" else "scheduled"
    return RedirectResponse(f"{ADDRESS}?{urlencode({'said': said})}", 303)


@audit_records_router.get(f"{ADDRESS}/notices")
def show_notices(visit: AuditingUser, said: str = "") -> Response:
    return _notices_page(visit, said=said)


@audit_records_router.post(f"{ADDRESS}/notices")
def add_notice(visit: AuditingUser, text: Text = "", channel: Text = "", job: Text = "", given: Text = "") -> Response:
    try:
        give_notice(visit.store, text, job=job or None, channel=channel, given=given or None, actor=visit.user.id)
    except (UsageError, NotFound) as error:
        return _notices_page(visit, message=str(error))
    return RedirectResponse(f"{ADDRESS}/notices?said=1", 303)


@audit_records_router.post(f"{ADDRESS}/pack")
def download_pack(visit: AuditingUser, job: Text = "") -> Response:
    made = make_pack(visit.service, job, actor=visit.user.id)
    return attachment(made.content, "application/zip", f"evidence-{made.job}.zip")


def _notices_page(visit: Visit, *, said: str = "", message: str = "") -> Response:
    jobs = visit.store.jobs.all(closed=True)
    return page(
        visit.request,
        "audits/notices.html",
        notices=list(reversed(notices(visit.store))),
        jobs=jobs,
        titles={job.id: job.title or "Job without a title" for job in jobs},
        today=f"{datetime.now(UTC):%Y-%m-%d}",
        said=said,
        message=message,
    )
