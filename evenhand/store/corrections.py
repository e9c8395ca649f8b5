"""Corrections of what was read from a file. They are the master: what is shown is the reading with them applied."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, LargeBinary, String, Table, delete, insert, select, update

from evenhand.errors import NotFound, UsageError
from evenhand.records import Profile, canonical_json, content_hash
from evenhand.records.event import EventDraft
from evenhand.store.base import StoreBase, from_row, new_id, one_row, select_in, touch
from evenhand.store.ledger_append import append
from evenhand.store.mined import keep_superseded, mined_digests, mined_documents, mined_hashes, mined_profiles
from evenhand.store.tables import MASTER, CleanText, JsonText, UtcTime, applications, pack, unpack


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

ORDER = (corrections.c.time, corrections.c.id)
OVERTAKEN = "Somebody else has corrected this resume, or it was read anew, in the meantime. Look again, then correct."


@dataclass(frozen=True, slots=True)
class CorrectedReading:
    """A reading with its corrections applied, ready to be shown and ranked."""

    profile: Profile
    digest: bytes
    digest_version: str


@dataclass(frozen=True, slots=True)
class CorrectionDraft:
    field: str
    change: Mapping[str, Any]
    old: Any
    new: Any
    reason: str


class CorrectionStore(StoreBase):
    def reading(self, document: str) -> StoredReading:
        """As the program read it, whatever has been corrected since."""
        with self._database.reading() as connection:
            reading = _reading(connection, document)
        if reading is None:
            raise NotFound(f"Nothing has been read from the document {document} yet.")
        return reading

    def of_document(self, document: str) -> list[StoredCorrection]:
        """The oldest first, with those that were taken back."""
        query = select(corrections).where(corrections.c.document == document).order_by(*ORDER)
        return self._records(StoredCorrection, query)

    def get(self, id: str) -> StoredCorrection:
        with self._database.reading() as connection:
            return _correction(connection, id)

    def active(self, documents: Sequence[str]) -> dict[str, tuple[StoredCorrection, ...]]:
        """Those in force, by document, the oldest first; documents without any are left out."""
        query = select(corrections).where(corrections.c.undone.is_(None)).order_by(*ORDER)
        active: dict[str, list[StoredCorrection]] = defaultdict(list)
        with self._database.reading() as connection:
            for row in select_in(connection, query, corrections.c.document, sorted(set(documents))):
                active[row.document].append(from_row(StoredCorrection, row))
        return {document: tuple(own) for document, own in active.items()}

    def add(
        self, application: str, new: CorrectionDraft, *, of: StoredReading, result: CorrectedReading, actor: str
    ) -> str:
        """Its id. `result` is what `of` becomes with its corrections and this one."""
        id = new_id()
        with self._database.writing() as connection:
            now = self._now()
            _check_unchanged(connection, of)
            if not of.standing:
                _write_reading(connection, of.document, of.miner, of.packed_profile)
            connection.execute(
                insert(corrections).values(
                    id=id, document=of.document, application=application, actor=actor, time=now, **asdict(new)
                )
            )
            _replace(connection, of, result)
            _record(connection, "correct", id, of, new, actor, now)
        return id

    def undo(self, id: str, *, of: StoredReading, result: CorrectedReading, actor: str, reason: str = "") -> None:
        """`result` is what `of` becomes without this one."""
        with self._database.writing() as connection:
            now = self._now()
            _check_unchanged(connection, of)
            undone = _correction(connection, id)
            if undone.undone is not None or undone.document != of.document:
                raise UsageError("This correction has been taken back already.")
            same = corrections.c.id == id
            connection.execute(update(corrections).where(same).values(undone=now, undone_by=actor))
            _replace(connection, of, result)
            back = CorrectionDraft(undone.field, undone.change, undone.new, undone.old, reason)
            _record(connection, "undo", id, of, back, actor, now)
            if len(of.standing) <= 1:
                connection.execute(delete(readings).where(readings.c.document == of.document))

    def record_ranks(self, id: str, ranks: Mapping[str, Any]) -> None:
        """What it changed in the job's list, which is known only when the index has followed."""
        with self._database.writing() as connection:
            known = _correction(connection, id).ranks
            values = {"ranks": {**(known or {}), **ranks}}
            connection.execute(update(corrections).where(corrections.c.id == id).values(values))

    def save_readings(self, read: Mapping[str, tuple[str, Profile]]) -> None:
        """Of documents with corrections that were mined anew: by document the miner's version and what it read."""
        if not read:
            return
        with self._database.writing() as connection:
            for document, (miner, profile) in sorted(read.items()):
                _write_reading(connection, document, miner, pack(canonical_json(profile.to_json())))


