"""One candidate: the resume beside the facts, the score with its reasons, downloads, and two texts word by word."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse
from starlette.routing import Match

from evenhand.applicants.corrections import list_proposed
from evenhand.errors import EvenhandError
from evenhand.progress import Progress, no_progress
from evenhand.screening.candidate_career import uses_words
from evenhand.screening.candidate_comparison import compare_candidates, diff_resumes
from evenhand.screening.candidate_history import HIDDEN, LINKS
from evenhand.screening.candidate_page import build_page, remove_tag, set_flag_aside
from evenhand.screening.candidate_predictions import Reasons, page_models, predictions_of, reasons_of
from evenhand.screening.candidate_text import place_id, place_words
from evenhand.screening.exports import Download, masked_text, original
from evenhand.screening.search_url import PARAMETERS
from evenhand.text.wording import STATED_MARK, degree_words, ordinal, ranker_words, sureness
from evenhand.web.access import (
    ApplicationAccess,
    ReadableApplication,
    ReadableJob,
    WritableApplication,
    readable_application,
)
from evenhand.web.background_work import NDJSON, progress_lines
from evenhand.web.pages.screening import SEARCH, search_of
from evenhand.web.parameters import accepts
from evenhand.web.rendering import Text, attachment, done, fragment, page, wants_fragment, with_query
from evenhand.web.views.cards import ACTIONS

router = APIRouter()

WORDS: dict[str, Any] = {
    "degree_words": degree_words,
    "stated_mark": STATED_MARK,
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


Place = Annotated[str, Query(max_length=20, pattern=r"^(\d{1,9}-\d{1,9})?$")]


def _place(at: str) -> tuple[int, int] | None:
    start, _, end = at.partition("-")
    return (int(start), int(end)) if at else None


@router.get("/applications/{application}", openapi_extra=SEARCH)
def show_candidate(access: ReadableApplication, all: str = "", at: Place = "") -> Response:
    """`at` is a place in the text that a search found."""
    search = search_of(access)
    candidate = build_page(
        access.service,
        access.recorder,
        access.viewer,
        access.application,
        criteria=search.criteria,
        depth=search.first + search.size,
        whole_text=bool(all),
        found_at=_place(at),
    )
    query = with_query("", search.query)
    here = f"/applications/{access.application.id}"
    proposed = list_proposed(access.service, access.viewer, access.application) if access.may_change else ()
    rights = [(label, f"{here}/{end}") for label, end in RIGHTS if _is_served(access.request, f"{here}/{end}")]
    return page(
        access.request,
        "candidates/show.html",
        shown=candidate,
        actions=ACTIONS[access.application.status],
        may_change=access.may_change,
        here=here,
        query=query,
        back=f"{here}{query}",
        whole_text=f"{query}&all=1" if query else "?all=1",
        shows=candidate.read.text.shows if candidate.read else None,
        list_address=f"/jobs/{access.job.id}{query}",
        links=LINKS,
        hidden_reasons=HIDDEN,
        rights=rights if access.may_change else [],
        proposed=sum(not one.is_masked for one in proposed),
        models=page_models(access.settings),
        **WORDS,
    )


@router.get("/applications/{application}/predictions")
def show_predictions(access: ReadableApplication) -> Response:
    """What the models say; a page of its own for who has no script."""
    predictions = predictions_of(access.service, access.recorder, access.viewer, access.application)
    here = f"/applications/{access.application.id}"
    values: dict[str, Any] = {"opinions": predictions, "sureness": sureness, "here": here}
    if wants_fragment(access.request):
        return fragment(access.request, "candidates/_predictions.html", **values)
    return page(access.request, "candidates/predictions.html", job=access.job, **values)


@router.get("/applications/{application}/original")
def download_original(access: ReadableApplication) -> Response:
    """The file as it came, for those who see all of it."""
    return attached(original(access.service, access.recorder, access.viewer, access.application))


@router.get("/applications/{application}/masked-text")
def download_masked_text(access: ReadableApplication) -> Response:
    """The text as this person sees it."""
    return attached(masked_text(access.service, access.recorder, access.viewer, access.application))


@router.get("/applications/{application}/difference/{other}")
def show_difference(access: ReadableApplication, other: str) -> Response:
    """Of two texts; whoever may not see both is told that there is no such page."""
    second = readable_application(access, other)
    sides = (access.viewer, access.application), (second.viewer, second.application)
    difference = diff_resumes(access.service, access.recorder, *sides)
    return page(access.request, "candidates/difference.html", told=difference, links=LINKS)


def attached(file: Download) -> Response:
    return attachment(file.data, file.media_type, file.name)


def _is_served(request: Request, address: str) -> bool:
    asked_for = {**request.scope, "path": address, "root_path": "", "path_params": {}}
    return any(route.matches(asked_for)[0] is Match.FULL for route in request.app.routes)


# Two to four candidates of a job side by side.

CHOSEN = ("a", "application")
"""Names under which an address tells whom to compare: short, and as the list sends its selection."""


# Without a script the list sends the fields of its form for decisions along.
@router.get("/jobs/{job}/compare", openapi_extra=accepts(*PARAMETERS, *CHOSEN, "seen", "next", "reason"))
def show_comparison(access: ReadableJob) -> Response:
    ids = [value for name, value in access.request.query_params.multi_items() if name in CHOSEN]
    search = search_of(access)
    sides = compare_candidates(
        access.service, access.recorder, access.viewer, access.job, ids, criteria=search.criteria
    )
    query = with_query("", search.query)
    same = urlencode([("a", column.application.id) for column in sides.columns])
    return page(
        access.request,
        "candidates/compare.html",
        sides=sides,
        demand_names=[demand.label for demand in sides.demands],
        may_change=access.may_change,
        actions_of=ACTIONS,
        query=query,
        back=f"/jobs/{access.job.id}/compare?{same}" + (f"&{search.query}" if search.query else ""),
        list_address=f"/jobs/{access.job.id}{query}",
        shows=None,
        whole_text="",
        **WORDS,
    )


# Why a model says what it says of a candidate: beside the prediction, as a page of its own, and as files.

Kind = Annotated[Literal["", "page", "picture"], Query(alias="as")]


@router.get("/applications/{application}/reasons")
def show_reasons(access: ReadableApplication, model: str = "", target: str = "", kind: Kind = "") -> Response:
    """A piece of the candidate's page with its progress, whole for who has no script; or a file to keep."""

    def work(progress: Progress) -> Reasons:
        names = model or None, target or None
        return reasons_of(access.service, access.recorder, access.viewer, access.application, *names, progress=progress)

    here = f"/applications/{access.application.id}"
    if wants_fragment(access.request):
        return StreamingResponse(_lines(access.request, work, here), media_type=NDJSON)
    reasons = work(no_progress)
    if kind:
        return attached(reasons.page() if kind == "page" else reasons.picture())
    return page(access.request, "candidates/reasons.html", reasons=reasons, job=access.job, here=here)


