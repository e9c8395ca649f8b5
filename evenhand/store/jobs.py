"""Jobs: the text as given, and what was understood of it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.records import Job, content_hash
from evenhand.records.event import SYSTEM, Draft
from evenhand.store.appending import append
from evenhand.store.database import newest_revision
from evenhand.store.keeper import Keeper, new_id
from evenhand.store.ledger_tables import job_versions
from evenhand.store.revisions import touch
from evenhand.store.rows import JobVersion, KeptJob
from evenhand.store.tables import applications, jobs


class Jobs(Keeper):
    def add_job(self, requirements: Job, *, actor: str = SYSTEM) -> str:
        """The id of the new job."""
        id, now = new_id(), self._now()
        with self._database.writing() as connection:
            connection.execute(
                insert(jobs).values(
                    id=id,
                    title=requirements.title,
                    text=requirements.text,
                    requirements=requirements.to_json(),
                    created=now,
                )
            )
            append(connection, [_draft(id, actor, "add", requirements)], now)
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

    def change_job(self, id: str, requirements: Job, *, actor: str = SYSTEM) -> None:
        """What a person corrected; the text as first given stays. An index is to take its applicants anew."""
        with self._database.writing() as connection:
            old, until = _requirements(connection, id), newest_revision(connection)
            _update(connection, id, title=requirements.title, requirements=requirements.to_json())
            touch(connection, applications.c.job == id)
            [event] = append(connection, [_draft(id, actor, "change", requirements)], self._now())
            if old != requirements.to_json():
                values = {"sequence": event.sequence, "until": until, "hash": content_hash(old)}
                connection.execute(insert(job_versions).values(job=id, requirements=old, **values))

    def close_job(self, id: str, *, actor: str = SYSTEM) -> None:
        """No more applications are taken; those there can still be searched and decided."""
        now = self._now()
        with self._database.writing() as connection:
            _update(connection, id, closed=now)
            append(connection, [_draft(id, actor, "close")], now)

    def reopen_job(self, id: str, *, actor: str = SYSTEM) -> None:
        with self._database.writing() as connection:
            _update(connection, id, closed=None)
            append(connection, [_draft(id, actor, "reopen")], self._now())

    def job_versions(self, id: str) -> list[JobVersion]:
        """Requirements that were in force once, the oldest first."""
        query = select(job_versions).where(job_versions.c.job == id).order_by(job_versions.c.sequence)
        with self._database.reading() as connection:
            return [
                JobVersion(row.sequence, row.until, row.hash, Job.from_json(row.requirements))
                for row in connection.execute(query)
            ]


def _draft(id: str, actor: str, action: str, requirements: Job | None = None) -> Draft:
    body = {"action": action}
    if requirements:
        body["requirements"] = content_hash(requirements.to_json())
    return Draft("job", actor, id, body=body)


def _requirements(connection: Connection, id: str) -> dict[str, Any]:
    found: dict[str, Any] | None = connection.execute(
        select(jobs.c.requirements).where(jobs.c.id == id)
    ).scalar_one_or_none()
    if found is None:
        raise no_such_job(id)
    return found


def _update(connection: Connection, id: str, **values: Any) -> None:
    if connection.execute(update(jobs).where(jobs.c.id == id).values(values)).rowcount == 0:
        raise no_such_job(id)


def no_such_job(id: str) -> NotFound:
    return NotFound(f"There is no job {id!r}; `evenhand job list` shows those that are kept.")


def closed_job(id: str) -> UsageError:
    return UsageError(f"The job {id} is closed and takes no more applications.")


def _job(row: Row[Any]) -> KeptJob:
    return KeptJob(row.id, row.text, Job.from_json(row.requirements), row.created, row.closed)
