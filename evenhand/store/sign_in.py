"""Ways in: sessions, one-time links, tokens for scripts, single sign-on, and how often a sign-in may be tried."""

from __future__ import annotations

import ipaddress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.store.accounts import (
    UserAccount,
    enabled,
    fold,
    hash_secret,
    identities,
    insert_user,
    links,
    new_secret,
    pending_sign_ins,
    record,
    sessions,
    throttle,
    to_user,
    tokens,
    users,
)
from evenhand.store.base import StoreBase, from_row, new_id
from evenhand.store.tables import clean


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
    user: UserAccount
    expires: datetime


@dataclass(frozen=True, slots=True)
class AccessToken:
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


LINK_KINDS = ("invitation", "sign_in", "password")
IDLE_HOURS = 8.0
SESSION_DAYS = 7.0
SESSION_TOUCH_INTERVAL = timedelta(minutes=1)  # to write on each request would make every page wait for the disk


class SessionStore(StoreBase):
    """Which browsers are signed in. They live here, so that ending one ends it everywhere at once."""

    def open(self, user: str) -> str:
        """The token for the browser's cookie; always a new one, so that nobody can have planted it."""
        token, now = new_secret(), self._now()
        with self._database.writing() as connection:
            enabled(connection, user)
            connection.execute(
                insert(sessions).values(hash=hash_secret(token), id=new_id(), user=user, opened=now, seen=now)
            )
        return token

    def user(self, token: str, *, idle_hours: float = IDLE_HOURS, days: float = SESSION_DAYS) -> UserAccount | None:
        """Who sent the request; None once the session was idle too long, is too old, or was ended."""
        now = self._now()
        same = sessions.c.hash == hash_secret(token)
        query = (
            select(users, sessions.c.opened, sessions.c.seen)
            .join(sessions, sessions.c.user == users.c.id)
            .where(same, users.c.disabled.is_(None))
        )
        row = self._row(query)
        if row is None or not _alive(row.opened, row.seen, now, idle_hours=idle_hours, days=days):
            return None
        if now - row.seen >= SESSION_TOUCH_INTERVAL:
            # Nothing else hangs on this row: in PostgreSQL a page need not wait for who writes elsewhere.
            with self._database.transaction() as connection:
                connection.execute(update(sessions).where(same).values(seen=now))
        return to_user(row)

    def of_user(self, user: str) -> list[SessionInfo]:
        """Where a user is signed in now, the session seen last first."""
        query = select(sessions).where(sessions.c.user == user).order_by(sessions.c.seen.desc(), sessions.c.id)
        now = self._now()
        return [
            session
            for session in self._records(SessionInfo, query)
            if _alive(session.opened, session.seen, now, idle_hours=IDLE_HOURS, days=SESSION_DAYS)
        ]

    def id_of(self, token: str) -> str | None:
        """By which id `sessions` lists the session of this token."""
        query = select(sessions.c.id).where(sessions.c.hash == hash_secret(token))
        id: str | None = self._scalar_or_none(query)
        return id

    def opened(self, token: str) -> datetime | None:
        """When the browser with this token signed in."""
        moment: datetime | None = self._scalar_or_none(
            select(sessions.c.opened).where(sessions.c.hash == hash_secret(token))
        )
        return moment

    def close(self, token: str) -> None:
        """Signs out; a session that is over already is no fault."""
        with self._database.transaction() as connection:
            connection.execute(delete(sessions).where(sessions.c.hash == hash_secret(token)))

    def close_by_id(self, id: str, user: str) -> None:
        """One of the user's own, in the list of those signed in."""
        own = (sessions.c.id == id) & (sessions.c.user == user)
        with self._database.transaction() as connection:
            if connection.execute(delete(sessions).where(own)).rowcount == 0:
                raise NotFound("This session has ended already.")

    def close_all(self, user: str, except_token: str | None = None) -> int:
        """All of a user's, but for the one in use; how many there were."""
        ending = sessions.c.user == user
        if except_token is not None:
            ending &= sessions.c.hash != hash_secret(except_token)
        with self._database.transaction() as connection:
            return connection.execute(delete(sessions).where(ending)).rowcount


