"""Corrections of what was read from a file, each for one application. They are the master: what is shown of an
application is the reading with its own corrections applied."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    PrimaryKeyConstraint,
    String,
    Table,
    insert,
    select,
    update,
)

from evenhand.errors import NotFound, UsageError
from evenhand.records import Profile, content_hash
from evenhand.records.event import EventDraft
from evenhand.store.applications import Application, existing_application
from evenhand.store.base import StoreBase, from_row, new_id, one_row, select_in, touch
from evenhand.store.ledger_append import append
from evenhand.store.mined import (
    CorrectedReading,
    corrected_contents,
    keep_superseded,
    mined_documents,
    mined_hashes,
    mined_profiles,
    replace_corrected,
)
from evenhand.store.tables import MASTER, CleanText, JsonText, UtcTime, applications, unpack

CORRECT, ACCEPT, DECLINE, CARRY, UNDO = "correct", "accept", "decline", "carry", "undo"
APPLICATION, PERSON = "application", "person"  # how far a correction was meant to reach


@dataclass(frozen=True, slots=True)
class StoredCorrection:
    """`change` says what is to be done to a reading; `old` and `new` are the values, to be shown.

    `id` is that of the correction when it was first made: applications that took it over have it under the same.
    """

    id: str
    application: str
    document: str
    action: str  # how it came to this application: CORRECT, ACCEPT, DECLINE (it has no effect) or CARRY
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
    """What the program read from an application's document, and the corrections that stand on it, the oldest first."""

    application: str
    document: str
    packed_profile: bytes
    text: str
    standing: tuple[StoredCorrection, ...] = ()

    def profile(self) -> Profile:
        """Before any correction."""
        return Profile.from_json(json.loads(unpack(self.packed_profile)), self.text)


