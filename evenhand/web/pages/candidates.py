"""One candidate: the resume beside the facts, the score with its reasons, downloads, and two texts word by word."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.routing import Match

from evenhand.web.access import (
    ApplicationAccess,
    Ctx,
    JobAccess,
    ReadableApplication,
    may_see,
    readable_application,
)
from evenhand.web.context import Context
from evenhand.web.pages.screening import read
from evenhand.web.rendering import fragment, page, wants_fragment
from evenhand.web.views.cards import ACTIONS
from evenhand.web.wording import ordinal
from evenhand.workflows.candidate_difference import tell_apart
from evenhand.workflows.candidate_download import Download, masked_text, original
from evenhand.workflows.candidate_flags import HIDDEN, LINKS
from evenhand.workflows.candidate_page import gather
from evenhand.workflows.candidate_places import place_id, place_words
from evenhand.workflows.candidate_predictions import opinions_of, page_models
from evenhand.workflows.candidate_skills import uses_words
from evenhand.workflows.desk import Viewer
from evenhand.workflows.desk_query import Search
from evenhand.workflows.wording import degree_words, ranker_words, sureness

router = APIRouter()

WORDS: dict[str, Any] = {
    "degree_words": degree_words,
    "most_rows": 150,  # of a table; who has more jobs or skills has padded, or pasted a book
    "most_uses": 20,
    "ordinal": ordinal,
    "place_id": place_id,
    "place_words": place_words,
    "ranker_words": ranker_words,
    "uses_words": uses_words,
}
"""What the templates of candidates call, and where they stop."""

RIGHTS = (("Correct what was misread", "correct"), ("Receipt", "receipt"), ("Erase", "erase"))
"""Pages about one application, by the ends of their addresses; linked to where they are served."""


@router.get("/applications/{application}")
def show_candidate(request: Request, context: Ctx, access: ReadableApplication, all: str = "") -> Response:
    search = asked(request, context, access)
    shown = gather(
        context.service,
        context.recorder,
        viewer_of(context, access),
        access.application,
        criteria=search.criteria,
        depth=search.first + search.size,
        whole_text=bool(all),
    )
    query = f"?{search.query}" if search.query else ""
    here = f"/applications/{access.application.id}"
    return page(
        request,
        "candidates/show.html",
        user=access.user,
        shown=shown,
        actions=ACTIONS[access.application.status],
        may_change=access.may_change,
        here=here,
        query=query,
        back=f"{here}{query}",
        whole_text=f"{query}&all=1" if query else "?all=1",
        shows=shown.read.text.shows if shown.read else None,
        list_address=f"/jobs/{access.job.id}{query}",
        links=LINKS,
        hidden_reasons=HIDDEN,
        rights=_rights(request, access),
        models=page_models(context.settings),
        **WORDS,
    )


@router.get("/applications/{application}/predictions")
def show_predictions(request: Request, context: Ctx, access: ReadableApplication) -> Response:
    """What the models say; a page of its own for who has no script."""
    found = opinions_of(context.service, context.recorder, viewer_of(context, access), access.application)
    here = f"/applications/{access.application.id}"
    if wants_fragment(request):
        return fragment(request, "candidates/_predictions.html", opinions=found, sureness=sureness, here=here)
    return page(
        request,
        "candidates/predictions.html",
        user=access.user,
        opinions=found,
        sureness=sureness,
        job=access.job,
        here=here,
    )


@router.get("/applications/{application}/original")
def download_original(context: Ctx, access: ReadableApplication) -> Response:
    """The file as it came, for those who see all of it."""
    return attached(
        original(context.service, context.recorder, viewer_of(context, access), access.application)
    )


@router.get("/applications/{application}/masked-text")
def download_masked_text(context: Ctx, access: ReadableApplication) -> Response:
    """The text as this person sees it."""
    return attached(
        masked_text(context.service, context.recorder, viewer_of(context, access), access.application)
    )


@router.get("/applications/{application}/difference/{other}")
def show_difference(request: Request, context: Ctx, access: ReadableApplication, other: str) -> Response:
    """Of two texts; whoever may not see both is told that there is no such page."""
    second = readable_application(request, context, access.user, other)
    told = tell_apart(
        context.service,
        context.recorder,
        (viewer_of(context, access), access.application),
        (viewer_of(context, second), second.application),
    )
    return page(request, "candidates/difference.html", user=access.user, told=told, links=LINKS)


def asked(request: Request, context: Context, access: JobAccess | ApplicationAccess) -> Search:
    """The list somebody came from: its search stands in the address."""
    return read(request.query_params.multi_items(), context, access)


def viewer_of(context: Context, access: ApplicationAccess) -> Viewer:
    user = access.user
    return Viewer(user.id, access.lens, lambda job: may_see(context, user, job))


def attached(file: Download) -> Response:
    """Never shown in the browser, whatever it is: a resume may hold scripts."""
    return Response(
        file.data,
        media_type=file.media_type,
        headers={"Content-Disposition": f'attachment; filename="{file.name}"'},
    )


def _rights(request: Request, access: ApplicationAccess) -> list[tuple[str, str]]:
    if not access.may_change:
        return []
    pages = [(label, f"/applications/{access.application.id}/{end}") for label, end in RIGHTS]
    return [(label, address) for label, address in pages if _is_served(request, address)]


def _is_served(request: Request, address: str) -> bool:
    asked_for = {**request.scope, "path": address, "root_path": "", "path_params": {}}
    return any(route.matches(asked_for)[0] is Match.FULL for route in request.app.routes)
