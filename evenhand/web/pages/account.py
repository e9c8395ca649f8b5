"""One's own account: name, password, where one is signed in, tokens for scripts, and whether to screen blind."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from evenhand.accounts import sign_in
from evenhand.errors import Forbidden, SignInRefused, UsageError
from evenhand.store.accounts import UserAccount
from evenhand.web.access import BLIND, SESSION, Ctx, SignedIn
from evenhand.web.context import Context
from evenhand.web.pages.sign_in import client
from evenhand.web.rendering import Text, Ticked, page, set_cookie

ADDRESS = "/account"
DAYS = {"30": "30 days", "90": "90 days", "366": "a year"}
BLIND_SECONDS = 366 * 86_400


def in_browser(request: Request) -> None:
    """A token that leaked must not be able to make others, or change a password."""
    if "authorization" in request.headers:
        raise Forbidden("Accounts are changed by people who are signed in, not with a token.")


router = APIRouter(dependencies=[Depends(in_browser)])


@router.get(ADDRESS)
def show_account(request: Request, context: Ctx, user: SignedIn) -> Response:
    return _account(request, context, user)


@router.post(ADDRESS + "/name")
def rename(request: Request, context: Ctx, user: SignedIn, name: Text = "") -> Response:
    try:
        context.store.accounts.rename(user.id, name, actor=user.id)
    except UsageError as error:
        return _account(request, context, user, problem=("name", str(error)))
    return RedirectResponse(f"{ADDRESS}?done=name", 303)


@router.post(ADDRESS + "/password")
def change_password(
    request: Request, context: Ctx, user: SignedIn, old: Text = "", new: Text = "", again: Text = ""
) -> Response:
    """Whoever else is signed in to this account is out afterwards."""
    try:
        if new != again:
            raise UsageError("The two new passwords are not the same.")
        sign_in.change_password(
            context.store, user, old, new, address=client(request), token=request.cookies.get(SESSION)
        )
    except SignInRefused as error:
        words = str(error) if error.wait_seconds else "The old password is not right."
        return _account(request, context, user, problem=("password", words))
    except UsageError as error:
        return _account(request, context, user, problem=("password", str(error)))
    return RedirectResponse(f"{ADDRESS}?done=password", 303)


@router.post(ADDRESS + "/sessions/end")
def end_session(request: Request, context: Ctx, user: SignedIn, id: Text = "") -> Response:
    """One of them, or with no id all but this one."""
    if id:
        context.store.sessions.close_by_id(id, user.id)
    else:
        context.store.sessions.close_all(user.id, except_token=request.cookies.get(SESSION))
    return RedirectResponse(f"{ADDRESS}?done=sessions#sessions", 303)


@router.post(ADDRESS + "/tokens")
def make_token(request: Request, context: Ctx, user: SignedIn, name: Text = "", days: Text = "") -> Response:
    """Its secret is on the page that answers, and never again."""
    try:
        if days not in DAYS:
            raise UsageError("Choose how long the token is to last.")
        _, secret = context.store.tokens.make(user.id, name, float(days))
    except UsageError as error:
        return _account(request, context, user, problem=("tokens", str(error)))
    return _account(request, context, user, secret=secret)


@router.post(ADDRESS + "/tokens/revoke")
def revoke_token(context: Ctx, user: SignedIn, id: Text = "") -> Response:
    context.store.tokens.revoke(id, user.id)
    return RedirectResponse(f"{ADDRESS}?done=tokens#tokens", 303)


@router.post(ADDRESS + "/blind")
def choose_blind(context: Ctx, user: SignedIn, blind: Ticked = False) -> Response:
    response = RedirectResponse(f"{ADDRESS}?done=blind#blind", 303)
    if blind:
        set_cookie(context, response, BLIND, "1", seconds=BLIND_SECONDS)
    else:
        response.delete_cookie(BLIND)
    return response


def _account(
    request: Request, context: Context, user: UserAccount, *, problem: tuple[str, str] = ("", ""), secret: str = ""
) -> Response:
    store, token = context.store, request.cookies.get(SESSION)
    return page(
        request,
        "account/account.html",
        user=user,
        sessions=store.sessions.of_user(user.id),
        current=store.sessions.id_of(token) if token else None,
        tokens=store.tokens.of_user(user.id),
        days=DAYS,
        blind=request.cookies.get(BLIND) == "1",
        has_sso=bool(context.settings.oidc_issuer),
        connected=store.identities.has_identity(user.id),
        address=context.settings.origin,
        problem_at=problem[0],
        problem=problem[1],
        secret=secret,
        done=request.query_params.get("done", "") if request.method == "GET" else "",
        status=422 if problem[1] else 200,
    )