def _alive(opened: datetime, seen: datetime, now: datetime, *, idle_hours: float, days: float) -> bool:
    return now - seen < timedelta(hours=idle_hours) and now - opened < timedelta(days=days)


MAX_LINK_HOURS = 24 * 30


class LinkStore(StoreBase):
    """One-time links: an invitation, a sign-in without a password, a new password. Each opens one door once."""

    def make(self, kind: str, user: str, hours: float, *, actor: str | None = None) -> str:
        """The token for the link's address. A newer link of a kind voids the older ones of the same user."""
        check_link(kind, hours)
        token = new_secret()
        with self._database.writing() as connection:
            enabled(connection, user)
            now = self._now()
            expires = now + timedelta(hours=hours)
            void = (links.c.user == user) & (links.c.kind == kind) | (links.c.expires <= now)
            connection.execute(delete(links).where(void))
            connection.execute(insert(links).values(hash=hash_secret(token), kind=kind, user=user, expires=expires))
            body = {"kind": kind, "hours": hours}
            record(connection, now, "link", actor=actor or user, user=user, body=body)
        return token

    def get(self, token: str) -> OneTimeLink | None:
        """What a link would do, without using it: programs that check mail open every link in it."""
        query = (
            select(users, links.c.kind, links.c.expires)
            .join(links, links.c.user == users.c.id)
            .where(links.c.hash == hash_secret(token), links.c.expires > self._now(), users.c.disabled.is_(None))
        )
        row = self._row(query)
        return None if row is None else OneTimeLink(row.kind, to_user(row), row.expires)

    def use(self, token: str, kind: str) -> UserAccount:
        """Whom it lets in. Of those who use it at the same moment one gets in: the row can be deleted once."""
        valid = (links.c.hash == hash_secret(token)) & (links.c.kind == kind) & (links.c.expires > self._now())
        with self._database.transaction() as connection:
            id = connection.execute(delete(links).where(valid).returning(links.c.user)).scalar_one_or_none()
            if id is None:
                raise used_up()
            return to_user(enabled(connection, id))


def check_link(kind: str, hours: float) -> None:
    if kind not in LINK_KINDS:
        raise UsageError(f"There is no kind of link {kind!r}; there are {', '.join(LINK_KINDS)}.")
    if not 0 < hours <= MAX_LINK_HOURS:
        raise UsageError(f"A link lasts up to {MAX_LINK_HOURS} hours.")


def used_up() -> NotFound:
    return NotFound("This link has been used already or has run out; ask for a new one.")


LOGIN, ADDRESS = "login", "address"
FREE = {LOGIN: 5, ADDRESS: 20}
"""Failures before waits begin. Behind one address there may be an office of people who mistype."""

FIRST_WAIT = timedelta(seconds=5)
MAX_WAIT = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(days=1)
Key = tuple[str, str]