def _lines(request: Request, work: Callable[[Progress], Reasons], here: str) -> Iterator[str]:
    """How far it is, then the piece of the page. An answer that has begun cannot become another one: what goes wrong
    is told in its last line."""

    def show(reasons: Reasons) -> dict[str, Any]:
        piece = fragment(request, "candidates/_reasons.html", reasons=reasons, here=here)
        return {"html": bytes(piece.body).decode()}

    try:
        yield from progress_lines(work, show)
    except EvenhandError as error:
        yield json.dumps({"error": str(error)}) + "\n"


# What people write beside an application: tags, notes, and flags they have looked into.

REMARKS = "remarks"
FLAGS = "flags"


@router.post("/applications/{application}/tags", openapi_extra=SEARCH)
def add_tag(access: WritableApplication, tag: Text = "") -> Response:
    access.store.notes.add_tag(access.application.id, tag, actor=access.user.id)
    return _back(access, REMARKS)


@router.post("/applications/{application}/tags/remove", openapi_extra=SEARCH)
def drop_tag(access: WritableApplication, tag: Text = "") -> Response:
    """`tag` is its key."""
    remove_tag(access.service, access.application.id, tag, actor=access.user.id)
    return _back(access, REMARKS)


@router.post("/applications/{application}/notes", openapi_extra=SEARCH)
def add_note(access: WritableApplication, text: Text = "") -> Response:
    lines = text.replace("\r\n", "\n")  # as browsers send what is typed on several lines
    access.store.notes.add(access.application.id, lines, actor=access.user.id)
    return _back(access, REMARKS)


@router.post("/applications/{application}/notes/{note}/remove", openapi_extra=SEARCH)
def remove_note(access: WritableApplication, note: str) -> Response:
    access.store.notes.remove(note, application=access.application.id, actor=access.user.id)
    return _back(access, REMARKS)


@router.post("/applications/{application}/flags/set-aside", openapi_extra=SEARCH)
def set_aside(access: WritableApplication, flag: Text = "", reason: Text = "") -> Response:
    """`flag` is its key: the finding itself is looked up, a page cannot set aside what is not there."""
    set_flag_aside(access.service, access.viewer, access.application, flag, reason)
    return _back(access, FLAGS)


@router.post("/applications/{application}/flags/bring-back", openapi_extra=SEARCH)
def bring_back(access: WritableApplication, flag: Text = "") -> Response:
    access.store.notes.restore_flag(access.application.id, flag, actor=access.user.id)
    return _back(access, FLAGS)


def _back(access: ApplicationAccess, part: str) -> Response:
    """To the page it was sent from; the address carries the list they came from, so nothing else is needed."""
    id, query = access.application.id, f"?{access.request.url.query}" if access.request.url.query else ""
    return done(access.request, {"application": id}, f"/applications/{id}{query}#{part}")
