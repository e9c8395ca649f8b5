"""The store: everything kept between runs, behind one object."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from sqlalchemy import select

from evenhand.errors import StoreError
from evenhand.store.accounts import Accounts
from evenhand.store.alerts import Alerts
from evenhand.store.applications import Applications
from evenhand.store.audit_schedules import AuditSchedules
from evenhand.store.backups import Backups
from evenhand.store.batches import Batches
from evenhand.store.corrections import Corrections
from evenhand.store.database import Database
from evenhand.store.decisions import Decisions
from evenhand.store.documents import Documents
from evenhand.store.duplicates import Duplicates
from evenhand.store.erasures import Erasures
from evenhand.store.files import Files
from evenhand.store.following import Following
from evenhand.store.genesis import Genesis
from evenhand.store.identities import Identities
from evenhand.store.imports import Imports
from evenhand.store.job_access import JobAccess
from evenhand.store.jobs import Jobs
from evenhand.store.keeper import Clock, utc_now
from evenhand.store.labels import Labels
from evenhand.store.ledger import Ledger
from evenhand.store.links import Links
from evenhand.store.mined import MinedData
from evenhand.store.overviews import Overviews
from evenhand.store.people import People
from evenhand.store.refusals import Refusals
from evenhand.store.remarks import Remarks
from evenhand.store.retention import Retention
from evenhand.store.rows import FileCheck
from evenhand.store.sessions import Sessions
from evenhand.store.superseding import Superseding
from evenhand.store.tables import documents, refusals
from evenhand.store.throttle import Throttle
from evenhand.store.tokens import Tokens
from evenhand.store.versioning import upgrade
from evenhand.store.watch import Watch
from evenhand.store.workspace import Workspace


class Store(
    Jobs,
    Applications,
    Erasures,
    Documents,
    Refusals,
    MinedData,
    Duplicates,
    Following,
    Decisions,
    Batches,
    Alerts,
    Watch,
    Labels,
    Genesis,
    Ledger,
    Superseding,
    Remarks,
    Workspace,
    Imports,
    Accounts,
    Sessions,
    Links,
    Tokens,
    Throttle,
    JobAccess,
    Identities,
    Corrections,
    Backups,
    Retention,
    People,
    Overviews,
    AuditSchedules,
):
    """Each part is a module of its own; every public method is one transaction."""

    @classmethod
    def open(cls, url: str, *, files: Path, clock: Clock = utc_now) -> Store:
        """Makes or upgrades the database at sqlite:///... or postgresql+psycopg://..., and sweeps the files."""
        database = Database(url)
        try:
            upgrade(database)
            kept = Files(files)
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
