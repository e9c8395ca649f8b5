"""How a job is shown to those who screen it, and the searches they saved."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from evenhand.errors import NotFound, UsageError
from evenhand.records.event import Draft
from evenhand.store.appending import append
from evenhand.store.columns import clean
from evenhand.store.jobs import no_such_job
from evenhand.store.keeper import Keeper, new_id
from evenhand.store.tables import jobs
from evenhand.store.workspace_rows import JobSettings, SavedSearch
from evenhand.store.workspace_tables import job_settings, saved_searches

NAME_LENGTH = 100
MOST_SEARCHES = 100  # of one person for one job
QUERY_LENGTH = 4_000


class Workspace(Keeper):
    def job_settings(self, job: str) -> JobSettings:
        with self._database.reading() as connection:
            row = connection.execute(select(job_settings).where(job_settings.c.job == job)).one_or_none()
        return JobSettings(row.blind, row.hide_schools) if row else JobSettings()

    def change_job_settings(self, job: str, wanted: JobSettings, *, actor: str) -> None:
        now = self._now()
        with self._database.writing() as connection:
            if connection.execute(select(jobs.c.id).where(jobs.c.id == job)).first() is None:
                raise no_such_job(job)
            connection.execute(delete(job_settings).where(job_settings.c.job == job))
            connection.execute(
                insert(job_settings).values(job=job, blind=wanted.blind, hide_schools=wanted.hide_schools)
            )
            body = {"what": "shown", "blind": wanted.blind, "hide_schools": wanted.hide_schools}
            append(connection, [Draft("job", actor, job=job, body=body)], now)

    def save_search(self, job: str, name: str, query: str, *, actor: str) -> str:
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
            if len(connection.execute(select(saved_searches.c.id).where(own)).all()) >= MOST_SEARCHES:
                raise UsageError(f"There are {MOST_SEARCHES} saved searches already; remove one first.")
            connection.execute(
                insert(saved_searches).values(
                    id=id, job=job, actor=actor, name=name, query=clean(query), created=self._now()
                )
            )
        return id

    def saved_searches(self, job: str, *, actor: str) -> list[SavedSearch]:
        """Of one person for one job, by name."""
        own = (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        with self._database.reading() as connection:
            rows = connection.execute(select(saved_searches).where(own)).all()
        found = [SavedSearch(row.id, row.job, row.actor, row.name, row.query, row.created) for row in rows]
        return sorted(found, key=lambda search: (search.name.casefold(), search.id))

    def remove_search(self, id: str, *, job: str, actor: str) -> None:
        """One's own: another's is not found."""
        own = (saved_searches.c.id == id) & (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        with self._database.writing() as connection:
            if connection.execute(delete(saved_searches).where(own)).rowcount == 0:
                raise NotFound("There is no such saved search.")