class ThrottleStore(StoreBase):
    """How soon somebody may try to sign in again: by the login that is tried and by the address it is tried from.

    An attempt is counted before the password is looked at and taken back when it was right. Counted afterwards,
    a thousand guesses sent at the same moment would all find the door open.
    """

    def count_attempt(self, login: str, address: str, *, now: datetime | None = None) -> timedelta:
        """How long to wait; zero lets the attempt be made, which counts as a failure until it is forgiven."""
        moment = now or self._now()
        with self._database.writing() as connection:
            connection.execute(delete(throttle).where(throttle.c.last <= moment - FORGOTTEN_AFTER))
            rows = {
                key: connection.execute(select(throttle).where(_same(key))).one_or_none()
                for key in _keys(login, address)
            }
            wait = max(((row.until - moment) for row in rows.values() if row), default=timedelta())
            if wait > timedelta():
                return wait
            for key, row in rows.items():
                failures = (row.failures if row else 0) + 1
                values = {"failures": failures, "last": moment, "until": moment + wait_after(failures, FREE[key[0]])}
                if row:
                    connection.execute(update(throttle).where(_same(key)).values(values))
                else:
                    connection.execute(insert(throttle).values(kind=key[0], hash=key[1], **values))
        return timedelta()

    def forgive_attempt(self, login: str, address: str, *, now: datetime | None = None) -> None:
        """The password was right: the login starts anew. The address only loses this attempt, or who has an
        account could wipe out the traces of guessing at others."""
        moment = now or self._now()
        of_login, of_address = _keys(login, address)
        with self._database.writing() as connection:
            connection.execute(delete(throttle).where(_same(of_login)))
            connection.execute(
                update(throttle)
                .where(_same(of_address), throttle.c.failures > 0)
                .values(failures=throttle.c.failures - 1, until=moment)
            )

    def forget_failures(self, login: str) -> None:
        """For somebody who has proved in another way who they are."""
        with self._database.transaction() as connection:
            connection.execute(delete(throttle).where(_same(_keys(login, "")[0])))


def wait_after(failures: int, free: int) -> timedelta:
    """None for the first few, then twice as long each time."""
    if failures < free:
        return timedelta()
    doublings = min(failures - free, 20)  # a number of any size must not become a time of any length
    return min(FIRST_WAIT * (1 << doublings), MAX_WAIT)


def _keys(login: str, address: str) -> tuple[Key, Key]:
    return (LOGIN, hash_secret(fold(login))), (ADDRESS, hash_secret(_network(address)))


