"""What is to be masked of each application, as it was found once; bytes here, whose meaning is that of masking."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, or_, select

from evenhand.store.base import StoreBase, pages, select_in, touch
from evenhand.store.change_feed import IndexRow
from evenhand.store.mined import OWN_PROFILE, mined_documents, mined_masks, with_mined
from evenhand.store.tables import applications, pack, unpack


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
