"""Single sign-on: to the provider and back, with code, PKCE, state and nonce; and who that is in this house."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx

from evenhand.errors import SignInRefused, UsageError
from evenhand.records.event import SYSTEM
from evenhand.settings import Settings
from evenhand.store import Store, User
from evenhand.store.account_rows import PendingSignIn
from evenhand.store.bearer import new_secret
from evenhand.store.keeper import utc_now
from evenhand.workflows.passwords import is_sample
from evenhand.workflows.provider import Client, Provider, untrusted
from evenhand.workflows.provider_fetch import is_secure, new_http

RETURN_PATH = "/sso/return"
"""To be registered with the provider, after the setting `address`."""
SUBJECT_LENGTH = 255  # OpenID Connect Core, 2
SECRET_LENGTH = 10_000
TARGET_LENGTH = 2_000

STALE = "This sign-in was begun in another browser or too long ago; start again."
DENIED = "The provider did not let you in."
UNKNOWN = "The provider knows you, but you have no account here; ask an administrator for one."
ELSEWHERE = "Only people with an e-mail address of this organisation are let in."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Redirect:
    """Send the browser to `url`, with `browser` in a cookie that scripts cannot read and lasts ten minutes."""

    url: str
    browser: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """Somebody came back and is in: the token of her session, who she is, and the page she had asked for."""

    token: str
    user: User
    target: str


class SingleSignOn:
    """Made once, when a server starts: it remembers the provider's metadata and keys for an hour."""

    def __init__(self, settings: Settings, provider: Provider) -> None:
        self._settings = settings
        self._provider = provider
        self._roles = _mapping(settings.oidc_roles)

    def close(self) -> None:
        self._provider.close()

    def begin(self, store: Store, *, target: str = "/", user: str | None = None) -> Redirect:
        """With `user` the account of somebody who is signed in will be connected with hers at the provider."""
        state, nonce, verifier, browser = (new_secret() for _ in range(4))
        url = self._provider.authorization_address(state=state, nonce=nonce, verifier=verifier)
        pending = PendingSignIn(self._provider.issuer, nonce, verifier, user, _own_page(target))
        store.keep_pending(state, browser, pending)
        return Redirect(url, browser)

    def finish(self, store: Store, answer: Mapping[str, str], browser: str) -> Arrived:
        """`answer` is the query with which the browser came back, `browser` its cookie. SignInRefused in words."""
        pending = store.take_pending(answer.get("state", ""), browser)
        if pending is None or pending.issuer != self._provider.issuer:
            raise SignInRefused(STALE)
        self._provider.check_sender(answer.get("iss"))
        if "error" in answer:
            raise SignInRefused(DENIED)
        if not answer.get("code"):
            raise untrusted("there is no code")
        claims = self._provider.claims(answer["code"], verifier=pending.verifier, nonce=pending.nonce)
        user = self._admit(store, claims, pending.user)
        return Arrived(store.open_session(user.id), user, pending.target)

    def _admit(self, store: Store, claims: dict[str, Any], connecting: str | None) -> User:
        """By issuer and subject, never by e-mail address: those change hands."""
        subject = str(claims["sub"])
        if not 0 < len(subject) <= SUBJECT_LENGTH or not (subject.isascii() and subject.isprintable()):
            raise untrusted("the subject is none: it has up to 255 ASCII characters")
        self._check_domain(claims)
        if connecting is not None:
            _connect(store, self._provider.issuer, subject, connecting)
        user = store.user_of_identity(self._provider.issuer, subject)
        if user is None:
            return self._add(store, claims, subject)
        if user.disabled:
            raise SignInRefused(UNKNOWN)
        return self._with_role(store, user, claims)

    def _check_domain(self, claims: dict[str, Any]) -> None:
        domain = self._settings.oidc_email_domain.casefold()
        if domain and _verified_email(claims).casefold().rpartition("@")[2] != domain:
            raise SignInRefused(ELSEWHERE)

    def _role(self, claims: dict[str, Any]) -> str:
        """The role of the first group that fits, else the default; empty means: none."""
        groups = claims.get(self._settings.oidc_role_claim) if self._settings.oidc_role_claim else None
        listed = groups if isinstance(groups, list) else [groups]
        held = {group for group in listed if isinstance(group, str)}
        found = (role for group, role in self._roles if group in held)
        return next(found, self._settings.oidc_default_role)

    def _add(self, store: Store, claims: dict[str, Any], subject: str) -> User:
        role = self._role(claims)
        if not role:
            raise SignInRefused(UNKNOWN)
        login = _verified_email(claims) or str(claims.get("preferred_username") or "")
        try:
            return store.add_connected_user(
                self._provider.issuer,
                subject,
                login=login,
                name=str(claims.get("name") or "")[:200],
                role=role,
                actor=SYSTEM,
            )
        except UsageError as error:
            # Whoever has this login can sign in and connect the two; a stranger with the same name cannot.
            log.warning("Single sign-on: a user cannot be made for a new subject: %s", error)
            raise SignInRefused(UNKNOWN) from error

    def _with_role(self, store: Store, user: User, claims: dict[str, Any]) -> User:
        """Where the provider tells roles, who has left all groups stays out, and who has changed groups changes."""
        if not self._settings.oidc_role_claim:
            return user
        role = self._role(claims)
        if not role:
            raise SignInRefused(UNKNOWN)
        with suppress(UsageError):  # the last admin remains one
            store.change_role(user.id, role, actor=SYSTEM)
        return store.user(user.id)


