"""Screening: the ranked list, why one stands above another, several side by side, decisions, and saved searches."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from evenhand.screening.candidate_comparison import compare_candidates
from evenhand.screening.candidate_list import explain_order, redact_difference, screen
from evenhand.screening.decisions import apply_plan, decide, plan_bulk, redo, reversal_words, undo
from evenhand.screening.search_url import CRITERIA, query_pairs
from evenhand.store.decisions import BatchOutcome
from evenhand.web.access import ReadableJob, WritableJob
from evenhand.web.api import answers as api_answers
from evenhand.web.api import candidate_answers as answers
from evenhand.web.api import shapes
from evenhand.web.api.requests import (
    SEARCH,
    Decide,
    DecideMany,
    First,
    FirstRank,
    NewSearch,
    ParametersId,
    Redo,
    Size,
    Undo,
)
from evenhand.web.api.shapes import Json
from evenhand.web.pages.screening import read, save_named, saved_searches, search_of

router = APIRouter(tags=["screening"])
Id = Annotated[str, Query(max_length=64)]


@router.get(
    "/jobs/{job}/screen",
    summary="Rank and filter the candidates of a job",
    response_model=answers.Screen,
    openapi_extra=SEARCH,
)
def show(access: ReadableJob, first: FirstRank = 0, size: Size = 20) -> Json:
    """Values of one facet are alternatives, different facets all hold. The list is recorded: `ranking` is its event."""
    search = read([pair for pair in access.request.query_params.multi_items() if pair[0] in CRITERIA], access)
    page = screen(access.service, access.recorder, access.viewer, search.criteria, first=first, size=size)
    following = first + size if first + size < page.screen.total else None
    return {
        **page.screen.to_json(),
        "results": [shapes.line(line) for line in page.lines],
        "ranking": page.sequence,
        "problems": [],  # what is not understood is refused
        "first": first,
        "size": size,
        "next": following,
    }


@router.get(
    "/jobs/{job}/why",
    summary="Explain why one candidate ranks above another",
    response_model=answers.Why,
    openapi_extra=SEARCH,
)
def tell_why(access: ReadableJob, above: Id, below: Id | None = None) -> Json:
    """The difference of two scores, part by part; without `below`, to the next candidate of the list."""
    order = explain_order(access.service, search_of(access).criteria, above, below)
    difference = redact_difference(access.visibility, access.service.masks.of, order)
    return {
        "above": {"application": difference.above.entry.application, "score": difference.above.score.value},
        "below": {"application": difference.below.entry.application, "score": difference.below.score.value},
        "difference": difference.comparison.value,
        "parts": [part.to_json() for part in difference.comparison.differences],
    }


@router.get(
    "/jobs/{job}/compare",
    summary="Compare candidates side by side",
    response_model=answers.Comparison,
    openapi_extra=SEARCH,
)
def compare(
    access: ReadableJob,
    application: Annotated[list[Id], Query(min_length=2, max_length=4, description="Two to four of the job.")],
) -> Json:
    """Candidates side by side, the best first."""
    criteria = search_of(access).criteria
    return shapes.comparison(
        compare_candidates(access.service, access.recorder, access.viewer, access.job, application, criteria=criteria)
    )


# A person makes each decision; none happens by itself.
decisions_router = APIRouter(tags=["decisions"])


@decisions_router.post("/jobs/{job}/decisions", summary="Record a decision", response_model=api_answers.Outcome)
def make(access: WritableJob, body: Decide) -> BatchOutcome:
    """Shortlist, reject, offer, or mark as screened. A rejection needs a reason."""
    outcome = decide(access.service, access.decider(body.seen), body.applications, body.action, reason=body.reason)
    access.recorder.checkpoint()
    return outcome


@decisions_router.post(
    "/jobs/{job}/decisions/many", summary="Preview and record a bulk decision", response_model=api_answers.ManyDone
)
def make_many(access: WritableJob, body: DecideMany) -> Json:
    """First without `version`: what would happen, and its version. Then with it: exactly that, or nothing."""
    criteria, by = read(query_pairs(body.query), access).criteria, access.decider(body.seen)
    if not body.version:
        return {"plan": shapes.plan(plan_bulk(access.service, by, criteria, body.action, keep=body.keep))}
    outcome = apply_plan(
        access.service, by, criteria, action=body.action, keep=body.keep, version=body.version, reason=body.reason
    )
    access.recorder.checkpoint()
    return {"outcome": outcome}


@decisions_router.post("/jobs/{job}/decisions/undo", summary="Undo a decision", response_model=api_answers.Outcome)
def take_back(access: WritableJob, body: Undo) -> Json:
    """Give each application of a decision its status from before. A decision of somebody else, or older than your
    sign-in (with a token: than `session_hours`), answers 409 `confirmation_needed` with its batch; send that with
    `confirmed`."""
    outcome = undo(access.service, access.decider(), body.batch, confirmed=body.confirmed)
    access.recorder.checkpoint()
    return shapes.reversal(outcome, reversal_words(access.service, access.visibility, "Undone", outcome))


@decisions_router.post(
    "/jobs/{job}/decisions/redo", summary="Redo a decision that was undone", response_model=api_answers.Outcome
)
def make_again(access: WritableJob, body: Redo) -> Json:
    """Decide again what was undone, for the same reason; asks as undo does."""
    outcome = redo(access.service, access.decider(), body.batch, confirmed=body.confirmed)
    access.recorder.checkpoint()
    return shapes.reversal(outcome, reversal_words(access.service, access.visibility, "Redone", outcome))


# Nobody else sees the searches that you saved.
searches_router = APIRouter(prefix="/jobs/{job}/searches", tags=["screening"])


@searches_router.get("", summary="List saved searches", response_model=api_answers.Page[api_answers.SavedSearch])
def searches(access: ReadableJob, first: First = 0, size: Size = 20) -> Json:
    """By name; `problem` says why one cannot be run."""
    return shapes.paged(saved_searches(access), shapes.saved_search, first=first, size=size)


@searches_router.post("", summary="Save a search", status_code=201, response_model=api_answers.Made)
def save(access: ReadableJob, body: NewSearch) -> Json:
    """One of the same name is replaced."""
    return {"id": save_named(access, body.name, body.query)}


@searches_router.delete("/{search}", summary="Delete a saved search", status_code=204)
def remove(access: ReadableJob, search: ParametersId) -> Response:
    """Forget one of yours."""
    access.store.searches.remove(search, job=access.job.id, actor=access.user.id)
    return Response(status_code=204)
