"""One-time links: an invitation, a sign-in without a password, a new password. Each opens one door once."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, insert, select

from evenhand.errors import NotFound, UsageError
from evenhand.store.account_events import record
from evenhand.store.account_rows import LINK_KINDS, OneTimeLink, User
from evenhand.store.account_tables import links, users
from evenhand.store.accounts import enabled, to_user
from evenhand.store.bearer import hashed, new_secret
from evenhand.store.keeper import Keeper

MOST_HOURS = 24 * 30


class Links(Keeper):
    def make_link(self, kind: str, user: str, hours: float, *, actor: str | None = None) -> str:
        """The token for the link's address. A newer link of a kind voids the older ones of the same user."""
        check_link(kind, hours)
        token = new_secret()
        with self._database.writing() as connection:
            enabled(connection, user)
            now = self._now()
            expires = now + timedelta(hours=hours)
            void = (links.c.user == user) & (links.c.kind == kind) | (links.c.expires <= now)
            connection.execute(delete(links).where(void))
            connection.execute(
                insert(links).values(hash=hashed(token), kind=kind, user=user, expires=expires)
            )
            body = {"kind": kind, "hours": hours}
            record(connection, now, "link", actor=actor or user, user=user, body=body)
        return token

    def link(self, token: str) -> OneTimeLink | None:
        """What a link would do, without using it: programs that check mail open every link in it."""
        query = (
            select(users, links.c.kind, links.c.expires)
            .join(links, links.c.user == users.c.id)
            .where(links.c.hash == hashed(token), links.c.expires > self._now(), users.c.disabled.is_(None))
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else OneTimeLink(row.kind, to_user(row), row.expires)

    def use_link(self, token: str, kind: str) -> User:
        """Whom it lets in. Of those who use it at the same moment one gets in: the row can be deleted once."""
        valid = (links.c.hash == hashed(token)) & (links.c.kind == kind) & (links.c.expires > self._now())
        with self._database.transaction() as connection:
            id = connection.execute(delete(links).where(valid).returning(links.c.user)).scalar_one_or_none()
            if id is None:
                raise used_up()
            return to_user(enabled(connection, id))


def check_link(kind: str, hours: float) -> None:
    if kind not in LINK_KINDS:
        raise UsageError(f"There is no kind of link {kind!r}; there are {', '.join(LINK_KINDS)}.")
    if not 0 < hours <= MOST_HOURS:
        raise UsageError(f"A link lasts up to {MOST_HOURS} hours.")


def used_up() -> NotFound:
    return NotFound("This link has been used already or has run out; ask for a new one.")
