"""The first events of a ledger that begins when there are applications already: what was there, and in which status."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, Table, func, select

from evenhand.records import content_hash
from evenhand.records.event import Draft, Subject
from evenhand.store.appending import SUBJECTS, append
from evenhand.store.keeper import Keeper
from evenhand.store.ledger_tables import ledger
from evenhand.store.tables import applications, candidates, decisions, documents, jobs, watch_entries

COUNTED = (jobs, candidates, documents, applications, decisions, watch_entries)


class Genesis(Keeper):
    def begin_ledger(self) -> None:
        """Nothing to do where it has begun, or where it begins with the first job."""
        with self._database.reading() as connection:
            if not _is_late(connection):
                return
        with self._database.writing() as connection:
            if _is_late(connection):  # nobody else has done it meanwhile
                append(connection, list(_drafts(connection)), self._now())


def _is_late(connection: Connection) -> bool:
    def holds(table: Table) -> bool:
        return connection.execute(select(table.primary_key.columns[0]).limit(1)).first() is not None

    return not holds(ledger) and any(holds(table) for table in COUNTED)


def _drafts(connection: Connection) -> Iterator[Draft]:
    counts = {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in COUNTED
    }
    yield Draft("genesis", body={"counts": counts})
    for row in connection.execute(select(jobs).order_by(jobs.c.created, jobs.c.id)).all():
        requirements = content_hash(row.requirements)
        yield Draft("genesis", job=row.id, body={"requirements": requirements, "open": row.closed is None})
        yield from _applicants(connection, row.id)


def _applicants(connection: Connection, job: str) -> Iterator[Draft]:
    reached = -1
    while True:
        query = (
            select(applications.c.id, applications.c.status, applications.c.revision)
            .where(applications.c.job == job, applications.c.revision > reached)
            .order_by(applications.c.revision)
            .limit(SUBJECTS)
        )
        rows = connection.execute(query).all()
        if not rows:
            return
        yield Draft(
            "genesis", job=job, body={"applications": [(Subject(row.id), row.status) for row in rows]}
        )
        reached = rows[-1].revision
