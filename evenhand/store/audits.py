"""Audits that are asked for, worked on one at a time by whoever serves, and kept with their reports."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, insert, or_, select, update

from evenhand.errors import NotFound
from evenhand.records import canonical_json
from evenhand.records.canonical import content_hash
from evenhand.records.event import Draft
from evenhand.store.appending import append
from evenhand.store.audit_rows import DONE, FAILED, RUNNING, WAITING, KeptAudit
from evenhand.store.audit_tables import audits
from evenhand.store.columns import pack, unpack
from evenhand.store.jobs import no_such_job
from evenhand.store.keeper import Keeper, new_id
from evenhand.store.tables import jobs

SILENT = timedelta(seconds=90)  # after which whoever worked on an audit is taken for gone
MOST_ATTEMPTS = 3
SHOWN = [column for column in audits.c if column.name not in ("report", "alive", "attempts")]


class Audits(Keeper):
    def ask_audit(
        self,
        kind: str,
        *,
        job: str | None,
        request: Mapping[str, Any],
        actor: str,
        running: bool = False,
    ) -> str:
        """Its id. It waits for a server, unless whoever asks does the work at once (`running`)."""
        with self._database.writing() as connection:
            if job is not None:
                _check_job(connection, job)
            now = self._now()
            row = new_audit(kind, job=job, request=request, actor=actor, asked=now)
            if running:
                row |= {"state": RUNNING, "alive": now, "attempts": 1}
            connection.execute(insert(audits).values(row))
        return str(row["id"])

    def claim_audit(self) -> KeptAudit | None:
        """The next one to work on. None while another is being worked on, wherever that is."""
        open_still = select(audits.c.id).where(audits.c.state.in_((WAITING, RUNNING))).limit(1)
        with (
            self._database.reading() as connection
        ):  # servers ask often, and writers should not wait for that
            if connection.execute(open_still).first() is None:
                return None
        with self._database.writing() as connection:
            now = self._now()
            _give_up(connection, now - SILENT)
            alive = select(audits.c.id).where(audits.c.state == RUNNING, audits.c.alive >= now - SILENT)
            if connection.execute(alive.limit(1)).first() is not None:
                return None
            ready = or_(audits.c.state == WAITING, audits.c.state == RUNNING)
            query = select(audits.c.id).where(ready).order_by(audits.c.asked, audits.c.id).limit(1)
            id = connection.execute(query).scalar_one_or_none()
            if id is None:
                return None
            values = {
                "state": RUNNING,
                "alive": now,
                "attempts": audits.c.attempts + 1,
                "done": 0,
                "total": 0,
            }
            connection.execute(update(audits).where(audits.c.id == id).values(values))
            return as_audit(_audit(connection, id))

    def tell_audit(self, id: str, *, done: int, total: int, doing: str) -> bool:
        """Somebody works on it, and is so far. False: it is no longer theirs to work on."""
        mine = and_(audits.c.id == id, audits.c.state == RUNNING)
        values = {"alive": self._now(), "done": done, "total": total, "doing": doing}
        with self._database.writing() as connection:
            return connection.execute(update(audits).where(mine).values(values)).rowcount == 1

    def release_audit(self, id: str) -> None:
        """Whoever worked on it has to stop; it waits again, and the attempt is not held against it."""
        mine = and_(audits.c.id == id, audits.c.state == RUNNING)
        values = {"state": WAITING, "alive": None, "attempts": audits.c.attempts - 1}
        with self._database.writing() as connection:
            connection.execute(update(audits).where(mine).values(values))

    def fail_audit(self, id: str, message: str) -> None:
        with self._database.writing() as connection:
            open_still = and_(audits.c.id == id, audits.c.state.in_((RUNNING, WAITING)))
            values = {"state": FAILED, "message": message, "made": self._now()}
            connection.execute(update(audits).where(open_still).values(values))

    def finish_audit(self, id: str, report: Mapping[str, Any]) -> KeptAudit:
        """Kept; its hash goes into the ledger."""
        with self._database.writing() as connection:
            row = _audit(connection, id)
            now = self._now()
            findings = {finding["code"]: finding["severity"] for finding in report["findings"]}
            values = {
                "state": DONE,
                "made": now,
                "worst": report["worst"],
                "findings": findings,
                "report": pack(canonical_json(report)),
                "hash": content_hash(report),
                "message": None,
                "previous": _previous(connection, row),
            }
            connection.execute(update(audits).where(audits.c.id == id).values(values))
            counts = {word: list(findings.values()).count(word) for word in sorted(set(findings.values()))}
            body = {"action": "made", "audit": id, "audited": row.kind, "worst": report["worst"]}
            body |= {"findings": counts, "hash": values["hash"]}
            append(connection, [Draft("audit", row.actor, job=row.job, body=body)], now)
            return as_audit(_audit(connection, id))

    def audit(self, id: str) -> KeptAudit:
        with self._database.reading() as connection:
            return as_audit(_audit(connection, id))

    def audit_report(self, id: str) -> dict[str, Any]:
        """Its JSON. NotFound while there is none."""
        query = select(audits.c.report).where(audits.c.id == id)
        with self._database.reading() as connection:
            packed = connection.execute(query).scalar_one_or_none()
        if packed is None:
            raise NotFound("There is no report of this audit.")
        found: dict[str, Any] = json.loads(unpack(packed))
        return found

    def audits(
        self, *, job: str | None = None, states: Iterable[str] | None = None, limit: int = 100
    ) -> list[KeptAudit]:
        """The newest first."""
        query = select(*SHOWN).order_by(audits.c.asked.desc(), audits.c.id.desc()).limit(limit)
        if job is not None:
            query = query.where(audits.c.job == job)
        if states is not None:
            query = query.where(audits.c.state.in_(list(states)))
        with self._database.reading() as connection:
            return [as_audit(row) for row in connection.execute(query)]

    def previous_audit(self, kind: str, job: str | None) -> KeptAudit | None:
        """The newest one that is done, of the same kind and job."""
        with self._database.reading() as connection:
            row = connection.execute(_done(kind, job)).first()
        return as_audit(row) if row else None


def new_audit(
    kind: str, *, job: str | None, request: Mapping[str, Any], actor: str, asked: Any
) -> dict[str, Any]:
    """A row that waits."""
    counts = {"attempts": 0, "done": 0, "total": 0}
    given = {"kind": kind, "job": job, "request": dict(request), "actor": actor, "asked": asked}
    return {"id": new_id(), "state": WAITING, **given, **counts}


def _give_up(connection: Connection, before: Any) -> None:
    """On one that has ended whoever worked on it again and again."""
    lost = and_(audits.c.state == RUNNING, audits.c.alive < before, audits.c.attempts >= MOST_ATTEMPTS)
    message = f"Whoever worked on it stopped without a word, {MOST_ATTEMPTS} times."
    connection.execute(update(audits).where(lost).values(state=FAILED, message=message))


def _done(kind: str, job: str | None) -> Any:
    of_job = audits.c.job == job if job is not None else audits.c.job.is_(None)
    query = select(*SHOWN).where(audits.c.state == DONE, audits.c.kind == kind, of_job)
    return query.order_by(audits.c.made.desc(), audits.c.id.desc()).limit(1)


def _previous(connection: Connection, row: Row[Any]) -> str | None:
    found = connection.execute(_done(row.kind, row.job)).first()
    return found.id if found else None


def _audit(connection: Connection, id: str) -> Row[Any]:
    row = connection.execute(select(*SHOWN).where(audits.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("There is no such audit.")
    return row


def _check_job(connection: Connection, job: str) -> None:
    if connection.execute(select(jobs.c.id).where(jobs.c.id == job)).first() is None:
        raise no_such_job(job)


def as_audit(row: Row[Any]) -> KeptAudit:
    values = dict(row._mapping)
    return KeptAudit(**values | {"findings": row.findings or {}})
