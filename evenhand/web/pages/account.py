"""One's own account: name, password, where one is signed in, tokens for scripts, and whether to screen blind."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from evenhand.accounts import sign_in
from evenhand.errors import Forbidden, SignInRefused, UsageError
from evenhand.web.access import BLIND, SESSION, SignedIn, Visit
from evenhand.web.pages.sign_in import client, hashing, with_retry
from evenhand.web.parameters import accepts
from evenhand.web.rendering import Text, Ticked, delete_cookie, page, read_cookie, set_cookie

ADDRESS = "/account"
DAYS = {"30": "30 days", "90": "90 days", "366": "a year"}
BLIND_SECONDS = 366 * 86_400


def in_browser(request: Request) -> None:
    """A token that leaked must not be able to make others, or change a password."""
    if "authorization" in request.headers:
        raise Forbidden("Accounts are changed by people who are signed in, not with a token.")


router = APIRouter(dependencies=[Depends(in_browser)])


@router.get(ADDRESS, openapi_extra=accepts("done"))
def show_account(visit: SignedIn) -> Response:
    return _account(visit)


@router.post(ADDRESS + "/name")
def rename(visit: SignedIn, name: Text = "") -> Response:
    try:
        visit.store.accounts.rename(visit.user.id, name, actor=visit.user.id)
    except UsageError as error:
        return _account(visit, problem=("name", str(error)))
    return RedirectResponse(f"{ADDRESS}?done=name", 303)


@router.post(ADDRESS + "/password")
async def change_password(visit: SignedIn, old: Text = "", new: Text = "", again: Text = "") -> Response:
    """Whoever else is signed in to this account is out afterwards."""
    return await hashing(_change_password, visit, old, new, again)


def _change_password(visit: Visit, old: str, new: str, again: str) -> Response:
    token = read_cookie(visit.request, SESSION)
    try:
        if new != again:
            raise UsageError("The two new passwords are not the same.")
        sign_in.change_password(visit.store, visit.user, old, new, address=client(visit.request), token=token)
    except SignInRefused as error:
        words = str(error) if error.wait_seconds else "The old password is not right."
        status = 429 if error.wait_seconds else 422
        return with_retry(_account(visit, problem=("password", words), status=status), error)
    except UsageError as error:
        return _account(visit, problem=("password", str(error)))
    return RedirectResponse(f"{ADDRESS}?done=password", 303)


@router.post(ADDRESS + "/sessions/end")
def end_session(visit: SignedIn, id: Text = "") -> Response:
    """One of them, or with no id all but this one."""
    if id:
        visit.store.sessions.close_by_id(id, visit.user.id)
    else:
        visit.store.sessions.close_all(visit.user.id, except_token=read_cookie(visit.request, SESSION))
    return RedirectResponse(f"{ADDRESS}?done=sessions#sessions", 303)


@router.post(ADDRESS + "/tokens")
def make_token(visit: SignedIn, name: Text = "", days: Text = "") -> Response:
    """Its secret is on the page that answers, and never again."""
    try:
        if days not in DAYS:
            raise UsageError("Choose how long the token is to last.")
        _, secret = visit.store.tokens.make(visit.user.id, name, float(days))
    except UsageError as error:
        return _account(visit, problem=("tokens", str(error)))
    return _account(visit, secret=secret)


@router.post(ADDRESS + "/tokens/revoke")
def revoke_token(visit: SignedIn, id: Text = "") -> Response:
    visit.store.tokens.revoke(id, visit.user.id)
    return RedirectResponse(f"{ADDRESS}?done=tokens#tokens", 303)


@router.post(ADDRESS + "/blind")
def choose_blind(visit: SignedIn, blind: Ticked = False) -> Response:
    response = RedirectResponse(f"{ADDRESS}?done=blind#blind", 303)
    if blind:
        set_cookie(visit.context, response, BLIND, "1", seconds=BLIND_SECONDS)
    else:
        delete_cookie(visit.context, response, BLIND)
    return response


def _account(visit: Visit, *, problem: tuple[str, str] = ("", ""), secret: str = "", status: int = 0) -> Response:
    store, token = visit.store, read_cookie(visit.request, SESSION)
    return page(
        visit.request,
        "account/account.html",
        sessions=store.sessions.of_user(visit.user.id),
        current=store.sessions.id_of(token) if token else None,
        tokens=store.tokens.of_user(visit.user.id),
        days=DAYS,
        blind=read_cookie(visit.request, BLIND) == "1",
        has_sso=bool(visit.settings.oidc_issuer),
        connected=store.identities.has_identity(visit.user.id),
        address=visit.settings.origin,
        problem_at=problem[0],
        problem=problem[1],
        secret=secret,
        done=visit.request.query_params.get("done", "") if visit.request.method == "GET" else "",
        status=status or (422 if problem[1] else 200),
    )
