"""Signing in and out: with a password, through a one-time link, or with the company's own sign-in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Lock
from typing import Annotated, ParamSpec, TypeVar, cast

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response
from starlette.requests import HTTPConnection

from evenhand.accounts import sign_in as accounts
from evenhand.accounts.single_sign_on import Redirect, SingleSignOn, open_single_sign_on
from evenhand.errors import NotFound, SignInRefused, UsageError
from evenhand.store.accounts import UserAccount
from evenhand.web.access import SESSION, Ctx, SignedIn, public, visitor
from evenhand.web.context import Context, context_of
from evenhand.web.parameters import ANY
from evenhand.web.rendering import Text, delete_cookie, inside, page, read_cookie, set_cookie

router = APIRouter(dependencies=[Depends(public)])
HOME = "/"
P = ParamSpec("P")
T = TypeVar("T")


@router.get("/sign-in")
def show_sign_in(
    request: Request, context: Ctx, user: Annotated[UserAccount | None, Depends(visitor)], next: str = HOME
) -> Response:
    if user:
        return RedirectResponse(inside(next), 303)
    return _sign_in_page(request, context, next)


@router.post("/sign-in")
async def sign_in(request: Request, context: Ctx, login: Text = "", password: Text = "", next: Text = HOME) -> Response:
    return await hashing(_sign_in, request, context, login, password, next)


def _sign_in(request: Request, context: Context, login: str, password: str, next: str) -> Response:
    try:
        entered = accounts.sign_in(context.store, login, password, address=client(request))
    except SignInRefused as error:
        status = 429 if error.wait_seconds else 401
        return with_retry(_sign_in_page(request, context, next, message=str(error), login=login, status=status), error)
    return with_session(context, RedirectResponse(inside(next), 303), entered.token)


@router.post("/sign-out")
def sign_out(visit: SignedIn) -> Response:
    token = read_cookie(visit.request, SESSION)
    if token:
        visit.store.sessions.close(token)
    response = RedirectResponse("/sign-in", 303)
    return delete_cookie(visit.context, response, SESSION)


@router.get("/enter/{token}")
def show_link(request: Request, context: Ctx, token: str) -> Response:
    """A page with one button: programs that open every link in a message must not use it up."""
    link = context.store.links.get(token)
    if link is None:
        return _used_up(request)
    return page(request, "entry/link.html", token=token, link=link)


@router.post("/enter/{token}")
async def use_link(request: Request, context: Ctx, token: str, password: Text = "", again: Text = "") -> Response:
    return await hashing(_use_link, request, context, token, password, again)


def _use_link(request: Request, context: Context, token: str, password: str, again: str) -> Response:
    link = context.store.links.get(token)
    if link is None:
        return _used_up(request)
    if link.kind == accounts.SIGN_IN:
        entered = accounts.enter(context.store, token)
        return with_session(context, RedirectResponse(HOME, 303), entered.token)
    try:
        if password != again:
            raise UsageError("The two passwords are not the same.")
        kind = accounts.INVITATION if link.kind == accounts.INVITATION else accounts.PASSWORD
        entered = accounts.start_anew(context.store, token, kind, password)
    except UsageError as error:
        return page(request, "entry/link.html", token=token, link=link, message=str(error))
    return with_session(context, RedirectResponse(HOME, 303), entered.token)


def _sign_in_page(
    request: Request, context: Context, next: str, *, message: str = "", login: str = "", status: int = 0
) -> Response:
    has_sso = bool(context.settings.oidc_issuer)
    return page(
        request, "entry/sign_in.html", next=inside(next), message=message, login=login, has_sso=has_sso, status=status
    )


def _used_up(request: Request) -> Response:
    message = "This link has been used, has expired, or never was one. Ask for a new one."
    return page(request, "error.html", status=404, title="This link does not work", message=message, code="link")


def with_session(context: Context, response: Response, token: str) -> Response:
    return set_cookie(context, response, SESSION, token, seconds=int(context.settings.session_days * 86_400))


async def hashing(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The answer to a request that may hash a password, worked out apart from those that answer all others."""
    return await asyncio.wrap_future(accounts.hashing_pool.submit(lambda: work(*arguments, **named)))


def with_retry(response: Response, error: SignInRefused) -> Response:
    if error.wait_seconds:
        response.headers["Retry-After"] = str(error.wait_seconds)
    return response


def client(request: Request) -> str:
    return request.client.host if request.client else ""


# Signing in with the company's account: to the provider of OpenID Connect, and back.

sso_router = APIRouter()
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
    provider = cast(SingleSignOn | None, state.single_sign_on)
    if provider is None:
        raise NotFound("There is no such page.")
    return provider


@sso_router.get(PATH, dependencies=[Depends(public)])
def begin(request: Request, context: Ctx, next: str = "/") -> Response:
    going = single_sign_on(request).begin(context.store, target=next)
    return _remember(context, RedirectResponse(going.url, 303), going)


@sso_router.post(f"{PATH}/connect")
def connect(visit: SignedIn) -> Response:
    """A page leads on to the provider: forms are not allowed to be answered by another site."""
    going = single_sign_on(visit.request).begin(visit.store, target="/account", user=visit.user.id)
    return _remember(visit.context, page(visit.request, "account/leaving.html", address=going.url), going)


@sso_router.get(f"{PATH}/return", dependencies=[Depends(public)], openapi_extra={ANY: True})
def finish(request: Request, context: Ctx) -> Response:
    """The query is the provider's answer; a person who is refused is told why, and can try again."""
    browser = read_cookie(request, BROWSER) or ""
    try:
        arrived = single_sign_on(request).finish(context.store, dict(request.query_params), browser)
    except SignInRefused as error:
        response: Response = page(
            request, "error.html", status=401, title="You are not signed in", message=str(error), code="sign_in_refused"
        )
    else:
        response = with_session(context, RedirectResponse(arrived.target, 303), arrived.token)
    return delete_cookie(context, response, BROWSER)


def _remember(context: Context, response: Response, going: Redirect) -> Response:
    return set_cookie(context, response, BROWSER, going.browser, seconds=SECONDS)
