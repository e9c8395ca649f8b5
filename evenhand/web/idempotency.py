"""`Idempotency-Key`: a POST of the API that is sent again under its key has no second effect and the same answer."""

from __future__ import annotations

import asyncio
import hashlib
import re
from dataclasses import dataclass
from time import monotonic

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evenhand.store.repeatable_answers import RepeatableAnswerStore, RepeatKey
from evenhand.web.access import visitor
from evenhand.web.context import context_of
from evenhand.web.errors import API, answer

HEADER = "Idempotency-Key"
KEY = re.compile(r"[!-~]{1,255}")
REPEATED = b"idempotency-replayed"
WAIT_SECONDS = 30.0  # for the answer to a request that is under way
POLL_SECONDS, MAX_POLL_SECONDS = 0.05, 1.0


@dataclass(frozen=True)
class Idempotency:
    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive) if scope["type"] == "http" else None
        if request is None or scope["method"] != "POST" or not scope["path"].startswith(API):
            await self.app(scope, receive, send)
            return
        header = request.headers.get(HEADER)
        context = context_of(request)
        user = await run_in_threadpool(visitor, request, context) if header is not None else None
        if header is None or user is None:
            await self.app(scope, receive, send)
        elif not KEY.fullmatch(header):
            message = f"{HEADER} has 1 to 255 visible ASCII characters."
            await answer(request, 422, "invalid_idempotency_key", message)(scope, receive, send)
        else:
            key = RepeatKey(user.id, scope["path"], header)
            body = await request.body()
            exchange = _Exchange(context.store.repeatable_answers, key, body)
            earlier = await exchange.earlier_answer(request)
            if earlier is not None:
                await earlier(scope, receive, send)
            else:
                await exchange.carry_out(self.app, scope, receive, send)


@dataclass(frozen=True)
class _Exchange:
    """One request with a key."""

    answers: RepeatableAnswerStore
    key: RepeatKey
    body: bytes

    async def earlier_answer(self, request: Request) -> Response | None:
        """None where this is the first of its key; else what is to be said instead of carrying it out."""
        wanted = _hash_of(request, self.body)
        until, pause = monotonic() + WAIT_SECONDS, POLL_SECONDS
        while monotonic() < until:
            earlier = await run_in_threadpool(self.answers.begin, self.key, wanted)
            if earlier is None:
                return None
            if not earlier.is_same:
                message = f"This {HEADER} was used for another request; choose a new one."
                return answer(request, 422, "idempotency_key_reused", message)
            if earlier.answer is not None:
                return _to_response(earlier.answer)
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_POLL_SECONDS)
        message = (
            f"A request with this {HEADER} was begun and has no answer: it is still under way, or was cut off. "
            "See whether it took effect before you send it with another key."
        )
        return answer(request, 409, "idempotency_key_in_use", message)

    async def carry_out(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """The answer is kept before it is sent: who did not get it can ask for it again."""
        messages: list[Message] = []
        pending = [{"type": "http.request", "body": self.body, "more_body": False}]

        async def receive_again() -> Message:
            return pending.pop() if pending else await receive()

        async def collect(message: Message) -> None:
            messages.append(message)

        await app(scope, receive_again, collect)
        status = messages[0]["status"]
        if status < 400:
            await run_in_threadpool(self.answers.finish, self.key, _to_bytes(messages))
        elif status < 500:
            await run_in_threadpool(self.answers.release, self.key)
        # After a fault nobody knows what took effect: the key stays taken, and nothing is done twice.
        for message in messages:
            await send(message)


def _hash_of(request: Request, body: bytes) -> str:
    """Of all that was sent. What separates the parts of a form is made up anew by each client for each request."""
    media_type, _, boundary = request.headers.get("content-type", "").partition("boundary=")
    if boundary:
        body = body.replace(boundary.strip('"').encode(), b"")
    sent = (request.url.path.encode(), request.url.query.encode(), media_type.encode(), body)
    return hashlib.sha256(b"".join(len(part).to_bytes(8) + part for part in sent)).hexdigest()


def _to_bytes(messages: list[Message]) -> bytes:
    start = messages[0]
    media_type = dict(start["headers"]).get(b"content-type", b"")
    body = b"".join(message.get("body", b"") for message in messages[1:])
    return b"%d\n%s\n%s" % (start["status"], media_type, body)


def _to_response(kept: bytes) -> Response:
    status, media_type, body = kept.split(b"\n", 2)
    response = Response(body or None, int(status))
    if media_type:
        response.headers["content-type"] = media_type.decode()
    response.raw_headers.append((REPEATED, b"true"))
    return response
