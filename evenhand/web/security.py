"""What stands between a request and the pages: hosts, origins, sizes of bodies, and the headers of every answer."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers as DatastructuresHeaders
from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# The size of a request's body, counted while it comes in: what a header claims is not believed.

Limit = Callable[[Scope], int]
"""How many bytes a request may have."""


class BodyTooLarge(Exception):
    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"The request is larger than the limit of {limit_bytes / 1_000_000:g} MB.")
        self.limit_bytes = limit_bytes


@dataclass(frozen=True)
class BodyLimit:
    app: ASGIApp
    limit: Limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most, received, answered = self.limit(scope), 0, False

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > most:
                raise BodyTooLarge(most)
            return message

        async def send_noticed(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await self.app(scope, receive_counted, send_noticed)
        except BodyTooLarge as error:
            if answered:
                raise
            await PlainTextResponse(f"{error}\n", 413)(scope, receive, send)


# Connections that nothing comes through. A server that waits for ever for a request that was begun runs out of files,
# and then nobody gets in any more.

HEADER_SECONDS = 20.0  # from the opening of a connection, or the first byte of a request, to the end of its headers
BODY_SECONDS = 60.0
MIN_BYTES_PER_SECOND = 10_000  # of a body that takes longer
GONE_SECONDS = 60  # after which a peer that acknowledges nothing is taken for gone


class PatientProtocol(HttpToolsProtocol):
    """Ends a connection whose request does not arrive. Waiting between two requests is the keep-alive's."""

    _ending: asyncio.TimerHandle | None = None
    _bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        connection = transport.get_extra_info("socket")
        if connection is not None and connection.family != socket.AF_UNIX:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_SECONDS * 1000)
        self._expect(HEADER_SECONDS, min_bytes=None)

    def data_received(self, data: bytes) -> None:
        self._bytes += len(data)
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect(HEADER_SECONDS, min_bytes=None)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._expect(BODY_SECONDS, min_bytes=MIN_BYTES_PER_SECOND * BODY_SECONDS)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._stop_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_clock()
        super().connection_lost(exc)

    def _expect(self, seconds: float, min_bytes: float | None) -> None:
        """The end of the headers or the body; with `min_bytes`, or so much of it."""
        self._stop_clock()
        self._bytes = 0
        self._ending = self.loop.call_later(seconds, self._end, seconds, min_bytes)

    def _stop_clock(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None

    def _end(self, seconds: float, min_bytes: float | None) -> None:
        """A body that arrives fast enough goes on; so does what waits for us to read it."""
        if self.flow.read_paused or (min_bytes is not None and self._bytes >= min_bytes):
            self._expect(seconds, min_bytes)
        else:
            self.transport.abort()


# Headers of every answer. No page may run a script, load a thing or be framed except as said here.

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": browsers then send "Origin: null" with forms, and the check of origins would refuse them.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
HSTS = "max-age=31536000"
NEVER_KEPT = "no-store"  # pages hold personal data; a shared computer must not


class Headers:
    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self._app = app
        self._headers = ALWAYS | ({"Strict-Transport-Security": HSTS} if https else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
                if headers.get("content-disposition", "").startswith("attachment"):
                    headers["Content-Security-Policy"] = f"{POLICY}; sandbox"
                headers.setdefault("Cache-Control", NEVER_KEPT)
            await send(message)

        await self._app(scope, receive, send_with_headers)


# Requests that change something must come from our own pages, or from programs that carry no cookie.

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
            headers = DatastructuresHeaders(scope=scope)
            if not self._is_ours(headers.get("host", "")):
                await _refuse(400, "This server does not answer to that host name.")(scope, receive, send)
                return
            if scope["method"] not in SAFE and not _is_own(headers):
                await _refuse(403, "This request came from another site and was refused.")(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_ours(self, host: str) -> bool:
        """A stranger's name that points at this server would make the stranger's page one of ours."""
        return ANY_HOST in self._hosts or (urlsplit(f"//{host}").hostname or "") in self._hosts


def _is_own(headers: DatastructuresHeaders) -> bool:
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in OWN_SITES
    origin = headers.get("origin")
    if origin is not None:
        return urlsplit(origin).netloc == headers.get("host")
    return "cookie" not in headers


def _refuse(status: int, sentence: str) -> PlainTextResponse:
    return PlainTextResponse(sentence + "\n", status)
