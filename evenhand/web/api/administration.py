"""Watch lists, people, and the ledger."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from evenhand.records.event import KINDS
from evenhand.web.access import Admin, Ctx, Reviewer
from evenhand.web.api import shapes
from evenhand.web.api.bodies import NewWatchEntry
from evenhand.web.api.shapes import Json

router = APIRouter(tags=["administration"])
After = Annotated[int, Query(ge=0, le=2**53, description="Events after this sequence.")]
Limit = Annotated[int, Query(ge=1, le=1_000)]


@router.get("/watch-lists")
def watch_lists(context: Ctx, user: Admin) -> Json:
    """Entries of both lists."""
    found = context.store.watch_entries()
    items = [
        {"list": each.list, "name": each.name, "note": each.note, "added": each.added.isoformat()}
        for each in found
    ]
    return {"items": items}


@router.post("/watch-lists", status_code=201)
def add(context: Ctx, user: Admin, body: NewWatchEntry) -> Json:
    """An entry: who matches it is highlighted, never rejected."""
    new = context.store.add_watch(body.list, body.name, note=body.note, actor=user.id)
    return {"new": new}


@router.delete("/watch-lists", status_code=204)
def remove(
    context: Ctx,
    user: Admin,
    list: Annotated[str, Query(max_length=32)],
    name: Annotated[str, Query(max_length=500)],
) -> Response:
    """Take an entry off its list."""
    context.store.remove_watch(list, name, actor=user.id)
    return Response(status_code=204)


@router.get("/users")
def users(context: Ctx, user: Admin) -> Json:
    """Everyone who has an account."""
    return {"items": [shapes.user(each) for each in context.store.users()]}


@router.get("/ledger")
def ledger(
    context: Ctx,
    user: Reviewer,
    after: After = 0,
    limit: Limit = 100,
    kind: Annotated[str | None, Query(max_length=32)] = None,
    job: Annotated[str | None, Query(max_length=64)] = None,
) -> Json:
    """Events of the record, the oldest first; `next` is the `after` of the following page."""
    kinds = [kind] if kind in KINDS else None if kind is None else []
    events = context.store.events(after=after, kinds=kinds, job=job, limit=limit) if kinds != [] else []
    following = events[-1].sequence if len(events) == limit else None
    return {"items": [event.to_json() for event in events], "next": following}
