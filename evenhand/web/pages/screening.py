"""The screening page of a job: search, facets, the ranked list; saved searches, and who wants to see it masked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from fastapi.responses import RedirectResponse, Response

from evenhand.audit.facet_impact import facet_impacts
from evenhand.errors import FilterError, QueryError, UsageError
from evenhand.mining.pipeline import vocabulary_for
from evenhand.screening.candidate_list import screen
from evenhand.screening.decisions import standing_bulk, used_reasons
from evenhand.screening.search_url import PARAMETERS, Pairs, ParsedSearch, query_pairs, read_search
from evenhand.search.query_language import parse
from evenhand.store.jobs import StoredSearch
from evenhand.web.access import BLIND, JobAccess, ReadableJob, SignedIn
from evenhand.web.parameters import accepts
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
SEARCH = accepts(*PARAMETERS)
"""For the routes whose address holds the search of a list."""
AUDITOR = "auditor"  # who alone sees what a facet would do to groups


@router.get("/jobs/{job}", openapi_extra=SEARCH)
def show(access: ReadableJob) -> Response:
    try:
        search = search_of(access)
        at = {"first": search.first, "size": search.size}
        listing = screen(access.service, access.recorder, access.viewer, search.criteria, **at)
    except (QueryError, FilterError) as error:
        if not wants_fragment(access.request):
            raise
        # The list stays as it is while somebody types; only the mistake is told.
        typed = access.request.query_params.get("q", "").strip()
        mistake = Mistake.of(typed, error) if isinstance(error, QueryError) else Mistake(str(error))
        return fragment(access.request, "screening/_problem.html", mistake=mistake)
    store, job = access.store, access.job.id
    settings, batches = store.job_settings.get(job), store.decisions.recent_batches(job)
    bulk = standing_bulk(batches)
    around = ScreeningContext(
        statuses=access.service.status_counts(job),
        saved=saved_searches(access),
        reasons=used_reasons(batches, access.user.id),
        blind=Blind(read_cookie(access.request, BLIND) == "1", settings.blind, settings.hide_schools),
        masked=masked_words(access.visibility.kinds),
        bulk=Bulk.of(bulk, store.accounts.names([bulk.actor])) if bulk else None,
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
    id = save_named(access, name, query)
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
    """As the address of the request asks; what else a route takes is not part of the search."""
    pairs = access.request.query_params.multi_items()
    return read([pair for pair in pairs if pair[0] in PARAMETERS], access)


def save_named(access: JobAccess, name: str, query: str) -> str:
    """The id of the saved search. One that cannot be run is refused."""
    read(query_pairs(query), access)
    return access.store.searches.save(access.job.id, name, query, actor=access.user.id)


def saved_searches(access: JobAccess) -> list[tuple[StoredSearch, str]]:
    """Each with the reason why it cannot be run: older versions saved whatever an address held."""

    def problem(query: str) -> str:
        try:
            read(query_pairs(query), access)
        except UsageError as error:
            return str(error)
        return ""

    saved = access.store.searches.of_job(access.job.id, actor=access.user.id)
    return [(search, problem(search.query)) for search in saved]


def read(pairs: Pairs, access: JobAccess) -> ParsedSearch:
    """As an address asks. Raises UsageError for what is not understood, or asks for what is hidden."""
    search = read_search(
        pairs, access.job.id, canonical=lambda name: vocabulary_for(access.settings).canonical_skill(name)
    )
    search = replace(search, criteria=access.visibility.criteria(search.criteria))
    if "address" in access.visibility.kinds and search.criteria.facets.get("city"):
        raise FilterError("Cities are masked here, so the list cannot be limited to them.")
    parse(search.criteria.text)
    return search
