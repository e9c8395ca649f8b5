"""Why a model says what it says of a candidate: beside the prediction, as a page of its own, and as files."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from evenhand.web.access import Ctx, ReadableApplication
from evenhand.web.pages.candidates import attached, viewer_of
from evenhand.web.rendering import fragment, page, wants_fragment
from evenhand.workflows.candidate_reasons import reasons_of

router = APIRouter()
Kind = Annotated[Literal["", "page", "picture"], Query(alias="as")]


@router.get("/applications/{application}/reasons")
def show_reasons(
    request: Request,
    context: Ctx,
    access: ReadableApplication,
    model: str = "",
    target: str = "",
    kind: Kind = "",
) -> Response:
    """A piece of the candidate's page, whole for who has no script; or a file to keep."""
    viewer = viewer_of(context, access)
    found = reasons_of(
        context.service, context.recorder, viewer, access.application, model or None, target=target or None
    )
    if kind:
        return attached(found.page() if kind == "page" else found.picture())
    here = f"/applications/{access.application.id}"
    if wants_fragment(request):
        return fragment(request, "candidates/_reasons.html", reasons=found, here=here)
    return page(
        request, "candidates/reasons.html", user=access.user, reasons=found, job=access.job, here=here
    )
