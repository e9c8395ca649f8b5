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
    Row,
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
from evenhand.records.event import ApplicationRef, EventDraft, OwnedValue
from evenhand.store.base import StoreBase, from_row, pages, select_in, slices, touch
from evenhand.store.database import newest_revision
from evenhand.store.ledger_append import SUBJECTS, append, head
from evenhand.store.tables import MASTER, NAMES, BigId, CleanText, JsonText, applications, documents, pack, unpack
from evenhand.version import __version__


@dataclass(frozen=True, slots=True)
class MinedVersion:
    """What was mined from a document once, as an index took it; None where nothing had been."""

    application: str | None  # whose corrections it has; None: as read, for all without corrections of their own
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
class CorrectedReading:
    """A reading with the corrections of one application, ready to be shown and ranked."""

    profile: Profile
    digest: bytes
    digest_version: str


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
    Column("application", String(32)),  # who alone had it, by their corrections; None: all without any
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

corrected_profiles = Table(
    "corrected_profiles",
    MINED,
    Column("application", String(32), primary_key=True),
    Column("sha256", String(64), nullable=False, index=True),
    Column("profile", LargeBinary, nullable=False),  # as above, with the corrections of this application
    Column("version", CleanText, nullable=False),
    Column("digest", LargeBinary, nullable=False),
)
"""In the place of what was mined from the file, for this application alone."""

mined_masks = Table(
    "mined_masks",
    MINED,
    Column("application", String(32), primary_key=True),
    Column("sha256", String(64), nullable=False, index=True),
    Column("content", BigInteger, nullable=False),  # the revision of the application's content they were found in
    Column("version", CleanText, nullable=False),  # of the rules
    Column("masks", LargeBinary, nullable=False),
)
"""What is to be masked of an application: its form and the name of its file tell who somebody is, too."""

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


Holder = tuple[str, str | None]
"""A document, and the application with corrections of its own; None: all others with the document."""


def keep_superseded(connection: Connection, coming: Mapping[Holder, Content]) -> int:
    """Before what is `coming` (columns as in `CONTENT`) replaces what is there; how many documents really change."""
    sequence, until = head(connection)[0], newest_revision(connection)
    changed: set[str] = set()
    for some in slices(sorted({sha256 for sha256, _ in coming})):
        there = {(row.sha256, row.application): row._asdict() for row in _there(connection, some)}
        unreplaced = select(mined_versions).where(mined_versions.c.sha256.in_(some), mined_versions.c.until.is_(None))
        dropped = {(row.sha256, row.application): row._asdict() for row in connection.execute(unreplaced)}
        rows = []
        for sha256, application in _holders(connection, some, coming, {**there, **dropped}):
            holder, read = (sha256, application), (sha256, None)
            old: Content = next((kept[by] for by in (holder, read) for kept in (there, dropped) if by in kept), NOTHING)
            new: Content = coming.get(holder) or coming.get(read) or there[read]
            # With the document's own version superseded, one that was in force beside it has to stay beside it.
            if all(old[name] == new.get(name) for name in CONTENT) and not (application and sha256 in changed):
                if holder in dropped:  # it has come again as it was, and was never superseded
                    connection.execute(delete(mined_versions).where(mined_versions.c.id == old["id"]))
                continue
            changed.add(sha256)
            values = {"sequence": sequence, "until": until, "hash": _hash(old)}
            if holder in dropped:
                connection.execute(update(mined_versions).where(mined_versions.c.id == old["id"]).values(values))
            else:
                values |= {name: old[name] for name in ("miner", *CONTENT)}
                rows.append({"sha256": sha256, "application": application, **values})
        if rows:
            connection.execute(insert(mined_versions), rows)
    return len(changed)


def _holders(
    connection: Connection, sha256s: Sequence[str], coming: Mapping[Holder, Content], kept: Mapping[Holder, Content]
) -> list[Holder]:
    """Whose versions may change, documents first; of those that somebody has applied with: others ranked nobody."""
    query = select(applications.c.document).where(applications.c.document.in_(sha256s)).distinct()
    applied = set(connection.scalars(query))
    # With a new reading of the document goes everything that was made from the old one.
    holders = {*coming, *(holder for holder in kept if (holder[0], None) in coming)}
    return sorted((one for one in holders if one[0] in applied), key=lambda one: (one[0], one[1] or ""))


def replace_corrected(connection: Connection, coming: Mapping[Holder, Content]) -> None:
    """What applications have by their own corrections; with nothing coming they have what was read from the file."""
    for (sha256, application), content in coming.items():
        if application is not None:
            connection.execute(delete(corrected_profiles).where(corrected_profiles.c.application == application))
            if content:
                connection.execute(
                    insert(corrected_profiles).values(
                        application=application,
                        sha256=sha256,
                        profile=content["profile"],
                        version=content["digest_version"],
                        digest=content["digest"],
                    )
                )


