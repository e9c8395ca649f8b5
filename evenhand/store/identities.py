"""Single sign-on: who is known under which name at the provider, and who is on the way there and back."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from evenhand.errors import UsageError
from evenhand.store.account_events import record
from evenhand.store.account_rows import PendingSignIn, User
from evenhand.store.account_tables import identities, pending_sign_ins, users
from evenhand.store.accounts import enabled, insert_user, to_user
from evenhand.store.bearer import hashed
from evenhand.store.keeper import Keeper

PENDING_FOR = timedelta(minutes=10)


class Identities(Keeper):
    def user_of_identity(self, issuer: str, subject: str) -> User | None:
        """A disabled user too: the caller says no, in words."""
        query = (
            select(users)
            .join(identities, identities.c.user == users.c.id)
            .where(identities.c.issuer == issuer, identities.c.subject == subject)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else to_user(row)

    def connect_identity(self, issuer: str, subject: str, user: str, *, actor: str) -> None:
        """From now on whom the provider calls by this subject is this user."""
        with self._database.writing() as connection:
            enabled(connection, user)
            _connect(connection, self._now(), issuer, subject, user, actor=actor)

    def add_connected_user(
        self, issuer: str, subject: str, *, login: str, name: str, role: str, actor: str
    ) -> User:
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

    def keep_pending(self, state: str, browser: str, pending: PendingSignIn) -> None:
        """Until the person comes back with `state`, in the same browser."""
        now = self._now()
        with self._database.transaction() as connection:
            connection.execute(delete(pending_sign_ins).where(pending_sign_ins.c.expires <= now))
            connection.execute(
                insert(pending_sign_ins).values(
                    state=hashed(state),
                    browser=hashed(browser),
                    issuer=pending.issuer,
                    nonce=pending.nonce,
                    verifier=pending.verifier,
                    user=pending.user,
                    target=pending.target,
                    expires=now + PENDING_FOR,
                )
            )

    def take_pending(self, state: str, browser: str) -> PendingSignIn | None:
        """Once only, even for two who come at the same moment; None too for another browser."""
        valid = (
            (pending_sign_ins.c.state == hashed(state))
            & (pending_sign_ins.c.browser == hashed(browser))
            & (pending_sign_ins.c.expires > self._now())
        )
        taking = delete(pending_sign_ins).where(valid).returning(pending_sign_ins)
        with self._database.transaction() as connection:
            row = connection.execute(taking).one_or_none()
        if row is None:
            return None
        return PendingSignIn(row.issuer, row.nonce, row.verifier, row.user, row.target)


def _connect(
    connection: Connection, now: datetime, issuer: str, subject: str, user: str, *, actor: str
) -> None:
    same = (identities.c.issuer == issuer) & (identities.c.subject == subject)
    holder = connection.execute(select(identities.c.user).where(same)).scalar_one_or_none()
    if holder == user:
        return
    if holder is not None:
        raise UsageError("This account of the provider is connected to another user already.")
    connection.execute(insert(identities).values(issuer=issuer, subject=subject, user=user, connected=now))
    sealed = {"issuer": issuer, "subject": subject}
    record(connection, now, "connected", actor=actor, user=user, sealed=sealed)
