"""Watch lists: companies and universities a person wants to be told of. Never a reason to reject by itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, String, Table, delete, insert, select

from evenhand.errors import NotFound, UsageError
from evenhand.records.event import SYSTEM, EventDraft
from evenhand.store.base import StoreBase
from evenhand.store.ledger_append import append
from evenhand.store.tables import MASTER, CleanText, UtcTime, clean


@dataclass(frozen=True, slots=True)
class WatchlistEntry:
    list: str
    name: str
    note: str | None
    added: datetime


watch_entries = Table(
    "watch_entries",
    MASTER,
    Column("list", String(32), primary_key=True),
    Column("name", CleanText, primary_key=True),
    Column("note", CleanText),
    Column("added", UtcTime, nullable=False),
)

WATCH_LISTS = ("no_hire", "not_accredited")
WATCHLIST_NAME_LENGTH = 500  # PostgreSQL cannot look up keys of any length


class WatchlistStore(StoreBase):
    def add(self, list: str, name: str, *, note: str | None = None, actor: str = SYSTEM) -> bool:
        """Whether it is new; an entry that is there gets the new note."""
        name = clean(name).strip()
        _check(list)
        if not name:
            raise UsageError("An entry of a watch list needs a name.")
        if len(name) > WATCHLIST_NAME_LENGTH:
            raise UsageError(f"The name of an entry has at most {WATCHLIST_NAME_LENGTH} characters.")
        same = (watch_entries.c.list == list) & (watch_entries.c.name == name)
        with self._database.writing() as connection:
            now = self._now()
            known = connection.execute(delete(watch_entries).where(same)).rowcount > 0
            connection.execute(insert(watch_entries).values(list=list, name=name, note=note, added=now))
            append(connection, [_draft("add", list, actor, name=name, note=note)], now)
        return not known

    def remove(self, list: str, name: str, *, actor: str = SYSTEM) -> None:
        _check(list)
        cleaned = clean(name).strip()
        same = (watch_entries.c.list == list) & (watch_entries.c.name == cleaned)
        with self._database.writing() as connection:
            if connection.execute(delete(watch_entries).where(same)).rowcount == 0:
                raise NotFound(f"{name!r} is not on the list {list}.")
            append(connection, [_draft("remove", list, actor, name=cleaned)], self._now())

    def entries(self, list: str | None = None) -> tuple[WatchlistEntry, ...]:
        """Of one list, or of all, by name."""
        query = select(watch_entries)
        if list is not None:
            _check(list)
            query = query.where(watch_entries.c.list == list)
        return tuple(sorted(self._records(WatchlistEntry, query), key=lambda entry: (entry.list, entry.name)))


def _draft(action: str, list: str, actor: str, **sealed: str | None) -> EventDraft:
    """Names stay out of the ledger itself: a company can be one person."""
    body = {"action": action, "list": list}
    return EventDraft("watch", actor, body=body, sealed={name: value for name, value in sealed.items() if value})


def _check(list: str) -> None:
    if list not in WATCH_LISTS:
        raise UsageError(f"There is no watch list {list!r}; the lists are {', '.join(WATCH_LISTS)}.")