def _reading(connection: Connection, document: str) -> StoredReading | None:
    mined = connection.execute(
        select(mined_documents.c.text, mined_profiles.c.miner, mined_profiles.c.profile)
        .join(mined_profiles, mined_profiles.c.sha256 == mined_documents.c.sha256)
        .where(mined_documents.c.sha256 == document)
    ).one_or_none()
    if mined is None:
        return None
    source = connection.execute(select(readings).where(readings.c.document == document)).one_or_none() or mined
    same = (corrections.c.document == document) & corrections.c.undone.is_(None)
    rows = connection.execute(select(corrections).where(same).order_by(*ORDER))
    standing = tuple(from_row(StoredCorrection, row) for row in rows)
    return StoredReading(document, source.miner, bytes(source.profile), unpack(mined.text), standing)


def _check_unchanged(connection: Connection, of: StoredReading) -> None:
    """What was worked out from another state would lose what others did meanwhile."""
    now = _reading(connection, of.document)
    if now is None or now.packed_profile != of.packed_profile or now.text != of.text:
        raise UsageError(OVERTAKEN)
    if [correction.id for correction in now.standing] != [correction.id for correction in of.standing]:
        raise UsageError(OVERTAKEN)


def _write_reading(connection: Connection, document: str, miner: str, packed: bytes) -> None:
    connection.execute(delete(readings).where(readings.c.document == document))
    connection.execute(insert(readings).values(document=document, miner=miner, profile=packed))


def _replace(connection: Connection, of: StoredReading, result: CorrectedReading) -> None:
    """The file is as it was, and so is what it resembles: only facts and features change, and are kept as they were."""
    row = connection.execute(select(mined_documents.c.text).where(mined_documents.c.sha256 == of.document)).one()
    content = {
        "text": row.text,
        "profile": pack(canonical_json(result.profile.to_json())),
        "digest_version": result.digest_version,
        "digest": result.digest,
    }
    keep_superseded(connection, {of.document: content})
    connection.execute(
        update(mined_profiles)
        .where(mined_profiles.c.sha256 == of.document)
        .values(profile=content["profile"], as_of=result.profile.as_of)
    )
    connection.execute(delete(mined_digests).where(mined_digests.c.sha256 == of.document))
    connection.execute(
        insert(mined_digests).values(sha256=of.document, version=result.digest_version, digest=result.digest)
    )
    touch(connection, applications.c.document == of.document)


def _record(
    connection: Connection, action: str, id: str, of: StoredReading, new: CorrectionDraft, actor: str, now: datetime
) -> None:
    """One event for each application with this file: each is forgotten when that application is erased."""
    query = select(applications.c.id, applications.c.job).where(applications.c.document == of.document)
    sealed = {"old": new.old, "new": new.new, **({"reason": new.reason} if new.reason else {})}
    # As a hash: whoever screens blind may read the event, and the change holds a name in clear.
    sealed |= {"change": content_hash(new.change), "mined": mined_hashes(connection, [of.document])[of.document]}
    body = {"action": action, "correction": id, "field": new.field}
    drafts = [
        EventDraft("correction", actor, row.job, subjects=(row.id,), body=body, sealed=sealed)
        for row in connection.execute(query.order_by(applications.c.revision))
    ]
    append(connection, drafts, now)


def _correction(connection: Connection, id: str) -> StoredCorrection:
    query = select(corrections).where(corrections.c.id == id)
    return from_row(StoredCorrection, one_row(connection, query, NotFound("There is no such correction.")))