def forget_versions(connection: Connection, sha256: str) -> None:
    connection.execute(delete(mined_versions).where(mined_versions.c.sha256 == sha256))


def _there(connection: Connection, sha256s: Sequence[str]) -> Iterator[Row[Any]]:
    for query in (_read(), _corrected()):
        yield from connection.execute(query.where(mined_documents.c.sha256.in_(sha256s)))


def _read() -> Select[Any]:
    return (
        select(
            mined_documents.c.sha256,
            literal(None, String(32)).label("application"),
            mined_documents.c.text,
            mined_profiles.c.miner,
            mined_profiles.c.profile,
            mined_digests.c.version.label("digest_version"),
            mined_digests.c.digest,
        )
        .outerjoin(mined_profiles, mined_profiles.c.sha256 == mined_documents.c.sha256)
        .outerjoin(mined_digests, mined_digests.c.sha256 == mined_documents.c.sha256)
    )


def _corrected() -> Select[Any]:
    return (
        select(
            mined_documents.c.sha256,
            corrected_profiles.c.application,
            mined_documents.c.text,
            mined_profiles.c.miner,
            corrected_profiles.c.profile,
            corrected_profiles.c.version.label("digest_version"),
            corrected_profiles.c.digest,
        )
        .join(corrected_profiles, corrected_profiles.c.sha256 == mined_documents.c.sha256)
        .join(mined_profiles, mined_profiles.c.sha256 == mined_documents.c.sha256)
    )


def _hash(content: Content) -> str:
    """Of text, facts and digest in the clear: how they are packed may change."""
    values = [unpack(content[name]) if content[name] is not None else None for name in ("text", "profile")]
    digest = content["digest"]
    return content_hash([*values, None if digest is None else digest.hex()])


# What an application has: by its own corrections, else as it was read.
OWN_PROFILE = func.coalesce(corrected_profiles.c.profile, mined_profiles.c.profile)
OWN_VERSION = func.coalesce(corrected_profiles.c.version, mined_digests.c.version)
OWN_DIGEST = func.coalesce(corrected_profiles.c.digest, mined_digests.c.digest)
READ = (
    *(column for column in mined_documents.c if column.name != "sha256"),
    *(mined_profiles.c.as_of, mined_profiles.c.miner),
)


def with_mined(query: Select[Any]) -> Select[Any]:
    """A query of applications, joined with what was read from their documents and corrected for each."""
    for table in (mined_documents, mined_profiles, mined_digests):
        query = query.outerjoin(table, table.c.sha256 == applications.c.document)
    return query.outerjoin(corrected_profiles, corrected_profiles.c.application == applications.c.id)


def mined_hashes(connection: Connection, ids: Sequence[str], *, corrected: bool = True) -> dict[str, str]:
    """Of all that was read, mined and corrected for each application, as it lies in the tables, for the ledger to
    commit to; a migration that packs it in another way has to say so in events. Documents that were not read are left
    out. Not `corrected`: of what their corrections are applied to."""
    facts: tuple[ColumnElement[Any], ...] = (OWN_PROFILE, OWN_VERSION, OWN_DIGEST)
    if not corrected:
        facts = mined_profiles.c.profile, mined_digests.c.version, mined_digests.c.digest
    query = with_mined(select(applications.c.id, *READ, *facts).select_from(applications))
    query = query.where(mined_documents.c.sha256.is_not(None))
    hashes = {}
    for row in select_in(connection, query, applications.c.id, sorted(set(ids))):
        columns: tuple[Any, ...] = tuple(row)[1:]
        values = [hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value for value in columns]
        hashes[row.id] = content_hash(values)
    return hashes


BY_HASH = (mined_documents, mined_profiles, mined_digests, mined_sketches)
Rows = dict[Table, dict[str, Any]]
"""What goes into which table for one document."""


