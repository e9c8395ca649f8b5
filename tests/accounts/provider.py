"""A small OpenID provider on this machine: it keeps the rules, unless a test tells it how to break one."""

from __future__ import annotations

import base64
import hashlib
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, RSAKey
from joserfc.jws import JWSRegistry

CLIENT, SECRET = "evenhand", "9f0Kx:2%Vw+Qe"
RETURN = "http://127.0.0.1:8000/sso/return"

Claims = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Granted:
    nonce: str
    challenge: str
    redirect: str


@dataclass(slots=True)
class LocalProvider:
    issuer: str
    key: RSAKey | ECKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "first"}))
    person: Claims = field(default_factory=dict)  # who sits at the browser
    metadata: Claims = field(default_factory=dict)  # said besides, or instead
    also: list[Any] = field(default_factory=list)  # published beside its key
    forge: Callable[[LocalProvider, Claims], str] | None = None  # makes the ID token in place of `sign`
    answer: Callable[[], Response] | None = None  # in place of every answer but to the browser
    codes: dict[str, Granted] = field(default_factory=dict)
    ways: list[str] = field(default_factory=list)  # in which clients proved who they are
    asked: list[str] = field(default_factory=list)

    def sign(self, claims: Claims, **header: str) -> str:
        algorithm = "ES256" if isinstance(self.key, ECKey) else "RS256"
        whole = {"alg": algorithm, "kid": str(self.key.kid), **header}
        return jwt.encode(whole, claims, self.key, registry=JWSRegistry(strict_check_header=False))

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.get("/.well-known/openid-configuration")
        def describe() -> Response:
            return self._say(
                "metadata",
                {
                    "issuer": self.issuer,
                    "authorization_endpoint": f"{self.issuer}/authorize",
                    "token_endpoint": f"{self.issuer}/token",
                    "jwks_uri": f"{self.issuer}/keys",
                    "authorization_response_iss_parameter_supported": True,
                    **self.metadata,
                },
            )

        @app.get("/keys")
        def keys() -> Response:
            return self._say("keys", {"keys": [*self.also, *KeySet([self.key]).as_dict(private=False)["keys"]]})

        @app.get("/authorize")
        def authorize(request: Request) -> Response:
            asked = request.query_params
            assert (asked["client_id"], asked["redirect_uri"]) == (CLIENT, RETURN)
            assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
            assert "openid" in asked["scope"].split()
            code = secrets.token_urlsafe()
            self.codes[code] = Granted(asked["nonce"], asked["code_challenge"], asked["redirect_uri"])
            back = {"code": code, "state": asked["state"], "iss": self.issuer}
            return RedirectResponse(f"{RETURN}?{urlencode(back)}", 303)

        @app.post("/token")
        async def token(request: Request) -> Response:
            form = dict(parse_qsl((await request.body()).decode()))
            return self._token(form, request.headers.get("authorization", ""))

        return app

    def _say(self, what: str, value: Claims) -> Response:
        self.asked.append(what)
        return self.answer() if self.answer else JSONResponse(value)

    def _token(self, form: dict[str, str], authorization: str) -> Response:
        basic = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        in_body = (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)
        self.ways.append("body" if in_body else "basic" if authorization == basic else "none")
        granted = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (
            self.ways[-1] == "none"
            or granted is None
            or (granted.challenge, granted.redirect) != (challenge, form.get("redirect_uri"))
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        claims = self._claims(granted.nonce)
        made = self.forge(self, claims) if self.forge else self.sign(claims)
        return self._say("token", {"access_token": "access", "token_type": "Bearer", "id_token": made})

    def _claims(self, nonce: str) -> Claims:
        now = int(time.time())
        own = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce}
        return {**own, "sub": "17", **self.person}


def visit(url: str) -> dict[str, str]:
    """What a browser brings back from there."""
    response = httpx.get(url, follow_redirects=False)
    assert response.status_code == 303
    assert response.headers["location"].startswith(RETURN)
    return dict(parse_qsl(urlsplit(response.headers["location"]).query))


@contextmanager
def serving() -> Iterator[LocalProvider]:
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    provider = LocalProvider(f"http://127.0.0.1:{listening.getsockname()[1]}")
    config = uvicorn.Config(provider.app(), lifespan="off", log_level="error", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield provider
    finally:
        server.should_exit = server.force_exit = True  # clients may still hold a line open
        thread.join()
        listening.close()
