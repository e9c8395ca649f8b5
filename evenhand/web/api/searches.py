"""Searches that you saved for a job. Nobody else sees them."""

from __future__ import annotations

from fastapi import APIRouter, Response

from evenhand.web.access import Ctx, ReadableJob
from evenhand.web.api import answers, shapes
from evenhand.web.api.bodies import NewSearch
from evenhand.web.api.parameters import First, Id, Size
from evenhand.web.api.shapes import Json

router = APIRouter(prefix="/jobs/{job}/searches", tags=["screening"])


@router.get("", response_model=answers.Page[answers.SavedSearch])
def searches(context: Ctx, access: ReadableJob, first: First = 0, size: Size = 20) -> Json:
    """By name."""
    found = context.store.saved_searches(access.job.id, actor=access.user.id)
    return shapes.paged(found, shapes.saved_search, first=first, size=size)


@router.post("", status_code=201, response_model=answers.Made)
def save(context: Ctx, access: ReadableJob, body: NewSearch) -> Json:
    """One of the same name is replaced."""
    id = context.store.save_search(access.job.id, body.name, body.query, actor=access.user.id)
    return {"id": id}


@router.delete("/{search}", status_code=204)
def remove(context: Ctx, access: ReadableJob, search: Id) -> Response:
    """Forget one of yours."""
    context.store.remove_search(search, job=access.job.id, actor=access.user.id)
    return Response(status_code=204)
