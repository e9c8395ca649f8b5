"""Accounts: who you are and your tokens, users, who has a job, and the watchlists."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from evenhand.store.accounts import UserAccount
from evenhand.web.access import Admin, ReadableJob, Reviewer, SignedIn, WritableJob
from evenhand.web.api import answers, shapes
from evenhand.web.api.requests import First, NewMember, NewToken, NewWatchEntry, ParametersId, Size
from evenhand.web.api.shapes import Json
from evenhand.web.pages.account import in_browser
from evenhand.web.pages.jobs import give_to

router = APIRouter(prefix="/me", tags=["account"])


@router.get("", summary="Show who is signed in", response_model=answers.User)
def me(visit: SignedIn) -> UserAccount:
    """Who you are here."""
    return visit.user


@router.get("/tokens", summary="List your API tokens", response_model=answers.Page[answers.Token])
def tokens(visit: SignedIn, first: First = 0, size: Size = 20) -> Json:
    """Yours, without their secrets, the oldest first."""
    return shapes.paged(visit.store.tokens.of_user(visit.user.id), first=first, size=size)


@router.post(
    "/tokens",
    summary="Create an API token",
    status_code=201,
    response_model=answers.MadeToken,
    dependencies=[Depends(in_browser)],
)
def make_token(visit: SignedIn, body: NewToken) -> answers.MadeToken:
    """Its secret is in this answer and never again. Only from a browser that is signed in: a token makes no other."""
    id, secret = visit.store.tokens.make(visit.user.id, body.name, body.days)
    token = next(token for token in visit.store.tokens.of_user(visit.user.id) if token.id == id)
    described = answers.Token.model_validate(token, from_attributes=True)
    return answers.MadeToken(**described.model_dump(), secret=secret)


@router.delete("/tokens/{token}", summary="Revoke an API token", status_code=204)
def revoke_token(visit: SignedIn, token: ParametersId) -> Response:
    """One of yours; it lets nobody in from this moment on."""
    visit.store.tokens.revoke(token, visit.user.id)
    return Response(status_code=204)


administration_router = APIRouter(tags=["administration"])


@administration_router.get(
    "/watch-lists", summary="List the entries of both watch lists", response_model=answers.Page[answers.WatchEntry]
)
def watch_lists(visit: Reviewer, first: First = 0, size: Size = 20) -> Json:
    """Entries of both lists, by list and name."""
    return shapes.paged(visit.store.watchlist.entries(), first=first, size=size)


@administration_router.post(
    "/watch-lists", summary="Add an entry to a watch list", status_code=201, response_model=answers.Added
)
def add(visit: Admin, body: NewWatchEntry) -> Json:
    """An entry: who matches it is highlighted, never rejected."""
    return {"new": visit.store.watchlist.add(body.list, body.name, note=body.note, actor=visit.user.id)}


@administration_router.delete("/watch-lists", summary="Remove an entry from a watch list", status_code=204)
def remove(
    visit: Admin, list: Annotated[str, Query(max_length=32)], name: Annotated[str, Query(max_length=500)]
) -> Response:
    """Take an entry off its list."""
    visit.store.watchlist.remove(list, name, actor=visit.user.id)
    return Response(status_code=204)


@administration_router.get("/users", summary="List all users", response_model=answers.Page[answers.User])
def users(visit: Admin, first: First = 0, size: Size = 20) -> Json:
    """Everyone who has an account. Accounts are changed on the pages, by people and not by tokens."""
    return shapes.paged(visit.store.accounts.all(), first=first, size=size)


# Only recruiters are members: auditors and administrators see every job.
members_router = APIRouter(prefix="/jobs/{job}/members", tags=["jobs"])


@members_router.get("", summary="List the recruiters of a job", response_model=answers.Page[answers.Member])
def members(access: ReadableJob, first: First = 0, size: Size = 20) -> Json:
    """By login."""
    return shapes.paged(access.store.jobs.members(access.job.id), first=first, size=size)


@members_router.post("", summary="Add a recruiter to a job", status_code=204)
def give(access: WritableJob, body: NewMember) -> Response:
    """Share the job with another recruiter."""
    give_to(access, body.user)
    return Response(status_code=204)


@members_router.delete("/{user}", summary="Remove a recruiter from a job", status_code=204)
def take(access: WritableJob, user: ParametersId) -> Response:
    """Who is taken out does not see the job any more, from the next request on."""
    access.store.jobs.revoke_access(access.job.id, user, actor=access.user.id)
    return Response(status_code=204)
