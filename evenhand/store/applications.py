"""Applications: a candidate's document for a job. Adding the same ones again changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from evenhand.errors import NotFound
from evenhand.records.event import SYSTEM
from evenhand.store.appending import append
from evenhand.store.intake import Intake
from evenhand.store.intake_events import ingest_drafts, refusal_drafts, versions_of
from evenhand.store.keeper import SLICE, slices
from evenhand.store.mined import MinedData, prepare
from evenhand.store.refusals import forget_refusals, record_refusals
from evenhand.store.rows import Application, Arrival, Form, Refusal, Saved
from evenhand.store.tables import applications, candidates


class Applications(MinedData):
    def add_applications(
        self, arrivals: Sequence[Arrival], *, refusals: Sequence[Refusal] = (), actor: str = SYSTEM
    ) -> list[Saved]:
        """All of them, or none if one cannot be; what became of each, in the order given."""
        there = self.mined([arrival.sha256 for arrival in arrivals])
        mined = prepare(
            arrival.mined for arrival in arrivals if arrival.mined and arrival.sha256 not in there
        )
        with self._database.writing() as connection:
            now = self._now()
            forget_refusals(connection, arrivals)
            record_refusals(connection, refusals, now)
            intake = Intake(connection, self.files, now)
            saved = intake.add(arrivals, mined)
            drafts = [
                *ingest_drafts(intake.new, versions_of(arrivals), actor),
                *refusal_drafts(refusals, actor),
            ]
            append(connection, drafts, now)
            return saved

    def application(self, id: str) -> Application:
        return self.applications([id])[0]

    def applications(self, ids: Sequence[str]) -> list[Application]:
        """In the order asked for."""
        with self._database.reading() as connection:
            found = {row.id: as_application(row) for row in select_applications(connection, ids)}
        for id in ids:
            if id not in found:
                raise no_such_application(id)
        return [found[id] for id in ids]

    def applications_of(self, job: str) -> Iterator[Application]:
        """In order of their documents' hashes, a slice at a time."""
        after = ""
        while True:
            query = (
                select(applications)
                .where(applications.c.job == job, applications.c.document > after)
                .order_by(applications.c.document)
                .limit(SLICE)
            )
            with self._database.reading() as connection:
                rows = connection.execute(query).all()
            if not rows:
                return
            yield from map(as_application, rows)
            after = rows[-1].document

    def known(self, job: str, sha256s: Sequence[str]) -> set[str]:
        """Those of the documents that are applications for the job already."""
        found: set[str] = set()
        with self._database.reading() as connection:
            for some in slices(sha256s):
                query = select(applications.c.document).where(
                    applications.c.job == job, applications.c.document.in_(some)
                )
                found |= set(connection.scalars(query))
        return found

    def count_applications(self, job: str | None = None) -> int:
        query = select(func.count()).select_from(applications)
        if job is not None:
            query = query.where(applications.c.job == job)
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()

    def form(self, candidate: str) -> Form:
        with self._database.reading() as connection:
            row = connection.execute(
                select(candidates.c.form).where(candidates.c.id == candidate)
            ).one_or_none()
        if row is None:
            raise NotFound(f"There is no candidate {candidate!r}.")
        form: Form = row.form
        return form


def select_applications(connection: Connection, ids: Sequence[str]) -> Iterator[Row[Any]]:
    for some in slices(list(ids)):
        yield from connection.execute(select(applications).where(applications.c.id.in_(some)))


def as_application(row: Row[Any]) -> Application:
    return Application(
        id=row.id,
        job=row.job,
        candidate=row.candidate,
        document=row.document,
        source=row.source,
        status=row.status,
        file=row.file,
        received=row.received,
        revision=row.revision,
        content=row.content,
    )


def no_such_application(id: str) -> NotFound:
    return NotFound(f"There is no application {id!r}.")
