"""Sessions: which browsers are signed in. They live here, so that ending one ends it everywhere at once."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, insert, select, update

from evenhand.errors import NotFound
from evenhand.store.account_rows import SessionInfo, User
from evenhand.store.account_tables import sessions, users
from evenhand.store.accounts import enabled, to_user
from evenhand.store.bearer import hashed, new_secret
from evenhand.store.keeper import Keeper, new_id

IDLE_HOURS = 8.0
SESSION_DAYS = 7.0
TOUCHED_EVERY = timedelta(minutes=1)  # to write on each request would make every page wait for the disk


class Sessions(Keeper):
    def open_session(self, user: str) -> str:
        """The token for the browser's cookie; always a new one, so that nobody can have planted it."""
        token, now = new_secret(), self._now()
        with self._database.writing() as connection:
            enabled(connection, user)
            connection.execute(
                insert(sessions).values(hash=hashed(token), id=new_id(), user=user, opened=now, seen=now)
            )
        return token

    def session_user(
        self, token: str, *, idle_hours: float = IDLE_HOURS, days: float = SESSION_DAYS
    ) -> User | None:
        """Who sent the request; None once the session was idle too long, is too old, or was ended."""
        now = self._now()
        same = sessions.c.hash == hashed(token)
        query = (
            select(users, sessions.c.opened, sessions.c.seen)
            .join(sessions, sessions.c.user == users.c.id)
            .where(same, users.c.disabled.is_(None))
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None or not _alive(row.opened, row.seen, now, idle_hours=idle_hours, days=days):
            return None
        if now - row.seen >= TOUCHED_EVERY:
            # Nothing else hangs on this row: in PostgreSQL a page need not wait for who writes elsewhere.
            with self._database.transaction() as connection:
                connection.execute(update(sessions).where(same).values(seen=now))
        return to_user(row)

    def sessions(
        self, user: str, *, idle_hours: float = IDLE_HOURS, days: float = SESSION_DAYS
    ) -> list[SessionInfo]:
        """Where a user is signed in now, the session seen last first."""
        query = (
            select(sessions).where(sessions.c.user == user).order_by(sessions.c.seen.desc(), sessions.c.id)
        )
        now = self._now()
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [
            SessionInfo(row.id, row.user, row.opened, row.seen)
            for row in rows
            if _alive(row.opened, row.seen, now, idle_hours=idle_hours, days=days)
        ]

    def session_id(self, token: str) -> str | None:
        """By which id `sessions` lists the session of this token."""
        query = select(sessions.c.id).where(sessions.c.hash == hashed(token))
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one_or_none()

    def close_session(self, token: str) -> None:
        """Signs out; a session that is over already is no fault."""
        with self._database.transaction() as connection:
            connection.execute(delete(sessions).where(sessions.c.hash == hashed(token)))

    def close_session_by_id(self, id: str, user: str) -> None:
        """One of the user's own, in the list of those signed in."""
        own = (sessions.c.id == id) & (sessions.c.user == user)
        with self._database.transaction() as connection:
            if connection.execute(delete(sessions).where(own)).rowcount == 0:
                raise NotFound("This session has ended already.")

    def close_sessions(self, user: str, except_token: str | None = None) -> int:
        """All of a user's, but for the one in use; how many there were."""
        ending = sessions.c.user == user
        if except_token is not None:
            ending &= sessions.c.hash != hashed(except_token)
        with self._database.transaction() as connection:
            return connection.execute(delete(sessions).where(ending)).rowcount

    def sweep_sessions(self, *, idle_hours: float = IDLE_HOURS, days: float = SESSION_DAYS) -> int:
        """Forgets sessions that have run out; how many."""
        now = self._now()
        over = (sessions.c.seen <= now - timedelta(hours=idle_hours)) | (
            sessions.c.opened <= now - timedelta(days=days)
        )
        with self._database.transaction() as connection:
            return connection.execute(delete(sessions).where(over)).rowcount


def _alive(opened: datetime, seen: datetime, now: datetime, *, idle_hours: float, days: float) -> bool:
    return now - seen < timedelta(hours=idle_hours) and now - opened < timedelta(days=days)
