"""Putting right what was misread, in forms beside the text of the resume."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from evenhand.errors import Forbidden, UsageError
from evenhand.records.profile import DEGREE_LEVELS
from evenhand.web.access import ApplicationAccess, Ctx, WritableApplication
from evenhand.web.context import Context
from evenhand.web.pages.candidates import viewer_of
from evenhand.web.rendering import page, wants_json
from evenhand.workflows.correctable import Wanted
from evenhand.workflows.correcting import Outcome, correct_all, take_back
from evenhand.workflows.correction_page import gather_corrections
from evenhand.workflows.wording import DEGREES

router = APIRouter(prefix="/applications/{application}/correct")


@router.get("")
def show_correction(
    request: Request, context: Ctx, access: WritableApplication, done: str = "", undone: str = ""
) -> Response:
    return _correction(request, context, access, done=done or undone, is_undone=bool(undone))


@router.post("")
async def correct(request: Request, context: Ctx, access: WritableApplication) -> Response:
    """One form of the page: a person's data, a job, a study, or a skill."""
    form = {name: str(value) for name, value in (await request.form()).items()}
    return await run_in_threadpool(_correct, request, context, access, form)


@router.post("/{correction}/undo")
def undo_correction(request: Request, context: Ctx, access: WritableApplication, correction: str) -> Response:
    outcome = take_back(context.service, access.application, correction, actor=access.user.id)
    return _corrected(request, access, outcome, "undone")


def _correct(
    request: Request, context: Context, access: ApplicationAccess, form: Mapping[str, str]
) -> Response:
    try:
        outcome = correct_all(
            context.service,
            access.application,
            _wanted(context, access, form),
            actor=access.user.id,
            reason=form.get("reason", ""),
        )
    except UsageError as error:
        if wants_json(request):
            raise
        return _correction(request, context, access, message=str(error), typed=form)
    return _corrected(request, access, outcome, "done")


def _wanted(context: Context, access: ApplicationAccess, form: Mapping[str, str]) -> list[Wanted]:
    """What a form asks for; a field that the page does not show to somebody is not taken from her."""
    hidden = gather_corrections(context.service, viewer_of(context, access), access.application).hidden
    entry = int(form["entry"]) if form.get("entry", "").isdecimal() else None
    found = [Wanted(name, form[name], entry) for name in SINGLE if name in form]
    if "start" in form or "end" in form:
        dates = {"start": form.get("start", ""), "end": form.get("end", "")}
        found.append(Wanted("position.dates", dates, entry))
    if "skill" in form:
        field = "skill.remove" if form.get("what") == "remove" else "skill.add"
        found.append(Wanted(field, form["skill"], None, form.get("words", "")))
    if any(each.field in hidden for each in found):
        raise Forbidden("This field is masked for you, and cannot be corrected by you.")
    if not found:
        raise UsageError("Say what is to be corrected.")
    return found


SINGLE = (
    "name",
    "city",
    "highest_degree",
    "position.title",
    "position.employer",
    "education.university",
    "education.level",
)
"""Fields with one value, by the names they have in forms."""


def _corrected(request: Request, access: ApplicationAccess, outcome: Outcome, what: str) -> Response:
    if wants_json(request):
        ranks = {"before": outcome.before.to_json(), "after": outcome.after.to_json()}
        return JSONResponse({"correction": outcome.correction, **ranks})
    query = urlencode({what: outcome.correction})
    return RedirectResponse(f"/applications/{access.application.id}/correct?{query}", 303)


def _correction(
    request: Request,
    context: Context,
    access: ApplicationAccess,
    *,
    done: str = "",
    is_undone: bool = False,
    message: str = "",
    typed: Mapping[str, str] | None = None,
) -> Response:
    shown = gather_corrections(context.service, viewer_of(context, access), access.application)
    return page(
        request,
        "rights/correct.html",
        user=access.user,
        shown=shown,
        application=access.application,
        job=access.job,
        here=f"/applications/{access.application.id}",
        levels=[(level, DEGREES.get(level, level)) for level in DEGREE_LEVELS],
        done=next((line for line in shown.lines if line.correction.id == done), None),
        is_undone=is_undone,
        message=message,
        typed=typed or {},
        status=422 if message else 200,
    )