class DocumentStore(StoreBase):
    def save_mined(
        self, items: Sequence[MiningResult], *, corrected: Mapping[str, CorrectedReading] | None = None
    ) -> None:
        """Replaces what was mined from these documents; their near duplicates are to be looked for anew.

        `corrected` has, by application, what their own corrections make of it. What is superseded is kept.
        """
        prepared = prepare(items)
        if not prepared:
            return
        with self._database.writing() as connection:
            coming = _contents(prepared) | corrected_contents(connection, corrected or {}, prepared)
            changed = keep_superseded(connection, coming)
            forget_mined(connection, list(prepared))
            _insert(connection, prepared)
            replace_corrected(connection, coming)
            body = {"action": "mine", "documents": len(items), "changed": changed, "versions": versions_of(items)}
            append(connection, _drafts(connection, list(prepared), body), self._now())

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

    def drop_mined(self) -> None:
        """Empties every mined table; each application gets a new revision, so that an index takes it anew."""
        with self._database.writing() as connection:
            # An index keeps what it has until something new comes, so this stays in force.
            names = ["sha256", "application", "hash", "miner", *CONTENT]
            for query in (_read(), _corrected()):
                source = query.add_columns(literal("").label("hash")).subquery()
                chosen = select(*(source.c[name] for name in names))
                connection.execute(insert(mined_versions).from_select(names, chosen))
            for table in MINED.sorted_tables:
                connection.execute(delete(table))
            touch(connection, true())
            append(connection, [EventDraft("mining", body={"action": "drop"})], self._now())

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
                version = MinedVersion(row.application, row.until, text, row.profile, row.digest, row.digest_version)
                versions.setdefault(row.sha256, []).append(version)
        return versions


def _drafts(connection: Connection, sha256s: Sequence[str], body: Mapping[str, Any]) -> list[EventDraft]:
    """What was mined is committed to for each application with the file, and forgotten with that application."""
    query = select(applications.c.id).order_by(applications.c.revision)
    rows = list(select_in(connection, query, applications.c.document, sha256s))
    ids = [row.id for row in rows]
    hashes, read = mined_hashes(connection, ids), mined_hashes(connection, ids, corrected=False)
    drafts = []
    for some in slices(rows, SUBJECTS):
        told = {
            row.id: {"mined": hashes.get(row.id)}
            | ({} if read.get(row.id) == hashes.get(row.id) else {"read": read[row.id]})
            for row in some
        }
        own = {str(at): OwnedValue(row.id, told[row.id]) for at, row in enumerate(some)}
        listed = {**body, "applications": [ApplicationRef(row.id) for row in some]}
        drafts.append(EventDraft("mining", body=listed, sealed=own))
        body = {**body, "documents": 0, "changed": 0}  # counted in the first event
    return drafts or [EventDraft("mining", body=body)]


def prepare(items: Iterable[MiningResult]) -> dict[str, Rows]:
    """The rows by document. Packing takes longer than writing, so it is done before others have to wait."""
    return {item.document.sha256: dict(_rows(item)) for item in items}


def save_absent(
    connection: Connection, prepared: Mapping[str, Rows], corrected: Mapping[str, CorrectedReading]
) -> None:
    """Saves what was mined from documents of which nothing is there yet."""
    present = _present(connection, list(prepared))
    absent = {sha256: rows for sha256, rows in prepared.items() if sha256 not in present}
    coming = _contents(absent) | corrected_contents(connection, corrected, absent)
    keep_superseded(connection, coming)
    _insert(connection, absent)
    replace_corrected(connection, coming)


def forget_mined(connection: Connection, sha256s: Sequence[str]) -> None:
    for some in slices(sha256s):
        for table in (*BY_HASH, corrected_profiles, mined_masks):
            connection.execute(delete(table).where(table.c.sha256.in_(some)))
        pair = or_(mined_duplicates.c.first.in_(some), mined_duplicates.c.second.in_(some))
        connection.execute(delete(mined_duplicates).where(pair))


def _present(connection: Connection, sha256s: Sequence[str]) -> set[str]:
    rows = select_in(connection, select(mined_documents.c.sha256), mined_documents.c.sha256, sha256s)
    return {row.sha256 for row in rows}


def corrected_contents(
    connection: Connection, corrected: Mapping[str, CorrectedReading], prepared: Mapping[str, Rows] | None = None
) -> dict[Holder, Content]:
    """What an index is made of, for applications with corrections; of documents that are `prepared`, or else there."""
    contents: dict[Holder, Content] = {}
    query = select(applications.c.id, applications.c.document, mined_documents.c.text)
    query = query.outerjoin(mined_documents, mined_documents.c.sha256 == applications.c.document)
    for row in select_in(connection, query, applications.c.id, sorted(corrected)):
        if prepared is not None and row.document not in prepared:
            continue
        reading = corrected[row.id]
        contents[row.document, row.id] = {
            "text": row.text if prepared is None else prepared[row.document][mined_documents]["text"],
            "profile": pack(canonical_json(reading.profile.to_json())),
            "digest_version": reading.digest_version,
            "digest": reading.digest,
        }
    return contents


def _contents(prepared: Mapping[str, Rows]) -> dict[Holder, Content]:
    """By document, what an index is made of."""
    contents: dict[Holder, Content] = {}
    for sha256, rows in prepared.items():
        digest = rows.get(mined_digests, {})
        contents[sha256, None] = {
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
