"""How long applications are kept: rules, who is due, who is on hold, and where backups lie. For administrators."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from evenhand.errors import UsageError
from evenhand.store import User
from evenhand.web.access import Admin, Ctx, ReadableApplication, admin
from evenhand.web.context import Context
from evenhand.web.pages.erasures import CONFIRMATION
from evenhand.web.rendering import page, wants_json
from evenhand.workflows.lens import pseudonym
from evenhand.workflows.retaining import find_due, run_retention

router = APIRouter()
ADDRESS = "/retention"
SHOWN = 200  # applications named one by one
Text = Annotated[str, Form()]


@router.get(ADDRESS)
def show_retention(request: Request, context: Ctx, user: Admin, said: str = "") -> Response:
    return _retention(request, context, user, said=said)


@router.post(f"{ADDRESS}/rules")
def set_rule(
    request: Request, context: Ctx, user: Admin, status: Text = "", days: Text = "", job: Text = ""
) -> Response:
    """Without days the rule is taken away."""
    try:
        number = _days(days)
        context.store.set_retention(status, number, job=job or None, actor=user.id)
    except UsageError as error:
        return _refused(request, context, user, error)
    return _done(request, "rule" if number else "gone")


@router.post(f"{ADDRESS}/run")
def run(
    request: Request, context: Ctx, user: Admin, expected: Text = "", confirmation: Text = ""
) -> Response:
    try:
        if confirmation.strip().casefold() != CONFIRMATION:
            raise UsageError(f"Type the word “{CONFIRMATION}” to confirm: an erasure cannot be undone.")
        number = int(expected) if expected.isdecimal() else 0
        done = run_retention(context.service, actor=user.id, expected=number)
    except UsageError as error:
        return _refused(request, context, user, error)
    if wants_json(request):
        return JSONResponse({"erased": done.erased, "certificates": [each.id for each in done.erasures]})
    return RedirectResponse(f"/erasures/{done.erasures[0].id}" if done.erasures else ADDRESS, 303)


@router.post(f"{ADDRESS}/backups")
def note_backup(
    request: Request, context: Ctx, user: Admin, place: Text = "", made: Text = "", expires: Text = ""
) -> Response:
    try:
        context.store.note_backup(place, actor=user.id, made=_date(made), expires=_date(expires))
    except UsageError as error:
        return _refused(request, context, user, error)
    return _done(request, "backup")


@router.post(f"{ADDRESS}/backups/{{backup}}/done")
def end_backup(request: Request, context: Ctx, user: Admin, backup: str) -> Response:
    context.store.end_backup(backup)
    return _done(request, "ended")


@router.post("/applications/{application}/hold", dependencies=[Depends(admin)])
def hold(request: Request, context: Ctx, access: ReadableApplication, reason: Text = "") -> Response:
    context.store.hold(access.application.id, reason, actor=access.user.id)
    return _back(request, access.application.id)


@router.post("/applications/{application}/hold/lift", dependencies=[Depends(admin)])
def lift_hold(request: Request, context: Ctx, access: ReadableApplication) -> Response:
    context.store.lift_hold(access.application.id, actor=access.user.id)
    return _back(request, access.application.id)


def _retention(
    request: Request, context: Context, user: User, *, said: str = "", message: str = ""
) -> Response:
    found = find_due(context.service)
    jobs = context.store.jobs()
    holds = context.store.holds()
    return page(
        request,
        "rights/retention.html",
        user=user,
        rules=context.store.retention_rules(),
        jobs=jobs,
        titles={job.id: job.title or "Job without a title" for job in jobs},
        due=found.due[:SHOWN],
        due_count=len(found.due),
        held=found.held,
        holds=holds,
        names=context.store.user_names([each.actor for each in holds]),
        backups=context.store.backups(),
        called=pseudonym,
        word=CONFIRMATION,
        said=said,
        message=message,
        today=f"{datetime.now(UTC):%Y-%m-%d}",
        status=422 if message else 200,
    )


def _refused(request: Request, context: Context, user: User, error: UsageError) -> Response:
    if wants_json(request):
        raise error
    return _retention(request, context, user, message=str(error))


def _done(request: Request, said: str) -> Response:
    if wants_json(request):
        return JSONResponse({"done": said})
    return RedirectResponse(f"{ADDRESS}?{urlencode({'said': said})}", 303)


def _back(request: Request, application: str) -> Response:
    if wants_json(request):
        return JSONResponse({"application": application})
    return RedirectResponse(f"/applications/{application}/erase", 303)


def _days(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if not text.isdecimal():
        raise UsageError("Days are a whole number; none takes the rule away.")
    return int(text)


def _date(text: str) -> datetime | None:
    text = text.strip()
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as error:
        raise UsageError(f"{text!r} is no date: write it as 2030-06-30.") from error
