"""Corrections, erasures, backups and rules of retention as they come out of the store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ForeignKey, Integer, LargeBinary, Row, String, Table, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.records import Profile
from evenhand.store.base import StoreBase, new_id
from evenhand.store.tables import MASTER, CleanText, JsonText, UtcTime, clean, unpack


@dataclass(frozen=True, slots=True)
class StoredCorrection:
    """`change` says what is to be done to a reading; `old` and `new` are the values, to be shown."""

    id: str
    document: str
    application: str | None  # for whom it was made; None: that application has been erased
    field: str
    change: Mapping[str, Any]
    old: Any
    new: Any
    actor: str
    reason: str
    time: datetime
    undone: datetime | None = None
    undone_by: str | None = None
    ranks: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StoredReading:
    """What the program read from a document, and the corrections that stand on it, the oldest first."""

    document: str
    miner: str
    packed_profile: bytes
    text: str
    standing: tuple[StoredCorrection, ...] = ()

    def profile(self) -> Profile:
        """Before any correction."""
        return Profile.from_json(json.loads(unpack(self.packed_profile)), self.text)


@dataclass(frozen=True, slots=True)
class StoredErasure:
    """`certificate` has no signature until all is done."""

    id: str
    begun: datetime
    finished: datetime | None
    actor: str
    applications: tuple[str, ...]
    certificate: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ErasureScope:
    """What is kept of an application and would be erased with it, counted by kind."""

    application: str
    job: str
    candidate: str
    document: str
    counts: Mapping[str, int]
    keeps_document: bool  # another application came with the same file
    keeps_candidate: bool  # the same person has other applications


@dataclass(frozen=True, slots=True)
class Backup:
    id: str
    place: str
    made: datetime
    expires: datetime | None
    gone: datetime | None
    actor: str

    def holds(self, since: datetime, *, now: datetime) -> bool:
        """Whether what came at `since` is in it; a date on which it should be gone does not make it so."""
        return self.made >= since and self.made <= now and self.gone is None


@dataclass(frozen=True, slots=True)
class RetentionRule:
    """Applications in a status are kept so many days from the decision that brought them there."""

    job: str | None  # None: for every job without a rule of its own
    status: str
    days: int
    actor: str
    time: datetime


@dataclass(frozen=True, slots=True)
class RetentionHold:
    application: str
    actor: str
    reason: str
    time: datetime


@dataclass(frozen=True, slots=True)
class RetentionPeriod:
    """How long an application is kept: in its status since when, and until when by which rule."""

    application: str
    job: str
    status: str
    since: datetime
    rule: RetentionRule | None
    until: datetime | None
    hold: RetentionHold | None


# What applicants have a right to: corrections, erasures, how long they are kept, and where copies of them
# lie.

corrections = Table(
    "corrections",
    MASTER,
    Column("id", String(32), primary_key=True),
    # What was misread stands in the file: it is put right for everyone who sent it, and goes when the file goes.
    Column("document", ForeignKey("documents.sha256", ondelete="CASCADE"), nullable=False, index=True),
    Column("application", ForeignKey("applications.id", ondelete="SET NULL"), index=True),
    Column("field", String(32), nullable=False),
    Column("change", JsonText, nullable=False),  # the new value, and where in the text it and its entry stand
    Column("old", JsonText),
    Column("new", JsonText),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
    Column("undone", UtcTime),
    Column("undone_by", CleanText),
    Column("ranks", JsonText),  # in the job's list before and after, and after it was taken back
)

readings = Table(
    "readings",
    MASTER,
    Column("document", ForeignKey("documents.sha256", ondelete="CASCADE"), primary_key=True),
    Column("miner", CleanText, nullable=False),
    Column("profile", LargeBinary, nullable=False),  # packed, as the program read it, before any correction
)
"""Kept while corrections stand on them, so that one can be taken back without the others."""

erasures = Table(
    "erasures",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("begun", UtcTime, nullable=False),
    Column("finished", UtcTime),  # None: cut off, to be finished by whoever opens the store next
    Column("actor", CleanText, nullable=False),
    Column("applications", JsonText, nullable=False),  # ids, which mean nothing any more
    Column("certificate", JsonText, nullable=False),  # as far as it is known; signed when finished
)

backups = Table(
    "backups",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("place", CleanText, nullable=False),
    Column("made", UtcTime, nullable=False),
    Column("expires", UtcTime),
    Column("gone", UtcTime),
    Column("actor", CleanText, nullable=False),
)

retention_rules = Table(
    "retention_rules",
    MASTER,
    Column("job", String(32), primary_key=True),  # "" for every job without a rule of its own
    Column("status", String(16), primary_key=True),
    Column("days", Integer, nullable=False),
    Column("actor", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)

holds = Table(
    "holds",
    MASTER,
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), primary_key=True),
    Column("actor", CleanText, nullable=False),
    Column("reason", CleanText, nullable=False),
    Column("time", UtcTime, nullable=False),
)
"""Applications that must not be erased, such as while a court has to decide."""


# Where copies of everything lie, as far as somebody told: an erasure cannot reach them, but can name them.

PLACE_LENGTH = 500


class BackupStore(StoreBase):
    def add(self, place: str, *, actor: str, made: datetime | None = None, expires: datetime | None = None) -> str:
        """Its id. `made` is now unless given."""
        place = clean(" ".join(place.split()))
        if not place or len(place) > PLACE_LENGTH:
            raise UsageError(f"A backup needs a place of at most {PLACE_LENGTH} characters.")
        made = made or self._now()
        if expires is not None and expires <= made:
            raise UsageError("A backup cannot expire before it is made.")
        id = new_id()
        with self._database.writing() as connection:
            connection.execute(insert(backups).values(id=id, place=place, made=made, expires=expires, actor=actor))
        return id

    def end(self, id: str) -> None:
        """Somebody has seen to it that it is gone."""
        with self._database.writing() as connection:
            same = (backups.c.id == id) & backups.c.gone.is_(None)
            if connection.execute(update(backups).where(same).values(gone=self._now())).rowcount == 0:
                raise NotFound("There is no such backup, or it is gone already.")

    def all(self, *, gone: bool = False) -> list[Backup]:
        """The newest first; those that are gone only when asked for."""
        query = select(backups).order_by(backups.c.made.desc(), backups.c.id)
        if not gone:
            query = query.where(backups.c.gone.is_(None))
        with self._database.reading() as connection:
            return [_backup(row) for row in connection.execute(query)]


def _backup(row: Row[Any]) -> Backup:
    return Backup(row.id, row.place, row.made, row.expires, row.gone, row.actor)
