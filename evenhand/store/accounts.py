"""Users: made by an admin or on the command line, disabled but never deleted, since decisions name them."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Row,
    String,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

from evenhand.errors import NotFound, UsageError
from evenhand.records.event import EventDraft
from evenhand.store.base import StoreBase, new_id, one_row, select_in
from evenhand.store.ledger_append import append, seal_actors
from evenhand.store.tables import MASTER, CleanText, UtcTime, clean

RECRUITER, AUDITOR, ADMIN = "recruiter", "auditor", "admin"
ROLES = (RECRUITER, AUDITOR, ADMIN)
"""A recruiter works on their own jobs, an auditor reads everything but contact data, an admin keeps the house."""

SEES_ALL_JOBS = frozenset({AUDITOR, ADMIN})


@dataclass(frozen=True, slots=True)
class UserAccount:
    id: str
    login: str
    name: str
    role: str
    disabled: bool
    has_password: bool
    created: datetime


# The tables of accounts. Whatever lets its holder in is kept as a hash only: who reads them gets in nowhere.
users = Table(
    "users",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("login", CleanText, nullable=False, unique=True),  # as `accounts.normal_login` writes it
    Column("name", CleanText, nullable=False),
    Column("role", String(16), nullable=False),
    Column("password", CleanText),  # argon2id, with its parameters; None: no password signs this user in
    Column("created", UtcTime, nullable=False),
    Column("disabled", UtcTime),
)

sessions = Table(
    "sessions",
    MASTER,
    Column("hash", String(64), primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("opened", UtcTime, nullable=False),
    Column("seen", UtcTime, nullable=False),
)

links = Table(
    "links",
    MASTER,
    Column("hash", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires", UtcTime, nullable=False),
)

tokens = Table(
    "tokens",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", CleanText, nullable=False),
    Column("created", UtcTime, nullable=False),
    Column("expires", UtcTime, nullable=False),
    Column("used", UtcTime),
)

throttle = Table(
    "throttle",
    MASTER,
    Column("kind", String(16), primary_key=True),  # login or address
    # A hash: people type passwords into the wrong field, and an address of the network is personal data.
    Column("hash", String(64), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("last", UtcTime, nullable=False),
    Column("until", UtcTime, nullable=False),
    Index("ix_throttle_last", "last"),
)

identities = Table(
    "identities",
    MASTER,
    # Both as the provider wrote them: a subject is unique only within its issuer.
    Column("issuer", CleanText, primary_key=True),
    Column("subject", CleanText, primary_key=True),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("connected", UtcTime, nullable=False),
)

pending_sign_ins = Table(
    "pending_sign_ins",
    MASTER,
    Column("state", String(64), primary_key=True),  # a hash, as is the browser's
    Column("browser", String(64), nullable=False),
    Column("issuer", CleanText, nullable=False),
    Column("nonce", String(64), nullable=False),
    Column("verifier", String(128), nullable=False),
    Column("user", ForeignKey("users.id", ondelete="CASCADE"), index=True),
    Column("target", CleanText, nullable=False),
    Column("expires", UtcTime, nullable=False),
)

# Every change of an account is an event of the ledger, written with the change itself.
ACCOUNT = "account"


def record(
    connection: Connection,
    now: datetime,
    change: str,
    *,
    actor: str,
    user: str,
    job: str | None = None,
    body: Mapping[str, Any] | None = None,
    sealed: Mapping[str, Any] | None = None,
) -> None:
    """`body` is public; what names a person goes into `sealed`.

    The user is shown by the same seal as where they act themselves, so that their history can be followed.
    """
    public = {"change": change, "user": seal_actors(connection, [user])[user], **(body or {})}
    draft = EventDraft(ACCOUNT, actor=actor, job=job, body=public, sealed=sealed or {})
    append(connection, [draft], now)


# Secrets that let in whoever holds them: made here, shown once, and kept as hashes.
#
# A plain SHA-256 will do: with 256 random bits there is nothing to guess, unlike with a password.
SECRET_BYTES = 32


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """Anything a stranger may send can be looked up, text that is no text included."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


LOGIN_LENGTH = 200  # PostgreSQL cannot look up keys of any length
NAME_LENGTH = 200
WAYS_IN: tuple[Table, ...] = (sessions, tokens, links, pending_sign_ins)


