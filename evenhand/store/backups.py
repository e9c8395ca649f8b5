"""Where copies of everything lie, as far as somebody told: an erasure cannot reach them, but can name them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Row, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.store.columns import clean
from evenhand.store.keeper import Keeper, new_id
from evenhand.store.rights_rows import Backup
from evenhand.store.rights_tables import backups

PLACE_LENGTH = 500


class Backups(Keeper):
    def note_backup(
        self, place: str, *, actor: str, made: datetime | None = None, expires: datetime | None = None
    ) -> str:
        """Its id. `made` is now unless given."""
        place = clean(" ".join(place.split()))
        if not place or len(place) > PLACE_LENGTH:
            raise UsageError(f"A backup needs a place of at most {PLACE_LENGTH} characters.")
        made = made or self._now()
        if expires is not None and expires <= made:
            raise UsageError("A backup cannot expire before it is made.")
        id = new_id()
        with self._database.writing() as connection:
            connection.execute(
                insert(backups).values(id=id, place=place, made=made, expires=expires, actor=actor)
            )
        return id

    def end_backup(self, id: str) -> None:
        """Somebody has seen to it that it is gone."""
        with self._database.writing() as connection:
            same = (backups.c.id == id) & backups.c.gone.is_(None)
            if connection.execute(update(backups).where(same).values(gone=self._now())).rowcount == 0:
                raise NotFound("There is no such backup, or it is gone already.")

    def backups(self, *, gone: bool = False) -> list[Backup]:
        """The newest first; those that are gone only when asked for."""
        query = select(backups).order_by(backups.c.made.desc(), backups.c.id)
        if not gone:
            query = query.where(backups.c.gone.is_(None))
        with self._database.reading() as connection:
            return [_backup(row) for row in connection.execute(query)]


def _backup(row: Row[Any]) -> Backup:
    return Backup(row.id, row.place, row.made, row.expires, row.gone, row.actor)