def _network(address: str) -> str:
    """A household has 2^64 addresses of IPv6, and can try from another one each time."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6 and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed.ipv4_mapped or parsed) if parsed.version == 6 else str(parsed)


def _same(key: Key) -> Any:
    return (throttle.c.kind == key[0]) & (throttle.c.hash == key[1])


PENDING_FOR = timedelta(minutes=10)


class IdentityStore(StoreBase):
    """Single sign-on: who is known under which name at the provider, and who is on the way there and back."""

    def user(self, issuer: str, subject: str) -> UserAccount | None:
        """A disabled user too: the caller says no, in words."""
        query = (
            select(users)
            .join(identities, identities.c.user == users.c.id)
            .where(identities.c.issuer == issuer, identities.c.subject == subject)
        )
        row = self._row(query)
        return None if row is None else to_user(row)

    def connect(self, issuer: str, subject: str, user: str, *, actor: str) -> None:
        """From now on whom the provider calls by this subject is this user."""
        with self._database.writing() as connection:
            enabled(connection, user)
            _connect(connection, self._now(), issuer, subject, user, actor=actor)

    def add_user(self, issuer: str, subject: str, *, login: str, name: str, role: str, actor: str) -> UserAccount:
        """Somebody whom the provider knows and this house did not; user and identity, or neither."""
        with self._database.writing() as connection:
            now = self._now()
            user = insert_user(connection, now, login, name, role, actor=actor)
            _connect(connection, now, issuer, subject, user.id, actor=actor)
        return user

    def has_identity(self, user: str) -> bool:
        query = select(identities.c.subject).where(identities.c.user == user)
        with self._database.reading() as connection:
            return connection.execute(query).first() is not None

    def save_pending(self, state: str, browser: str, pending: PendingSignIn) -> None:
        """Until the person comes back with `state`, in the same browser."""
        now = self._now()
        with self._database.transaction() as connection:
            connection.execute(delete(pending_sign_ins).where(pending_sign_ins.c.expires <= now))
            connection.execute(
                insert(pending_sign_ins).values(
                    state=hash_secret(state), browser=hash_secret(browser), expires=now + PENDING_FOR, **asdict(pending)
                )
            )

    def take_pending(self, state: str, browser: str) -> PendingSignIn | None:
        """Once only, even for two who come at the same moment; None too for another browser."""
        valid = (
            (pending_sign_ins.c.state == hash_secret(state))
            & (pending_sign_ins.c.browser == hash_secret(browser))
            & (pending_sign_ins.c.expires > self._now())
        )
        taking = delete(pending_sign_ins).where(valid).returning(pending_sign_ins)
        with self._database.transaction() as connection:
            row = connection.execute(taking).one_or_none()
        return None if row is None else from_row(PendingSignIn, row)


def _connect(connection: Connection, now: datetime, issuer: str, subject: str, user: str, *, actor: str) -> None:
    same = (identities.c.issuer == issuer) & (identities.c.subject == subject)
    holder = connection.execute(select(identities.c.user).where(same)).scalar_one_or_none()
    if holder == user:
        return
    if holder is not None:
        raise UsageError("This account of the provider is connected to another user already.")
    connection.execute(insert(identities).values(issuer=issuer, subject=subject, user=user, connected=now))
    sealed = {"issuer": issuer, "subject": subject}
    record(connection, now, "connected", actor=actor, user=user, sealed=sealed)


TOKEN_PREFIX = "evh_"  # noqa: S105 - programs that look for leaked secrets know it by this
MAX_TOKEN_DAYS = 366
TOKEN_NAME_LENGTH = 100
TOKEN_TOUCH_INTERVAL = timedelta(minutes=1)


class TokenStore(StoreBase):
    """Tokens for scripts: as much as their user may do, until a day that is set when they are made."""

    def make(self, user: str, name: str, days: float) -> tuple[str, str]:
        """Its id, and the secret, which cannot be shown again."""
        name = " ".join(clean(name).split())
        if not name or len(name) > TOKEN_NAME_LENGTH:
            raise UsageError(f"A token needs a name of at most {TOKEN_NAME_LENGTH} characters.")
        if not 0 < days <= MAX_TOKEN_DAYS:
            raise UsageError(f"A token lasts up to {MAX_TOKEN_DAYS} days.")
        id, secret = new_id(), TOKEN_PREFIX + new_secret()
        with self._database.writing() as connection:
            enabled(connection, user)
            now = self._now()
            values = {"created": now, "expires": now + timedelta(days=days)}
            connection.execute(insert(tokens).values(id=id, hash=hash_secret(secret), user=user, name=name, **values))
            body = {"token": id, "days": days}
            record(connection, now, "token_made", actor=user, user=user, body=body, sealed={"name": name})
        return id, secret

    def user(self, secret: str) -> UserAccount | None:
        """Whose script it is; None for a token that ran out, was revoked, or never was."""
        now = self._now()
        same = tokens.c.hash == hash_secret(secret)
        query = (
            select(users, tokens.c.used)
            .join(tokens, tokens.c.user == users.c.id)
            .where(same, tokens.c.expires > now, users.c.disabled.is_(None))
        )
        row = self._row(query)
        if row is None:
            return None
        if row.used is None or now - row.used >= TOKEN_TOUCH_INTERVAL:
            with self._database.transaction() as connection:
                connection.execute(update(tokens).where(same).values(used=now))
        return to_user(row)

    def of_user(self, user: str) -> list[AccessToken]:
        """Those of one user, the oldest first; those that have run out too."""
        query = select(tokens).where(tokens.c.user == user).order_by(tokens.c.created, tokens.c.id)
        return self._records(AccessToken, query)

    def revoke(self, id: str, user: str, *, actor: str | None = None) -> None:
        """A token of `user`'s own: the id of a stranger's is answered as one that is not there."""
        own = (tokens.c.id == clean(id)) & (tokens.c.user == user)
        with self._database.writing() as connection:
            if connection.execute(delete(tokens).where(own)).rowcount == 0:
                raise NotFound("There is no such token; it may have been revoked already.")
            record(connection, self._now(), "token_revoked", actor=actor or user, user=user, body={"token": id})
