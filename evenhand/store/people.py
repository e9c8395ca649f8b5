"""What is one person's own: her applications by form and file name, and what lies behind her made-up name."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from sqlalchemy import select

from evenhand.store.columns import unpack
from evenhand.store.keeper import SLICE, Keeper
from evenhand.store.ledger_tables import openings, seals
from evenhand.store.sealing import APPLICATION
from evenhand.store.tables import applications, candidates


class People(Keeper):
    def applications_naming(self, text: str, *, limit: int) -> list[str]:
        """Ids of applications whose form or file name holds the text, whatever its capitals; in order of the ids.

        Every row is looked at: SQLite knows the small letters of ASCII only, and forms are kept with escapes.
        """
        found: list[str] = []
        wanted, after = text.casefold(), ""
        while len(found) < limit:
            query = (
                select(applications.c.id, applications.c.file, candidates.c.form)
                .join(candidates, candidates.c.id == applications.c.candidate)
                .where(applications.c.id > after)
                .order_by(applications.c.id)
                .limit(SLICE)
            )
            with self._database.reading() as connection:
                rows = connection.execute(query).all()
            if not rows:
                break
            found += [row.id for row in rows if wanted in f"{row.file} {_typed(row.form)}".casefold()]
            after = rows[-1].id
        return found[:limit]

    def openings_of(self, application: str) -> dict[int, dict[str, Any]]:
        """By event and name, the sealed values about this application, each with its salt."""
        query = select(openings).where(openings.c.application == application)
        found: dict[int, dict[str, Any]] = defaultdict(dict)
        with self._database.reading() as connection:
            for row in connection.execute(query.order_by(openings.c.sequence, openings.c.name)):
                found[row.sequence][row.name] = {"salt": row.salt, "value": json.loads(unpack(row.value))}
        return dict(found)

    def salt_of(self, application: str) -> str | None:
        """With which its seal was made; None where it is in no event."""
        same = (seals.c.kind == APPLICATION) & (seals.c.key == application)
        with self._database.reading() as connection:
            return connection.execute(select(seals.c.salt).where(same)).scalar_one_or_none()


def _typed(value: Any) -> str:
    """Everything that stands in a form, without the names of its fields."""
    if isinstance(value, dict):
        return " ".join(map(_typed, value.values()))
    return " ".join(map(_typed, value)) if isinstance(value, list) else str(value)
