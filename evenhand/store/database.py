"""The connection to SQLite or PostgreSQL: who may write when, and errors in words."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, select, text, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from evenhand.errors import StoreError
from evenhand.extras import require
from evenhand.store.tables import counters

BUSY_SECONDS = 60
MAX_DAMAGE = 20  # pieces of damage that are listed
WRITES = "evenhand_writes"  # execution option: this connection is about to write
REVISION = "revision"

PRAGMAS = (
    f"busy_timeout = {BUSY_SECONDS * 1000}",
    "synchronous = FULL",  # acknowledged means on the disk, power loss included
    "foreign_keys = ON",
    "secure_delete = ON",  # what is deleted is overwritten with zeros
)


class Database:
    """Readers never wait. Writers follow one another, so that revisions become visible in their order."""

    def __init__(self, url: str) -> None:
        self.url = _parse(url)
        self.is_read_only = _is_read_only(self.url)
        with self._in_words():
            self._engine = _read_only_engine(self.url) if self.is_read_only else _engine(self.url)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._in_words(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def at_one_moment(self) -> Iterator[DatabaseSnapshot]:
        """SQLite's readers see the moment of their first look anyway; PostgreSQL's have to ask for it."""
        with self._in_words(), self._engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield DatabaseSnapshot(self, connection)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """One transaction, alone among the writers; nothing of it remains if it fails."""
        with self.transaction() as connection:
            # PostgreSQL: whoever holds this row writes. SQLite has begun with BEGIN IMMEDIATE and needs no more.
            connection.execute(
                select(counters.c.value).where(counters.c.name == REVISION).with_for_update()
            ).scalar_one()
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A writing transaction before the tables exist, for making and upgrading them."""
        writers = self._engine.execution_options(**{WRITES: True})
        with self._in_words(), writers.begin() as connection:
            yield connection

    @contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """SQLite itself, outside of any transaction: what rewrites the whole file cannot be part of one."""
        with self._in_words():
            borrowed = self._engine.raw_connection()
            try:
                connection = borrowed.driver_connection
                assert isinstance(connection, sqlite3.Connection)  # noqa: S101 - for SQLite only
                yield connection
            except sqlite3.Error as error:
                raise StoreError(f"The database {self.name} cannot be used: {error}.") from error
            finally:
                borrowed.close()

    @contextmanager
    def autocommitting(self) -> Iterator[Connection]:
        """PostgreSQL outside of any transaction, for the same."""
        with self._in_words(), self._engine.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, PoolTimeout) as error:
            raise StoreError(f"The database {self.name} {_complaint(error)}.") from error
        except SQLAlchemyError as error:
            raise StoreError(f"The database {self.name} cannot be used: {_first_line(error)}.") from error

    @property
    def name(self) -> str:
        """For people: without the password."""
        return self.url.render_as_string(hide_password=True)


class DatabaseSnapshot(Database):
    """A database as it is at one moment: whatever others write, every reading sees the same."""

    def __init__(self, database: Database, connection: Connection) -> None:
        self.url = database.url
        self.is_read_only = database.is_read_only
        self._engine = database._engine
        self._connection = connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._in_words():
            yield self._connection


def take_revisions(connection: Connection, count: int) -> int:
    """The first of `count` new revisions in a row."""
    last: int = connection.execute(
        update(counters)
        .where(counters.c.name == REVISION)
        .values(value=counters.c.value + count)
        .returning(counters.c.value)
    ).scalar_one()
    return last - count + 1


def newest_revision(connection: Connection) -> int:
    value: int = connection.execute(select(counters.c.value).where(counters.c.name == REVISION)).scalar_one()
    return value


