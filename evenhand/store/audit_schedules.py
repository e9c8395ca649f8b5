"""When audits are due: what one server has put in the queue for a date no other does again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update

from evenhand.errors import UsageError
from evenhand.records.event import Draft
from evenhand.store.appending import append
from evenhand.store.audit_rows import EVERY, AuditSchedule, first_due, next_due
from evenhand.store.audit_tables import audit_schedules, audits
from evenhand.store.audits import Audits, new_audit
from evenhand.store.jobs import no_such_job
from evenhand.store.keeper import new_id
from evenhand.store.tables import applications, jobs


class AuditSchedules(Audits):
    def schedule_audit(
        self, every: str, *, job: str | None, request: Mapping[str, Any], actor: str
    ) -> AuditSchedule:
        """In place of the one that the job had; without a job, for every open one."""
        if every not in EVERY:
            raise UsageError(f"Audits are scheduled {', '.join(EVERY)} or off, not {every!r}.")
        with self._database.writing() as connection:
            if (
                job is not None
                and connection.execute(select(jobs.c.id).where(jobs.c.id == job)).first() is None
            ):
                raise no_such_job(job)
            now = self._now()
            _remove(connection, job)
            made = AuditSchedule(new_id(), job, every, dict(request), first_due(now), actor, now)
            values = {name: getattr(made, name) for name in AuditSchedule.__slots__}
            connection.execute(insert(audit_schedules).values(values))
            body = {"action": "schedule", "every": every, "due": made.due.isoformat()}
            append(connection, [Draft("audit", actor, job=job, body=body)], now)
        return made

    def unschedule_audit(self, job: str | None, *, actor: str) -> bool:
        """Whether there was one."""
        with self._database.writing() as connection:
            found = _remove(connection, job)
            if found:
                body = {"action": "schedule", "every": "off"}
                append(connection, [Draft("audit", actor, job=job, body=body)], self._now())
        return found

    def audit_schedules(self) -> list[AuditSchedule]:
        """The next due first."""
        with self._database.reading() as connection:
            rows = connection.execute(select(audit_schedules).order_by(audit_schedules.c.due))
            return [_as_schedule(row) for row in rows]

    def queue_due_audits(self) -> list[str]:
        """Ids of the audits that are put in the queue, each date of a schedule once: writers follow one another, and
        the schedule is moved on with the same stroke."""
        found: list[str] = []
        now = self._now()
        due = select(audit_schedules).where(audit_schedules.c.due <= now).order_by(audit_schedules.c.due)
        with (
            self._database.reading() as connection
        ):  # servers ask often, and writers should not wait for that
            if connection.execute(due.limit(1)).first() is None:
                return []
        with self._database.writing() as connection:
            for schedule in connection.execute(due).all():
                found += _queue(connection, schedule, now)
                following = next_due(first_due(schedule.made), schedule.every, now)
                same = audit_schedules.c.id == schedule.id
                connection.execute(update(audit_schedules).where(same).values(due=following))
        return found


def _queue(connection: Connection, schedule: Row[Any], now: Any) -> list[str]:
    kind = "+".join(schedule.request["kinds"])
    rows = []
    for job in _jobs(connection, schedule.job):
        request = {**schedule.request, "job": job}
        row = new_audit(kind, job=job, request=request, actor=schedule.actor, asked=now)
        rows.append({**row, "schedule": schedule.id, "due": schedule.due})
    if rows:
        connection.execute(insert(audits), rows)
    return [row["id"] for row in rows]


def _jobs(connection: Connection, job: str | None) -> list[str]:
    """The one that is named unless it was closed, or every open one to which somebody has applied."""
    query = select(jobs.c.id).where(jobs.c.closed.is_(None)).order_by(jobs.c.created, jobs.c.id)
    if job is not None:
        return list(connection.scalars(query.where(jobs.c.id == job)))
    return list(connection.scalars(query.where(jobs.c.id.in_(select(applications.c.job)))))


def _remove(connection: Connection, job: str | None) -> bool:
    same = audit_schedules.c.job == job if job is not None else audit_schedules.c.job.is_(None)
    return connection.execute(delete(audit_schedules).where(same)).rowcount > 0


def _as_schedule(row: Row[Any]) -> AuditSchedule:
    return AuditSchedule(**dict(row._mapping))
