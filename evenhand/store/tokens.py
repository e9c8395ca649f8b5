"""Tokens for scripts: as much as their user may do, until a day that is set when they are made."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.store.account_events import record
from evenhand.store.account_rows import Token, User
from evenhand.store.account_tables import tokens, users
from evenhand.store.accounts import enabled, to_user
from evenhand.store.bearer import hashed, new_secret
from evenhand.store.columns import clean
from evenhand.store.keeper import Keeper, new_id

PREFIX = "evh_"  # programs that look for leaked secrets know it by this
MOST_DAYS = 366
NAME_LENGTH = 100
TOUCHED_EVERY = timedelta(minutes=1)


class Tokens(Keeper):
    def make_token(self, user: str, name: str, days: float) -> tuple[str, str]:
        """Its id, and the secret, which cannot be shown again."""
        name = " ".join(clean(name).split())
        if not name or len(name) > NAME_LENGTH:
            raise UsageError(f"A token needs a name of at most {NAME_LENGTH} characters.")
        if not 0 < days <= MOST_DAYS:
            raise UsageError(f"A token lasts up to {MOST_DAYS} days.")
        id, secret = new_id(), PREFIX + new_secret()
        with self._database.writing() as connection:
            enabled(connection, user)
            now = self._now()
            connection.execute(
                insert(tokens).values(
                    id=id,
                    hash=hashed(secret),
                    user=user,
                    name=name,
                    created=now,
                    expires=now + timedelta(days=days),
                )
            )
            body = {"token": id, "days": days}
            record(connection, now, "token_made", actor=user, user=user, body=body, sealed={"name": name})
        return id, secret

    def token_user(self, secret: str) -> User | None:
        """Whose script it is; None for a token that ran out, was revoked, or never was."""
        now = self._now()
        same = tokens.c.hash == hashed(secret)
        query = (
            select(users, tokens.c.used)
            .join(tokens, tokens.c.user == users.c.id)
            .where(same, tokens.c.expires > now, users.c.disabled.is_(None))
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        if row.used is None or now - row.used >= TOUCHED_EVERY:
            with self._database.transaction() as connection:
                connection.execute(update(tokens).where(same).values(used=now))
        return to_user(row)

    def tokens(self, user: str) -> list[Token]:
        """Those of one user, the oldest first; those that have run out too."""
        query = select(tokens).where(tokens.c.user == user).order_by(tokens.c.created, tokens.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [Token(row.id, row.user, row.name, row.created, row.expires, row.used) for row in rows]

    def revoke_token(self, id: str, user: str, *, actor: str | None = None) -> None:
        """A token of `user`'s own: the id of a stranger's is answered as one that is not there."""
        own = (tokens.c.id == clean(id)) & (tokens.c.user == user)
        with self._database.writing() as connection:
            if connection.execute(delete(tokens).where(own)).rowcount == 0:
                raise NotFound("There is no such token; it may have been revoked already.")
            record(
                connection, self._now(), "token_revoked", actor=actor or user, user=user, body={"token": id}
            )
