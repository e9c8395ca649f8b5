"""Watch lists and people."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from evenhand.web.access import Admin, Ctx, Reviewer
from evenhand.web.api import answers, shapes
from evenhand.web.api.bodies import NewWatchEntry
from evenhand.web.api.parameters import First, Size
from evenhand.web.api.shapes import Json

router = APIRouter(tags=["administration"])


@router.get("/watch-lists", response_model=answers.Page[answers.WatchEntry])
def watch_lists(context: Ctx, user: Reviewer, first: First = 0, size: Size = 20) -> Json:
    """Entries of both lists, by list and name."""
    return shapes.paged(context.store.watch_entries(), shapes.watch_entry, first=first, size=size)


@router.post("/watch-lists", status_code=201, response_model=answers.Added)
def add(context: Ctx, user: Admin, body: NewWatchEntry) -> Json:
    """An entry: who matches it is highlighted, never rejected."""
    return {"new": context.store.add_watch(body.list, body.name, note=body.note, actor=user.id)}


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


@router.get("/users", response_model=answers.Page[answers.User])
def users(context: Ctx, user: Admin, first: First = 0, size: Size = 20) -> Json:
    """Everyone who has an account. Accounts are changed on the pages, by people and not by tokens."""
    return shapes.paged(context.store.users(), shapes.user, first=first, size=size)
