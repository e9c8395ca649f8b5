"""Bias audits for auditors and admins: the list, a new one, how far it is, its report, and the report as a file."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from evenhand.audit.pages.page import report_body, resource
from evenhand.errors import NotFound, UsageError
from evenhand.records.event import Draft
from evenhand.records.report import Report
from evenhand.store.account_rows import User
from evenhand.store.audit_rows import DONE, EVERY, FAILED, KeptAudit
from evenhand.web.access import AuditingUser, Ctx, lens_of, public
from evenhand.web.context import Context
from evenhand.web.rendering import page
from evenhand.workflows.auditing import writing
from evenhand.workflows.auditing.overview import TRENDS, audit_lines, chart_picture
from evenhand.workflows.auditing.quoting import only_changes
from evenhand.workflows.auditing.requests import KEPT_RANKERS, KIND_WORDS, KINDS, AuditRequest
from evenhand.workflows.auditing.running import ask, kept_report
from evenhand.workflows.auditing.swap_families import family_words

router = APIRouter()
ADDRESS = "/audits"
FORMS = {"html": "text/html; charset=utf-8", "pdf": "application/pdf", "json": "application/json"}
SHOWN = 100
Text = Annotated[str, Form()]
Texts = Annotated[list[str], Form()]


@router.get(ADDRESS)
def show_audits(
    request: Request, context: Ctx, user: AuditingUser, job: str = "", said: str = ""
) -> Response:
    return list_page(request, context, user, job=job, said=said)


@router.get(f"{ADDRESS}/report.css", dependencies=[Depends(public)])
def show_style() -> Response:
    """The style of reports, which is the same in files that are downloaded."""
    return Response(resource("report.css"), media_type="text/css")


@router.get(f"{ADDRESS}/new")
def show_form(request: Request, context: Ctx, user: AuditingUser, job: str = "") -> Response:
    return _form_page(request, context, user, {"job": job})


@router.post(ADDRESS)
def begin(
    request: Request,
    context: Ctx,
    user: AuditingUser,
    job: Text = "",
    kinds: Texts = [],  # noqa: B006 - FastAPI copies it
    ranker: Text = "best",
    families: Texts = [],  # noqa: B006
    most: Text = "",
    seed: Text = "0",
) -> Response:
    given = {"job": job, "kinds": kinds, "ranker": ranker, "families": families, "most": most, "seed": seed}
    try:
        id = ask(context.service, request_of(given), actor=user.id)
    except (UsageError, NotFound) as error:
        return _form_page(request, context, user, given, message=str(error))
    context.auditor.wake()
    return RedirectResponse(f"{ADDRESS}/{id}", 303)


@router.get(ADDRESS + "/{audit}")
def show_audit(request: Request, context: Ctx, user: AuditingUser, audit: str) -> Response:
    found = context.store.audit(audit)
    [line] = audit_lines(context.store, [found])
    if found.state != DONE:
        return page(request, "audits/progress.html", user=user, line=line, audit=found, state=state_of(found))
    report = opened(request, context, user, found, "page")
    body = report_body(report, lambda chart, number: f"{ADDRESS}/{found.id}/charts/{number}.svg")
    return page(request, "audits/show.html", user=user, line=line, audit=found, body=body, trends=TRENDS)


@router.get(ADDRESS + "/{audit}/state")
def show_state(context: Ctx, user: AuditingUser, audit: str) -> Response:
    return JSONResponse(state_of(context.store.audit(audit)))


@router.get(ADDRESS + "/{audit}/charts/{number}.svg")
def show_chart(context: Ctx, user: AuditingUser, audit: str, number: int) -> Response:
    return Response(chart_picture(kept_report(context.service, audit), number), media_type="image/svg+xml")


@router.get(ADDRESS + "/{audit}/report.{form}")
def download(request: Request, context: Ctx, user: AuditingUser, audit: str, form: str) -> Response:
    if form not in FORMS:
        raise NotFound("Reports are to be had as html, pdf and json.")
    found = context.store.audit(audit)
    report = opened(request, context, user, found, form)
    make = {"html": writing.html_bytes, "pdf": writing.pdf_bytes, "json": writing.json_bytes}[form]
    name = f"audit-{found.id}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(make(report), media_type=FORMS[form], headers=headers)


def state_of(audit: KeptAudit) -> dict[str, Any]:
    """Small enough to be asked for every second."""
    return {
        "state": audit.state,
        "is_over": audit.state in (DONE, FAILED),
        "done": audit.done,
        "total": audit.total,
        "doing": audit.doing or "",
        "message": audit.message or "",
    }


LONGEST_NUMBER = 18


def request_of(given: dict[str, Any]) -> AuditRequest:
    most, seed = str(given.get("most") or "").strip(), str(given.get("seed") or "0").strip()
    if most and not (most.isdecimal() and len(most) <= LONGEST_NUMBER):
        raise UsageError("How many resumes is a whole number; without one the audit decides.")
    if not (seed.isdecimal() and len(seed) <= LONGEST_NUMBER):
        raise UsageError("The start of the random choices is a whole number.")
    if not given.get("job"):
        raise UsageError("Choose a job.")
    numbers = {"most": int(most) if most else None, "seed": int(seed)}
    return AuditRequest.from_json({**given, **numbers, "families": given.get("families") or None})


def list_page(
    request: Request, context: Context, user: User, *, job: str = "", said: str = "", message: str = ""
) -> Response:
    store = context.store
    jobs = store.jobs(closed=True)
    return page(
        request,
        "audits/list.html",
        user=user,
        lines=audit_lines(store, store.audits(job=job or None, limit=SHOWN)),
        jobs=jobs,
        open_jobs=[each for each in jobs if not each.closed],
        titles={each.id: each.title or "Job without a title" for each in jobs},
        job=job,
        schedules=store.audit_schedules(),
        every=EVERY,
        kinds=KINDS,
        trends=TRENDS,
        said=said,
        message=message,
        status=422 if message else 200,
    )


def _form_page(
    request: Request, context: Context, user: User, given: dict[str, Any], *, message: str = ""
) -> Response:
    return page(
        request,
        "audits/new.html",
        user=user,
        jobs=context.store.jobs(),
        kinds=KIND_WORDS,
        rankers=KEPT_RANKERS,
        families=family_words(),
        given={"kinds": list(KINDS), "families": [], "ranker": "best", "most": "", "seed": "0", **given},
        message=message,
        status=422 if message else 200,
    )


def opened(request: Request, context: Context, user: User, audit: KeptAudit, form: str) -> Report:
    """That it was read is on record: it quotes resumes."""
    report = seen_report(request, context, user, audit)
    body = {"action": "read", "audit": audit.id, "form": form}
    context.recorder.record([Draft("audit", user.id, job=audit.job, body=body)])
    return report


def seen_report(request: Request, context: Context, user: User, audit: KeptAudit) -> Report:
    """Who sees the job blind sees no resume quoted."""
    report = kept_report(context.service, audit.id)
    if audit.job and lens_of(request, context, user, audit.job).is_blind:
        return only_changes(report)
    return report