corrections = Table(
    "corrections",
    MASTER,
    Column("id", String(32), nullable=False),
    Column("application", ForeignKey("applications.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("document", ForeignKey("documents.sha256", ondelete="CASCADE"), nullable=False, index=True),
    # CARRY: from before corrections were kept for each application, when they were in force for everyone with the file.
    Column("action", String(16), nullable=False),
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
    PrimaryKeyConstraint("id", "application"),
)

ORDER = (corrections.c.time, corrections.c.id)
IN_FORCE = corrections.c.undone.is_(None) & (corrections.c.action != DECLINE)
OVERTAKEN = "This resume was corrected or reprocessed in the meantime. Reload the page, then correct it."
ANSWERED = "This correction has been accepted or declined already."


@dataclass(frozen=True, slots=True)
class CorrectionDraft:
    field: str
    change: Mapping[str, Any]
    old: Any
    new: Any
    reason: str


class CorrectionStore(StoreBase):
    def reading(self, application: str) -> StoredReading:
        """As the program read it, whatever has been corrected since."""
        with self._database.reading() as connection:
            reading = _reading(connection, application)
        if reading is None:
            raise NotFound(f"Nothing has been read for the application {application} yet.")
        return reading

    def of_application(self, application: str) -> list[StoredCorrection]:
        """The oldest first, with those that were declined or taken back."""
        query = select(corrections).where(corrections.c.application == application).order_by(*ORDER)
        return self._records(StoredCorrection, query)

    def active(self, documents: Sequence[str]) -> dict[str, tuple[StoredCorrection, ...]]:
        """Those in force for applications with these documents, by application, the oldest first."""
        query = select(corrections).where(IN_FORCE).order_by(*ORDER)
        active: dict[str, list[StoredCorrection]] = defaultdict(list)
        with self._database.reading() as connection:
            for row in select_in(connection, query, corrections.c.document, sorted(set(documents))):
                active[row.application].append(from_row(StoredCorrection, row))
        return {application: tuple(own) for application, own in active.items()}

    def proposed(self, application: Application) -> list[StoredCorrection]:
        """In force for other applications with the same file, and never this one's to have, to take back or to decline;
        each once, the oldest first."""
        own = select(corrections.c.id).where(corrections.c.application == application.id)
        query = select(corrections).where(
            IN_FORCE, corrections.c.document == application.document, corrections.c.id.not_in(own)
        )
        first: dict[str, StoredCorrection] = {}
        for row in self._records(StoredCorrection, query.order_by(*ORDER, corrections.c.application)):
            first.setdefault(row.id, row)
        return list(first.values())

    def add(
        self,
        made: Sequence[tuple[StoredReading, CorrectionDraft, CorrectedReading]],
        *,
        actor: str,
        scope: str = APPLICATION,
        accepted: str | None = None,
    ) -> str:
        """Its id. Each reading of an application becomes what stands beside it, all of them or none.

        `accepted` is the id of the proposed correction that this is.
        """
        id, action = accepted or new_id(), ACCEPT if accepted else CORRECT
        with self._database.writing() as connection:
            now = self._now()
            for of, new, result in made:
                _check_unchanged(connection, of)
                _insert(connection, action, id, of, new, actor, now)
                _replace(connection, of, result)
                _record(connection, action, id, of.application, new, actor, now, scope=scope)
        return id

    def decline(self, id: str, new: CorrectionDraft, *, of: StoredReading, actor: str) -> None:
        """The proposed correction is not made to this application, and not proposed to it again."""
        with self._database.writing() as connection:
            now = self._now()
            _insert(connection, DECLINE, id, of, new, actor, now)
            _record(connection, DECLINE, id, of.application, new, actor, now)

    def undo(
        self, id: str, *, of: StoredReading, result: CorrectedReading | None, actor: str, reason: str = ""
    ) -> None:
        """`result` is what `of` becomes without this one; None: what was read."""
        with self._database.writing() as connection:
            now = self._now()
            _check_unchanged(connection, of)
            undone = _correction(connection, id, of.application)
            if undone.id not in [correction.id for correction in of.standing]:
                raise UsageError("This correction was already undone.")
            connection.execute(update(corrections).where(_same(undone)).values(undone=now, undone_by=actor))
            _replace(connection, of, result)
            back = CorrectionDraft(undone.field, undone.change, undone.new, undone.old, reason)
            _record(connection, UNDO, id, of.application, back, actor, now)

    def record_ranks(self, id: str, application: str, ranks: Mapping[str, Any]) -> None:
        """What it changed in the job's list, which is known only when the index has followed."""
        with self._database.writing() as connection:
            made = _correction(connection, id, application)
            values = {"ranks": {**(made.ranks or {}), **ranks}}
            connection.execute(update(corrections).where(_same(made)).values(values))


def _reading(connection: Connection, application: str) -> StoredReading | None:
    mined = connection.execute(
        select(applications.c.document, mined_documents.c.text, mined_profiles.c.profile)
        .join(mined_documents, mined_documents.c.sha256 == applications.c.document)
        .join(mined_profiles, mined_profiles.c.sha256 == applications.c.document)
        .where(applications.c.id == application)
    ).one_or_none()
    if mined is None:
        return None
    rows = connection.execute(
        select(corrections).where(IN_FORCE, corrections.c.application == application).order_by(*ORDER)
    )
    standing = tuple(from_row(StoredCorrection, row) for row in rows)
    return StoredReading(application, mined.document, bytes(mined.profile), unpack(mined.text), standing)


def _check_unchanged(connection: Connection, of: StoredReading) -> None:
    """What was worked out from another state would lose what others did meanwhile."""
    now = _reading(connection, of.application)
    if now is None or now.packed_profile != of.packed_profile or now.text != of.text:
        raise UsageError(OVERTAKEN)
    if [correction.id for correction in now.standing] != [correction.id for correction in of.standing]:
        raise UsageError(OVERTAKEN)


def _insert(
    connection: Connection, action: str, id: str, of: StoredReading, new: CorrectionDraft, actor: str, now: datetime
) -> None:
    same = (corrections.c.id == id) & (corrections.c.application == of.application)
    if connection.execute(select(corrections.c.id).where(same)).first():
        raise UsageError(ANSWERED)
    values = {"id": id, "application": of.application, "document": of.document, "action": action, "actor": actor}
    connection.execute(insert(corrections).values(**values, time=now, **asdict(new)))


def _replace(connection: Connection, of: StoredReading, result: CorrectedReading | None) -> None:
    """The file is as it was, and so is what it resembles: only facts and features of this application change, and are
    kept as they were."""
    content = corrected_contents(connection, {of.application: result}) if result else {}
    coming = content or {(of.document, of.application): {}}
    keep_superseded(connection, coming)
    replace_corrected(connection, coming)
    touch(connection, applications.c.id == of.application)


def _record(
    connection: Connection,
    action: str,
    id: str,
    application: str,
    new: CorrectionDraft,
    actor: str,
    now: datetime,
    *,
    scope: str = APPLICATION,
) -> None:
    row = existing_application(connection, application)
    sealed = {"old": new.old, "new": new.new, **({"reason": new.reason} if new.reason else {})}
    # As a hash: whoever screens blind may read the event, and the change holds a name in clear.
    sealed["change"] = content_hash(new.change)
    if action != DECLINE:
        sealed["mined"] = mined_hashes(connection, [application])[application]
        sealed["read"] = mined_hashes(connection, [application], corrected=False)[application]
    # Events of versions that had no scope are of corrections for everyone with the file.
    body = {"action": action, "correction": id, "field": new.field, "scope": scope}
    append(connection, [EventDraft("correction", actor, row.job, subjects=(row.id,), body=body, sealed=sealed)], now)


def _same(correction: StoredCorrection) -> ColumnElement[bool]:
    return (corrections.c.id == correction.id) & (corrections.c.application == correction.application)


def _correction(connection: Connection, id: str, application: str) -> StoredCorrection:
    query = select(corrections).where(corrections.c.id == id, corrections.c.application == application)
    return from_row(StoredCorrection, one_row(connection, query, NotFound("There is no such correction.")))
