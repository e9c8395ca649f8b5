"""How people get in: with a password, by a one-time link, by taking up an invitation; and how they change that."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from evenhand.errors import NotFound, SignInRefused, UsageError
from evenhand.settings import Settings
from evenhand.store import SessionInfo, Store, User
from evenhand.store.accounts import check_role, normal_login
from evenhand.store.links import check_link, used_up
from evenhand.workflows.passwords import check_password, hash_password, needs_new_hash, verify_password

INVITATION, SIGN_IN, PASSWORD = "invitation", "sign_in", "password"
INVITATION_HOURS = 72.0
SIGN_IN_HOURS = 1.0
PASSWORD_HOURS = 24.0
ENTER_PATH = "/enter/"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody is in: the token is for her browser's cookie, and nobody else's eyes."""

    token: str
    user: User


@dataclass(frozen=True, slots=True)
class Invitation:
    user: User
    token: str


def sign_in(store: Store, login: str, password: str, *, address: str, now: datetime | None = None) -> Entered:
    """The same answer, as late, for a login that does not exist, is disabled, or has another password."""
    _prove(store, login, password, address=address, now=now)
    user = store.user_by_login(login)
    if user is None or user.disabled:  # in the moment between
        raise SignInRefused
    return Entered(store.open_session(user.id), user)


def who_is(store: Store, token: str, settings: Settings) -> User | None:
    """Who sent a request with this session."""
    return store.session_user(token, idle_hours=settings.session_hours, days=settings.session_days)


def sessions_of(store: Store, user: str, settings: Settings) -> list[SessionInfo]:
    """Where a user is signed in now; `Store.close_session_by_id` ends one of them."""
    return store.sessions(user, idle_hours=settings.session_hours, days=settings.session_days)


def sweep(store: Store, settings: Settings) -> int:
    """Forgets sessions that have run out: for a server to do when it starts."""
    return store.sweep_sessions(idle_hours=settings.session_hours, days=settings.session_days)


def sign_out(store: Store, token: str) -> None:
    store.close_session(token)


def enter(store: Store, token: str) -> Entered:
    """By a one-time sign-in link."""
    user = store.use_link(token, SIGN_IN)
    store.forget_failures(user.login)
    return Entered(store.open_session(user.id), user)


def accept_invitation(store: Store, token: str, password: str) -> Entered:
    return _start_anew(store, token, INVITATION, password)


def reset_password(store: Store, token: str, password: str) -> Entered:
    """By a one-time link for a new password; all sessions of the old one end."""
    return _start_anew(store, token, PASSWORD, password)


def change_password(
    store: Store,
    user: User,
    old: str,
    new: str,
    *,
    address: str,
    token: str | None = None,
    now: datetime | None = None,
) -> None:
    """By the user herself. All her sessions end but that of `token`; who had no password needs no old one."""
    check_password(new, user.login)
    if user.has_password:
        _prove(store, user.login, old, address=address, now=now)
    store.set_password_hash(user.id, hash_password(new), actor=user.id, except_token=token)


def set_password(store: Store, user: User, password: str, *, actor: str) -> None:
    """By somebody who has the server: no old password is asked for, and all sessions end."""
    check_password(password, user.login)
    store.set_password_hash(user.id, hash_password(password), actor=actor)
    store.forget_failures(user.login)


def add_with_password(
    store: Store, login: str, role: str, password: str, *, name: str = "", actor: str
) -> User:
    check_password(password, login)
    hash = hash_password(password)
    user = store.add_user(login, name, role, actor=actor)
    store.set_password_hash(user.id, hash, actor=actor)
    return store.user(user.id)


def invite(
    store: Store, login: str, role: str, *, name: str = "", hours: float = INVITATION_HOURS, actor: str
) -> Invitation:
    """A new user, and the link by which she chooses her password; not the one without the other."""
    check_link(INVITATION, hours)
    user = store.add_user(login, name, role, actor=actor)
    return Invitation(user, store.make_link(INVITATION, user.id, hours, actor=actor))


def check_new_user(store: Store, login: str, role: str) -> None:
    """Before a password is asked for: nobody likes to type one twice for nothing."""
    check_role(role)
    if store.user_by_login(normal_login(login)):
        raise UsageError(f"There is a user {login!r} already.")


def by_login(store: Store, login: str) -> User:
    """For those who administer; never for those who sign in."""
    user = store.user_by_login(login)
    if user is None:
        raise NotFound(f"There is no user {login!r}; `evenhand user list` shows those there are.")
    return user


def link_address(settings: Settings, token: str) -> str:
    return f"{settings.origin}{ENTER_PATH}{token}"


def _prove(store: Store, login: str, password: str, *, address: str, now: datetime | None) -> None:
    wait = store.count_attempt(login, address, now=now)
    if wait:
        log.warning("Sign-in: too many attempts, the last from %s.", address)
        raise _too_early(wait)
    hash = store.password_hash(login)
    if not verify_password(hash, password) or hash is None:
        log.info("Sign-in: refused, from %s.", address)  # not the login: people type passwords there
        raise SignInRefused
    store.forgive_attempt(login, address, now=now)
    if needs_new_hash(hash) and (user := store.user_by_login(login)):
        store.renew_password_hash(user.id, hash, hash_password(password))


def _start_anew(store: Store, token: str, kind: str, password: str) -> Entered:
    """The password is looked at first: a link is not used up by one that is too short."""
    link = store.link(token)
    if link is None or link.kind != kind:
        raise used_up()
    check_password(password, link.user.login)
    hash = hash_password(password)
    user = store.use_link(token, kind)
    store.set_password_hash(user.id, hash, actor=user.id)
    store.forget_failures(user.login)
    return Entered(store.open_session(user.id), store.user(user.id))


def _too_early(wait: timedelta) -> SignInRefused:
    seconds = math.ceil(wait.total_seconds())
    return SignInRefused(
        f"Too many attempts have failed; try again in {_in_words(seconds)}.", wait_seconds=seconds
    )


def _in_words(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} second{'s' if seconds > 1 else ''}"
    minutes = math.ceil(seconds / 60)
    return f"{minutes} minute{'s' if minutes > 1 else ''}"
