"""How long applications are kept: rules by status and job, and who must be kept all the same. Nothing here erases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Integer, Row, String, Table, delete, func, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.records.event import EventDraft
from evenhand.store.applications import STATUS_NAMES, existing_application, existing_applications
from evenhand.store.base import SLICE, StoreBase, from_row, new_id, select_in, slices
from evenhand.store.decisions import decisions
from evenhand.store.jobs import check_job
from evenhand.store.ledger_append import append
from evenhand.store.tables import MASTER, CleanText, UtcTime, applications, clean


@dataclass(frozen=True, slots=True)
class RetentionRule:
    """Applications in a status are kept so many days from the decision that brought them there."""

    job: str | None  # None: for every job without a rule of its own
    status: str
    days: int
    actor: str
    time: datetime


@dataclass(frozen=True, slots=True)
class RetentionHold:
    application: str
    actor: str
    reason: str
    time: datetime


@dataclass(frozen=True, slots=True)
class RetentionPeriod:
    """How long an application is kept: in its status since when, and until when by which rule."""

    application: str
    job: str
    status: str
    since: datetime
    rule: RetentionRule | None
    until: datetime | None
    hold: RetentionHold | None


retention_rules = Table(
    "retention_rules",
    MASTER,
    Column("job", String(32), primary_key=True),  # "" for every job without a rule of its own
    Column("status", String(16), primary_key=True),
    Column("days", Integer, nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

holds = Table(
    "holds",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)
"""Applications that must not be erased, such as while a court has to decide."""


@dataclass(frozen=True, slots=True)
class Backup:
    id: str
    place: str
    made: datetime
    expires: datetime | None
    gone: datetime | None
    actor: str

    def holds(self, since: datetime, *, now: datetime) -> bool:
        """Whether what came at `since` is in it; a date on which it should be gone does not make it so."""
        return self.made >= since and self.made <= now and self.gone is None


backups = Table(
    "backups",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("place", CleanText, nullable=False),
    Column("made", UtcTime, nullable=False),
    Column("expires", UtcTime),
    Column("gone", UtcTime),
    Column("actor", CleanText, nullable=False),
)

EVERY_JOB = ""
MAX_DAYS = 36_500
REASON_LENGTH = 2_000
Rules = Mapping[tuple[str, str], RetentionRule]
"""By job (or EVERY_JOB) and status."""


class RetentionStore(StoreBase):
    def set_rule(self, status: str, days: int | None, *, job: str | None = None, actor: str) -> None:
        """So many days after the decision that led to the status, or the arrival of what is new; None: no rule."""
        if status not in STATUS_NAMES:
            raise UsageError(f"There is no status {status!r}; there are {', '.join(STATUS_NAMES)}.")
        if days is not None and not 1 <= days <= MAX_DAYS:
            raise UsageError(f"Applications are kept for 1 to {MAX_DAYS:,} days.")
        with self._database.writing() as connection:
            if job:
                check_job(connection, job)
            now, key = self._now(), job or EVERY_JOB
            same = (retention_rules.c.job == key) & (retention_rules.c.status == status)
            had = connection.execute(delete(retention_rules).where(same)).rowcount
            if days is None and not had:
                raise NotFound(f"There is no rule for applications that are {STATUS_NAMES[status]}.")
            if days is not None:
                row = {"job": key, "status": status, "days": days, "actor": actor, "time": now}
                connection.execute(insert(retention_rules).values(row))
            body = {"action": "rule", "status": status, "days": days}
            append(connection, [EventDraft("retention", actor, job or None, body=body)], now)

    def rules(self) -> list[RetentionRule]:
        """Those for every job first."""
        with self._database.reading() as connection:
            return sorted(_rules(connection).values(), key=lambda rule: (rule.job or "", rule.status))

    def hold(self, application: str, reason: str, *, actor: str) -> None:
        """Until the hold is lifted it is not erased, by whatever rule or wish."""
        reason = clean(reason).strip()
        if not reason or len(reason) > REASON_LENGTH:
            raise UsageError(f"A hold needs a reason of at most {REASON_LENGTH:,} characters.")
        with self._database.writing() as connection:
            row = existing_application(connection, application)
            now = self._now()
            connection.execute(delete(holds).where(holds.c.application == application))
            connection.execute(insert(holds).values(application=application, actor=actor, reason=reason, time=now))
            append(connection, [_hold_draft(row, "hold", actor, reason)], now)

    def lift_hold(self, application: str, *, actor: str) -> None:
        with self._database.writing() as connection:
            row = existing_application(connection, application)
            if connection.execute(delete(holds).where(holds.c.application == application)).rowcount == 0:
                raise NotFound("There is no hold on this application.")
            append(connection, [_hold_draft(row, "lift", actor, "")], self._now())

    def holds(self) -> list[RetentionHold]:
        """The oldest first."""
        return self._records(RetentionHold, select(holds).order_by(holds.c.time, holds.c.application))

    def periods(self, ids: Sequence[str]) -> list[RetentionPeriod]:
        """How long each is kept, in the order asked for."""
        with self._database.reading() as connection:
            return _periods(connection, existing_applications(connection, ids), _rules(connection))

    def due(self, *, job: str | None = None, now: datetime | None = None) -> Iterator[RetentionPeriod]:
        """Applications kept long enough by a rule, held ones included, of one job or of all."""
        now = now or self._now()
        with self._database.reading() as connection:
            rules = _rules(connection)
        query = select(applications).order_by(applications.c.id).limit(SLICE)
        if job is not None:
            query = query.where(applications.c.job == job)
        after = ""
        while rules:
            with self._database.reading() as connection:
                rows = connection.execute(query.where(applications.c.id > after)).all()
                periods = _periods(connection, rows, rules)
            if not rows:
                return
            yield from (period for period in periods if period.until is not None and period.until <= now)
            after = rows[-1].id


def check_not_held(connection: Connection, ids: Sequence[str]) -> None:
    for row in select_in(connection, select(holds), holds.c.application, ids):
        raise UsageError(
            f"The application {row.application} is on hold ({row.reason}); lift the hold before erasing it."
        )


def _periods(connection: Connection, rows: Sequence[Row[Any]], rules: Rules) -> list[RetentionPeriod]:
    ids = [row.id for row in rows]
    decided = _decided(connection, ids)
    on_hold = select_in(connection, select(holds), holds.c.application, ids)
    held = {row.application: from_row(RetentionHold, row) for row in on_hold}
    periods = []
    for row in rows:
        since = decided.get(row.id, row.received)
        rule = rules.get((row.job, row.status)) or rules.get((EVERY_JOB, row.status))
        until = since + timedelta(days=rule.days) if rule else None
        periods.append(RetentionPeriod(row.id, row.job, row.status, since, rule, until, held.get(row.id)))
    return periods


def _decided(connection: Connection, ids: Sequence[str]) -> dict[str, datetime]:
    """When each came into its status; those on whom nothing was decided are left out."""
    times: dict[str, datetime] = {}
    for some in slices(ids):
        newest = (
            select(func.max(decisions.c.id).label("newest"))
            .where(decisions.c.application.in_(some))
            .group_by(decisions.c.application)
            .subquery()
        )
        query = select(decisions.c.application, decisions.c.time).join(newest, newest.c.newest == decisions.c.id)
        times |= {row.application: row.time for row in connection.execute(query)}
    return times


def _rules(connection: Connection) -> dict[tuple[str, str], RetentionRule]:
    rows = connection.execute(select(retention_rules)).all()
    return {
        (row.job, row.status): RetentionRule(row.job or None, row.status, row.days, row.actor, row.time) for row in rows
    }


def _hold_draft(row: Row[Any], action: str, actor: str, reason: str) -> EventDraft:
    sealed = {"reason": reason} if reason else {}
    return EventDraft("retention", actor, row.job, subjects=(row.id,), body={"action": action}, sealed=sealed)


PLACE_LENGTH = 500


class BackupStore(StoreBase):
    """Where copies of everything lie, as far as somebody told: an erasure cannot reach them, but can name them."""

    def add(self, place: str, *, actor: str, made: datetime | None = None, expires: datetime | None = None) -> str:
        """Its id. `made` is now unless given."""
        place = clean(" ".join(place.split()))
        if not place or len(place) > PLACE_LENGTH:
            raise UsageError(f"A backup needs a place of at most {PLACE_LENGTH} characters.")
        made = made or self._now()
        if expires is not None and expires <= made:
            raise UsageError("A backup cannot expire before it is made.")
        id = new_id()
        with self._database.writing() as connection:
            connection.execute(insert(backups).values(id=id, place=place, made=made, expires=expires, actor=actor))
        return id

    def end(self, id: str) -> None:
        """Somebody has seen to it that it is gone."""
        with self._database.writing() as connection:
            same = (backups.c.id == id) & backups.c.gone.is_(None)
            if connection.execute(update(backups).where(same).values(gone=self._now())).rowcount == 0:
                raise NotFound("There is no such backup, or it is gone already.")

    def all(self, *, gone: bool = False) -> list[Backup]:
        """The newest first; those that are gone only when asked for."""
        query = select(backups).order_by(backups.c.made.desc(), backups.c.id)
        if not gone:
            query = query.where(backups.c.gone.is_(None))
        return self._records(Backup, query)
