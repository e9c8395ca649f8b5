"""What was mined from documents: kept apart from the master data, emptied and filled again at will."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Float,
    Index,
    LargeBinary,
    MetaData,
    Select,
    String,
    Table,
    and_,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    true,
    update,
)

from evenhand.errors import NotFound
from evenhand.records import Document, Profile, canonical_json, content_hash
from evenhand.records.event import SYSTEM, ApplicationRef, EventDraft, LedgerEvent, OwnedValue
from evenhand.store.base import StoreBase, from_row, pages, select_in, slices, touch
from evenhand.store.database import newest_revision
from evenhand.store.ledger_append import SUBJECTS, append, head
from evenhand.store.tables import MASTER, NAMES, BigId, CleanText, JsonText, applications, documents, pack, unpack
from evenhand.version import __version__


@dataclass(frozen=True, slots=True)
class MinedVersion:
    """What was mined from a document once, as an index took it; None where nothing had been."""

    until: int | None  # the last revision at which it was in force; None: it still is
    text: str | None
    packed_profile: bytes | None
    digest: bytes | None
    digest_version: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MiningResult:
    """All that was worked out from one file. A file that could not be read has a document only."""

    document: Document
    profile: Profile | None = None
    miner: str = ""  # version of what mined the profile
    digest: bytes | None = None
    digest_version: str = ""
    sketch: bytes | None = None


@dataclass(frozen=True, slots=True)
class StoredDocument:
    sha256: str
    size_bytes: int
    format: str | None
    file: str | None  # the first name under which it came
    received: datetime


mined_versions = Table(
    "mined_versions",
    MASTER,
    Column("id", BigId, primary_key=True),
    Column("sha256", String(64), nullable=False),
    Column("sequence", BigInteger),  # the newest event when it was superseded
    Column("until", BigInteger),  # the last revision at which it was in force; None: dropped, and nothing new yet
    Column("hash", String(64), nullable=False),
    Column("miner", CleanText),
    Column("text", LargeBinary),  # None, as the next ones: nothing had been mined until then
    Column("profile", LargeBinary),
    Column("digest_version", CleanText),
    Column("digest", LargeBinary),
    Index("ix_mined_versions_sha256_until", "sha256", "until"),
)

# The mined tables: everything worked out from the files. They can be emptied and filled again.
# No foreign key leads from here to the master tables or back: either side can be replaced without the other.
MINED = MetaData(naming_convention=NAMES)

mined_documents = Table(
    "mined_documents",
    MINED,
    Column("sha256", String(64), primary_key=True),
    Column("status", String(16), nullable=False),
    Column("error_code", String(32)),
    Column("error_message", CleanText),
    Column("warnings", JsonText, nullable=False),
    Column("text", LargeBinary, nullable=False),  # packed, as are the next and the profile
    Column("document", LargeBinary, nullable=False),  # Document.to_json() without its text
)

mined_profiles = Table(
    "mined_profiles",
    MINED,
    Column("sha256", String(64), primary_key=True),
    Column("as_of", String(16), nullable=False),
    Column("miner", CleanText, nullable=False),  # version of what mined it
    Column("profile", LargeBinary, nullable=False),
)

mined_digests = Table(
    "mined_digests",
    MINED,
    Column("sha256", String(64), primary_key=True),
    Column("version", CleanText, nullable=False),
    Column("digest", LargeBinary, nullable=False),
)

mined_sketches = Table(
    "mined_sketches",
    MINED,
    Column("sha256", String(64), primary_key=True),
    Column("sketch", LargeBinary, nullable=False),
    # Whether its near duplicates have been looked for; a run that is cut off continues from here.
    Column("compared", Boolean, nullable=False),
    Index("ix_mined_sketches_compared_sha256", "compared", "sha256"),
)

mined_duplicates = Table(
    "mined_duplicates",
    MINED,
    Column("first", String(64), primary_key=True),  # the smaller hash of the two
    Column("second", String(64), primary_key=True, index=True),
    Column("resemblance", Float, nullable=False),
)

# Keeps what was mined before it is replaced, so that a ranking of that time can be worked out again.
CONTENT = ("text", "profile", "digest_version", "digest")
"""What an index is made of; the same of another version of the miner is no other content."""

Content = Mapping[str, Any]
NOTHING: Content = dict.fromkeys(("miner", *CONTENT))


def keep_superseded(connection: Connection, coming: Mapping[str, Content]) -> int:
    """Before what is `coming` (by document, columns as in `CONTENT`) replaces what is there; how many really change."""
    sequence, until = head(connection)[0], newest_revision(connection)
    changed = 0
    for some in slices(sorted(coming)):
        present = _there().where(mined_documents.c.sha256.in_(some))
        there = {row.sha256: row._asdict() for row in connection.execute(present)}
        unreplaced = select(mined_versions).where(mined_versions.c.sha256.in_(some), mined_versions.c.until.is_(None))
        dropped = {row.sha256: row._asdict() for row in connection.execute(unreplaced)}
        rows = []
        for sha256 in _applied(connection, some):
            old: Content = there.get(sha256) or dropped.get(sha256) or NOTHING
            if all(old[name] == coming[sha256].get(name) for name in CONTENT):
                continue
            changed += 1
            if sha256 not in dropped:
                values = {name: old[name] for name in ("miner", *CONTENT)}
                rows.append({"sha256": sha256, "sequence": sequence, "until": until, "hash": _hash(old), **values})
        if rows:
            connection.execute(insert(mined_versions), rows)
        for sha256, old in dropped.items():
            # It has come again as it was, and was never superseded, or it is superseded now.
            row = mined_versions.c.id == old["id"]
            if all(old[name] == coming[sha256].get(name) for name in CONTENT):
                connection.execute(delete(mined_versions).where(row))
            else:
                values = {"sequence": sequence, "until": until, "hash": _hash(old)}
                connection.execute(update(mined_versions).where(row).values(values))
    return changed


def forget_versions(connection: Connection, sha256: str) -> None:
    connection.execute(delete(mined_versions).where(mined_versions.c.sha256 == sha256))


def _there() -> Select[Any]:
    return (
        select(
            mined_documents.c.sha256,
            mined_documents.c.text,
            mined_profiles.c.miner,
            mined_profiles.c.profile,
            mined_digests.c.version.label("digest_version"),
            mined_digests.c.digest,
        )
        .outerjoin(mined_profiles, mined_profiles.c.sha256 == mined_documents.c.sha256)
        .outerjoin(mined_digests, mined_digests.c.sha256 == mined_documents.c.sha256)
    )


def _applied(connection: Connection, sha256s: Sequence[str]) -> Iterator[str]:
    """Those that somebody has applied with: nobody was ever ranked by the others."""
    query = select(applications.c.document).where(applications.c.document.in_(sha256s)).distinct()
    yield from sorted(connection.scalars(query))


def _hash(content: Content) -> str:
    """Of text, facts and digest in the clear: how they are packed may change."""
    values = [unpack(content[name]) if content[name] is not None else None for name in ("text", "profile")]
    digest = content["digest"]
    return content_hash([*values, None if digest is None else digest.hex()])


READ = (
    *(column for column in mined_documents.c if column.name != "sha256"),
    *(mined_profiles.c.as_of, mined_profiles.c.miner, mined_profiles.c.profile),
    *(mined_digests.c.version, mined_digests.c.digest),
)


def mined_hashes(connection: Connection, sha256s: Sequence[str]) -> dict[str, str]:
    """Of all that was read and mined from each document, as it lies in the tables, for the ledger to commit to; a
    migration that packs it in another way has to say so in events. Documents that were not read are left out."""
    query = select(mined_documents.c.sha256, *READ)
    for table in (mined_profiles, mined_digests):
        query = query.outerjoin(table, table.c.sha256 == mined_documents.c.sha256)
    hashes = {}
    for row in select_in(connection, query, mined_documents.c.sha256, sorted(set(sha256s))):
        columns: tuple[Any, ...] = tuple(row)[1:]
        values = [hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value for value in columns]
        hashes[row.sha256] = content_hash(values)
    return hashes


BY_HASH = (mined_documents, mined_profiles, mined_digests, mined_sketches)
Rows = dict[Table, dict[str, Any]]
"""What goes into which table for one document."""


class DocumentStore(StoreBase):
    def save_mined(
        self, items: Sequence[MiningResult], *, actor: str = SYSTEM, drafts: Sequence[EventDraft] = ()
    ) -> list[LedgerEvent]:
        """Replaces what was mined from these documents; their near duplicates are to be looked for anew.

        What is superseded is kept. `drafts` say why, such as a correction; without any, mining was done again.
        """
        prepared = prepare(items)
        if not prepared:
            return []
        with self._database.writing() as connection:
            changed = keep_superseded(connection, _contents(prepared))
            forget_mined(connection, list(prepared))
            _insert(connection, prepared)
            body = {"action": "mine", "documents": len(items), "changed": changed, "versions": versions_of(items)}
            return append(connection, drafts or _drafts(connection, list(prepared), body, actor), self._now())

    def unmined(self, *, miner: str = "", digest_version: str = "") -> Iterator[str]:
        """Documents never mined, or whose profile or digest is of another version than those asked for, if any."""
        readable = mined_documents.c.status != "error"
        lacking: list[ColumnElement[bool]] = [mined_documents.c.sha256.is_(None)]
        for column, version in ((mined_profiles.c.miner, miner), (mined_digests.c.version, digest_version)):
            if version:
                lacking.append(and_(readable, func.coalesce(column, "") != version))
        query = select(documents.c.sha256).where(or_(*lacking))
        for table in (mined_documents, mined_profiles, mined_digests):
            query = query.outerjoin(table, table.c.sha256 == documents.c.sha256)
        for rows in pages(self._rows, query, documents.c.sha256):
            yield from (row.sha256 for row in rows)

    def mined(self, sha256s: Sequence[str]) -> set[str]:
        """Those of the documents that have been mined."""
        with self._database.reading() as connection:
            return _present(connection, sha256s)

    def get(self, sha256: str) -> Document:
        """As it was read, with its lines."""
        query = select(mined_documents.c.text, mined_documents.c.document)
        row = self._row(query.where(mined_documents.c.sha256 == sha256))
        if row is None:
            raise NotFound(f"The document {sha256} has not been read yet.")
        return Document.from_json({**json.loads(unpack(row.document)), "text": unpack(row.text)})

    def text(self, sha256: str) -> str:
        """The visible text alone, much quicker than the whole document; empty when it has not been read."""
        query = select(mined_documents.c.text).where(mined_documents.c.sha256 == sha256)
        packed: bytes | None = self._scalar_or_none(query)
        return "" if packed is None else unpack(packed)

    def profile(self, sha256: str) -> Profile | None:
        """None when the document could not be read, or has not been mined yet."""
        query = (
            select(mined_profiles.c.profile, mined_documents.c.text)
            .join(mined_documents, mined_documents.c.sha256 == mined_profiles.c.sha256)
            .where(mined_profiles.c.sha256 == sha256)
        )
        row = self._row(query)
        return Profile.from_json(json.loads(unpack(row.profile)), unpack(row.text)) if row else None

    def drop_mined(self, *, actor: str = SYSTEM) -> None:
        """Empties every mined table; each application gets a new revision, so that an index takes it anew."""
        with self._database.writing() as connection:
            # An index keeps what it has until something new comes, so this stays in force.
            source = _there().add_columns(literal("").label("hash")).subquery()
            names = ["sha256", "hash", "miner", *CONTENT]
            chosen = select(*(source.c[name] for name in names))
            connection.execute(insert(mined_versions).from_select(names, chosen))
            for table in MINED.sorted_tables:
                connection.execute(delete(table))
            touch(connection, true())
            append(connection, [EventDraft("mining", actor, body={"action": "drop"})], self._now())

    def info(self, sha256s: Sequence[str]) -> list[StoredDocument]:
        """In order of their hashes; those that are not kept are left out."""
        query = select(documents).order_by(documents.c.sha256)
        with self._database.reading() as connection:
            rows = select_in(connection, query, documents.c.sha256, sorted(set(sha256s)))
            return [from_row(StoredDocument, row) for row in rows]

    def mined_versions(self, sha256s: Sequence[str]) -> dict[str, list[MinedVersion]]:
        """What was in force once, the oldest first, by document."""
        query = select(mined_versions).order_by(mined_versions.c.id)
        versions: dict[str, list[MinedVersion]] = {}
        with self._database.reading() as connection:
            for row in select_in(connection, query, mined_versions.c.sha256, sorted(set(sha256s))):
                text = None if row.text is None else unpack(row.text)
                version = MinedVersion(row.until, text, row.profile, row.digest, row.digest_version)
                versions.setdefault(row.sha256, []).append(version)
        return versions


def _drafts(connection: Connection, sha256s: Sequence[str], body: Mapping[str, Any], actor: str) -> list[EventDraft]:
    """What was mined is committed to for each application with the file, and forgotten with that application."""
    hashes = mined_hashes(connection, sha256s)
    query = select(applications.c.id, applications.c.document).order_by(applications.c.revision)
    rows = list(select_in(connection, query, applications.c.document, sha256s))
    drafts = []
    for some in slices(rows, SUBJECTS):
        own = {str(at): OwnedValue(row.id, {"mined": hashes.get(row.document)}) for at, row in enumerate(some)}
        listed = {**body, "applications": [ApplicationRef(row.id) for row in some]}
        drafts.append(EventDraft("mining", actor, body=listed, sealed=own))
        body = {**body, "documents": 0, "changed": 0}  # counted in the first event
    return drafts or [EventDraft("mining", actor, body=body)]


def prepare(items: Iterable[MiningResult]) -> dict[str, Rows]:
    """The rows by document. Packing takes longer than writing, so it is done before others have to wait."""
    return {item.document.sha256: dict(_rows(item)) for item in items}


def save_absent(connection: Connection, prepared: Mapping[str, Rows]) -> None:
    """Saves what was mined from documents of which nothing is there yet."""
    present = _present(connection, list(prepared))
    absent = {sha256: rows for sha256, rows in prepared.items() if sha256 not in present}
    keep_superseded(connection, _contents(absent))
    _insert(connection, absent)


def forget_mined(connection: Connection, sha256s: Sequence[str]) -> None:
    for some in slices(sha256s):
        for table in BY_HASH:
            connection.execute(delete(table).where(table.c.sha256.in_(some)))
        pair = or_(mined_duplicates.c.first.in_(some), mined_duplicates.c.second.in_(some))
        connection.execute(delete(mined_duplicates).where(pair))


def _present(connection: Connection, sha256s: Sequence[str]) -> set[str]:
    rows = select_in(connection, select(mined_documents.c.sha256), mined_documents.c.sha256, sha256s)
    return {row.sha256 for row in rows}


def _contents(prepared: Mapping[str, Rows]) -> dict[str, dict[str, Any]]:
    """By document, what an index is made of."""
    contents = {}
    for sha256, rows in prepared.items():
        digest = rows.get(mined_digests, {})
        contents[sha256] = {
            "text": rows[mined_documents]["text"],
            "profile": rows.get(mined_profiles, {}).get("profile"),
            "digest_version": digest.get("version"),
            "digest": digest.get("digest"),
        }
    return contents


def versions_of(items: Sequence[MiningResult]) -> dict[str, Any]:
    """Of what read and mined them, for the ledger."""
    return {
        "evenhand": __version__,
        "miner": sorted({item.miner for item in items}),
        "digest": sorted({item.digest_version for item in items}),
    }


def _insert(connection: Connection, prepared: Mapping[str, Rows]) -> None:
    for table in BY_HASH:
        if values := [rows[table] for rows in prepared.values() if table in rows]:
            connection.execute(insert(table), values)
    for some in slices(sorted(prepared)):
        touch(connection, applications.c.document.in_(some))


def _rows(item: MiningResult) -> Iterator[tuple[Table, dict[str, Any]]]:
    sha256 = item.document.sha256
    yield mined_documents, _document_row(item.document)
    if item.profile:
        profile = pack(canonical_json(item.profile.to_json()))
        yield (mined_profiles, {"sha256": sha256, "as_of": item.profile.as_of, "miner": item.miner, "profile": profile})
    if item.digest is not None:
        yield mined_digests, {"sha256": sha256, "version": item.digest_version, "digest": item.digest}
    if item.sketch is not None:
        yield mined_sketches, {"sha256": sha256, "sketch": item.sketch, "compared": False}


def _document_row(document: Document) -> dict[str, Any]:
    value = document.to_json()
    text = value.pop("text")
    return {
        "sha256": document.sha256,
        "status": document.status,
        "error_code": document.error.code if document.error else None,
        "error_message": document.error.message if document.error else None,
        "warnings": value["warnings"],
        "text": pack(text),
        "document": pack(canonical_json(value)),
    }
