"""A ledger with everything in it, in an SQLite file that the tests may tamper with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evenhand.ledger.checkpoints import Checkpoint, SigningKey
from evenhand.ledger.verify import IntegrityFinding, verify
from evenhand.records import Failure, Job
from evenhand.records.event import FIRST, ApplicationRef, EventDraft, Link
from evenhand.store.applications import Refusal
from evenhand.store.store import Store
from tests.store.resumes import JOB, apply

TABLES = ("ledger", "openings", "decisions", "applications")
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
Rows = dict[str, list[tuple[Any, ...]]]


def write(store: Store) -> None:
    """Forty events of many kinds."""
    here, there = store.jobs.add(JOB, actor="ann"), store.jobs.add(JOB, actor="bob")
    ids = apply(store, here, *(f"Java {number}" for number in range(8)))
    others = apply(store, there, *(f"Python {number}" for number in range(4)))
    store.applications.add([], refusals=[Refusal(here, "x.pdf", None, Failure("too_large", "Too large."))])
    store.watchlist.add("no_hire", "Acme", note="2029", actor="ann")
    for number, id in enumerate(ids[:5]):
        listed = [[ApplicationRef(other), [["terms", 0.5 + number], ["skills", 0.25]]] for other in ids]
        body = {"ranker": "best", "total": len(ids), "listed": listed}
        store.ledger.append(
            [EventDraft("ranking", "ann", here, body=body, sealed={"criteria": {"text": f"q{number}"}})]
        )
        store.ledger.append([EventDraft("view", "ann", here, subjects=(id,))])
        store.decisions.decide([id], "shortlist", actor="ann", reason=f"Reason {number}.")
    store.jobs.change(here, Job(text=JOB.text, title="Java architect"), actor="ann")
    rejected = store.decisions.reject_rest(here, ids, ids[:2], actor="bob", reason="Filled.")
    store.decisions.undo(rejected.batch, actor="bob", reason="Wrong list.")
    store.decisions.decide(others[:2], "reject", actor="bob", reason="No Python.")
    store.erasures.remove_application(ids[4], actor="ann")
    store.erasures.remove_application(others[3])
    store.jobs.close(there)
    store.ledger.append([EventDraft("export", "ann", here, body={"count": 3}, sealed={"file": "x.csv"})] * 8)


class Tampered:
    """The file of a store behind its back; `restore` puts everything back."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = OFF")
        for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            self._connection.execute(f"DROP TRIGGER {name}")
        self.names = {table: self._columns(table) for table in TABLES}
        self.original = self.read()

    def close(self) -> None:
        self._connection.close()

    def read(self) -> Rows:
        return {table: self._connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES}

    def put(self, rows: Rows) -> None:
        """Only the tables that differ are written."""
        self._connection.execute("BEGIN")
        for table, values in rows.items():
            self._connection.execute(f"DELETE FROM {table}")
            marks = ",".join("?" * len(self.names[table]))
            self._connection.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
        self._connection.execute("COMMIT")

    def execute(self, statement: str) -> None:
        self._connection.execute(statement)

    def restore(self) -> None:
        self.put(self.original)

    def _columns(self, table: str) -> list[str]:
        return [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})")]


@contextmanager
def written(folder: Path) -> Iterator[tuple[Store, Tampered, Checkpoint]]:
    """A store, its file to tamper with, and a checkpoint of its newest event."""
    path = folder / "evenhand.db"
    with Store.open(f"sqlite:///{path}", files=folder / "files") as store:
        write(store)
        key = SigningKey.load_or_make(folder / "ledger" / "signing.key")
        checkpoint = Checkpoint.make(*store.ledger.head(), time=NOON, key=key)
        with closing(Tampered(path)) as tampered:
            yield store, tampered, checkpoint


def found(store: Store, *checkpoints: Checkpoint | int, key: str | None = None) -> list[IntegrityFinding]:
    return list(verify(store.ledger.chain(), checkpoints=checkpoints, key=key, tables=store.ledger))


def rehash(rows: list[tuple[Any, ...]], start: int) -> list[tuple[Any, ...]]:
    """The chain from `start` on as somebody who knows how it is made would write it."""
    changed = [Link(*row) for row in rows]
    for at in range(start, len(changed)):
        link = replace(changed[at], previous=changed[at - 1].hash if at else FIRST)
        changed[at] = replace(link, hash=link.computed_hash())
    return [row_of(link) for link in changed]


def row_of(link: Link) -> tuple[Any, ...]:
    return tuple(getattr(link, name) for name in Link.__slots__)
