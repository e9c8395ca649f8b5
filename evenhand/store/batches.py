"""What was decided lately on a job's applications, decision by decision, and how much of each still stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, case, distinct, func, select

from evenhand.store.keeper import Keeper
from evenhand.store.ledger_tables import ledger
from evenhand.store.statuses import UNDO
from evenhand.store.tables import applications, decisions

RECENT = 60  # events of a job that are looked through


@dataclass(frozen=True, slots=True)
class Batch:
    """One decision, on one application or on many. `standing` of them have not been undone."""

    id: str
    action: str  # the last step: reject, not screen
    actor: str
    reason: str
    time: datetime
    bulk: bool
    standing: int


class Batches(Keeper):
    def recent_batches(self, job: str, *, limit: int = RECENT) -> list[Batch]:
        """The newest first; those that were undone altogether are among them, with nothing standing."""
        events = (
            select(ledger.c.sequence)
            .where(ledger.c.job == job, ledger.c.kind == "decision")
            .order_by(ledger.c.sequence.desc())
            .limit(limit)
        )
        with self._database.reading() as connection:
            sequences = list(connection.scalars(events))
            return list(_batches(connection, sequences))

    def is_of_job(self, batch: str, job: str) -> bool:
        """Whether a decision was about this job's applications and no others; an id alone opens nothing."""
        query = (
            select(applications.c.job)
            .distinct()
            .select_from(decisions)
            .join(applications, applications.c.id == decisions.c.application)
            .where(decisions.c.batch == batch)
        )
        with self._database.reading() as connection:
            return set(connection.scalars(query)) == {job}


def _batches(connection: Connection, sequences: list[int]) -> Iterator[Batch]:
    """A decision on very many is several events: their rows together."""
    if not sequences:
        return
    standing = case((decisions.c.undone_by.is_(None), decisions.c.application))
    query = (
        select(
            decisions.c.batch,
            func.max(decisions.c.id).label("newest"),
            func.count(distinct(standing)).label("standing"),
        )
        .where(decisions.c.sequence.in_(sequences), decisions.c.action != UNDO)
        .group_by(decisions.c.batch)
    )
    counted = {row.newest: row.standing for row in connection.execute(query)}
    found = select(decisions).where(decisions.c.id.in_(list(counted))).order_by(decisions.c.id.desc())
    for row in connection.execute(found):
        yield Batch(row.batch, row.action, row.actor, row.reason, row.time, row.bulk, counted[row.id])
