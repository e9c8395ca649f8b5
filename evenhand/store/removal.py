"""Erasing applications, and with the last one of a candidate or document those too, wherever it is cut off."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, insert, select

from evenhand.records.event import SYSTEM, Draft
from evenhand.store.appending import append
from evenhand.store.applications import no_such_application, select_applications
from evenhand.store.database import take_revisions
from evenhand.store.keeper import Keeper, slices
from evenhand.store.mined import forget_mined
from evenhand.store.sealing import forget_subject
from evenhand.store.superseding import forget_versions
from evenhand.store.tables import applications, candidates, documents, refusals, removed


class Removal(Keeper):
    def remove_application(self, id: str, *, actor: str = SYSTEM) -> None:
        """Its decisions stay on record. A file goes after the rows that refer to it, never before."""
        with self._database.writing() as connection:
            row = next(iter(select_applications(connection, [id])), None)
            if row is None:
                raise no_such_application(id)
            connection.execute(delete(applications).where(applications.c.id == id))
            revision = take_revisions(connection, 1)
            connection.execute(insert(removed).values(application=id, revision=revision))
            self._erase_candidate(connection, row.candidate)
            self._erase_document(connection, row.document)
            append(connection, [Draft("erasure", actor, row.job, subjects=(id,))], self._now())
            forget_subject(connection, id)
        self.erase_files()

    def erase_files(self) -> int:
        """Those whose removal has begun and that nothing refers to; also what a run that was cut off has left."""
        leaving = list(self.files.leaving())
        if not leaving:
            return 0
        with self._database.writing() as connection:  # or someone could begin to refer to one of them now
            claimed = _claimed(connection, leaving)
            for sha256 in leaving:
                if sha256 not in claimed:
                    self.files.remove(sha256)
                self.files.forget_leaving(sha256)
        return len(leaving) - len(claimed)

    def _erase_candidate(self, connection: Connection, candidate: str) -> None:
        query = select(applications.c.id).where(applications.c.candidate == candidate).limit(1)
        if connection.execute(query).first() is None:
            connection.execute(delete(candidates).where(candidates.c.id == candidate))

    def _erase_document(self, connection: Connection, sha256: str) -> None:
        query = select(applications.c.id).where(applications.c.document == sha256).limit(1)
        if connection.execute(query).first() is None:
            forget_mined(connection, [sha256])
            forget_versions(connection, sha256)
            connection.execute(delete(documents).where(documents.c.sha256 == sha256))
            self.files.note_leaving(sha256)


def _claimed(connection: Connection, sha256s: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for some in slices(sha256s):
        for table in (documents, refusals):
            found |= set(connection.scalars(select(table.c.sha256).where(table.c.sha256.in_(some))))
    return found
