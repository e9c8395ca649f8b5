"""Who you are, and the tokens of your account."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

from evenhand.store.account_rows import Token
from evenhand.web.access import Ctx, SignedIn
from evenhand.web.api import answers, shapes
from evenhand.web.api.bodies import NewToken
from evenhand.web.api.parameters import First, Id, Size
from evenhand.web.api.shapes import Json
from evenhand.web.pages.account import in_browser

router = APIRouter(prefix="/me", tags=["account"])


@router.get("", response_model=answers.User)
def me(user: SignedIn) -> Json:
    """Who you are here."""
    return shapes.user(user)


@router.get("/tokens", response_model=answers.Page[answers.Token])
def tokens(context: Ctx, user: SignedIn, first: First = 0, size: Size = 20) -> Json:
    """Yours, without their secrets, the oldest first."""
    return shapes.paged(context.store.tokens(user.id), shapes.token, first=first, size=size)


@router.post("/tokens", status_code=201, response_model=answers.MadeToken, dependencies=[Depends(in_browser)])
def make_token(context: Ctx, user: SignedIn, body: NewToken) -> Json:
    """Its secret is in this answer and never again. Only from a browser that is signed in: a token makes no other."""
    id, secret = context.store.make_token(user.id, body.name, body.days)
    return {**shapes.token(_own(context.store.tokens(user.id), id)), "secret": secret}


@router.delete("/tokens/{token}", status_code=204)
def revoke_token(context: Ctx, user: SignedIn, token: Id) -> Response:
    """One of yours; it lets nobody in from this moment on."""
    context.store.revoke_token(token, user.id)
    return Response(status_code=204)


def _own(found: list[Token], id: str) -> Token:
    return next(token for token in found if token.id == id)
