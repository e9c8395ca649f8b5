"""What a job asks for, put right by a person who sees what that does to the ranking; who has it; how it is shown."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Form, Request
from fastapi.responses import RedirectResponse, Response

from evenhand.errors import UsageError
from evenhand.records import Job
from evenhand.store.account_rows import RECRUITER, User
from evenhand.store.workspace_rows import JobSettings
from evenhand.web.access import Ctx, JobAccess, ReadableJob, WritableJob
from evenhand.web.ad_text import pieces
from evenhand.web.addresses import inside
from evenhand.web.context import Context
from evenhand.web.pages.requirements_form import DEGREES, PREVIEW, Typed, missing_from, read_typed
from evenhand.web.rendering import fragment, page, wants_fragment
from evenhand.workflows.job_desk import change_requirements, revise, version_of, wanted_of
from evenhand.workflows.job_reading import vocabulary_for
from evenhand.workflows.ranking_preview import RankingChange, preview_change

router = APIRouter()
SUGGESTED = 14
Text = Annotated[str, Form()]
Ticked = Annotated[bool, Form()]


@router.get("/jobs/{job}/requirements")
def show_requirements(request: Request, context: Ctx, access: ReadableJob) -> Response:
    typed = Typed.of(wanted_of(access.job.requirements), version_of(access.job))
    return _editor(request, context, access, typed)


@router.post("/jobs/{job}/requirements")
def change(
    request: Request,
    context: Ctx,
    access: WritableJob,
    typed: Annotated[Typed, Depends(read_typed)],
    later: BackgroundTasks,
) -> Response:
    if typed.is_edit:
        return _editor(request, context, access, typed.edited())
    try:
        canonical = vocabulary_for(context.settings).canonical_skill
        changed = revise(access.job.requirements, typed.wanted(), canonical=canonical)
        if typed.do == PREVIEW:
            return _preview(request, context, access, typed, changed)
        is_new = change_requirements(
            context.store, access.job.id, changed, version=typed.version, actor=access.user.id
        )
    except UsageError as error:
        if wants_fragment(request):
            raise
        return _editor(request, context, access, typed, message=str(error))
    if is_new:
        later.add_task(context.service.follow)  # every applicant is indexed anew; nobody has to wait for that
    response = RedirectResponse(_address(access) + f"?saved={int(is_new)}", 303)
    response.background = later
    return response


@router.post("/jobs/{job}/close")
def close(context: Ctx, access: WritableJob) -> Response:
    context.store.close_job(access.job.id, actor=access.user.id)
    return RedirectResponse(_address(access), 303)


@router.post("/jobs/{job}/reopen")
def reopen(context: Ctx, access: WritableJob) -> Response:
    context.store.reopen_job(access.job.id, actor=access.user.id)
    return RedirectResponse(_address(access), 303)


@router.post("/jobs/{job}/shown")
def change_shown(
    context: Ctx, access: WritableJob, blind: Ticked = False, hide_schools: Ticked = False, next: Text = ""
) -> Response:
    wanted = JobSettings(blind=blind, hide_schools=hide_schools)
    if wanted != context.store.job_settings(access.job.id):
        context.store.change_job_settings(access.job.id, wanted, actor=access.user.id)
    return RedirectResponse(inside(next, _address(access) + "#shown"), 303)


@router.post("/jobs/{job}/members")
def give(context: Ctx, access: WritableJob, user: Text = "") -> Response:
    give_to(context, access, user)
    return RedirectResponse(_address(access) + "#members", 303)


@router.post("/jobs/{job}/members/remove")
def take(context: Ctx, access: WritableJob, user: Text = "") -> Response:
    context.store.take_job(access.job.id, user, actor=access.user.id)
    is_out = user == access.user.id and access.user.role == RECRUITER
    return RedirectResponse("/" if is_out else _address(access) + "#members", 303)


def give_to(context: Context, access: JobAccess, user: str) -> None:
    """Only to those whom the page offers: recruiters who do not have it."""
    if user not in {each.id for each in _invitable(context, access)}:
        raise UsageError("Choose somebody from the list.")
    context.store.give_job(access.job.id, user, actor=access.user.id)


def _address(access: JobAccess) -> str:
    return f"/jobs/{access.job.id}/requirements"


def _preview(request: Request, context: Context, access: JobAccess, typed: Typed, changed: Job) -> Response:
    change = preview_change(context.service, access.job.id, changed, lens=access.lens, actor=access.user.id)
    if wants_fragment(request):
        return fragment(request, "jobs/_preview.html", change=change, job=access.job)
    return _editor(request, context, access, typed, change=change)


def _invitable(context: Context, access: JobAccess) -> list[User]:
    there = {member.id for member in context.store.members(access.job.id)}
    return [
        user
        for user in context.store.users()
        if user.role == RECRUITER and not user.disabled and user.id not in there
    ]


def _editor(
    request: Request,
    context: Context,
    access: JobAccess,
    typed: Typed,
    *,
    message: str = "",
    change: RankingChange | None = None,
) -> Response:
    store, id = context.store, access.job.id
    common, telling = (
        context.service.suggest_skills(id, by_difference=by_difference, limit=SUGGESTED)
        for by_difference in (False, True)
    )
    there = set(missing_from(typed, [each.skill for each in (*common, *telling)]))
    return page(
        request,
        "jobs/requirements.html",
        user=access.user,
        job=access.job,
        may_change=access.may_change,
        typed=typed,
        pieces=pieces(access.job.requirements),
        degrees=DEGREES,
        message=message,
        change=change,
        saved=request.query_params.get("saved") if request.method == "GET" else None,
        common=[each for each in common if each.skill in there],
        telling=[each for each in telling if each.skill in there],
        total=store.count_applications(id),
        shown=store.job_settings(id),
        members=store.members(id),
        invitable=_invitable(context, access) if access.may_change else [],
        status=422 if message else 200,
    )
