"""Audits that are asked for, worked on one at a time by whoever serves, and kept with their reports."""

from __future__ import annotations

import json
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    LargeBinary,
    Row,
    String,
    Table,
    UniqueConstraint,
    and_,
    delete,
    insert,
    select,
    update,
)

from evenhand.errors import NotFound, UsageError
from evenhand.records import canonical_json
from evenhand.records.conversion import content_hash
from evenhand.records.event import EventDraft
from evenhand.store.base import StoreBase, from_row, new_id, one_row
from evenhand.store.jobs import check_job
from evenhand.store.ledger_append import append
from evenhand.store.tables import MASTER, CleanText, JsonText, UtcTime, applications, jobs, pack, unpack

WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"
DAILY, WEEKLY, MONTHLY = "daily", "weekly", "monthly"
EVERY = (DAILY, WEEKLY, MONTHLY)
HOUR = 2  # UTC: when few people work and the pages do not mind


@dataclass(frozen=True, slots=True)
class StoredAudit:
    """Without its report, which may be long. `findings` are severities by code; `scrubbed` says since when somebody
    whom it quoted is erased."""

    id: str
    kind: str
    job: str | None
    request: Mapping[str, Any]
    state: str
    actor: str
    asked: datetime
    schedule: str | None
    due: datetime | None
    done: int
    total: int
    doing: str | None
    message: str | None
    made: datetime | None
    worst: str | None
    findings: Mapping[str, str]
    hash: str | None
    scrubbed: datetime | None
    previous: str | None

    def to_json(self) -> dict[str, Any]:
        moments = ("asked", "due", "made", "scrubbed")
        shown = {name: getattr(self, name) for name in self.__slots__ if name not in moments}
        times = {name: _isoformat(getattr(self, name)) for name in moments}
        return {**shown, **times, "request": dict(self.request), "findings": dict(self.findings)}


@dataclass(frozen=True, slots=True)
class ScheduledAudit:
    id: str
    job: str | None  # None: every open job
    every: str
    request: Mapping[str, Any]
    due: datetime
    actor: str
    made: datetime

    def to_json(self) -> dict[str, Any]:
        shown = {"id": self.id, "job": self.job, "every": self.every, "request": dict(self.request)}
        return {**shown, "due": _isoformat(self.due), "made": _isoformat(self.made)}


def first_due(now: datetime) -> datetime:
    """The coming night."""
    tonight = now.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return tonight if tonight > now else tonight + timedelta(days=1)


def next_due(due: datetime, every: str, now: datetime) -> datetime:
    """The first date of the schedule after now: what was missed while no server ran is made up for once."""

    def stepped(steps: int) -> datetime:
        """From the first date, so that a schedule of the 31st does not become one of the 28th for ever."""
        if every == MONTHLY:
            month = due.month - 1 + steps
            year, month = due.year + month // 12, month % 12 + 1
            return due.replace(year=year, month=month, day=min(due.day, monthrange(year, month)[1]))
        return due + timedelta(days=steps * (1 if every == DAILY else 7))

    return next(date for steps in count(1) if (date := stepped(steps)) > now)


def _isoformat(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


audit_schedules = Table(
    "audit_schedules",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), unique=True),  # None: every open job
    Column("every", String(16), nullable=False),
    Column("request", JsonText, nullable=False),
    Column("due", UtcTime, nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("made", UtcTime, nullable=False),
)

