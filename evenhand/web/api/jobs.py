"""Jobs: list, make, read, change, close."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query

from evenhand.store.workspace_rows import JobSettings
from evenhand.web.access import Ctx, ReadableJob, ScreeningUser, SignedIn, WritableJob
from evenhand.web.api import answers, shapes
from evenhand.web.api.bodies import NewJob, Requirements, Shown
from evenhand.web.api.parameters import First, Size
from evenhand.web.api.shapes import Json
from evenhand.workflows.job_desk import (
    Asked,
    Wanted,
    change_requirements,
    create_job,
    list_jobs,
    revise,
    understand_pasted,
)
from evenhand.workflows.job_reading import vocabulary_for

router = APIRouter(tags=["jobs"])
Different = Annotated[
    bool, Query(description="By what sets these applicants apart, not by how many have it.")
]


@router.get("/jobs", response_model=answers.Page[answers.JobLine])
def jobs(context: Ctx, user: SignedIn, first: First = 0, size: Size = 20) -> Json:
    """Jobs you may see, the newest first."""
    return shapes.paged(list_jobs(context.store, user), shapes.job_line, first=first, size=size)


@router.post("/jobs", status_code=201, response_model=answers.Job)
def add(context: Ctx, user: ScreeningUser, body: NewJob) -> Json:
    """A job from its ad; the answer says what was understood of it."""
    id = create_job(context.store, understand_pasted(body.text, context.settings), user)
    return shapes.job(context.store.job(id))


@router.get("/jobs/{job}", response_model=answers.Job)
def read(access: ReadableJob) -> Json:
    """What a job asks for."""
    return shapes.job(access.job)


@router.put("/jobs/{job}/requirements", response_model=answers.Job)
def change(context: Ctx, access: WritableJob, body: Requirements) -> Json:
    """Put right what was understood; applicants are ranked by it from now on."""
    asked = tuple(Asked(tuple(each.skills), each.must, each.months) for each in body.skills)
    wanted = Wanted(body.title, asked, body.years, body.degree, body.city)
    canonical = vocabulary_for(context.settings).canonical_skill
    changed = revise(access.job.requirements, wanted, canonical=canonical)
    change_requirements(context.store, access.job.id, changed, version=body.version, actor=access.user.id)
    context.service.follow()
    return shapes.job(context.store.job(access.job.id))


@router.get("/jobs/{job}/shown", response_model=answers.Shown)
def shown(context: Ctx, access: ReadableJob) -> Json:
    """Whether everyone screens this job blind."""
    return asdict(context.store.job_settings(access.job.id))


@router.put("/jobs/{job}/shown", response_model=answers.Shown)
def show(context: Ctx, access: WritableJob, body: Shown) -> Json:
    """Have everyone screen this job blind, or not."""
    wanted = JobSettings(body.blind, body.hide_schools)
    if wanted != context.store.job_settings(access.job.id):
        context.store.change_job_settings(access.job.id, wanted, actor=access.user.id)
    return asdict(wanted)


@router.post("/jobs/{job}/close", response_model=answers.Job)
def close(context: Ctx, access: WritableJob) -> Json:
    """Take no more applications."""
    context.store.close_job(access.job.id, actor=access.user.id)
    return shapes.job(context.store.job(access.job.id))


@router.post("/jobs/{job}/reopen", response_model=answers.Job)
def reopen(context: Ctx, access: WritableJob) -> Json:
    """Take applications again."""
    context.store.reopen_job(access.job.id, actor=access.user.id)
    return shapes.job(context.store.job(access.job.id))


@router.get("/jobs/{job}/suggestions", response_model=answers.Items[answers.Suggestion])
def suggestions(context: Ctx, access: ReadableJob, different: Different = False, size: Size = 20) -> Json:
    """Skills that applicants have and the job does not name."""
    found = context.service.suggest_skills(access.job.id, by_difference=different, limit=size)
    return {"items": [each.to_json() for each in found]}
