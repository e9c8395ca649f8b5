"""Headers of every answer. No page may run a script, load a thing or be framed except as said here."""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