audits = Table(
    "audits",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("kind", String(64), nullable=False),  # what was measured: "swaps", "swaps+outcomes", "model"
    Column("job", ForeignKey("jobs.id"), index=True),
    Column("request", JsonText, nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("actor", CleanText, nullable=False),
    Column("asked", UtcTime, nullable=False),
    Column("schedule", String(32)),
    Column("due", UtcTime),  # for which date of its schedule
    Column("alive", UtcTime),  # when whoever works on it last said so
    Column("attempts", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("doing", CleanText),
    Column("message", CleanText),  # why it failed
    Column("made", UtcTime),
    Column("worst", String(16)),
    Column("findings", JsonText),  # severity by code: to compare without reading whole reports
    Column("report", LargeBinary),  # packed; it may quote resumes
    Column("hash", String(64)),  # of the report as it was made; the ledger has it too
    Column("scrubbed", UtcTime),  # since when somebody who was erased is no longer quoted in it
    Column("previous", String(32)),
    # Two servers may look at the same schedule at the same time; a date is run once for each job.
    UniqueConstraint("schedule", "due", "job"),
)

SILENT = timedelta(seconds=90)  # after which whoever worked on an audit is taken for gone
MAX_ATTEMPTS = 3
SHOWN = [column for column in audits.c if column.name not in ("report", "alive", "attempts")]


class AuditStore(StoreBase):
    def request(
        self, kind: str, *, job: str | None, request: Mapping[str, Any], actor: str, running: bool = False
    ) -> str:
        """Its id. It waits for a server, unless whoever asks does the work at once (`running`)."""
        with self._database.writing() as connection:
            if job is not None:
                check_job(connection, job)
            now = self._now()
            row = new_audit(kind, job=job, request=request, actor=actor, asked=now)
            if running:
                row |= {"state": RUNNING, "alive": now, "attempts": 1}
            connection.execute(insert(audits).values(row))
        return str(row["id"])

    def claim(self) -> StoredAudit | None:
        """The next one to work on. None while another is being worked on, wherever that is."""
        open_still = select(audits.c.id).where(audits.c.state.in_((WAITING, RUNNING))).limit(1)
        with self._database.reading() as connection:  # servers ask often, and writers should not wait for that
            if connection.execute(open_still).first() is None:
                return None
        with self._database.writing() as connection:
            now = self._now()
            # One that has ended whoever worked on it again and again is given up.
            lost = and_(audits.c.state == RUNNING, audits.c.alive < now - SILENT, audits.c.attempts >= MAX_ATTEMPTS)
            message = f"Whoever worked on it stopped without a word, {MAX_ATTEMPTS} times."
            connection.execute(update(audits).where(lost).values(state=FAILED, message=message))
            alive = select(audits.c.id).where(audits.c.state == RUNNING, audits.c.alive >= now - SILENT)
            if connection.execute(alive.limit(1)).first() is not None:
                return None
            id = connection.execute(open_still.order_by(audits.c.asked, audits.c.id)).scalar_one_or_none()
            if id is None:
                return None
            values = {"state": RUNNING, "alive": now, "attempts": audits.c.attempts + 1, "done": 0, "total": 0}
            connection.execute(update(audits).where(audits.c.id == id).values(values))
            return as_audit(_audit(connection, id))

    def report_progress(self, id: str, *, done: int, total: int, doing: str) -> bool:
        """Somebody works on it, and is so far. False: it is no longer theirs to work on."""
        mine = and_(audits.c.id == id, audits.c.state == RUNNING)
        values = {"alive": self._now(), "done": done, "total": total, "doing": doing}
        with self._database.writing() as connection:
            return connection.execute(update(audits).where(mine).values(values)).rowcount == 1

    def release(self, id: str) -> None:
        """Whoever worked on it has to stop; it waits again, and the attempt is not held against it."""
        mine = and_(audits.c.id == id, audits.c.state == RUNNING)
        values = {"state": WAITING, "alive": None, "attempts": audits.c.attempts - 1}
        with self._database.writing() as connection:
            connection.execute(update(audits).where(mine).values(values))

    def fail(self, id: str, message: str) -> None:
        with self._database.writing() as connection:
            open_still = and_(audits.c.id == id, audits.c.state.in_((RUNNING, WAITING)))
            values = {"state": FAILED, "message": message, "made": self._now()}
            connection.execute(update(audits).where(open_still).values(values))

    def finish(self, id: str, report: Mapping[str, Any]) -> StoredAudit:
        """Kept; its hash goes into the ledger."""
        with self._database.writing() as connection:
            row = _audit(connection, id)
            now = self._now()
            previous = connection.execute(_done(row.kind, row.job)).first()
            findings = {finding["code"]: finding["severity"] for finding in report["findings"]}
            values = {
                "state": DONE,
                "made": now,
                "worst": report["worst"],
                "findings": findings,
                "report": pack(canonical_json(report)),
                "hash": content_hash(report),
                "message": None,
                "previous": previous.id if previous else None,
            }
            connection.execute(update(audits).where(audits.c.id == id).values(values))
            body = {"action": "made", "audit": id, "audited": row.kind, "worst": report["worst"]}
            body |= {"findings": dict(Counter(findings.values())), "hash": values["hash"]}
            append(connection, [EventDraft("audit", row.actor, job=row.job, body=body)], now)
            return as_audit(_audit(connection, id))

    def get(self, id: str) -> StoredAudit:
        with self._database.reading() as connection:
            return as_audit(_audit(connection, id))

    def report(self, id: str) -> dict[str, Any]:
        """Its JSON. NotFound while there is none."""
        packed = self._scalar_or_none(select(audits.c.report).where(audits.c.id == id))
        if packed is None:
            raise NotFound("There is no report of this audit.")
        report: dict[str, Any] = json.loads(unpack(packed))
        return report

    def all(
        self, *, job: str | None = None, states: Iterable[str] | None = None, limit: int = 100
    ) -> list[StoredAudit]:
        """The newest first."""
        query = select(*SHOWN).order_by(audits.c.asked.desc(), audits.c.id.desc()).limit(limit)
        if job is not None:
            query = query.where(audits.c.job == job)
        if states is not None:
            query = query.where(audits.c.state.in_(list(states)))
        return [as_audit(row) for row in self._rows(query)]

    def previous(self, kind: str, job: str | None) -> StoredAudit | None:
        """The newest one that is done, of the same kind and job."""
        with self._database.reading() as connection:
            row = connection.execute(_done(kind, job)).first()
        return as_audit(row) if row else None

    def schedule(self, every: str, *, job: str | None, request: Mapping[str, Any], actor: str) -> ScheduledAudit:
        """In place of the one that the job had; without a job, for every open one."""
        if every not in EVERY:
            raise UsageError(f"Audits are scheduled {', '.join(EVERY)} or off, not {every!r}.")
        with self._database.writing() as connection:
            if job is not None:
                check_job(connection, job)
            now = self._now()
            _remove(connection, job)
            made = ScheduledAudit(new_id(), job, every, dict(request), first_due(now), actor, now)
            values = {name: getattr(made, name) for name in ScheduledAudit.__slots__}
            connection.execute(insert(audit_schedules).values(values))
            body = {"action": "schedule", "every": every, "due": made.due.isoformat()}
            append(connection, [EventDraft("audit", actor, job=job, body=body)], now)
        return made

    def unschedule(self, job: str | None, *, actor: str) -> bool:
        """Whether there was one."""
        with self._database.writing() as connection:
            removed = _remove(connection, job)
            if removed:
                body = {"action": "schedule", "every": "off"}
                append(connection, [EventDraft("audit", actor, job=job, body=body)], self._now())
        return removed

    def schedules(self) -> list[ScheduledAudit]:
        """The next due first."""
        return self._records(ScheduledAudit, select(audit_schedules).order_by(audit_schedules.c.due))

    def queue_due(self) -> list[str]:
        """Ids of the audits that are put in the queue, each date of a schedule once: writers follow one another, and
        the schedule is moved on with the same stroke."""
        queued: list[str] = []
        now = self._now()
        due = select(audit_schedules).where(audit_schedules.c.due <= now).order_by(audit_schedules.c.due)
        with self._database.reading() as connection:  # servers ask often, and writers should not wait for that
            if connection.execute(due.limit(1)).first() is None:
                return []
        with self._database.writing() as connection:
            for schedule in connection.execute(due).all():
                queued += _queue(connection, schedule, now)
                following = next_due(first_due(schedule.made), schedule.every, now)
                same = audit_schedules.c.id == schedule.id
                connection.execute(update(audit_schedules).where(same).values(due=following))
        return queued


def new_audit(kind: str, *, job: str | None, request: Mapping[str, Any], actor: str, asked: Any) -> dict[str, Any]:
    """A row that waits."""
    counts = {"attempts": 0, "done": 0, "total": 0}
    given = {"kind": kind, "job": job, "request": dict(request), "actor": actor, "asked": asked}
    return {"id": new_id(), "state": WAITING, **given, **counts}


def _done(kind: str, job: str | None) -> Any:
    of_job = audits.c.job == job if job is not None else audits.c.job.is_(None)
    query = select(*SHOWN).where(audits.c.state == DONE, audits.c.kind == kind, of_job)
    return query.order_by(audits.c.made.desc(), audits.c.id.desc()).limit(1)


def _audit(connection: Connection, id: str) -> Row[Any]:
    return one_row(connection, select(*SHOWN).where(audits.c.id == id), NotFound("There is no such audit."))


def as_audit(row: Row[Any]) -> StoredAudit:
    return replace(from_row(StoredAudit, row), findings=row.findings or {})


def _queue(connection: Connection, schedule: Row[Any], now: Any) -> list[str]:
    """For the job that is named unless it was closed, or for every open one to which somebody has applied."""
    kind = "+".join(schedule.request["kinds"])
    chosen = jobs.c.id.in_(select(applications.c.job)) if schedule.job is None else jobs.c.id == schedule.job
    query = select(jobs.c.id).where(jobs.c.closed.is_(None), chosen).order_by(jobs.c.created, jobs.c.id)
    rows = []
    for job in connection.scalars(query).all():
        request = {**schedule.request, "job": job}
        row = new_audit(kind, job=job, request=request, actor=schedule.actor, asked=now)
        rows.append({**row, "schedule": schedule.id, "due": schedule.due})
    if rows:
        connection.execute(insert(audits), rows)
    return [row["id"] for row in rows]


def _remove(connection: Connection, job: str | None) -> bool:
    same = audit_schedules.c.job == job if job is not None else audit_schedules.c.job.is_(None)
    return connection.execute(delete(audit_schedules).where(same)).rowcount > 0
