"""The list of jobs, and a new one: its ad is read, a person checks what was understood, then it is kept."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from evenhand.errors import UsageError
from evenhand.records import Job
from evenhand.store import STATUS_NAMES, User
from evenhand.web.access import Ctx, ScreeningUser, SignedIn
from evenhand.web.ad_text import pieces
from evenhand.web.context import Context
from evenhand.web.pages.requirements_form import DEGREES, Typed, read_typed
from evenhand.web.rendering import page
from evenhand.workflows.job_desk import (
    create_job,
    list_jobs,
    revise,
    understand_pasted,
    understand_upload,
    wanted_of,
)
from evenhand.workflows.job_reading import vocabulary_for
from evenhand.workflows.reading import too_large
from evenhand.workflows.upload_names import plain_name

router = APIRouter()


@router.get("/")
def show_jobs(request: Request, context: Ctx, user: SignedIn) -> Response:
    lines = list_jobs(context.store, user)
    return page(
        request,
        "jobs/list.html",
        user=user,
        open_jobs=[line for line in lines if not line.job.closed],
        closed_jobs=[line for line in lines if line.job.closed],
        may_add=user.role != "auditor",
        statuses=STATUS_NAMES,
    )


@router.get("/jobs/new")
def show_new(request: Request, user: ScreeningUser) -> Response:
    return page(request, "jobs/new.html", user=user, text="", message="")


@router.post("/jobs/new/files")
async def read_ad(request: Request, context: Ctx, user: ScreeningUser) -> Response:
    """The form is read here and not by a parameter: who may not do this sends no file into our memory."""
    async with request.form(max_files=1, max_fields=5) as form:
        text, file = form.get("text"), form.get("file")
        pasted = text if isinstance(text, str) else ""
        try:
            if isinstance(file, UploadFile) and file.filename:
                job = await _understand_file(context, file)
            else:
                job = await run_in_threadpool(understand_pasted, pasted, context.settings)
        except UsageError as error:
            return page(request, "jobs/new.html", user=user, text=pasted, message=str(error), status=422)
    return _check_page(request, user, job, Typed.of(wanted_of(job)))


@router.post("/jobs")
def save_new(
    request: Request, context: Ctx, user: ScreeningUser, typed: Annotated[Typed, Depends(read_typed)]
) -> Response:
    """Kept, or shown once more with a row more or less: which button was pressed decides."""
    understood = understand_pasted(typed.text, context.settings)
    if typed.is_edit:
        return _check_page(request, user, understood, typed.edited())
    try:
        canonical = vocabulary_for(context.settings).canonical_skill
        job = revise(understood, typed.wanted(), canonical=canonical)
        id = create_job(context.store, job, user)
    except UsageError as error:
        return _check_page(request, user, understood, typed, message=str(error))
    return RedirectResponse(f"/jobs/{id}/import", 303)


async def _understand_file(context: Context, file: UploadFile) -> Job:
    data = await file.read(context.settings.file_bytes + 1)
    if len(data) > context.settings.file_bytes:
        raise UsageError(str(too_large(context.settings)))
    name = plain_name(file.filename or "")
    return await run_in_threadpool(understand_upload, data, name, context.settings)


def _check_page(request: Request, user: User, job: Job, typed: Typed, *, message: str = "") -> Response:
    return page(
        request,
        "jobs/check.html",
        user=user,
        job=job,
        typed=typed,
        pieces=pieces(job),
        degrees=DEGREES,
        message=message,
        status=422 if message else 200,
    )
