"""Erasing people: every row that is about an application goes, or is emptied of what is personal, in one transaction.

What lies outside the database - files, the index, the space of deleted rows - follows; an erasure that is cut off
before all is done is known by having no end, and whoever opens the store next finishes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, delete, func, insert, select, update

from evenhand.errors import NotFound
from evenhand.records.event import Draft
from evenhand.store.appending import append
from evenhand.store.applications import no_such_application, select_applications
from evenhand.store.audit_scrubbing import scrub_reports
from evenhand.store.audit_tables import audits
from evenhand.store.database import take_revisions
from evenhand.store.erased_rows import count_rows, empty_rows, forget_searches, identity_of
from evenhand.store.group_tables import self_identifications
from evenhand.store.keeper import new_id
from evenhand.store.ledger_tables import mined_versions, openings, seals
from evenhand.store.mined_tables import MINED
from evenhand.store.removal import Removal
from evenhand.store.retention import check_not_held
from evenhand.store.rights_rows import Held, KeptErasure
from evenhand.store.rights_tables import corrections, erasures, holds, readings
from evenhand.store.scrubbing import scrub
from evenhand.store.sealing import forget_subject
from evenhand.store.tables import applications, candidates, decisions, documents, labels, refusals, removed
from evenhand.store.workspace_tables import flag_overrides, import_files, notes, saved_searches, tags

REWRITTEN: tuple[Table, ...] = (
    *MINED.sorted_tables,
    *(applications, candidates, documents, refusals, decisions, labels),
    *(notes, tags, flag_overrides, saved_searches, import_files),
    *(openings, seals, mined_versions),
    *(corrections, readings, holds),
    *(self_identifications, audits),
)
"""Where personal data lie, of which PostgreSQL would otherwise keep what was deleted for a while."""


class Erasures(Removal):
    def held(self, ids: Sequence[str]) -> list[Held]:
        """What would be erased, without erasing anything."""
        with self._database.reading() as connection:
            return [_held(connection, _row(connection, id), ids) for id in ids]

    def begin_erasure(
        self,
        ids: Sequence[str],
        *,
        actor: str,
        certificate: Mapping[str, Any],
        id: str | None = None,
    ) -> KeptErasure:
        """Erases these applications from the database. `certificate` is what is to be said beside the counts;
        `id` is that of an erasure which is done again, because the database was put back to an earlier state."""
        id, again = id or new_id(), id is not None
        with self._database.writing() as connection:
            if not again:
                check_not_held(connection, ids)
            now = self._now()
            counts: Counter[str] = Counter()
            for application in ids:
                row = _row(connection, application)
                own = self._erase(connection, row)
                counts += own
                _record(connection, row, actor, id, own, now, again=again)
                forget_subject(connection, application)
            made = {**certificate, "rows": dict(sorted(counts.items()))}
            connection.execute(delete(erasures).where(erasures.c.id == id))
            connection.execute(
                insert(erasures).values(
                    id=id, begun=now, actor=actor, applications=list(ids), certificate=made
                )
            )
        return KeptErasure(id, now, None, actor, tuple(ids), made)

    def finish_erasure(
        self, id: str, certificate: Mapping[str, Any], *, hash: str, finished: datetime
    ) -> KeptErasure:
        """Everything is done; `hash` of the signed certificate goes into the ledger."""
        with self._database.writing() as connection:
            found = _erasure(connection, id)
            values = {"certificate": dict(certificate), "finished": finished}
            connection.execute(update(erasures).where(erasures.c.id == id).values(values))
            body = {"action": "certified", "certificate": id, "hash": hash}
            append(connection, [Draft("erasure", found.actor, body=body)], self._now())
        return KeptErasure(id, found.begun, finished, found.actor, found.applications, certificate)

    def restore_erasure(self, erasure: KeptErasure) -> None:
        """Puts one back that a restored database has forgotten, and whose applications it does not hold."""
        with self._database.writing() as connection:
            same = erasures.c.id == erasure.id
            if connection.execute(select(erasures.c.id).where(same)).first() is None:
                connection.execute(
                    insert(erasures).values(
                        id=erasure.id,
                        begun=erasure.begun,
                        finished=erasure.finished,
                        actor=erasure.actor,
                        applications=list(erasure.applications),
                        certificate=dict(erasure.certificate),
                    )
                )

    def erasure(self, id: str) -> KeptErasure:
        with self._database.reading() as connection:
            return _erasure(connection, id)

    def erasures(self, *, unfinished: bool = False) -> list[KeptErasure]:
        """The newest first."""
        query = select(erasures).order_by(erasures.c.begun.desc(), erasures.c.id)
        if unfinished:
            query = query.where(erasures.c.finished.is_(None))
        with self._database.reading() as connection:
            return [_as_erasure(row) for row in connection.execute(query)]

    def erasure_ids(self) -> set[str]:
        with self._database.reading() as connection:
            return set(connection.scalars(select(erasures.c.id)))

    def present(self, ids: Sequence[str]) -> set[str]:
        """Those of the applications that are there."""
        with self._database.reading() as connection:
            return {row.id for row in select_applications(connection, ids)}

    def scrub(self, **limit: int) -> str:
        """What was deleted is nowhere in the database's own files any more; says how that was done."""
        return scrub(self._database, tables=tuple(table.name for table in REWRITTEN), **limit)

    def _erase(self, connection: Connection, row: Row[Any]) -> Counter[str]:
        """The rows of one application; how many of each kind."""
        keeps_document, _ = _shared(connection, row, [row.id])
        counts = count_rows(connection, row, keeps_document=keeps_document)
        counts["searches"] = forget_searches(connection, row)
        names = [row.id, row.document, row.file or "", *identity_of(connection, row)]
        scrub_reports(connection, row.job, names, self._now)
        empty_rows(connection, row, keeps_document=keeps_document)
        connection.execute(delete(applications).where(applications.c.id == row.id))
        revision = take_revisions(connection, 1)
        connection.execute(insert(removed).values(application=row.id, revision=revision))
        counts["candidates"] = _count(connection, candidates.c.id == row.candidate)
        self._erase_candidate(connection, row.candidate)
        counts["candidates"] -= _count(connection, candidates.c.id == row.candidate)
        self._erase_document(connection, row.document)
        return +counts


