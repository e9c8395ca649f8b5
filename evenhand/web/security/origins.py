"""Requests that change something must come from our own pages, or from programs that carry no cookie."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OWN_SITES = frozenset({"same-origin", "none"})  # none: typed into the address bar
LOCAL = frozenset({"127.0.0.1", "localhost", "::1", "testserver"})
ANY_HOST = "*"


class Origins:
    """Sec-Fetch-Site decides; browsers that do not send it are judged by Origin; who sends neither needs a token."""

    def __init__(self, app: ASGIApp, *, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            if not self._is_ours(headers.get("host", "")):
                await _refuse(400, "This server does not answer to that host name.")(scope, receive, send)
                return
            if scope["method"] not in SAFE and not _is_own(headers):
                await _refuse(403, "This request came from another site and was refused.")(
                    scope, receive, send
                )
                return
        await self._app(scope, receive, send)

    def _is_ours(self, host: str) -> bool:
        """A stranger's name that points at this server would make the stranger's page one of ours."""
        return ANY_HOST in self._hosts or (urlsplit(f"//{host}").hostname or "") in self._hosts


def _is_own(headers: Headers) -> bool:
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in OWN_SITES
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc == headers.get("host")
    return "cookie" not in headers


def _refuse(status: int, sentence: str) -> PlainTextResponse:
    return PlainTextResponse(sentence + "\n", status)
