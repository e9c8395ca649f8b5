"""Searches of a job's applications that a person saved under a name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, ForeignKey, String, Table, UniqueConstraint, delete, insert, select

from evenhand.errors import NotFound, UsageError
from evenhand.store.base import StoreBase, new_id
from evenhand.store.tables import MASTER, CleanText, UtcTime, clean


@dataclass(frozen=True, slots=True)
class StoredSearch:
    id: str
    job: str
    actor: str
    name: str
    query: str  # of the page's address
    created: datetime


saved_searches = Table(
    "saved_searches",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("query", CleanText, nullable=False),  # of the page's address: what is saved is what is shown
    Column("created", UtcTime, nullable=False),
    UniqueConstraint("job", "actor", "name"),
)

NAME_LENGTH = 100
MAX_SEARCHES = 100  # of one person for one job
QUERY_LENGTH = 4_000


class SearchStore(StoreBase):
    def save(self, job: str, name: str, query: str, *, actor: str) -> str:
        """Its id; one of the same name is replaced."""
        name = clean(" ".join(name.split()))
        if not name or len(name) > NAME_LENGTH:
            raise UsageError(f"A saved search needs a name of at most {NAME_LENGTH} characters.")
        if len(query) > QUERY_LENGTH:
            raise UsageError("This search is too long to be saved.")
        own = (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        id = new_id()
        with self._database.writing() as connection:
            connection.execute(delete(saved_searches).where(own & (saved_searches.c.name == name)))
            if len(connection.execute(select(saved_searches.c.id).where(own)).all()) >= MAX_SEARCHES:
                raise UsageError(f"There are {MAX_SEARCHES} saved searches already; remove one first.")
            connection.execute(
                insert(saved_searches).values(
                    id=id, job=job, actor=actor, name=name, query=clean(query), created=self._now()
                )
            )
        return id

    def of_job(self, job: str, *, actor: str) -> list[StoredSearch]:
        """Of one person for one job, by name."""
        own = (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        searches = self._records(StoredSearch, select(saved_searches).where(own))
        return sorted(searches, key=lambda search: (search.name.casefold(), search.id))

    def remove(self, id: str, *, job: str, actor: str) -> None:
        """One's own: another's is not found."""
        own = (saved_searches.c.id == id) & (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        with self._database.writing() as connection:
            if connection.execute(delete(saved_searches).where(own)).rowcount == 0:
                raise NotFound("There is no such saved search.")