def _parse(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise StoreError("The database's address is not sqlite:///... or postgresql://...") from error
    backend = url.get_backend_name()
    if backend == "sqlite" and url.database and url.database != ":memory:":
        return url
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    raise StoreError(f"Evenhand keeps data in an SQLite file or in PostgreSQL, not in {url.drivername!r}.")


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "postgresql":
        require("postgres")
        return create_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args={"connect_timeout": 10})
    folder = Path(str(url.database)).parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    engine = create_engine(url, hide_parameters=True)  # an error must not print people's data
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _is_read_only(url: URL) -> bool:
    """An SQLite file that is there, where nothing can be written: a disc, a snapshot, somebody else's folder."""
    path = Path(str(url.database))
    if url.get_backend_name() != "sqlite" or not path.is_file():
        return False
    return not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _read_only_engine(url: URL) -> Engine:
    """Nothing is written, no lock and no log. While another program has the database open its shared memory lies beside
    it, and readers go by that; without it the file is taken for one that nobody changes."""
    path = Path(str(url.database)).absolute()
    log, shared = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    is_open = shared.exists()
    if not is_open and log.exists() and log.stat().st_size:
        raise StoreError(
            f"The database {path} cannot be read where nothing can be written: its newest changes still lie in "
            f"{log.name}. Copy the whole folder to a place that can be written."
        )
    address = f"{path.as_uri()}?mode=ro{'' if is_open else '&immutable=1'}"

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}").close()
        return connection

    engine = create_engine(url, creator=connect, hide_parameters=True)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # or Python would begin by itself, and too late for IMMEDIATE
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()
    # WAL lets readers and a writer work at once. Switching to it does not wait for others, so this does.
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").close()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once when another has written in between;
    # one that says so from the start waits for its turn.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _complaint(error: SQLAlchemyError) -> str:
    text = _first_line(getattr(error, "orig", None) or error)
    if "database is locked" in text or isinstance(error, PoolTimeout):
        return f"is busy: others have been writing for more than {BUSY_SECONDS} seconds"
    if "unable to open" in text:
        return "cannot be opened: the folder has to be there, and to be writable"
    if "readonly" in text:
        return "cannot be changed: it lies where nothing can be written"
    if "malformed" in text:
        return "is damaged: evenhand check says more"
    if "not a database" in text:
        return "is not an SQLite file"
    if "connection" in text.lower():
        return f"cannot be reached: {text}"
    return f"cannot be used: {text}"


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__


def find_damage(database: Database, *, repair: bool = False) -> list[str]:
    """What SQLite finds wrong in its own file, in its words; with `repair` its indexes are built anew first.

    PostgreSQL keeps checksums of its pages itself, where its cluster was made with them.
    """
    if database.url.get_backend_name() != "sqlite":
        return []
    try:
        if repair:
            with database.alone() as sqlite:
                sqlite.execute("REINDEX").close()
        with database.reading() as connection:
            rows = [str(row[0]) for row in connection.exec_driver_sql(f"PRAGMA integrity_check({MAX_DAMAGE})")]
            orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(MAX_DAMAGE)
    except (StoreError, sqlite3.Error) as error:
        return [str(error).rstrip(".")]
    damage = [line for row in rows for line in row.splitlines() if line != "ok" and not line.startswith("***")]
    return [*damage, *(f"a row of {orphan[0]} refers to a row of {orphan[2]} that is not there" for orphan in orphans)]


# After rows were deleted: so that what they held is nowhere in the database's files any more.
REWRITTEN_BYTES = 1_000_000_000
"""Larger databases are not written anew while people work with them."""

REWRITTEN = "rewritten"  # the whole database, or the whole table, was written anew
OVERWRITTEN = "overwritten"  # with zeros, in its place
VACUUMED = "vacuumed"  # the space is free and will be written over


def scrub(database: Database, *, tables: tuple[str, ...], limit_bytes: int = REWRITTEN_BYTES) -> str:
    """How it was done: one of the words above."""
    if database.url.get_backend_name() == "sqlite":
        with database.alone() as sqlite:
            return _scrub_sqlite(sqlite, Path(str(database.url.database)), limit_bytes)
    # A rewritten table is a new file, and the old one is removed from the disk.
    with database.autocommitting() as connection:
        size = text("SELECT pg_total_relation_size(:name)")
        is_small = sum(connection.execute(size, {"name": name}).scalar_one() for name in tables) <= limit_bytes
        for name in tables:
            connection.execute(text(f'VACUUM {"(FULL) " if is_small else ""}"{name}"'))
    return REWRITTEN if is_small else VACUUMED


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
