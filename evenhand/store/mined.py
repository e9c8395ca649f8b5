"""What was mined from documents: kept apart from the master data, emptied and filled again at will."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, insert, or_, select, true

from evenhand.errors import NotFound
from evenhand.records import Document, Profile, canonical_json
from evenhand.records.event import SYSTEM, Draft, Event
from evenhand.store.appending import append
from evenhand.store.columns import pack, unpack
from evenhand.store.keeper import SLICE, Keeper, slices
from evenhand.store.mined_tables import (
    MINED,
    mined_digests,
    mined_documents,
    mined_duplicates,
    mined_profiles,
    mined_sketches,
)
from evenhand.store.revisions import touch
from evenhand.store.rows import Mined
from evenhand.store.superseding import keep_dropped, keep_superseded
from evenhand.store.tables import applications, documents
from evenhand.version import __version__

BY_HASH = (mined_documents, mined_profiles, mined_digests, mined_sketches)
Rows = dict[Table, dict[str, Any]]
"""What goes into which table for one document."""


class MinedData(Keeper):
    def save_mined(
        self, items: Sequence[Mined], *, actor: str = SYSTEM, drafts: Sequence[Draft] = ()
    ) -> list[Event]:
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
            return append(connection, drafts or [_draft(items, changed, actor)], self._now())

    def unmined(self, *, miner: str = "", digest_version: str = "") -> Iterator[str]:
        """Documents never mined, or whose profile or digest is of another version than those asked for, if any."""
        after = ""
        while True:
            query = _unmined(miner, digest_version).where(documents.c.sha256 > after).limit(SLICE)
            with self._database.reading() as connection:
                hashes = connection.scalars(query).all()
            if not hashes:
                return
            yield from hashes
            after = hashes[-1]

    def mined(self, sha256s: Sequence[str]) -> set[str]:
        """Those of the documents that have been mined."""
        with self._database.reading() as connection:
            return _present(connection, sha256s)

    def document(self, sha256: str) -> Document:
        """As it was read, with its lines."""
        query = select(mined_documents.c.text, mined_documents.c.document)
        with self._database.reading() as connection:
            row = connection.execute(query.where(mined_documents.c.sha256 == sha256)).one_or_none()
        if row is None:
            raise NotFound(f"The document {sha256} has not been read yet.")
        return Document.from_json({**json.loads(unpack(row.document)), "text": unpack(row.text)})

    def document_text(self, sha256: str) -> str:
        """The visible text alone, much quicker than the whole document; empty when it has not been read."""
        query = select(mined_documents.c.text).where(mined_documents.c.sha256 == sha256)
        with self._database.reading() as connection:
            packed: bytes | None = connection.execute(query).scalar_one_or_none()
        return "" if packed is None else unpack(packed)

    def profile(self, sha256: str) -> Profile | None:
        """None when the document could not be read, or has not been mined yet."""
        query = (
            select(mined_profiles.c.profile, mined_documents.c.text)
            .join(mined_documents, mined_documents.c.sha256 == mined_profiles.c.sha256)
            .where(mined_profiles.c.sha256 == sha256)
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return Profile.from_json(json.loads(unpack(row.profile)), unpack(row.text)) if row else None

    def drop_mined(self, *, actor: str = SYSTEM) -> None:
        """Empties every mined table; each application gets a new revision, so that an index takes it anew."""
        with self._database.writing() as connection:
            keep_dropped(connection)
            for table in MINED.sorted_tables:
                connection.execute(delete(table))
            touch(connection, true())
            append(connection, [Draft("mining", actor, body={"action": "drop"})], self._now())


def prepare(items: Iterable[Mined]) -> dict[str, Rows]:
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
    found: set[str] = set()
    for some in slices(sha256s):
        query = select(mined_documents.c.sha256).where(mined_documents.c.sha256.in_(some))
        found |= set(connection.scalars(query))
    return found


def _unmined(miner: str, digest_version: str) -> Any:
    readable = mined_documents.c.status != "error"
    lacking: list[ColumnElement[bool]] = [mined_documents.c.sha256.is_(None)]
    for column, version in ((mined_profiles.c.miner, miner), (mined_digests.c.version, digest_version)):
        if version:
            lacking.append(and_(readable, func.coalesce(column, "") != version))
    query = select(documents.c.sha256)
    for table in (mined_documents, mined_profiles, mined_digests):
        query = query.outerjoin(table, table.c.sha256 == documents.c.sha256)
    return query.where(or_(*lacking)).order_by(documents.c.sha256)


def _contents(prepared: Mapping[str, Rows]) -> dict[str, dict[str, Any]]:
    """By document, what an index is made of."""
    found = {}
    for sha256, rows in prepared.items():
        digest = rows.get(mined_digests, {})
        found[sha256] = {
            "text": rows[mined_documents]["text"],
            "profile": rows.get(mined_profiles, {}).get("profile"),
            "digest_version": digest.get("version"),
            "digest": digest.get("digest"),
        }
    return found


def _draft(items: Sequence[Mined], changed: int, actor: str) -> Draft:
    versions = {
        "evenhand": __version__,
        "miner": sorted({item.miner for item in items}),
        "digest": sorted({item.digest_version for item in items}),
    }
    body = {"action": "mine", "documents": len(items), "changed": changed, "versions": versions}
    return Draft("mining", actor, body=body)


def _insert(connection: Connection, prepared: Mapping[str, Rows]) -> None:
    for table in BY_HASH:
        if values := [rows[table] for rows in prepared.values() if table in rows]:
            connection.execute(insert(table), values)
    for some in slices(sorted(prepared)):
        touch(connection, applications.c.document.in_(some))


def _rows(item: Mined) -> Iterator[tuple[Table, dict[str, Any]]]:
    sha256 = item.document.sha256
    yield mined_documents, _document_row(item.document)
    if item.profile:
        profile = pack(canonical_json(item.profile.to_json()))
        yield (
            mined_profiles,
            {"sha256": sha256, "as_of": item.profile.as_of, "miner": item.miner, "profile": profile},
        )
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
