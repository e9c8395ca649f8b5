"""The store: everything kept between runs, behind one object."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, select, text

from evenhand.errors import StoreError
from evenhand.store.accounts import AccountStore
from evenhand.store.applications import ApplicationStore, refusals
from evenhand.store.audits import AuditStore
from evenhand.store.base import Clock, StoreContext, utc_now
from evenhand.store.change_feed import ChangeFeed, MaskStore
from evenhand.store.corrections import CorrectionStore
from evenhand.store.database import REVISION, Database
from evenhand.store.decisions import DecisionStore
from evenhand.store.duplicates import DuplicateStore
from evenhand.store.erasures import ErasureStore
from evenhand.store.files import FileStore
from evenhand.store.imports import ImportStore
from evenhand.store.jobs import JobSettingsStore, JobStore, SearchStore
from evenhand.store.ledger import LedgerStore
from evenhand.store.mined import MINED, DocumentStore
from evenhand.store.notes import LabelStore, NoteStore
from evenhand.store.repeatable_answers import RepeatableAnswerStore
from evenhand.store.retention import BackupStore, RetentionStore
from evenhand.store.sign_in import IdentityStore, LinkStore, SessionStore, ThrottleStore, TokenStore
from evenhand.store.tables import MASTER, counters, documents
from evenhand.store.watchlist import WatchlistStore
from evenhand.version import __version__


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in the data folder that is not as it should be; `code` never changes."""

    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class FileCheck:
    """Where files and database disagree, by SHA-256; alien files are named by their path."""

    missing: tuple[str, ...] = ()  # a row without its file: the only one that is a loss
    damaged: tuple[str, ...] = ()
    unclaimed: tuple[str, ...] = ()  # a file without its row: a run that was cut off, to be continued
    alien: tuple[str, ...] = ()  # nothing the store wrote
    hashed: int = field(default=0, compare=False)  # files that were read and hashed
    stored: int = field(default=0, compare=False)

    def faults(self) -> Iterator[Fault]:
        yield from (Fault("file_missing", f"The file {name} is missing.") for name in self.missing)
        yield from (Fault("file_damaged", f"The file {name} is damaged.") for name in self.damaged)
        yield from (Fault("file_unknown", f"The file {name} is none that was kept.") for name in self.alien)

    @property
    def sound(self) -> bool:
        return not (self.missing or self.damaged or self.alien)


class Store:
    """One part per entity; every public method of a part is one transaction."""

    def __init__(self, context: StoreContext) -> None:
        self.context = context
        self.files = context.files
        self.accounts = AccountStore(context)
        self.sessions = SessionStore(context)
        self.links = LinkStore(context)
        self.tokens = TokenStore(context)
        self.throttle = ThrottleStore(context)
        self.identities = IdentityStore(context)
        self.jobs = JobStore(context)
        self.job_settings = JobSettingsStore(context)
        self.documents = DocumentStore(context)
        self.masks = MaskStore(context)
        self.applications = ApplicationStore(context, self.documents)
        self.duplicates = DuplicateStore(context)
        self.changes = ChangeFeed(context)
        self.imports = ImportStore(context)
        self.decisions = DecisionStore(context)
        self.labels = LabelStore(context)
        self.notes = NoteStore(context)
        self.searches = SearchStore(context)
        self.watchlist = WatchlistStore(context)
        self.corrections = CorrectionStore(context)
        self.erasures = ErasureStore(context)
        self.retention = RetentionStore(context)
        self.backups = BackupStore(context)
        self.audits = AuditStore(context)
        self.ledger = LedgerStore(context)
        self.repeatable_answers = RepeatableAnswerStore(context)

    @classmethod
    def open(cls, url: str, *, files: Path, clock: Clock = utc_now) -> Store:
        """Makes or upgrades the database at sqlite:///... or postgresql+psycopg://..., and sweeps the files.

        Where nothing can be written, nothing of that is done: what is there can be read.
        """
        database = Database(url)
        try:
            upgrade(database)
            context = StoreContext(database, FileStore(files, is_read_only=database.is_read_only), clock)
            store = cls(context)
            if database.is_read_only:
                return store
            context.files.sweep()
            store.ledger.begin()
            # A file that cannot be erased was told to whoever removed its application; it must not stop everyone.
            with suppress(StoreError):
                store.erasures.erase_files()
        except BaseException:
            database.close()
            raise
        return store

    @contextmanager
    def at_one_moment(self) -> Iterator[Store]:
        """For reading only: all that is asked of it is of the same moment."""
        with self.context.database.at_one_moment() as moment:
            yield type(self)(replace(self.context, database=moment))

    @property
    def is_read_only(self) -> bool:
        return self.context.database.is_read_only

    def close(self) -> None:
        self.context.database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def check(self, *, contents: bool = True, sample: int | None = None) -> FileCheck:
        """Compares files with database; with `contents` every file is read and hashed, or a random `sample` of them."""
        stored = set(self.files.kept())
        with self.context.database.reading() as connection:
            claimed = set(connection.scalars(select(documents.c.sha256)))
            refused = set(connection.scalars(select(refusals.c.sha256)))
        present = sorted(stored)
        if sample is not None and sample < len(present):
            present = sorted(random.sample(present, sample))  # another one each time, so that all are read in the end
        return FileCheck(
            missing=tuple(sorted(claimed - stored)),
            damaged=tuple(name for name in present if contents and not self.files.is_sound(name)),
            unclaimed=tuple(sorted(stored - claimed - refused)),
            alien=tuple(self.files.alien()),
            hashed=len(present) if contents else 0,
            stored=len(stored),
        )


# Which version of the tables a database has, and bringing it to ours.
VERSION_TABLE = "evenhand_version"
MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 0x65_76_65_6E  # any number, but always this one


def upgrade(database: Database) -> None:
    """Makes the tables, or brings those of an older version to ours; refuses what a newer Evenhand has changed."""
    scripts = ScriptDirectory(str(MIGRATIONS))
    with database.reading() as connection:
        version = current_version(connection)
        if version == scripts.get_current_head():
            return
    if database.is_read_only and version in {script.revision for script in scripts.walk_revisions()}:
        raise StoreError(
            f"The database {database.name} is of an older Evenhand (its tables are at {version}) and cannot be brought "
            f"up to date where nothing can be written: copy the whole folder to a place that can be."
        )
    with database.transaction() as connection:
        # SQLite has locked the file; in PostgreSQL a second process that opens waits here and finds all done.
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        version = current_version(connection)
        if version is None:
            _make_tables(connection)
        elif version not in {script.revision for script in scripts.walk_revisions()}:
            raise StoreError(
                f"The database {database.name} was written by a newer Evenhand (its tables are at {version}); "
                f"this is {__version__}, which must be updated to open it."
            )
        else:
            command.upgrade(configuration(connection), "head")


def _make_tables(connection: Connection) -> None:
    for tables in (MASTER, MINED):
        tables.create_all(connection, checkfirst=False)  # tables that are somebody else's must not become ours
    connection.execute(insert(counters).values(name=REVISION, value=0))
    command.stamp(configuration(connection), "head")


def current_version(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    return context.get_current_revision()


def configuration(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
