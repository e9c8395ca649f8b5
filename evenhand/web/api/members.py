"""Recruiters who have a job. Auditors and admins see every job and are not among them."""

from __future__ import annotations

from fastapi import APIRouter, Response

from evenhand.web.access import Ctx, ReadableJob, WritableJob
from evenhand.web.api import answers, shapes
from evenhand.web.api.bodies import NewMember
from evenhand.web.api.parameters import First, Id, Size
from evenhand.web.api.shapes import Json
from evenhand.web.pages.requirements import give_to

router = APIRouter(prefix="/jobs/{job}/members", tags=["jobs"])


@router.get("", response_model=answers.Page[answers.Member])
def members(context: Ctx, access: ReadableJob, first: First = 0, size: Size = 20) -> Json:
    """By login."""
    return shapes.paged(context.store.members(access.job.id), shapes.member, first=first, size=size)


@router.post("", status_code=204)
def give(context: Ctx, access: WritableJob, body: NewMember) -> Response:
    """Share the job with another recruiter."""
    give_to(context, access, body.user)
    return Response(status_code=204)


@router.delete("/{user}", status_code=204)
def take(context: Ctx, access: WritableJob, user: Id) -> Response:
    """Who is taken out does not see the job any more, from the next request on."""
    context.store.take_job(access.job.id, user, actor=access.user.id)
    return Response(status_code=204)
