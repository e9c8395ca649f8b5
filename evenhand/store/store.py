"""The store: everything kept between runs, behind one object."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from sqlalchemy import select

from evenhand.errors import StoreError
from evenhand.store.accounts import AccountStore
from evenhand.store.applications import ApplicationStore, DocumentStore, RefusalStore
from evenhand.store.audits import AuditScheduleStore
from evenhand.store.base import Clock, FileStore, utc_now
from evenhand.store.change_feed import ChangeFeed
from evenhand.store.corrections import CorrectionStore
from evenhand.store.database import Database, upgrade
from evenhand.store.decisions import DecisionBatchStore, DecisionStore, LabelStore
from evenhand.store.duplicates import AlertStore, DuplicateStore
from evenhand.store.erasures import ErasureStore
from evenhand.store.jobs import JobAccessStore, JobOverviewStore, JobStore
from evenhand.store.ledger import LedgerBootstrap, LedgerStore
from evenhand.store.mined import MinedStore, VersionStore
from evenhand.store.notes import NoteStore
from evenhand.store.retention import RetentionStore
from evenhand.store.rights import BackupStore, PeopleStore
from evenhand.store.rows import FileCheck
from evenhand.store.sign_in import IdentityStore, LinkStore, SessionStore, ThrottleStore, TokenStore
from evenhand.store.tables import documents, refusals
from evenhand.store.workspace import ImportStore, WatchlistStore, WorkspaceStore


class Store(
    JobStore,
    ApplicationStore,
    ErasureStore,
    DocumentStore,
    RefusalStore,
    MinedStore,
    DuplicateStore,
    ChangeFeed,
    DecisionStore,
    DecisionBatchStore,
    AlertStore,
    WatchlistStore,
    LabelStore,
    LedgerBootstrap,
    LedgerStore,
    VersionStore,
    NoteStore,
    WorkspaceStore,
    ImportStore,
    AccountStore,
    SessionStore,
    LinkStore,
    TokenStore,
    ThrottleStore,
    JobAccessStore,
    IdentityStore,
    CorrectionStore,
    BackupStore,
    RetentionStore,
    PeopleStore,
    JobOverviewStore,
    AuditScheduleStore,
):
    """Each part is a module of its own; every public method is one transaction."""

    @classmethod
    def open(cls, url: str, *, files: Path, clock: Clock = utc_now) -> Store:
        """Makes or upgrades the database at sqlite:///... or postgresql+psycopg://..., and sweeps the files."""
        database = Database(url)
        try:
            upgrade(database)
            kept = FileStore(files)
            kept.sweep()
            store = cls(database, kept, clock)
            store.begin_ledger()
            # A file that cannot be erased was told to whoever removed its application; it must not stop everyone.
            with suppress(StoreError):
                store.erase_files()
        except BaseException:
            database.close()
            raise
        return store

    @contextmanager
    def at_one_moment(self) -> Iterator[Store]:
        """For reading only: all that is asked of it is of the same moment."""
        with self._database.at_one_moment() as moment:
            yield type(self)(moment, self.files, self._now)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def check(self, *, contents: bool = True) -> FileCheck:
        """Compares files with database; with `contents` every file is read and its hash taken."""
        kept = set(self.files.kept())
        with self._database.reading() as connection:
            claimed = set(connection.scalars(select(documents.c.sha256)))
            refused = set(connection.scalars(select(refusals.c.sha256)))
        present = sorted(claimed & kept)
        return FileCheck(
            missing=tuple(sorted(claimed - kept)),
            damaged=tuple(name for name in present if contents and not self.files.is_sound(name)),
            unclaimed=tuple(sorted(kept - claimed - refused)),
            alien=tuple(self.files.alien()),
        )