class AccountStore(StoreBase):
    def add(self, login: str, name: str, role: str, *, actor: str) -> UserAccount:
        """Without a password: one is set when the user takes up an invitation, or on the command line."""
        with self._database.writing() as connection:
            return insert_user(connection, self._now(), login, name, role, actor=actor)

    def all(self) -> list[UserAccount]:
        """All, the disabled too, by login."""
        return sorted(map(to_user, self._rows(select(users))), key=lambda user: user.login)

    def get(self, id: str) -> UserAccount:
        with self._database.reading() as connection:
            return to_user(existing(connection, id))

    def by_login(self, login: str) -> UserAccount | None:
        with self._database.reading() as connection:
            row = _by_login(connection, fold(login))
        return None if row is None else to_user(row)

    def names(self, ids: Iterable[str]) -> dict[str, str]:
        """Names to show. Who is no user, but decided on the command line, keeps the name given there."""
        names = {id: id for id in ids}
        with self._database.reading() as connection:
            rows = select_in(connection, select(users.c.id, users.c.name), users.c.id, [clean(id) for id in names])
            names |= {row.id: row.name for row in rows}
        return names

    def rename(self, id: str, name: str, *, actor: str) -> None:
        name = _name(name)
        with self._database.writing() as connection:
            if existing(connection, id).name != name:
                _set(connection, id, name=name)
                record(connection, self._now(), "renamed", actor=actor, user=id, sealed={"name": name})

    def before_role_change(self, id: str, role: str) -> UserAccount:
        """The user as they are now; UsageError where the change would be refused."""
        check_role(role)
        with self._database.reading() as connection:
            row = existing(connection, id)
            if row.role != role:
                _refuse_last_admin(connection, id, "be given another role")
            return to_user(row)

    def change_role(self, id: str, role: str, *, actor: str) -> None:
        check_role(role)
        with self._database.writing() as connection:
            before = existing(connection, id).role
            if before == role:
                return
            _refuse_last_admin(connection, id, "be given another role")
            _set(connection, id, role=role)
            body = {"from": before, "role": role}
            record(connection, self._now(), "role", actor=actor, user=id, body=body)

    def disable(self, id: str, *, actor: str) -> None:
        """Nobody signs in as this user any more; sessions, tokens and links end at once."""
        with self._database.writing() as connection:
            if existing(connection, id).disabled is not None:
                return
            _refuse_last_admin(connection, id, "be disabled")
            now = self._now()
            _set(connection, id, disabled=now)
            for table in WAYS_IN:
                connection.execute(delete(table).where(table.c.user == id))
            record(connection, now, "disabled", actor=actor, user=id)

    def enable(self, id: str, *, actor: str) -> None:
        with self._database.writing() as connection:
            if existing(connection, id).disabled is None:
                return
            _set(connection, id, disabled=None)
            record(connection, self._now(), "enabled", actor=actor, user=id)

    def password_hash(self, login: str) -> str | None:
        """None for whom no password lets in: the unknown, the disabled, those who have none."""
        with self._database.reading() as connection:
            row = _by_login(connection, fold(login))
        return None if row is None or row.disabled is not None else row.password

    def set_password_hash(self, id: str, hash: str, *, actor: str, except_token: str | None = None) -> None:
        """A new password. With the old one end its links and all sessions, but for the one in use."""
        with self._database.writing() as connection:
            existing(connection, id)
            _set(connection, id, password=hash)
            connection.execute(delete(links).where(links.c.user == id))
            others = sessions.c.user == id
            if except_token is not None:
                others &= sessions.c.hash != hash_secret(except_token)
            connection.execute(delete(sessions).where(others))
            record(connection, self._now(), "password", actor=actor, user=id)

    def renew_password_hash(self, id: str, before: str, after: str) -> None:
        """The same password, hashed with today's parameters; nothing happens if it was changed meanwhile."""
        with self._database.writing() as connection:
            same = (users.c.id == id) & (users.c.password == before)
            connection.execute(update(users).where(same).values(password=after))


def insert_user(connection: Connection, now: datetime, login: str, name: str, role: str, *, actor: str) -> UserAccount:
    login, name, id = normal_login(login), _name(name or login), new_id()
    check_role(role)
    if _by_login(connection, login) is not None:
        raise UsageError(f"There is a user {login!r} already.")
    connection.execute(insert(users).values(id=id, login=login, name=name, role=role, created=now))
    sealed = {"login": login, "name": name}
    record(connection, now, "created", actor=actor, user=id, body={"role": role}, sealed=sealed)
    return UserAccount(id, login, name, role, disabled=False, has_password=False, created=now)


def fold(login: str) -> str:
    """One spelling for ADA@example.com and ada@example.com."""
    return unicodedata.normalize("NFKC", clean(login)).strip().casefold()


def normal_login(login: str) -> str:
    """As `fold`, for a login that is to be kept."""
    folded = fold(login)
    if not folded or not folded.isprintable() or any(map(str.isspace, folded)):
        raise UsageError("A login is a name or an e-mail address without spaces.")
    if len(folded) > LOGIN_LENGTH:
        raise UsageError(f"A login has at most {LOGIN_LENGTH} characters.")
    return folded


def check_role(role: str) -> None:
    if role not in ROLES:
        raise UsageError(f"There is no role {role!r}; the roles are {', '.join(ROLES)}.")


def to_user(row: Row[Any]) -> UserAccount:
    return UserAccount(
        id=row.id,
        login=row.login,
        name=row.name,
        role=row.role,
        disabled=row.disabled is not None,
        has_password=row.password is not None,
        created=row.created,
    )


def existing(connection: Connection, id: str) -> Row[Any]:
    missing = NotFound(f"There is no user {id!r}; `evenhand user list` shows those there are.")
    return one_row(connection, select(users).where(users.c.id == clean(id)), missing)


def enabled(connection: Connection, id: str) -> Row[Any]:
    """As `existing`, for what a disabled user is not to be given."""
    row = existing(connection, id)
    if row.disabled is not None:
        raise UsageError(f"The user {row.login} is disabled.")
    return row


def _name(name: str) -> str:
    name = " ".join(clean(name).split())
    if not name:
        raise UsageError("A user needs a name.")
    if len(name) > NAME_LENGTH:
        raise UsageError(f"The name of a user has at most {NAME_LENGTH} characters.")
    return name


def _by_login(connection: Connection, login: str) -> Row[Any] | None:
    return connection.execute(select(users).where(users.c.login == login)).one_or_none()


def _set(connection: Connection, id: str, **values: Any) -> None:
    connection.execute(update(users).where(users.c.id == id).values(values))


def _refuse_last_admin(connection: Connection, id: str, what: str) -> None:
    """Writers follow one another, so two admins cannot lock each other out at the same moment."""
    admin = (users.c.role == ADMIN) & users.c.disabled.is_(None)
    others = connection.execute(select(func.count()).where(admin, users.c.id != id)).scalar_one()
    itself = connection.execute(select(func.count()).where(admin, users.c.id == id)).scalar_one()
    if itself and not others:
        raise UsageError(f"The last admin cannot {what}; make another admin first.")
