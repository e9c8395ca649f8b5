"""The screening page of a job: search, facets, the ranked list; saved searches, and who wants to see it masked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from evenhand.audit.facet_impact import facet_impacts
from evenhand.errors import QueryError
from evenhand.mining.pipeline import vocabulary_for
from evenhand.screening.candidate_list import ListPage, screen
from evenhand.screening.decisions import standing_bulk, used_reasons
from evenhand.screening.search_url import Pairs, ParsedSearch, choosing, read_search
from evenhand.web.access import BLIND, JobAccess, ReadableJob, SignedIn
from evenhand.web.rendering import (
    Text,
    delete_cookie,
    done,
    fragment,
    inside,
    page,
    read_cookie,
    set_cookie,
    wants_fragment,
)
from evenhand.web.views.cards import masked_words
from evenhand.web.views.screening import Blind, Bulk, Mistake, ScreeningContext, screening_view

router = APIRouter()
A_YEAR = 365 * 86_400
AUDITOR = "auditor"  # who alone sees what a facet would do to groups


@router.get("/jobs/{job}")
def show(access: ReadableJob) -> Response:
    search = search_of(access)
    typed, mistake = search.criteria.text, None
    try:
        listing = _screen(access, search)
    except QueryError as error:
        mistake = Mistake.of(typed, error)
        if wants_fragment(access.request):
            # The list stays as it is while somebody types; only the mistake is told.
            return fragment(access.request, "screening/_problem.html", mistake=mistake, problems=(), without=False)
        search = search.with_(replace(search.criteria, text=""))
        listing = _screen(access, search)
    store, job = access.store, access.job.id
    settings, batches = store.job_settings.get(job), store.decisions.recent_batches(job)
    bulk = standing_bulk(batches)
    around = ScreeningContext(
        statuses=access.service.status_counts(job),
        saved=store.searches.of_job(job, actor=access.user.id),
        reasons=used_reasons(batches, access.user.id),
        blind=Blind(read_cookie(access.request, BLIND) == "1", settings.blind, settings.hide_schools),
        masked=masked_words(access.visibility.kinds),
        bulk=Bulk.of(bulk, store.accounts.names([bulk.actor])) if bulk else None,
        mistake=mistake,
        typed=typed,
    )
    if access.user.role == AUDITOR:
        around = replace(around, impacts=facet_impacts(access.service, search.criteria, listing.screen.facets))
    view = screening_view(listing, search, around, address_of(access))
    values: dict[str, Any] = {"view": view, "job": access.job, "may_change": access.may_change}
    if wants_fragment(access.request):
        return fragment(access.request, "screening/parts.html", **values)
    return page(access.request, "screening/page.html", **values)


@router.post("/jobs/{job}/searches")
def save_search(access: ReadableJob, name: Text = "", query: Text = "", next: Text = "") -> Response:
    id = access.store.searches.save(access.job.id, name, query, actor=access.user.id)
    return done(access.request, {"id": id, "sentence": "The search is saved."}, inside(next, address_of(access)))


@router.post("/jobs/{job}/searches/{id}/remove")
def remove_search(access: ReadableJob, id: str, next: Text = "") -> Response:
    access.store.searches.remove(id, job=access.job.id, actor=access.user.id)
    return done(access.request, {"sentence": "The saved search is removed."}, inside(next, address_of(access)))


@router.post("/preferences/blind")
def choose_blind(visit: SignedIn, on: Text = "", next: Text = "/") -> Response:
    """For this browser: a job that is screened blind stays so."""
    response = RedirectResponse(inside(next), 303)
    if on == "1":
        set_cookie(visit.context, response, BLIND, "1", seconds=A_YEAR)
    else:
        delete_cookie(visit.context, response, BLIND)
    return response


def address_of(access: JobAccess) -> str:
    return f"/jobs/{access.job.id}"


def search_of(access: JobAccess) -> ParsedSearch:
    return read(access.request.query_params.multi_items(), access)


def read(pairs: Pairs, access: JobAccess) -> ParsedSearch:
    """As an address asks. What is hidden cannot be asked for by ticking it either."""
    search = read_search(
        pairs, access.job.id, canonical=lambda name: vocabulary_for(access.settings).canonical_skill(name)
    )
    search = replace(search, criteria=access.visibility.criteria(search.criteria))
    if "address" in access.visibility.kinds and search.criteria.facets.get("city"):
        sentence = "Cities are masked; the list is not limited to them."
        search = replace(search, criteria=choosing(search.criteria, "city", ()), problems=(*search.problems, sentence))
    return search


def _screen(access: JobAccess, search: ParsedSearch) -> ListPage:
    return screen(access.service, access.recorder, access.viewer, search.criteria, first=search.first, size=search.size)
