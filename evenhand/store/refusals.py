"""Files that could not become applications: none is lost, each is on record with its reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from evenhand.records import Failure
from evenhand.store.columns import clean
from evenhand.store.keeper import Keeper, slices
from evenhand.store.rows import Arrival, Refusal
from evenhand.store.tables import refusals


class Refusals(Keeper):
    def refusals(self, job: str) -> list[Refusal]:
        """In the order in which they came."""
        query = select(refusals).where(refusals.c.job == job).order_by(refusals.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        return [Refusal(row.job, row.file, row.sha256, Failure(row.code, row.message)) for row in rows]


def forget_refusals(connection: Connection, arrivals: Iterable[Arrival]) -> None:
    """What has become an application after all is refused no longer."""
    hashes: dict[str, set[str]] = defaultdict(set)
    for arrival in arrivals:
        hashes[arrival.job].add(arrival.sha256)
    for job, found in hashes.items():
        for some in slices(sorted(found)):
            same = (refusals.c.job == job) & refusals.c.sha256.in_(some)
            connection.execute(delete(refusals).where(same))


def record_refusals(connection: Connection, found: Sequence[Refusal], now: datetime) -> None:
    """The same file refused again replaces its record."""
    for refusal in found:
        same = (refusals.c.job == refusal.job) & (refusals.c.file == clean(refusal.file))
        connection.execute(delete(refusals).where(same))
        connection.execute(
            insert(refusals).values(
                job=refusal.job,
                file=refusal.file,
                sha256=refusal.sha256,
                code=refusal.failure.code,
                message=refusal.failure.message,
                received=now,
            )
        )
