"""The ranked list with facets and snippets, as `evenhand search --json` prints it, and why one stands above another."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from evenhand.web.access import Ctx, ReadableJob
from evenhand.web.api.shapes import Json
from evenhand.web.pages.screening import read, viewer_of
from evenhand.workflows.desk import screen, why

router = APIRouter(tags=["screening"])
Text = Annotated[str, Query(max_length=1_000, description="The query language of the search box.")]
Many = Annotated[list[str] | None, Query(max_length=200)]
First = Annotated[int, Query(ge=0, le=20_000)]
Size = Annotated[int, Query(ge=1, le=100)]
Id = Annotated[str, Query(max_length=64)]


@router.get("/jobs/{job}/screen")
def show(
    request: Request,
    context: Ctx,
    access: ReadableJob,
    q: Text = "",
    source: Many = None,
    degree: Many = None,
    total_years: Many = None,
    relevant_years: Many = None,
    city: Many = None,
    status: Many = None,
    skill: Many = None,
    months: Annotated[list[str] | None, Query(max_length=20, description="Like java>=36, again for more.")] = None,
    ranker: Annotated[str, Query(max_length=32)] = "best",
    first: First = 0,
    size: Size = 20,
) -> Json:
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
    lines = [
        {
            **line.listed.to_json(),
            "candidate": line.name,
            "flags": [{"code": flag.code, "message": flag.message} for flag in line.flags],
            "tags": list(line.tags),
        }
        for line in found.lines
    ]
    following = first + size if first + size < found.screen.total else None
    return {
        **found.screen.to_json(),
        "results": lines,
        "ranking": found.sequence,
        "problems": list(search.problems),
        "first": first,
        "size": size,
        "next": following,
    }


@router.get("/jobs/{job}/why")
def tell_why(
    request: Request, context: Ctx, access: ReadableJob, above: Id, below: Id | None = None, q: Text = ""
) -> Json:
    """Why one candidate of the list stands above another, part by part; without `below`, above the next one."""
    search = read(request.query_params.multi_items(), context, access)
    found = why(context.service, search.criteria, above, below)
    return {
        "above": {"application": found.above.entry.application, "score": found.above.score.value},
        "below": {"application": found.below.entry.application, "score": found.below.score.value},
        "difference": found.comparison.value,
        "parts": [each.to_part().to_json() for each in found.comparison.differences],
    }
