"""What every part of the store stands on: the database, the files, the clock, and new ids."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from sqlalchemy import Column, ColumnElement, Connection, Row, Select, func, select, update

from evenhand.errors import EvenhandError
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

    def _rows(self, query: Select[Any]) -> Sequence[Row[Any]]:
        with self._database.reading() as connection:
            return connection.execute(query).all()

    def _records(self, kind: Callable[..., Item], query: Select[Any]) -> list[Item]:
        """Each row as a dataclass whose fields are its columns."""
        return [from_row(kind, row) for row in self._rows(query)]

    def _row(self, query: Select[Any]) -> Row[Any] | None:
        """The only one, or None."""
        with self._database.reading() as connection:
            return connection.execute(query).one_or_none()

    def _scalars(self, query: Select[Any]) -> Sequence[Any]:
        """The first column."""
        with self._database.reading() as connection:
            return connection.scalars(query).all()

    def _scalar(self, query: Select[Any]) -> Any:
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one()

    def _scalar_or_none(self, query: Select[Any]) -> Any:
        with self._database.reading() as connection:
            return connection.execute(query).scalar_one_or_none()


def utc_now() -> datetime:
    return datetime.now(UTC)


def new_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def from_row(kind: Callable[..., Item], row: Row[Any]) -> Item:
    """A dataclass whose fields are columns of the row."""
    return kind(*_columns(kind)(row))


@cache
def _columns(kind: Any) -> attrgetter[tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(kind)))


def one_row(connection: Connection, query: Select[Any], error: EvenhandError) -> Row[Any]:
    """The only row, or `error` is raised."""
    row = connection.execute(query).one_or_none()
    if row is None:
        raise error
    return row


def select_in(
    connection: Connection, query: Select[Any], column: ColumnElement[Any], values: Sequence[Any]
) -> Iterator[Row[Any]]:
    """The rows whose column has one of the values, however many those are."""
    for some in slices(values):
        yield from connection.execute(query.where(column.in_(some)))


def pages(
    read: Callable[[Select[Any]], Sequence[Row[Any]]],
    query: Select[Any],
    column: Column[Any],
    *,
    after: Any = "",
    size: int = SLICE,
) -> Iterator[Sequence[Row[Any]]]:
    """All rows in order of a unique column, so many at a time, beginning behind the value `after`."""
    while rows := read(query.where(column > after).order_by(column).limit(size)):
        yield rows
        after = getattr(rows[-1], column.name)


def slices(items: Sequence[Item], size: int = SLICE) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


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
