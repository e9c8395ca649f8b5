"""What an index that follows the store takes from it: what changed since a revision, and the masks found once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Column, Index, Row, Select, String, Table, delete, func, insert, or_, select

from evenhand.records import Profile
from evenhand.store.applications import Application, Form
from evenhand.store.base import StoreBase, from_row, pages, select_in, slices, touch
from evenhand.store.database import newest_revision
from evenhand.store.mined import OWN_DIGEST, OWN_PROFILE, OWN_VERSION, mined_documents, mined_masks, with_mined
from evenhand.store.tables import MASTER, applications, candidates, pack, unpack


@dataclass(frozen=True, slots=True)
class IndexRow:
    """An application with everything an index needs to know of it. Mined values are None until mined."""

    application: Application
    form: Form
    document_status: str | None  # parsed, partial, error
    warnings: tuple[tuple[str, str], ...]  # (code, message) of the file
    text: str | None
    packed_profile: bytes | None
    digest: bytes | None
    digest_version: str | None

    def profile(self) -> Profile | None:
        """Read on demand: a million profiles are not parsed for those who need the features only."""
        if self.packed_profile is None:
            return None
        return Profile.from_json(json.loads(unpack(self.packed_profile)), self.text or "")


removed = Table(
    "removed",
    MASTER,
    Column("application", String(32), primary_key=True),
    Column("revision", BigInteger, nullable=False),
    Index("ix_removed_revision", "revision"),
)

SLICE = 250  # rows with their texts held in memory at once


class ChangeFeed(StoreBase):
    def revision(self) -> int:
        """The newest. Whoever has taken in everything up to here is in step."""
        with self._database.reading() as connection:
            return newest_revision(connection)

    def applications_since(self, revision: int, *, until: int | None = None) -> Iterator[IndexRow]:
        """Applications changed after `revision` and up to `until` (now, unless given), in order of revision.

        One that changes meanwhile gets a revision beyond `until`: it is left out here and comes next time.
        """
        last = self.revision() if until is None else until
        query = _everything().where(applications.c.revision <= last)
        for rows in pages(self._rows, query, applications.c.revision, after=revision, size=SLICE):
            yield from map(_indexed, rows)

    def since(self, revision: int, *, until: int, limit: int) -> list[Application]:
        """The applications themselves, without what was mined: enough to see who changed and how."""
        query = (
            select(applications)
            .where(applications.c.revision > revision, applications.c.revision <= until)
            .order_by(applications.c.revision)
            .limit(limit)
        )
        return self._records(Application, query)

    def count_since(self, revision: int) -> int:
        query = select(func.count()).select_from(applications).where(applications.c.revision > revision)
        return int(self._scalar(query))

    def index_rows(self, ids: Sequence[str]) -> Iterator[IndexRow]:
        """Everything about these applications, those that are gone left out."""
        for some in slices(ids, SLICE):
            query = _everything().where(applications.c.id.in_(some)).order_by(applications.c.revision)
            yield from map(_indexed, self._rows(query))

    def removed_since(self, revision: int, *, until: int | None = None) -> Iterator[str]:
        """Ids of applications removed after `revision` and up to `until`."""
        last = self.revision() if until is None else until
        query = (
            select(removed.c.application)
            .where(removed.c.revision > revision, removed.c.revision <= last)
            .order_by(removed.c.revision)
        )
        yield from self._scalars(query)


def _everything() -> Select[Any]:
    query = select(
        applications,
        candidates.c.form,
        mined_documents.c.status.label("document_status"),
        mined_documents.c.warnings,
        mined_documents.c.text,
        OWN_PROFILE.label("profile"),
        OWN_DIGEST.label("digest"),
        OWN_VERSION.label("digest_version"),
    )
    return with_mined(query.join(candidates, candidates.c.id == applications.c.candidate))


def _indexed(row: Row[Any]) -> IndexRow:
    return IndexRow(
        application=from_row(Application, row),
        form=row.form,
        document_status=row.document_status,
        warnings=tuple((warning["code"], warning["message"]) for warning in row.warnings or ()),
        text=None if row.text is None else unpack(row.text),
        packed_profile=row.profile,
        digest=row.digest,
        digest_version=row.digest_version,
    )


@dataclass(frozen=True, slots=True)
class StoredMasks:
    """Good for an application whose content is of the same revision, by rules of the same version."""

    content: int
    version: str
    masks: bytes


class MaskStore(StoreBase):
    def missing(self, version: str, *, after: int = 0) -> list[str]:
        """Applications with facts that changed after this revision and have no masks of this version."""
        query = with_mined(select(applications.c.id, applications.c.revision).select_from(applications))
        query = query.outerjoin(mined_masks, mined_masks.c.application == applications.c.id).where(
            OWN_PROFILE.is_not(None),
            or_(
                mined_masks.c.application.is_(None),
                mined_masks.c.version != version,
                mined_masks.c.content != applications.c.content,
            ),
        )
        return [row.id for rows in pages(self._rows, query, applications.c.revision, after=after) for row in rows]

    def load(self, ids: Sequence[str]) -> dict[str, StoredMasks]:
        query = select(mined_masks)
        with self._database.reading() as connection:
            return {
                row.application: StoredMasks(row.content, row.version, unpack(row.masks).encode())
                for row in select_in(connection, query, mined_masks.c.application, ids)
            }

    def save(self, found: Mapping[str, bytes], rows: Sequence[IndexRow], version: str, *, indexed: int) -> None:
        """What was found in `rows`, unless they have changed since.

        An index that has reached the revision `indexed` holds those of before without masks, and has to take them anew.
        """
        with self._database.writing() as connection:
            query = select(applications.c.id, applications.c.content)
            current = {row.id: row.content for row in select_in(connection, query, applications.c.id, sorted(found))}
            same = [row.application for row in rows if current.get(row.application.id) == row.application.content]
            taken = [one.id for one in same if one.revision <= indexed]
            if taken:
                touch(connection, applications.c.id.in_(taken))
                current = {
                    row.id: row.content for row in select_in(connection, query, applications.c.id, sorted(found))
                }
            values = [
                {
                    "application": one.id,
                    "sha256": one.document,
                    "content": current[one.id],
                    "version": version,
                    "masks": pack(found[one.id].decode()),
                }
                for one in same
            ]
            if values:
                ids = [one.id for one in same]
                connection.execute(delete(mined_masks).where(mined_masks.c.application.in_(ids)))
                connection.execute(insert(mined_masks), values)

    def hidden_texts(self, sha256s: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Of each document, the texts that were set apart as hidden."""
        query = select(mined_documents.c.sha256, mined_documents.c.document)
        with self._database.reading() as connection:
            for row in select_in(connection, query, mined_documents.c.sha256, sha256s):
                yield row.sha256, [hidden["text"] for hidden in json.loads(unpack(row.document))["hidden"]]
