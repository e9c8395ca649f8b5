"""The files that came, by their hash: under which name and when."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from evenhand.store.keeper import Keeper, slices
from evenhand.store.rows import KeptDocument
from evenhand.store.tables import documents


class Documents(Keeper):
    def documents(self, sha256s: Sequence[str]) -> list[KeptDocument]:
        """In order of their hashes; those that are not kept are left out."""
        found: list[KeptDocument] = []
        with self._database.reading() as connection:
            for some in slices(sorted(set(sha256s))):
                query = select(documents).where(documents.c.sha256.in_(some)).order_by(documents.c.sha256)
                found += [
                    KeptDocument(row.sha256, row.size_bytes, row.format, row.file, row.received)
                    for row in connection.execute(query)
                ]
        return found
