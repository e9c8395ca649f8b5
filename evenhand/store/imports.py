"""Uploads on their way to applications: on record from the moment their bytes are kept, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.records import Failure
from evenhand.records.event import Draft
from evenhand.store.appending import append
from evenhand.store.jobs import closed_job, no_such_job
from evenhand.store.keeper import Keeper, new_id
from evenhand.store.tables import jobs
from evenhand.store.workspace_rows import ADDED, KNOWN, REFUSED, WAITING, Import, ImportFile
from evenhand.store.workspace_tables import import_files, imports

MOST_FILES = 10_000  # of one import
SOURCE_LENGTH = 200


class Imports(Keeper):
    def begin_import(self, job: str, *, actor: str, source: str | None = None) -> str:
        """Its id. A closed job takes none."""
        if source and len(source) > SOURCE_LENGTH:
            raise UsageError(f"A source has at most {SOURCE_LENGTH} characters.")
        id = new_id()
        with self._database.writing() as connection:
            row = connection.execute(select(jobs.c.closed).where(jobs.c.id == job)).one_or_none()
            if row is None:
                raise no_such_job(job)
            if row.closed:
                raise closed_job(job)
            connection.execute(
                insert(imports).values(
                    id=id, job=job, actor=actor, source=source or None, created=self._now()
                )
            )
        return id

    def add_import_file(
        self, id: str, file: str, *, sha256: str | None, size_bytes: int, failure: Failure | None = None
    ) -> int:
        """Its number. With a `failure` the upload itself was refused, and nothing is left to do."""
        with self._database.writing() as connection:
            row = _import(connection, id)
            if row.sealed:
                raise UsageError("This import is complete and takes no more files.")
            same = import_files.c["import"] == id
            number = connection.execute(select(func.count()).where(same)).scalar_one() + 1
            if number > MOST_FILES:
                raise UsageError(f"One import takes {MOST_FILES:,} files; begin another one.")
            connection.execute(
                insert(import_files).values(
                    {
                        "import": id,
                        "number": number,
                        "file": file,
                        "sha256": sha256,
                        "size_bytes": size_bytes,
                        "state": REFUSED if failure else WAITING,
                        "code": failure.code if failure else None,
                        "message": failure.message if failure else None,
                    }
                )
            )
        return int(number)

    def seal_import(self, id: str) -> None:
        """All its files have come."""
        with self._database.writing() as connection:
            _import(connection, id)
            unsealed = (imports.c.id == id) & imports.c.sealed.is_(None)
            connection.execute(update(imports).where(unsealed).values(sealed=self._now()))

    def settle_import_file(self, id: str, number: int, *, new: bool, failure: Failure | None) -> None:
        """What became of it, told once its application or refusal is on record."""
        state = REFUSED if failure else ADDED if new else KNOWN
        which = (import_files.c["import"] == id) & (import_files.c.number == number)
        with self._database.writing() as connection:
            connection.execute(
                update(import_files)
                .where(which)
                .values(
                    state=state,
                    code=failure.code if failure else None,
                    message=failure.message if failure else None,
                )
            )

    def finish_import(self, id: str) -> None:
        """All its files are settled."""
        now = self._now()
        with self._database.writing() as connection:
            row = _import(connection, id)
            if row.finished:
                return
            connection.execute(update(imports).where(imports.c.id == id).values(finished=now))
            same = import_files.c["import"] == id
            query = select(import_files.c.state, func.count().label("files")).where(same)
            counts = {
                each.state: each.files for each in connection.execute(query.group_by(import_files.c.state))
            }
            append(connection, [Draft("import", row.actor, job=row.job, body={"files": counts})], now)

    def import_(self, id: str) -> Import:
        with self._database.reading() as connection:
            row = _import(connection, id)
            files = connection.execute(
                select(import_files).where(import_files.c["import"] == id).order_by(import_files.c.number)
            ).all()
        return _as_import(row, files)

    def job_of_import(self, id: str) -> str:
        """Without its files, of which there may be thousands."""
        with self._database.reading() as connection:
            return str(_import(connection, id).job)

    def unfinished_imports(self) -> list[str]:
        """The oldest first: what a server that was stopped has left to do."""
        query = select(imports.c.id).where(imports.c.finished.is_(None)).order_by(imports.c.created)
        with self._database.reading() as connection:
            return list(connection.scalars(query))

    def imports_of(self, job: str, *, limit: int = 20) -> list[Import]:
        """The newest first."""
        query = select(imports.c.id).where(imports.c.job == job).order_by(imports.c.created.desc())
        with self._database.reading() as connection:
            ids = list(connection.scalars(query.limit(limit)))
        return [self.import_(id) for id in ids]


def _import(connection: Connection, id: str) -> Row[Any]:
    row = connection.execute(select(imports).where(imports.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("There is no such import.")
    return row


def _as_import(row: Row[Any], files: Sequence[Row[Any]]) -> Import:
    return Import(
        id=row.id,
        job=row.job,
        actor=row.actor,
        source=row.source,
        created=row.created,
        sealed=row.sealed,
        finished=row.finished,
        files=tuple(
            ImportFile(
                file.number, file.file, file.sha256, file.size_bytes, file.state, file.code, file.message
            )
            for file in files
        ),
    )
