"""Jobs: the text as given, and what was understood of it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.records import Job
from evenhand.store.keeper import Keeper, new_id
from evenhand.store.revisions import touch
from evenhand.store.rows import KeptJob
from evenhand.store.tables import applications, jobs


class Jobs(Keeper):
    def add_job(self, requirements: Job) -> str:
        """The id of the new job."""
        id = new_id()
        with self._database.writing() as connection:
            connection.execute(
                insert(jobs).values(
                    id=id,
                    title=requirements.title,
                    text=requirements.text,
                    requirements=requirements.to_json(),
                    created=self._now(),
                )
            )
        return id

    def job(self, id: str) -> KeptJob:
        with self._database.reading() as connection:
            row = connection.execute(select(jobs).where(jobs.c.id == id)).one_or_none()
        if row is None:
            raise no_such_job(id)
        return _job(row)

    def jobs(self, *, closed: bool = False) -> list[KeptJob]:
        """Open jobs, or with `closed` all of them, the oldest first."""
        query = select(jobs).order_by(jobs.c.created, jobs.c.id)
        if not closed:
            query = query.where(jobs.c.closed.is_(None))
        with self._database.reading() as connection:
            return [_job(row) for row in connection.execute(query)]

    def change_job(self, id: str, requirements: Job) -> None:
        """What a person corrected; the text as first given stays. An index is to take its applicants anew."""
        with self._database.writing() as connection:
            _update(connection, id, title=requirements.title, requirements=requirements.to_json())
            touch(connection, applications.c.job == id)

    def close_job(self, id: str) -> None:
        """No more applications are taken; those there can still be searched and decided."""
        with self._database.writing() as connection:
            _update(connection, id, closed=self._now())

    def reopen_job(self, id: str) -> None:
        with self._database.writing() as connection:
            _update(connection, id, closed=None)


def _update(connection: Connection, id: str, **values: Any) -> None:
    if connection.execute(update(jobs).where(jobs.c.id == id).values(values)).rowcount == 0:
        raise no_such_job(id)


def no_such_job(id: str) -> NotFound:
    return NotFound(f"There is no job {id!r}; `evenhand job list` shows those that are kept.")


def closed_job(id: str) -> UsageError:
    return UsageError(f"The job {id} is closed and takes no more applications.")


def _job(row: Row[Any]) -> KeptJob:
    return KeptJob(row.id, row.text, Job.from_json(row.requirements), row.created, row.closed)