def open_single_sign_on(
    settings: Settings, *, http: httpx.Client | None = None, clock: Callable[[], datetime] = utc_now
) -> SingleSignOn | None:
    """None where no provider is set. A UsageError, when the server starts, for settings that cannot work."""
    if not settings.oidc_issuer:
        return None
    if not is_secure(settings.oidc_issuer):
        raise UsageError("Setting oidc_issuer must begin with https: what it says lets people in.")
    if not settings.oidc_client_id:
        raise UsageError("Setting oidc_client_id is missing; the provider gives one for this Evenhand.")
    if settings.oidc_role_claim and not settings.oidc_roles:
        raise UsageError("Setting oidc_role_claim needs oidc_roles, which says what group has which role.")
    secret = _secret(settings.oidc_client_secret_file)
    client = Client(settings.oidc_client_id, secret, settings.origin + RETURN_PATH)
    return SingleSignOn(settings, Provider(settings.oidc_issuer, client, http or new_http(), clock))


def _secret(file: str) -> str:
    if not file:
        return ""
    path = Path(file).expanduser()
    try:
        with path.open(encoding="utf-8") as opened:
            secret = opened.read(SECRET_LENGTH).strip()
    except OSError as error:
        raise UsageError(f"The file {path} of oidc_client_secret_file: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"The file {path} of oidc_client_secret_file is not text.") from error
    if not secret or is_sample(secret):
        raise UsageError(f"The file {path} holds no secret, or a sample; put in the one the provider gave.")
    return secret


def _connect(store: Store, issuer: str, subject: str, user: str) -> None:
    try:
        store.connect_identity(issuer, subject, user, actor=user)
    except UsageError as error:  # somebody else's, or disabled on the way
        raise SignInRefused(str(error)) from error


def _verified_email(claims: dict[str, Any]) -> str:
    """One that the provider has checked; anyone could have typed in another."""
    email = claims.get("email")
    return email if isinstance(email, str) and claims.get("email_verified") in (True, "true") else ""


def _mapping(text: str) -> tuple[tuple[str, str], ...]:
    """group=role, group=role, as the setting's pattern has it."""
    pairs = (pair.partition("=") for pair in text.split(",") if pair.strip())
    return tuple((group.strip(), role.strip()) for group, _, role in pairs)


def _own_page(target: str) -> str:
    """Never an address of somebody else's server."""
    own = target.startswith("/") and not target.startswith(("//", "/\\")) and "\\" not in target
    return target if own and target.isprintable() and len(target) <= TARGET_LENGTH else "/"
