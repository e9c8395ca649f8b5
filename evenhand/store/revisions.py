"""Telling an index that what it holds of some applications is no longer so."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, func, select, update

from evenhand.store.database import take_revisions
from evenhand.store.tables import applications


def touch(connection: Connection, condition: ColumnElement[bool]) -> None:
    """New revisions, in the old order, for the applications the condition holds for."""
    numbered = (
        select(applications.c.id, func.row_number().over(order_by=applications.c.revision).label("number"))
        .where(condition)
        .subquery()
    )
    count = connection.execute(select(func.count()).select_from(applications).where(condition)).scalar_one()
    if count == 0:
        return
    first = take_revisions(connection, count)
    connection.execute(
        update(applications)
        .where(applications.c.id == numbered.c.id)
        .values(revision=first - 1 + numbered.c.number, content=first - 1 + numbered.c.number)
    )
