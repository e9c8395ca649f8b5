"""How a job is shown to those who screen it, and the searches they saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Row,
    String,
    Table,
    UniqueConstraint,
    delete,
    false,
    func,
    insert,
    select,
    update,
)

from evenhand.errors import NotFound, UsageError
from evenhand.records import Failure
from evenhand.records.event import SYSTEM, EventDraft
from evenhand.store.base import StoreBase, new_id
from evenhand.store.jobs import closed_job, no_such_job
from evenhand.store.ledger_append import append
from evenhand.store.rows import WatchlistEntry
from evenhand.store.tables import MASTER, CleanText, UtcTime, clean, jobs, watch_entries

# Notes, tags, saved searches and imports as they come out of the store.


WAITING = "waiting"
ADDED = "added"
KNOWN = "known"
REFUSED = "refused"
STATES = (WAITING, ADDED, KNOWN, REFUSED)


@dataclass(frozen=True, slots=True)
class CandidateNote:
    id: str
    application: str
    actor: str
    text: str
    time: datetime


@dataclass(frozen=True, slots=True)
class StoredSearch:
    id: str
    job: str
    actor: str
    name: str
    query: str  # of the page's address
    created: datetime


@dataclass(frozen=True, slots=True)
class JobSettings:
    """How a job's applicants are shown to everyone who screens them."""

    blind: bool = False
    hide_schools: bool = False


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


# What screeners keep beside decisions: notes, tags, saved searches, imports under way, how a job is to be
# shown.

