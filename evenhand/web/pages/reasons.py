"""Why a model says what it says of a candidate: beside the prediction, as a page of its own, and as files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from evenhand.errors import EvenhandError
from evenhand.web.access import Ctx, ReadableApplication
from evenhand.web.pages.candidates import attached, viewer_of
from evenhand.web.progress import NDJSON, Done, run_watched
from evenhand.web.rendering import fragment, page, wants_fragment
from evenhand.workflows.candidate_reasons import Reasons, reasons_of
from evenhand.workflows.watching import Watch, unwatched

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
    """A piece of the candidate's page with its progress, whole for who has no script; or a file to keep."""
    viewer = viewer_of(context, access)

    def work(watch: Watch) -> Reasons:
        asked = (model or None, target or None)
        return reasons_of(context.service, context.recorder, viewer, access.application, *asked, watch=watch)

    here = f"/applications/{access.application.id}"
    if wants_fragment(request):
        return StreamingResponse(_lines(request, work, here), media_type=NDJSON)
    found = work(unwatched)
    if kind:
        return attached(found.page() if kind == "page" else found.picture())
    return page(
        request, "candidates/reasons.html", user=access.user, reasons=found, job=access.job, here=here
    )


def _lines(request: Request, work: Callable[[Watch], Reasons], here: str) -> Iterator[str]:
    """How far it is, then the piece of the page. An answer that has begun cannot become another one: what goes wrong
    is told in its last line."""
    try:
        for each in run_watched(work):
            if isinstance(each, Done):
                piece = fragment(request, "candidates/_reasons.html", reasons=each.value, here=here)
                yield json.dumps({"html": bytes(piece.body).decode()}) + "\n"
            else:
                yield json.dumps({"done": each.done, "total": each.total}) + "\n"
    except EvenhandError as error:
        yield json.dumps({"error": str(error)}) + "\n"
