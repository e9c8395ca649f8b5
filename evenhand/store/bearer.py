"""Secrets that let in whoever holds them: made here, shown once, and kept as hashes.

A plain SHA-256 will do: with 256 random bits there is nothing to guess, unlike with a password.
"""

from __future__ import annotations

import hashlib
import secrets

SECRET_BYTES = 32


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> str:
    """Anything a stranger may send can be looked up, text that is no text included."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
