"""Decisions from the list: on some, on many after a preview, undone again; and why one stands above another.

All of them are made by a person. There is no route, timer or rule here that rejects anybody by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Form, Query
from fastapi.responses import JSONResponse, RedirectResponse, Response

from evenhand.errors import ConfirmationNeeded, Conflict, UsageError
from evenhand.screening.candidate_list import explain_order, redact_difference
from evenhand.screening.decisions import (
    BULK_ACTIONS,
    NAMED,
    REJECT,
    apply_plan,
    decide,
    names_of,
    plan_bulk,
    redo,
    reversal_words,
    undo,
    used_reasons,
)
from evenhand.screening.search_url import ParsedSearch, query_pairs
from evenhand.store.applications import STATUS_NAMES
from evenhand.store.decisions import BatchOutcome
from evenhand.text.wording import count
from evenhand.web.access import JobAccess, ReadableJob, WritableJob
from evenhand.web.pages.screening import SEARCH, address_of, read, search_of
from evenhand.web.rendering import Text, Ticked, fragment, inside, page, wants_fragment, wants_json, with_query
from evenhand.web.views.cards import why_view
from evenhand.web.views.screening import DONE, ManyView

router = APIRouter()
MAX_STATUSES = 500  # statuses told one by one; after a decision on more, the list is asked for again
Many = Annotated[list[str], Form()]
Asked = Annotated[str, Query(max_length=40)]


@router.post("/jobs/{job}/decisions")
def make(
    access: WritableJob,
    application: Many,
    action: Text = "",
    reason: Text = "",
    seen: Text = "",
    next: Text = "",
    was: Annotated[list[str], Form()] = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """`was` has, as "id:status", what the page showed of each: nothing is decided over what somebody else decided."""
    shown = dict(entry.split(":", 1) for entry in was if ":" in entry)
    made = decide(access.service, access.decider(_sequence(seen)), application, action, reason=reason, shown=shown)
    access.recorder.checkpoint()
    return _done(access, made, _sentence(made, DONE.get(action, action)), next)


@router.post("/jobs/{job}/undo")
def take_back(
    access: WritableJob, batch: Text = "", seen: Text = "", next: Text = "", confirmed: Ticked = False
) -> Response:
    by = access.decider(_sequence(seen))
    return _reverse(access, lambda: undo(access.service, by, batch or None, confirmed=confirmed), "undo", next)


@router.post("/jobs/{job}/redo")
def make_again(
    access: WritableJob, batch: Text = "", seen: Text = "", next: Text = "", confirmed: Ticked = False
) -> Response:
    by = access.decider(_sequence(seen))
    return _reverse(access, lambda: redo(access.service, by, batch or None, confirmed=confirmed), "redo", next)


def _reverse(access: JobAccess, act: Callable[[], BatchOutcome], verb: str, next: str) -> Response:
    """Our script asks what has to be confirmed in a dialog, others are asked on a page of its own."""
    try:
        made = act()
    except ConfirmationNeeded as question:
        if wants_json(access.request):
            raise
        values = {"job": access.job, "verb": verb, "batch": question.batch, "back": inside(next, address_of(access))}
        return page(access.request, "screening/confirm.html", question=str(question), status=409, **values)
    access.recorder.checkpoint()
    words = {"undo": "Undone", "redo": "Redone"}[verb]
    return _done(access, made, reversal_words(access.service, access.visibility, words, made), next)


@router.get("/jobs/{job}/many", openapi_extra=SEARCH)
def preview(access: WritableJob, action: Asked = REJECT, keep: Asked = "0", seen: Asked = "") -> Response:
    search = search_of(access).at(1)
    return _preview(access, search, action=action, keep=keep, seen=seen)


@router.post("/jobs/{job}/many")
def confirm(
    access: WritableJob,
    query: Text = "",
    action: Text = "",
    keep: Text = "0",
    version: Text = "",
    reason: Text = "",
    seen: Text = "",
    unopened: Ticked = False,
) -> Response:
    """Exactly what the preview said. If the list has changed since, the new preview is shown instead."""
    search = read(query_pairs(query), access).at(1)
    try:
        made = apply_plan(
            access.service,
            access.decider(_sequence(seen)),
            search.criteria,
            action=_known(action),
            keep=_number(keep),
            version=version,
            reason=reason,
            with_unopened=unopened,
        )
    except (UsageError, Conflict) as error:
        if wants_json(access.request):
            raise
        return _preview(access, search, action=action, keep=keep, seen=seen, problem=error, reason=reason)
    access.recorder.checkpoint()
    back = with_query(address_of(access), search.query)
    return _done(access, made, _sentence(made, DONE[action]), back)


@router.get("/jobs/{job}/why", openapi_extra=SEARCH)
def show_why(access: ReadableJob, above: Asked = "", below: Asked = "") -> Response:
    """Without `below`, against whoever stands next in the list."""
    search = search_of(access).at(1)
    order = explain_order(access.service, search.criteria, above, below or None)
    order = redact_difference(access.visibility, access.service.masks.of, order)
    why = why_view(order, search.criteria.ranker, access.visibility)
    if wants_fragment(access.request):
        return fragment(access.request, "screening/_why.html", why=why)
    back = with_query(address_of(access), search.query)
    return page(access.request, "screening/why.html", why=why, job=access.job, back=back)


def _preview(
    access: JobAccess,
    search: ParsedSearch,
    *,
    action: str,
    keep: str,
    seen: str,
    problem: UsageError | Conflict | None = None,
    reason: str = "",
) -> Response:
    number = _number(keep)
    plan = plan_bulk(access.service, access.decider(_sequence(seen)), search.criteria, _known(action), keep=number)
    address = address_of(access)
    many = ManyView(
        plan=plan,
        keep=number,
        search=search,
        back=with_query(address, search.query),
        address=f"{address}/many",
        sample=names_of(access.service, access.visibility, plan.changed[:NAMED]),
        reasons=used_reasons(access.store.decisions.recent_batches(access.job.id), access.user.id),
        seen=seen if seen.isdecimal() else "",
        reason=reason,
        problem=str(problem or ""),
    )
    if wants_fragment(access.request):
        return fragment(access.request, "screening/_many.html", many=many, whole=False)
    status = 200 if problem is None else 409 if isinstance(problem, Conflict) else 422
    return page(access.request, "screening/many.html", many=many, job=access.job, whole=True, status=status)


def _sentence(made: BatchOutcome, words: str) -> str:
    left = f" {count(len(made.skipped), 'candidate')} left as they are." if made.skipped else ""
    return f"{count(len(made.changed), 'candidate')} {words}.{left}"


def _done(access: JobAccess, made: BatchOutcome, sentence: str, next: str) -> Response:
    """For our script: the new statuses, so that it need not ask for the list again."""
    if not wants_json(access.request):
        return RedirectResponse(inside(next, address_of(access)), 303)
    changed = access.store.applications.get_many(made.changed[:MAX_STATUSES])
    return JSONResponse(
        {
            "batch": made.batch if made.changed else None,
            "changed": {
                application.id: [application.status, STATUS_NAMES[application.status]] for application in changed
            },
            "number": len(made.changed),
            "skipped": [
                {"application": skip.application, "reason": skip.reason} for skip in made.skipped[:MAX_STATUSES]
            ],
            "statuses": access.service.status_counts(access.job.id),
            "sentence": sentence,
        }
    )


def _sequence(seen: str) -> int | None:
    return int(seen) if seen.isdecimal() and len(seen) < 18 else None


def _known(action: str) -> str:
    if action not in BULK_ACTIONS:
        raise UsageError(f"Many at once can be rejected or shortlisted, not {action!r}.")
    return action


def _number(typed: str) -> int:
    if not typed.strip():
        return 0
    if not (typed.strip().isdecimal() and len(typed.strip()) <= 9):
        raise UsageError(f"How many of the list are meant is a whole number such as 20, not {typed!r}.")
    return int(typed)
