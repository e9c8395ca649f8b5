"""Asking the provider of single sign-on: over a secure line, within limits of size and time, with an answer in JSON."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from evenhand.errors import SignInRefused

LIMIT_BYTES = 500_000
OPERATION_SECONDS = 5.0  # to connect, to send, to wait for the next bytes
ALL_SECONDS = 10.0  # else a few bytes now and then would keep us waiting for ever
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
UNREACHABLE = "The provider of single sign-on does not answer as it should; try again a little later."

log = logging.getLogger(__name__)


def new_http() -> httpx.Client:
    """Follows no redirect: the provider's addresses are in its metadata, and nowhere else."""
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    return httpx.Client(timeout=OPERATION_SECONDS, follow_redirects=False, headers=headers)


def is_secure(address: str) -> bool:
    """Over TLS, or on this machine, where nobody listens on the line."""
    parts = urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def fetch(
    http: httpx.Client,
    method: str,
    address: str,
    *,
    body: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The JSON object there, or SignInRefused; why is told to the log, not to strangers."""
    if not is_secure(address):
        raise unreachable("an address is neither https nor on this machine")
    deadline = time.monotonic() + ALL_SECONDS
    try:
        with http.stream(method, address, content=body, headers=dict(headers or {})) as response:
            if response.status_code != httpx.codes.OK:
                raise unreachable(f"{_place(address)} answers {response.status_code}")
            if response.headers.get("content-encoding", "identity") != "identity":
                raise unreachable(f"{_place(address)} answers packed, which was not asked for")
            answer = json.loads(_limited(response, deadline))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise unreachable(f"{_place(address)}: {type(error).__name__}") from error
    except (ValueError, RecursionError) as error:
        raise unreachable(f"{_place(address)} does not answer in JSON") from error
    if not isinstance(answer, dict):
        raise unreachable(f"{_place(address)} does not answer with an object")
    return answer


def unreachable(reason: str) -> SignInRefused:
    log.warning("Single sign-on: %s.", reason)
    return SignInRefused(UNREACHABLE)


def _limited(response: httpx.Response, deadline: float) -> bytes:
    read = bytearray()
    for chunk in response.iter_raw():
        read += chunk
        if len(read) > LIMIT_BYTES:
            raise unreachable(f"{_place(str(response.url))} answers with more than {LIMIT_BYTES:,} bytes")
        if time.monotonic() > deadline:
            raise unreachable(f"{_place(str(response.url))} takes too long")
    return bytes(read)


def _place(address: str) -> str:
    """Without what follows the path: it may hold a code."""
    parts = urlsplit(address)
    return f"{parts.netloc}{parts.path}"
