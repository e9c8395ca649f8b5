"""What changed since a revision, for an index that follows the store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Column, Index, Row, Select, String, Table, func, select

from evenhand.records import Profile
from evenhand.store.applications import Application, Form
from evenhand.store.base import StoreBase, from_row, pages, slices
from evenhand.store.database import newest_revision
from evenhand.store.mined import OWN_DIGEST, OWN_PROFILE, OWN_VERSION, mined_documents, with_mined
from evenhand.store.tables import MASTER, applications, candidates, unpack


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
