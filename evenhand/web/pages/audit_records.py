"""Around bias audits: schedules, the notices that applicants were given, and the evidence pack. Auditors and admins."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from evenhand.errors import NotFound, UsageError
from evenhand.store.account_rows import User
from evenhand.web.access import AuditingUser, Ctx
from evenhand.web.context import Context
from evenhand.web.pages.audits import ADDRESS, list_page
from evenhand.web.rendering import page
from evenhand.workflows.auditing.notices import give_notice, notices
from evenhand.workflows.auditing.pack import make_pack
from evenhand.workflows.auditing.requests import AuditRequest

router = APIRouter()
Text = Annotated[str, Form()]
Texts = Annotated[list[str], Form()]


@router.post(f"{ADDRESS}/schedules")
def schedule(
    request: Request,
    context: Ctx,
    user: AuditingUser,
    every: Text = "",
    job: Text = "",
    kinds: Texts = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    try:
        if every == "off":
            context.store.unschedule_audit(job or None, actor=user.id)
        else:
            wanted = AuditRequest(job, tuple(kinds)).to_json()
            context.store.schedule_audit(every, job=job or None, request=wanted, actor=user.id)
    except (UsageError, NotFound) as error:
        return list_page(request, context, user, message=str(error))
    said = "unscheduled" if every == "off" else "scheduled"
    return RedirectResponse(f"{ADDRESS}?{urlencode({'said': said})}", 303)


@router.get(f"{ADDRESS}/notices")
def show_notices(request: Request, context: Ctx, user: AuditingUser, said: str = "") -> Response:
    return _notices_page(request, context, user, said=said)


@router.post(f"{ADDRESS}/notices")
def add_notice(
    request: Request,
    context: Ctx,
    user: AuditingUser,
    text: Text = "",
    channel: Text = "",
    job: Text = "",
    given: Text = "",
) -> Response:
    try:
        give_notice(context.store, text, job=job or None, channel=channel, given=given or None, actor=user.id)
    except (UsageError, NotFound) as error:
        return _notices_page(request, context, user, message=str(error))
    return RedirectResponse(f"{ADDRESS}/notices?said=1", 303)


@router.post(f"{ADDRESS}/pack")
def download_pack(context: Ctx, user: AuditingUser, job: Text = "") -> Response:
    made = make_pack(context.service, job, actor=user.id)
    headers = {"Content-Disposition": f'attachment; filename="evidence-{made.job}.zip"'}
    return Response(made.content, media_type="application/zip", headers=headers)


def _notices_page(
    request: Request, context: Context, user: User, *, said: str = "", message: str = ""
) -> Response:
    jobs = context.store.jobs(closed=True)
    return page(
        request,
        "audits/notices.html",
        user=user,
        notices=list(reversed(notices(context.store))),
        jobs=jobs,
        titles={each.id: each.title or "Job without a title" for each in jobs},
        today=f"{datetime.now(UTC):%Y-%m-%d}",
        said=said,
        message=message,
        status=422 if message else 200,
    )
