"""Uploads on their way to applications: on record from the moment their bytes are kept, so that none is forgotten."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Index, Integer, Row, String, Table, func, insert, select, update

from evenhand.errors import Conflict, NotFound, UsageError
from evenhand.records import Failure
from evenhand.records.event import EventDraft
from evenhand.store.applications import ArrivalOutcome
from evenhand.store.base import StoreBase, from_row, new_id, one_row
from evenhand.store.jobs import checked_external_id, closed_job, no_such_job
from evenhand.store.ledger_append import append
from evenhand.store.tables import MASTER, CleanText, UtcTime, applications, jobs

WAITING = "waiting"
ADDED = "added"
KNOWN = "known"
REFUSED = "refused"
STATES = (WAITING, ADDED, KNOWN, REFUSED)


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """One uploaded file and what became of it; `code` and `message` say why it was refused."""

    number: int
    file: str
    sha256: str | None
    size_bytes: int
    state: str
    code: str | None = None
    message: str | None = None
    application: str | None = None  # that it became, or was already
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class ImportBatch:
    id: str
    job: str
    actor: str
    source: str | None
    created: datetime
    sealed: datetime | None
    finished: datetime | None
    files: tuple[ImportedFile, ...]

    def count(self, *states: str) -> int:
        return sum(file.state in states for file in self.files)


imports = Table(
    "imports",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), nullable=False, index=True),
    Column("actor", CleanText, nullable=False),
    Column("source", CleanText),
    Column("created", UtcTime, nullable=False),
    Column("sealed", UtcTime),  # no more files are coming: it may be called finished once all are done
    Column("finished", UtcTime),
)

import_files = Table(
    "import_files",
    MASTER,
    Column("import", ForeignKey("imports.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("file", CleanText, nullable=False),
    Column("sha256", String(64)),  # None where the upload was refused before it was kept
    Column("size_bytes", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("code", String(32)),
    Column("message", CleanText),
    Column("external_id", CleanText),
    Column("application", String(32)),
    Index("ix_import_files_state", "state"),
)

MAX_FILES = 10_000  # of one import
SOURCE_LENGTH = 200


class ImportStore(StoreBase):
    def begin(self, job: str, *, actor: str, source: str | None = None) -> str:
        """Its id. A closed job takes none."""
        if source and len(source) > SOURCE_LENGTH:
            raise UsageError(f"A source has at most {SOURCE_LENGTH} characters.")
        id = new_id()
        with self._database.writing() as connection:
            if one_row(connection, select(jobs.c.closed).where(jobs.c.id == job), no_such_job(job)).closed:
                raise closed_job(job)
            connection.execute(
                insert(imports).values(id=id, job=job, actor=actor, source=source or None, created=self._now())
            )
        return id

    def add_file(
        self,
        id: str,
        file: str,
        *,
        sha256: str | None,
        size_bytes: int,
        failure: Failure | None = None,
        external_id: str | None = None,
    ) -> int:
        """Its number. With a `failure` the upload itself was refused, and nothing is left to do. Conflict where another
        file of the job has the external id."""
        external_id = checked_external_id(external_id)
        with self._database.writing() as connection:
            batch = _import(connection, id)
            if batch.sealed:
                raise UsageError("This import is complete and takes no more files.")
            if external_id is not None and not failure:
                _check_free(connection, batch.job, external_id, sha256)
            same = import_files.c["import"] == id
            number = connection.execute(select(func.count()).where(same)).scalar_one() + 1
            if number > MAX_FILES:
                raise UsageError(f"One import takes {MAX_FILES:,} files; begin another one.")
            row = ImportedFile(number, file, sha256, size_bytes, WAITING, external_id=external_id)
            if failure:
                row = replace(row, state=REFUSED, code=failure.code, message=failure.message)
            connection.execute(insert(import_files).values({"import": id, **asdict(row)}))
        return int(number)

    def seal(self, id: str) -> None:
        """All its files have come."""
        with self._database.writing() as connection:
            _import(connection, id)
            unsealed = (imports.c.id == id) & imports.c.sealed.is_(None)
            connection.execute(update(imports).where(unsealed).values(sealed=self._now()))

    def settle_file(
        self, id: str, number: int, *, outcome: ArrivalOutcome | None, failure: Failure | None = None
    ) -> None:
        """What became of it, told once its application or refusal is on record."""
        values: dict[str, Any] = {"code": None, "message": None}
        if outcome:
            values |= {"state": ADDED if outcome.new else KNOWN, "application": outcome.application}
        elif failure:
            values = {"state": REFUSED, "code": failure.code, "message": failure.message}
        same = (import_files.c["import"] == id) & (import_files.c.number == number)
        with self._database.writing() as connection:
            connection.execute(update(import_files).where(same).values(values))

    def finish(self, id: str) -> None:
        """All its files are settled."""
        now = self._now()
        with self._database.writing() as connection:
            row = _import(connection, id)
            if row.finished:
                return
            connection.execute(update(imports).where(imports.c.id == id).values(finished=now))
            same = import_files.c["import"] == id
            query = select(import_files.c.state, func.count().label("files")).where(same)
            counts = {group.state: group.files for group in connection.execute(query.group_by(import_files.c.state))}
            body = {"import": id, "files": counts}
            append(connection, [EventDraft("import", row.actor, job=row.job, body=body)], now)

    def get(self, id: str) -> ImportBatch:
        with self._database.reading() as connection:
            row = _import(connection, id)
            query = select(import_files).where(import_files.c["import"] == id).order_by(import_files.c.number)
            files = tuple(from_row(ImportedFile, file) for file in connection.execute(query))
        return ImportBatch(row.id, row.job, row.actor, row.source, row.created, row.sealed, row.finished, files)

    def job_of(self, id: str) -> str:
        """Without its files, of which there may be thousands."""
        with self._database.reading() as connection:
            return str(_import(connection, id).job)

    def unfinished(self) -> list[str]:
        """The oldest first: what a server that was stopped has left to do."""
        query = select(imports.c.id).where(imports.c.finished.is_(None)).order_by(imports.c.created)
        return list(self._scalars(query))

    def of_job(self, job: str, *, limit: int = 20) -> list[ImportBatch]:
        """The newest first."""
        query = select(imports.c.id).where(imports.c.job == job).order_by(imports.c.created.desc())
        return [self.get(id) for id in self._scalars(query.limit(limit))]


def _check_free(connection: Connection, job: str, external_id: str, sha256: str | None) -> None:
    """The same file may come again under its id."""
    there = select(applications.c.document).where(applications.c.job == job, applications.c.external_id == external_id)
    coming = (
        select(import_files.c.sha256)
        .join(imports, imports.c.id == import_files.c["import"])
        .where(imports.c.job == job, import_files.c.external_id == external_id, import_files.c.state == WAITING)
    )
    known = {*connection.scalars(there), *connection.scalars(coming)}
    if known - {sha256}:
        raise Conflict(f"Another file of this job has the external id {external_id!r} already.")


def _import(connection: Connection, id: str) -> Row[Any]:
    return one_row(connection, select(imports).where(imports.c.id == id), NotFound("There is no such import."))
