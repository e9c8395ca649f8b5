"""What went wrong, as a page for people and as JSON for programs: a sentence and a stable code, never a stack trace."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evenhand.errors import (
    ConfirmationNeeded,
    Conflict,
    DocumentError,
    EvenhandError,
    FilterError,
    Forbidden,
    IndexBusy,
    NotFound,
    QueryError,
    SignInRefused,
    StoreError,
    UnknownParameter,
    UsageError,
)
from evenhand.web.access import SESSION, SignInNeeded
from evenhand.web.rendering import page, read_cookie, wants_json
from evenhand.web.security import BodyTooLarge

log = logging.getLogger(__name__)
NOT_A_FILE = "Send the file itself as the body of the request, or in a form of the type multipart/form-data."
API = "/api/"
TITLES = {
    400: "That did not work",
    401: "Sign in first",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible here",
    409: "Changed meanwhile",
    413: "Too large",
    415: "That did not work",
    422: "That did not work",
    429: "Too many attempts",
    500: "Something is broken",
    503: "Busy",
}
KINDS: tuple[tuple[type[Exception], int, str], ...] = (
    (SignInRefused, 429, "sign_in_refused"),
    (Forbidden, 403, "forbidden"),
    (NotFound, 404, "not_found"),
    (Conflict, 409, "conflict"),
    (ConfirmationNeeded, 409, "confirmation_needed"),
    (QueryError, 422, "query_error"),
    (FilterError, 422, "invalid_filter"),
    (UnknownParameter, 422, "unknown_parameter"),
    (UsageError, 422, "usage_error"),
    (DocumentError, 422, "document_error"),
    (IndexBusy, 503, "index_busy"),
    (StoreError, 503, "store_error"),
    (EvenhandError, 400, "error"),
)
"""The first that fits."""


def add_handlers(app: FastAPI) -> None:
    app.add_exception_handler(EvenhandError, _expected)
    app.add_exception_handler(SignInNeeded, _sign_in)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(BodyTooLarge, _too_large)
    app.add_middleware(Faults)


class Faults:
    """Answers what nobody expected. Inside everything else that is added: the framework's own handler would answer
    outside of it, without our headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def send_noticed(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_noticed)
        except BodyTooLarge:
            raise
        except Exception as error:
            if begun or scope["type"] != "http":
                raise
            request = Request(scope, receive)
            log.error("A request failed: %s %s", request.method, request.scope.get("path"), exc_info=error)
            await answer(
                request,
                500,
                "fault",
                "This is a fault in Evenhand. Nothing was changed. It was logged for your administrator.",
            )(scope, receive, send)


def answer(request: Request, status: int, code: str, message: str, **more: Any) -> Response:
    if request.url.path.startswith(API) or wants_json(request):
        return JSONResponse({"error": {"code": code, "message": message, **more}}, status)
    title = TITLES.get(status, TITLES[400])
    without = request.url.path if status == 422 and request.method == "GET" and request.url.query else ""
    return page(request, "error.html", status=status, title=title, message=message, code=code, without=without)


def _expected(request: Request, error: Exception) -> Response:
    status, code = next((status, code) for kind, status, code in KINDS if isinstance(error, kind))
    if isinstance(error, DocumentError):
        code = error.code
    more: dict[str, Any] = {"start": error.start, "end": error.end} if isinstance(error, QueryError) else {}
    if isinstance(error, ConfirmationNeeded):
        more = {"batch": error.batch}
    if status >= 500:
        log.error("%s", error)
    response = answer(request, status, code, str(error), **more)
    if isinstance(error, SignInRefused) and error.wait_seconds:
        response.headers["Retry-After"] = str(error.wait_seconds)
    return response


SECRETS = ("/account/password", "/sso/", "/sign-")
"""Forms of which nothing is written into a page."""
MAX_LENGTH_DIGITS = 5
"""Of the length of a form that is kept when a session has ended: less than 100,000 bytes."""


async def _sign_in(request: Request, error: Exception) -> Response:
    """Back to the same page afterwards, if it was one that only shows something; a form is kept to be sent again."""
    if request.url.path.startswith(API):
        return answer(request, 401, "sign_in_needed", "Sign in, or send a valid token.")
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    if request.method == "GET":
        return RedirectResponse(f"/sign-in?next={quote(wanted)}", 303)
    if wants_json(request):
        words = "Your session has ended and nothing was saved. Sign in in another tab, then try again."
        return answer(request, 401, "sign_in_needed", words)
    typed: list[tuple[str, str]] | None = None
    if _is_worth_keeping(request):
        typed = [(name, value) for name, value in (await request.form()).multi_items() if isinstance(value, str)]
    return page(request, "signed_out.html", status=401, address=wanted, typed=typed)


def _is_worth_keeping(request: Request) -> bool:
    """A short form without files from a browser that was signed in. Nobody else's body is read: it could be endless."""
    length = request.headers.get("content-length", "")
    return (
        read_cookie(request, SESSION) is not None
        and not request.url.path.startswith(SECRETS)
        and request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        and length.isdecimal()
        and len(length) <= MAX_LENGTH_DIGITS
    )


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this type
    if isinstance(error.__cause__, BodyTooLarge):  # FastAPI says only that a body could not be read
        return _too_large(request, error.__cause__)
    sentences = {
        400: "The body is not what its Content-Type says.",  # the framework could not take it apart
        404: "There is no such page.",
        405: "This address does not take such requests.",
        415: NOT_A_FILE,
    }
    message = sentences.get(error.status_code, "The request cannot be understood.")
    response = answer(request, error.status_code, f"http_{error.status_code}", message)
    for name, value in (error.headers or {}).items():
        response.headers[name] = value
    return response


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    problems = dict.fromkeys(map(_problem, error.errors()))  # each once, in their order
    return answer(
        request, 422, "invalid_request", f"Something in the request is missing or wrong: {'; '.join(problems)}."
    )


def _problem(problem: dict[str, Any]) -> str:
    """Which field, and what it takes."""
    kind, place = problem["type"], [str(part) for part in problem["loc"][1:]]
    if kind == "json_invalid":
        return f"the body is no JSON ({problem['ctx']['error']})"
    if not place:
        return "the body must be a JSON object, sent with Content-Type: application/json"
    message = problem["msg"].replace("Input should be", "must be").removeprefix("Value error, ")
    what = {"missing": "is required", "extra_forbidden": "is unknown"}.get(kind, message)
    return f"{'.'.join(place)} {what}" if what.startswith(("is ", "must ")) else f"{'.'.join(place)}: {what}"


def _too_large(request: Request, error: Exception) -> Response:
    return answer(request, 413, "too_large", str(error))
