"""Somebody with the database file tampers with the ledger: one way at a time, drawn at random."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from evenhand.records.event import Link, event_hash

Row = tuple[object, ...]
COLUMNS = ("sequence", "time", "kind", "actor", "job", "body", "previous", "hash")


class Chain:
    """The rows of the ledger, as somebody who can write the file sees them."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path)
        self._connection.isolation_level = None
        triggers = self._connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for (name,) in triggers:  # they keep honest programs from mistakes, not an attacker
            self._connection.execute(f"DROP TRIGGER {name}")
        self.rows = self._connection.execute(
            f"SELECT {', '.join(COLUMNS)} FROM ledger ORDER BY sequence"
        ).fetchall()

    def write(self, rows: list[Row]) -> None:
        marks = ", ".join("?" * len(COLUMNS))
        self._connection.execute("BEGIN")
        self._connection.execute("DELETE FROM ledger")
        self._connection.executemany(f"INSERT INTO ledger ({', '.join(COLUMNS)}) VALUES ({marks})", rows)
        self._connection.execute("COMMIT")

    def close(self) -> None:
        self._connection.close()


Tamper = Callable[[list[Row], Random], list[Row]]


def alter(rows: list[Row], random: Random) -> list[Row]:
    """One field of one event: when, what, who, which job, the body."""
    at, column = random.randrange(len(rows)), random.choice((1, 2, 3, 5))
    value = str(rows[at][column])
    place = random.randrange(len(value))
    changed = value[:place] + ("0" if value[place] != "0" else "1") + value[place + 1 :]
    return [*rows[:at], _with(rows[at], column, changed), *rows[at + 1 :]]


def delete(rows: list[Row], random: Random) -> list[Row]:
    at = random.randrange(len(rows))
    return rows[:at] + rows[at + 1 :]


def insert(rows: list[Row], random: Random) -> list[Row]:
    """A copy of an event between two others, those after it counted on."""
    at = random.randrange(len(rows))
    later = [_with(row, 0, int(str(row[0])) + 1) for row in rows[at:]]
    return [*rows[:at], _with(random.choice(rows), 0, rows[at][0]), *later]


def reorder(rows: list[Row], random: Random) -> list[Row]:
    one, other = random.sample(range(len(rows)), 2)
    moved = list(rows)
    moved[one], moved[other] = _with(rows[other], 0, rows[one][0]), _with(rows[one], 0, rows[other][0])
    return moved


def truncate(rows: list[Row], random: Random) -> list[Row]:
    return rows[: -random.randint(1, len(rows) - 1)]


def rewrite(rows: list[Row], random: Random) -> list[Row]:
    """History from one event on told anew, with every hash right: only what was signed elsewhere knows better."""
    at = random.randrange(len(rows))
    told = rows[:at]
    for row in alter(rows, random)[at:] if random.random() < 0.5 else rows[at + 1 :]:
        previous = told[-1][7] if told else rows[0][6]
        number = int(str(told[-1][0])) + 1 if told else 1
        told.append(_hashed(_with(_with(row, 0, number), 6, previous)))
    return told


TAMPERINGS: dict[str, Tamper] = {
    "alter": alter,
    "delete": delete,
    "insert": insert,
    "reorder": reorder,
    "truncate": truncate,
    "rewrite": rewrite,
}


def tamper(path: Path, how: str, random: Random) -> bool:
    """Whether anything is other than before: a rewriting may by chance tell the truth."""
    with closing(Chain(path)) as chain:
        changed = TAMPERINGS[how](chain.rows, random)
        chain.write(changed)
        return changed != chain.rows


def _with(row: Row, column: int, value: object) -> Row:
    return (*row[:column], value, *row[column + 1 :])


def _hashed(row: Row) -> Row:
    return _with(row, 7, event_hash(Link(*row)))  # type: ignore[arg-type]
