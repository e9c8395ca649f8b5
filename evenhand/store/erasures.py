"""Erasing people: every row that is about an application goes, or is emptied of what is personal, in one transaction.

What lies outside the database - files, the index, the space of deleted rows - follows; an erasure that is cut off
before all is done is known by having no end, and whoever opens the store next finishes it.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Table, delete, func, insert, select, text, update

from evenhand.errors import NotFound, StoreError
from evenhand.records.event import SYSTEM, EventDraft
from evenhand.store.applications import no_such_application, select_applications
from evenhand.store.audits import audits
from evenhand.store.base import StoreBase, new_id, slices
from evenhand.store.database import Database, take_revisions
from evenhand.store.erased_rows import count_rows, empty_rows, forget_searches, identity_of, scrub_reports
from evenhand.store.ledger_append import append, forget_subject, mined_versions, openings, seals
from evenhand.store.mined import MINED, forget_mined, forget_versions
from evenhand.store.retention import check_not_held
from evenhand.store.rights import ErasureScope, StoredErasure, corrections, erasures, holds, readings
from evenhand.store.self_identifications import self_identifications
from evenhand.store.tables import applications, candidates, decisions, documents, labels, refusals, removed
from evenhand.store.workspace import flag_overrides, import_files, notes, saved_searches, tags

# Erasing applications, and with the last one of a candidate or document those too, wherever it is cut off.


def _claimed(connection: Connection, sha256s: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for some in slices(sha256s):
        for table in (documents, refusals):
            found |= set(connection.scalars(select(table.c.sha256).where(table.c.sha256.in_(some))))
    return found


# After rows were deleted: so that what they held is nowhere in the database's files any more.

REWRITTEN_BYTES = 1_000_000_000
"""Larger databases are not written anew while people work with them."""

REWRITTEN = "rewritten"  # the whole database, or the whole table, was written anew
OVERWRITTEN = "overwritten"  # with zeros, in its place
VACUUMED = "vacuumed"  # the space is free and will be written over


def scrub(database: Database, *, tables: tuple[str, ...], limit_bytes: int = REWRITTEN_BYTES) -> str:
    """How it was done: one of the words above."""
    if database.url.get_backend_name() == "sqlite":
        with database.alone() as connection:
            return _scrub_sqlite(connection, Path(str(database.url.database)), limit_bytes)
    return _scrub_postgresql(database, tables, limit_bytes)


def _scrub_sqlite(connection: sqlite3.Connection, path: Path, limit_bytes: int) -> str:
    """Deleted rows have been zeroed (secure_delete), but older versions of Evenhand did not ask for that, and the log
    still holds pages as they were."""
    is_small = path.stat().st_size <= limit_bytes
    if is_small:
        connection.execute("VACUUM").close()
    is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]  # waits for readers
    if is_busy:
        raise StoreError("Somebody has been reading the database for so long that its log cannot be emptied yet.")
    return REWRITTEN if is_small else OVERWRITTEN


def _scrub_postgresql(database: Database, tables: tuple[str, ...], limit_bytes: int) -> str:
    """A rewritten table is a new file, and the old one is removed from the disk."""
    with database.autocommitting() as connection:
        sizes = [
            connection.execute(text("SELECT pg_total_relation_size(:name)"), {"name": name}).scalar_one()
            for name in tables
        ]
        is_small = sum(sizes) <= limit_bytes
        for name in tables:
            connection.execute(text(f'VACUUM {"(FULL) " if is_small else ""}"{name}"'))
    return REWRITTEN if is_small else VACUUMED


SCRUBBED_TABLES: tuple[Table, ...] = (
    *MINED.sorted_tables,
    *(applications, candidates, documents, refusals, decisions, labels),
    *(notes, tags, flag_overrides, saved_searches, import_files),
    *(openings, seals, mined_versions),
    *(corrections, readings, holds),
    *(self_identifications, audits),
)
"""Where personal data lie, of which PostgreSQL would otherwise keep what was deleted for a while."""


class ErasureStore(StoreBase):
    def scope(self, ids: Sequence[str]) -> list[ErasureScope]:
        """What would be erased, without erasing anything."""
        with self._database.reading() as connection:
            return [_held(connection, _row(connection, id), ids) for id in ids]

    def begin(
        self,
        ids: Sequence[str],
        *,
        actor: str,
        certificate: Mapping[str, Any],
        id: str | None = None,
    ) -> StoredErasure:
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
                insert(erasures).values(id=id, begun=now, actor=actor, applications=list(ids), certificate=made)
            )
        return StoredErasure(id, now, None, actor, tuple(ids), made)

    def finish(self, id: str, certificate: Mapping[str, Any], *, hash: str, finished: datetime) -> StoredErasure:
        """Everything is done; `hash` of the signed certificate goes into the ledger."""
        with self._database.writing() as connection:
            found = _erasure(connection, id)
            values = {"certificate": dict(certificate), "finished": finished}
            connection.execute(update(erasures).where(erasures.c.id == id).values(values))
            body = {"action": "certified", "certificate": id, "hash": hash}
            append(connection, [EventDraft("erasure", found.actor, body=body)], self._now())
        return StoredErasure(id, found.begun, finished, found.actor, found.applications, certificate)

    def restore(self, erasure: StoredErasure) -> None:
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

    def get(self, id: str) -> StoredErasure:
        with self._database.reading() as connection:
            return _erasure(connection, id)

    def all(self, *, unfinished: bool = False) -> list[StoredErasure]:
        """The newest first."""
        query = select(erasures).order_by(erasures.c.begun.desc(), erasures.c.id)
        if unfinished:
            query = query.where(erasures.c.finished.is_(None))
        with self._database.reading() as connection:
            return [_as_erasure(row) for row in connection.execute(query)]

    def ids(self) -> set[str]:
        with self._database.reading() as connection:
            return set(connection.scalars(select(erasures.c.id)))

    def present(self, ids: Sequence[str]) -> set[str]:
        """Those of the applications that are there."""
        with self._database.reading() as connection:
            return {row.id for row in select_applications(connection, ids)}

    def scrub(self, **limit: int) -> str:
        """What was deleted is nowhere in the database's own files any more; says how that was done."""
        return scrub(self._database, tables=tuple(table.name for table in SCRUBBED_TABLES), **limit)

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

    def remove_application(self, id: str, *, actor: str = SYSTEM) -> None:
        """Its decisions stay on record. A file goes after the rows that refer to it, never before."""
        with self._database.writing() as connection:
            row = next(iter(select_applications(connection, [id])), None)
            if row is None:
                raise no_such_application(id)
            connection.execute(delete(applications).where(applications.c.id == id))
            revision = take_revisions(connection, 1)
            connection.execute(insert(removed).values(application=id, revision=revision))
            self._erase_candidate(connection, row.candidate)
            self._erase_document(connection, row.document)
            append(connection, [EventDraft("erasure", actor, row.job, subjects=(id,))], self._now())
            forget_subject(connection, id)
        self.erase_files()

    def erase_files(self) -> int:
        """Those whose removal has begun and that nothing refers to; also what a run that was cut off has left."""
        leaving = list(self._context.files.leaving())
        if not leaving:
            return 0
        with self._database.writing() as connection:  # or someone could begin to refer to one of them now
            claimed = _claimed(connection, leaving)
            for sha256 in leaving:
                if sha256 not in claimed:
                    self._context.files.remove(sha256)
                self._context.files.forget_leaving(sha256)
        return len(leaving) - len(claimed)

    def _erase_candidate(self, connection: Connection, candidate: str) -> None:
        query = select(applications.c.id).where(applications.c.candidate == candidate).limit(1)
        if connection.execute(query).first() is None:
            connection.execute(delete(candidates).where(candidates.c.id == candidate))

    def _erase_document(self, connection: Connection, sha256: str) -> None:
        query = select(applications.c.id).where(applications.c.document == sha256).limit(1)
        if connection.execute(query).first() is None:
            forget_mined(connection, [sha256])
            forget_versions(connection, sha256)
            connection.execute(delete(documents).where(documents.c.sha256 == sha256))
            self._context.files.note_leaving(sha256)


def _held(connection: Connection, row: Row[Any], ids: Sequence[str]) -> ErasureScope:
    keeps_document, keeps_candidate = _shared(connection, row, ids)
    counts = count_rows(connection, row, keeps_document=keeps_document)
    return ErasureScope(
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
    append(connection, [EventDraft("erasure", actor, row.job, subjects=(row.id,), body=body)], now)


def _row(connection: Connection, id: str) -> Row[Any]:
    row = next(iter(select_applications(connection, [id])), None)
    if row is None:
        raise no_such_application(id)
    return row


def _erasure(connection: Connection, id: str) -> StoredErasure:
    row = connection.execute(select(erasures).where(erasures.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("There is no such erasure.")
    return _as_erasure(row)


def _as_erasure(row: Row[Any]) -> StoredErasure:
    return StoredErasure(row.id, row.begun, row.finished, row.actor, tuple(row.applications), row.certificate)
