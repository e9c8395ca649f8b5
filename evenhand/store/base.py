"""What every part of the store stands on: the database, the files, the clock, and new ids."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, func, select, update

from evenhand.store.database import Database, take_revisions
from evenhand.store.files import FileStore
from evenhand.store.tables import applications

Clock = Callable[[], datetime]
Item = TypeVar("Item")
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: ids are read aloud and typed
ID_LENGTH = 16  # 80 bits: an id tells nothing and cannot be guessed
SLICE = 1000  # values in one IN list; both databases have a limit


@dataclass(slots=True)
class StoreContext:
    """What every part of the store works with."""

    database: Database
    files: FileStore
    clock: Clock


class StoreBase:
    """A part of the store. Every public method is one transaction."""

    def __init__(self, context: StoreContext) -> None:
        self._context = context
        self._database = context.database

    def _now(self) -> datetime:
        return self._context.clock()


def utc_now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def slices(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), SLICE):
        yield items[start : start + SLICE]


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
