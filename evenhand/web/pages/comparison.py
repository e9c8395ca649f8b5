"""Two to four candidates of a job side by side."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import Response

from evenhand.web.access import Ctx, ReadableJob, may_see
from evenhand.web.pages.candidates import WORDS, asked
from evenhand.web.rendering import page
from evenhand.web.views.cards import ACTIONS
from evenhand.workflows.candidate_comparison import compare_candidates
from evenhand.workflows.desk import Viewer

router = APIRouter()
CHOSEN = ("a", "application")
"""Names under which an address tells whom to compare: short, and as the list sends its selection."""


@router.get("/jobs/{job}/compare")
def show_comparison(request: Request, context: Ctx, access: ReadableJob) -> Response:
    ids = [value for name, value in request.query_params.multi_items() if name in CHOSEN]
    search = asked(request, context, access)
    user = access.user
    sides = compare_candidates(
        context.service,
        context.recorder,
        Viewer(user.id, access.lens, lambda job: may_see(context, user, job)),
        access.job,
        ids,
        criteria=search.criteria,
    )
    query = f"?{search.query}" if search.query else ""
    same = urlencode([("a", column.application.id) for column in sides.columns])
    return page(
        request,
        "candidates/compare.html",
        user=user,
        sides=sides,
        demand_names=[" or ".join(demand.skills) for demand in sides.demands],
        may_change=access.may_change,
        actions_of=ACTIONS,
        query=query,
        back=f"/jobs/{access.job.id}/compare?{same}" + (f"&{search.query}" if search.query else ""),
        list_address=f"/jobs/{access.job.id}{query}",
        shows=None,
        whole_text="",
        **WORDS,
    )
