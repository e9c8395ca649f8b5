"""Who may work here, and by what they are known: accounts as they come out of the store. No secret is among it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

RECRUITER, AUDITOR, ADMIN = "recruiter", "auditor", "admin"
ROLES = (RECRUITER, AUDITOR, ADMIN)
"""A recruiter works on her own jobs, an auditor reads everything but contact data, an admin keeps the house."""

SEES_ALL_JOBS = frozenset({AUDITOR, ADMIN})
LINK_KINDS = ("invitation", "sign_in", "password")


@dataclass(frozen=True, slots=True)
class User:
    id: str
    login: str
    name: str
    role: str
    disabled: bool
    has_password: bool
    created: datetime


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A browser that is signed in. `id` names it to its owner; it does not let anyone in."""

    id: str
    user: str
    opened: datetime
    seen: datetime


@dataclass(frozen=True, slots=True)
class OneTimeLink:
    """A one-time link that has not been used: what it is for, whom it lets in, and until when."""

    kind: str
    user: User
    expires: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """A token for scripts. Its secret was shown once, when it was made."""

    id: str
    user: str
    name: str
    created: datetime
    expires: datetime
    used: datetime | None


@dataclass(frozen=True, slots=True)
class PendingSignIn:
    """A person who was sent to the provider of single sign-on and has not come back yet."""

    issuer: str
    nonce: str
    verifier: str
    user: str | None  # whose account is to be connected; None to sign in as whoever the provider names
    target: str  # the page that was asked for