notes = Table(
    "notes",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("actor", CleanText, nullable=False),
    Column("text", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

tags = Table(
    "tags",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", CleanText, primary_key=True),
    Column("actor", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

saved_searches = Table(
    "saved_searches",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("job", ForeignKey("jobs.id"), nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("query", CleanText, nullable=False),  # of the page's address: what is saved is what is shown
    Column("created", UtcTime, nullable=False),
    UniqueConstraint("job", "actor", "name"),
)

job_settings = Table(
    "job_settings",
    MASTER,
    Column("job", ForeignKey("jobs.id"), primary_key=True),
    Column("blind", Boolean, nullable=False, server_default=false()),
    Column("hide_schools", Boolean, nullable=False, server_default=false()),
)

flag_overrides = Table(
    "flag_overrides",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("flag", String(64), primary_key=True),  # hash of its code and message: a new finding is shown again
    Column("code", String(32), nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

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
    Index("ix_import_files_state", "state"),
)


NAME_LENGTH = 100
MAX_SEARCHES = 100  # of one person for one job
QUERY_LENGTH = 4_000


class JobSettingsStore(StoreBase):
    def get(self, job: str) -> JobSettings:
        with self._database.reading() as connection:
            row = connection.execute(select(job_settings).where(job_settings.c.job == job)).one_or_none()
        return JobSettings(row.blind, row.hide_schools) if row else JobSettings()

    def change(self, job: str, wanted: JobSettings, *, actor: str) -> None:
        now = self._now()
        with self._database.writing() as connection:
            if connection.execute(select(jobs.c.id).where(jobs.c.id == job)).first() is None:
                raise no_such_job(job)
            connection.execute(delete(job_settings).where(job_settings.c.job == job))
            connection.execute(
                insert(job_settings).values(job=job, blind=wanted.blind, hide_schools=wanted.hide_schools)
            )
            body = {"what": "shown", "blind": wanted.blind, "hide_schools": wanted.hide_schools}
            append(connection, [EventDraft("job", actor, job=job, body=body)], now)


class SearchStore(StoreBase):
    def save(self, job: str, name: str, query: str, *, actor: str) -> str:
        """Its id; one of the same name is replaced."""
        name = clean(" ".join(name.split()))
        if not name or len(name) > NAME_LENGTH:
            raise UsageError(f"A saved search needs a name of at most {NAME_LENGTH} characters.")
        if len(query) > QUERY_LENGTH:
            raise UsageError("This search is too long to be saved.")
        own = (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        id = new_id()
        with self._database.writing() as connection:
            connection.execute(delete(saved_searches).where(own & (saved_searches.c.name == name)))
            if len(connection.execute(select(saved_searches.c.id).where(own)).all()) >= MAX_SEARCHES:
                raise UsageError(f"There are {MAX_SEARCHES} saved searches already; remove one first.")
            connection.execute(
                insert(saved_searches).values(
                    id=id, job=job, actor=actor, name=name, query=clean(query), created=self._now()
                )
            )
        return id

    def of_job(self, job: str, *, actor: str) -> list[StoredSearch]:
        """Of one person for one job, by name."""
        own = (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        with self._database.reading() as connection:
            rows = connection.execute(select(saved_searches).where(own)).all()
        found = [StoredSearch(row.id, row.job, row.actor, row.name, row.query, row.created) for row in rows]
        return sorted(found, key=lambda search: (search.name.casefold(), search.id))

    def remove(self, id: str, *, job: str, actor: str) -> None:
        """One's own: another's is not found."""
        own = (saved_searches.c.id == id) & (saved_searches.c.job == job) & (saved_searches.c.actor == actor)
        with self._database.writing() as connection:
            if connection.execute(delete(saved_searches).where(own)).rowcount == 0:
                raise NotFound("There is no such saved search.")


# Uploads on their way to applications: on record from the moment their bytes are kept, so that none is
# forgotten.

MAX_FILES = 10_000  # of one import
SOURCE_LENGTH = 200


class ImportStore(StoreBase):
    def begin(self, job: str, *, actor: str, source: str | None = None) -> str:
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
                insert(imports).values(id=id, job=job, actor=actor, source=source or None, created=self._now())
            )
        return id

    def add_file(
        self, id: str, file: str, *, sha256: str | None, size_bytes: int, failure: Failure | None = None
    ) -> int:
        """Its number. With a `failure` the upload itself was refused, and nothing is left to do."""
        with self._database.writing() as connection:
            row = _import(connection, id)
            if row.sealed:
                raise UsageError("This import is complete and takes no more files.")
            same = import_files.c["import"] == id
            number = connection.execute(select(func.count()).where(same)).scalar_one() + 1
            if number > MAX_FILES:
                raise UsageError(f"One import takes {MAX_FILES:,} files; begin another one.")
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

    def seal(self, id: str) -> None:
        """All its files have come."""
        with self._database.writing() as connection:
            _import(connection, id)
            unsealed = (imports.c.id == id) & imports.c.sealed.is_(None)
            connection.execute(update(imports).where(unsealed).values(sealed=self._now()))

    def settle_file(self, id: str, number: int, *, new: bool, failure: Failure | None) -> None:
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
            counts = {each.state: each.files for each in connection.execute(query.group_by(import_files.c.state))}
            append(connection, [EventDraft("import", row.actor, job=row.job, body={"files": counts})], now)

    def get(self, id: str) -> ImportBatch:
        with self._database.reading() as connection:
            row = _import(connection, id)
            files = connection.execute(
                select(import_files).where(import_files.c["import"] == id).order_by(import_files.c.number)
            ).all()
        return _as_import(row, files)

    def job_of(self, id: str) -> str:
        """Without its files, of which there may be thousands."""
        with self._database.reading() as connection:
            return str(_import(connection, id).job)

    def unfinished(self) -> list[str]:
        """The oldest first: what a server that was stopped has left to do."""
        query = select(imports.c.id).where(imports.c.finished.is_(None)).order_by(imports.c.created)
        with self._database.reading() as connection:
            return list(connection.scalars(query))

    def of_job(self, job: str, *, limit: int = 20) -> list[ImportBatch]:
        """The newest first."""
        query = select(imports.c.id).where(imports.c.job == job).order_by(imports.c.created.desc())
        with self._database.reading() as connection:
            ids = list(connection.scalars(query.limit(limit)))
        return [self.get(id) for id in ids]


def _import(connection: Connection, id: str) -> Row[Any]:
    row = connection.execute(select(imports).where(imports.c.id == id)).one_or_none()
    if row is None:
        raise NotFound("There is no such import.")
    return row


def _as_import(row: Row[Any], files: Sequence[Row[Any]]) -> ImportBatch:
    return ImportBatch(
        id=row.id,
        job=row.job,
        actor=row.actor,
        source=row.source,
        created=row.created,
        sealed=row.sealed,
        finished=row.finished,
        files=tuple(
            ImportedFile(file.number, file.file, file.sha256, file.size_bytes, file.state, file.code, file.message)
            for file in files
        ),
    )


# Watch lists: companies and universities a person wants to be told of. Never a reason to reject by itself.

WATCH_LISTS = ("no_hire", "not_accredited")
WATCHLIST_NAME_LENGTH = 500  # PostgreSQL cannot look up keys of any length


class WatchlistStore(StoreBase):
    def add(self, list: str, name: str, *, note: str | None = None, actor: str = SYSTEM) -> bool:
        """Whether it is new; an entry that is there gets the new note."""
        name = clean(name).strip()
        _check(list)
        if not name:
            raise UsageError("An entry of a watch list needs a name.")
        if len(name) > WATCHLIST_NAME_LENGTH:
            raise UsageError(f"The name of an entry has at most {WATCHLIST_NAME_LENGTH} characters.")
        same = (watch_entries.c.list == list) & (watch_entries.c.name == name)
        with self._database.writing() as connection:
            now = self._now()
            known = connection.execute(delete(watch_entries).where(same)).rowcount > 0
            connection.execute(insert(watch_entries).values(list=list, name=name, note=note, added=now))
            append(connection, [_draft("add", list, actor, name=name, note=note)], now)
        return not known

    def remove(self, list: str, name: str, *, actor: str = SYSTEM) -> None:
        _check(list)
        kept = clean(name).strip()
        same = (watch_entries.c.list == list) & (watch_entries.c.name == kept)
        with self._database.writing() as connection:
            if connection.execute(delete(watch_entries).where(same)).rowcount == 0:
                raise NotFound(f"{name!r} is not on the list {list}.")
            append(connection, [_draft("remove", list, actor, name=kept)], self._now())

    def entries(self, list: str | None = None) -> tuple[WatchlistEntry, ...]:
        """Of one list, or of all, by name."""
        query = select(watch_entries)
        if list is not None:
            _check(list)
            query = query.where(watch_entries.c.list == list)
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        entries = (WatchlistEntry(row.list, row.name, row.note, row.added) for row in rows)
        return tuple(sorted(entries, key=lambda entry: (entry.list, entry.name)))


def _draft(action: str, list: str, actor: str, **sealed: str | None) -> EventDraft:
    """Names stay out of the ledger itself: a company can be one person."""
    body = {"action": action, "list": list}
    return EventDraft("watch", actor, body=body, sealed={name: value for name, value in sealed.items() if value})


def _check(list: str) -> None:
    if list not in WATCH_LISTS:
        raise UsageError(f"There is no watch list {list!r}; the lists are {', '.join(WATCH_LISTS)}.")
