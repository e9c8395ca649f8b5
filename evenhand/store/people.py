"""What is one person's own: her applications by form and file name, and what lies behind her made-up name."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from sqlalchemy import String, cast, func, or_, select

from evenhand.store.columns import unpack
from evenhand.store.keeper import Keeper
from evenhand.store.ledger_tables import openings, seals
from evenhand.store.sealing import APPLICATION
from evenhand.store.tables import applications, candidates


class People(Keeper):
    def applications_naming(self, text: str, *, limit: int) -> list[str]:
        """Ids of applications whose form or file name holds the text, whatever its capitals; the newest first."""
        # Forms are kept as JSON in ASCII: what is looked for is written the same way.
        written = json.dumps(text.lower())[1:-1]
        form = func.lower(cast(candidates.c.form, String)).contains(written, autoescape=True)
        file = func.lower(applications.c.file).contains(text.lower(), autoescape=True)
        query = (
            select(applications.c.id)
            .join(candidates, candidates.c.id == applications.c.candidate)
            .where(or_(form, file))
            .order_by(applications.c.received.desc(), applications.c.id)
            .limit(limit)
        )
        with self._database.reading() as connection:
            return list(connection.scalars(query))

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
