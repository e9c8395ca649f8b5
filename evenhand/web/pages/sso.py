"""Signing in with the company's account: to the provider of OpenID Connect, and back."""

from __future__ import annotations

from threading import Lock
from typing import cast

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response
from starlette.requests import HTTPConnection

from evenhand.errors import NotFound, SignInRefused
from evenhand.web.access import Ctx, SignedIn, public
from evenhand.web.context import Context, context_of
from evenhand.web.pages.entry import with_session
from evenhand.web.rendering import page
from evenhand.workflows.single_sign_on import Redirect, SingleSignOn, open_single_sign_on

router = APIRouter()
BROWSER = "evenhand_sso"  # a cookie: who comes back is who was sent
SECONDS = 600
PATH = "/sso"
_opening = Lock()


def single_sign_on(connection: HTTPConnection) -> SingleSignOn:
    """Made once for an application, since it remembers the provider's keys."""
    state = connection.app.state
    with _opening:
        if not hasattr(state, "single_sign_on"):
            state.single_sign_on = open_single_sign_on(context_of(connection).settings)
    found = cast(SingleSignOn | None, state.single_sign_on)
    if found is None:
        raise NotFound("There is no such page.")
    return found


@router.get(PATH, dependencies=[Depends(public)])
def begin(request: Request, context: Ctx, next: str = "/") -> Response:
    going = single_sign_on(request).begin(context.store, target=next)
    return _remember(context, RedirectResponse(going.url, 303), going)


@router.post(f"{PATH}/connect")
def connect(request: Request, context: Ctx, user: SignedIn) -> Response:
    """A page leads on to the provider: forms are not allowed to be answered by another site."""
    going = single_sign_on(request).begin(context.store, target="/account", user=user.id)
    return _remember(context, page(request, "account/leaving.html", user=user, address=going.url), going)


@router.get(f"{PATH}/return", dependencies=[Depends(public)])
def finish(request: Request, context: Ctx) -> Response:
    """The query is the provider's answer; a person who is refused is told why, and can try again."""
    browser = request.cookies.get(BROWSER, "")
    try:
        arrived = single_sign_on(request).finish(context.store, dict(request.query_params), browser)
    except SignInRefused as error:
        response: Response = page(
            request,
            "error.html",
            status=401,
            title="You are not signed in",
            message=str(error),
            code="sign_in_refused",
        )
    else:
        response = with_session(context, RedirectResponse(arrived.target, 303), arrived.token)
    response.delete_cookie(BROWSER, path=PATH)
    return response


def _remember(context: Context, response: Response, going: Redirect) -> Response:
    response.set_cookie(
        BROWSER,
        going.browser,
        max_age=SECONDS,
        path=PATH,
        httponly=True,
        samesite="lax",  # the way back begins at another site
        secure=context.settings.address.startswith("https:"),
    )
    return response
