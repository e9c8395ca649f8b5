"""The size of a request's body, counted while it comes in: what a header claims is not believed."""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Limit = Callable[[Scope], int]
"""How many bytes a request may have."""


class BodyTooLarge(Exception):
    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"The request is larger than the limit of {limit_bytes / 1_000_000:g} MB.")
        self.limit_bytes = limit_bytes


class BodyLimit:
    def __init__(self, app: ASGIApp, *, limit: Limit) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most, received, answered = self._limit(scope), 0, False

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
            await self._app(scope, receive_counted, send_noticed)
        except BodyTooLarge as error:
            if answered:
                raise
            await PlainTextResponse(f"{error}\n", 413)(scope, receive, send)