def _held(connection: Connection, row: Row[Any], ids: Sequence[str]) -> Held:
    keeps_document, keeps_candidate = _shared(connection, row, ids)
    counts = count_rows(connection, row, keeps_document=keeps_document)
    return Held(
        row.id,
        row.job,
        row.candidate,
        row.document,
        dict(sorted((+counts).items())),
        keeps_document,
        keeps_candidate,
    )


def _shared(connection: Connection, row: Row[Any], ids: Sequence[str]) -> tuple[bool, bool]:
    """Whether others than `ids` came with the same file, or are of the same candidate."""
    others = applications.c.id.notin_(list(ids))
    return (
        _count(connection, others & (applications.c.document == row.document)) > 0,
        _count(connection, others & (applications.c.candidate == row.candidate)) > 0,
    )


def _count(connection: Connection, condition: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).where(condition)).scalar_one())


def _record(
    connection: Connection,
    row: Row[Any],
    actor: str,
    certificate: str,
    counts: Counter[str],
    now: datetime,
    *,
    again: bool,
) -> None:
    """What the event says of whom is forgotten with the person; that it happened is not."""
    body = {
        "action": "again" if again else "erase",
        "certificate": certificate,
        "rows": dict(sorted(counts.items())),
    }
    append(connection, [Draft("erasure", actor, row.job, subjects=(row.id,), body=body)], now)


def _row(connection: Connection, id: str) -> Row[Any]:
    row = next(iter(select_applications(connection, [id])), None)
    if row is None:
        raise no_such_application(id)
    return row


def _erasure(connection: Connection, id: str) -> KeptErasure:
    row = connection.execute(select(erasures).where(erasures.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("There is no such erasure.")
    return _as_erasure(row)


def _as_erasure(row: Row[Any]) -> KeptErasure:
    return KeptErasure(row.id, row.begun, row.finished, row.actor, tuple(row.applications), row.certificate)
