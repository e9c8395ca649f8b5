"""The ranked list with facets and snippets, why one stands above another, and several side by side."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from evenhand.records import Part
from evenhand.web.access import Ctx, ReadableJob
from evenhand.web.api import candidate_answers as answers
from evenhand.web.api import candidate_shapes as shapes
from evenhand.web.api.parameters import SEARCH, FirstRank, Size
from evenhand.web.api.shapes import Json
from evenhand.web.pages.screening import read, viewer_of
from evenhand.workflows.candidate_comparison import compare_candidates
from evenhand.workflows.desk import screen, why
from evenhand.workflows.desk_why import seen_through

router = APIRouter(tags=["screening"])
Id = Annotated[str, Query(max_length=64)]


@router.get("/jobs/{job}/screen", response_model=answers.Screen, openapi_extra=SEARCH)
def show(request: Request, context: Ctx, access: ReadableJob, first: FirstRank = 0, size: Size = 20) -> Json:
    """Values of one facet are alternatives, different facets all hold. The list is recorded: `ranking` is its event."""
    pairs = [pair for pair in request.query_params.multi_items() if pair[0] not in ("page", "size")]
    search = read(pairs, context, access)
    found = screen(
        context.service,
        context.recorder,
        viewer_of(context, access),
        search.criteria,
        first=first,
        size=size,
    )
    following = first + size if first + size < found.screen.total else None
    return {
        **found.screen.to_json(),
        "results": [shapes.line(line) for line in found.lines],
        "ranking": found.sequence,
        "problems": list(search.problems),
        "first": first,
        "size": size,
        "next": following,
    }


@router.get("/jobs/{job}/why", response_model=answers.Why, openapi_extra=SEARCH)
def tell_why(request: Request, context: Ctx, access: ReadableJob, above: Id, below: Id | None = None) -> Json:
    """Why one candidate of the list stands above another, part by part; without `below`, above the next one."""
    search = read(request.query_params.multi_items(), context, access)
    found = seen_through(
        access.lens, context.store.profile, why(context.service, search.criteria, above, below)
    )
    return {
        "above": {"application": found.above.entry.application, "score": found.above.score.value},
        "below": {"application": found.below.entry.application, "score": found.below.score.value},
        "difference": found.comparison.value,
        "parts": [
            {
                "name": each.name,
                "value": each.value,
                "above": _reason(each.above),
                "below": _reason(each.below),
            }
            for each in found.comparison.differences
        ],
    }


@router.get("/jobs/{job}/compare", response_model=answers.Comparison, openapi_extra=SEARCH)
def compare(
    request: Request,
    context: Ctx,
    access: ReadableJob,
    application: Annotated[
        list[Id], Query(min_length=2, max_length=4, description="Two to four of the job.")
    ],
) -> Json:
    """Candidates side by side, the best first."""
    sides = compare_candidates(
        context.service,
        context.recorder,
        viewer_of(context, access),
        access.job,
        application,
        criteria=read(request.query_params.multi_items(), context, access).criteria,
    )
    return shapes.comparison(sides)


def _reason(part: Part | None) -> str:
    return part.reason or "" if part else ""
