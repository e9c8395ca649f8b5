"""Watch lists: companies and universities a person wants to be told of. Never a reason to reject by itself."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from evenhand.errors import NotFound, UsageError
from evenhand.store.columns import clean
from evenhand.store.keeper import Keeper
from evenhand.store.rows import WatchEntry
from evenhand.store.tables import watch_entries

WATCH_LISTS = ("no_hire", "not_accredited")
NAME_LENGTH = 500  # PostgreSQL cannot look up keys of any length


class Watch(Keeper):
    def add_watch(self, list: str, name: str, *, note: str | None = None) -> bool:
        """Whether it is new; an entry that is there gets the new note."""
        name = clean(name).strip()
        _check(list)
        if not name:
            raise UsageError("An entry of a watch list needs a name.")
        if len(name) > NAME_LENGTH:
            raise UsageError(f"The name of an entry has at most {NAME_LENGTH} characters.")
        same = (watch_entries.c.list == list) & (watch_entries.c.name == name)
        with self._database.writing() as connection:
            known = connection.execute(delete(watch_entries).where(same)).rowcount > 0
            connection.execute(
                insert(watch_entries).values(list=list, name=name, note=note, added=self._now())
            )
        return not known

    def remove_watch(self, list: str, name: str) -> None:
        _check(list)
        same = (watch_entries.c.list == list) & (watch_entries.c.name == clean(name).strip())
        with self._database.writing() as connection:
            if connection.execute(delete(watch_entries).where(same)).rowcount == 0:
                raise NotFound(f"{name!r} is not on the list {list}.")

    def watch_entries(self, list: str | None = None) -> tuple[WatchEntry, ...]:
        """Of one list, or of all, by name."""
        query = select(watch_entries)
        if list is not None:
            _check(list)
            query = query.where(watch_entries.c.list == list)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        entries = (WatchEntry(row.list, row.name, row.note, row.added) for row in rows)
        return tuple(sorted(entries, key=lambda entry: (entry.list, entry.name)))


def _check(list: str) -> None:
    if list not in WATCH_LISTS:
        raise UsageError(f"There is no watch list {list!r}; the lists are {', '.join(WATCH_LISTS)}.")
