"""Tamperings with a database that holds a ledger: every table and column, edited, deleted, inserted, and whole attacks.

Who tampers can write the database file, drops its triggers, and knows how the chain is made. They reach neither the
checkpoints kept elsewhere nor the key.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from evenhand.records.event import Link, event_hash

Row = tuple[Any, ...]

UNCOVERED: dict[str, frozenset[str] | None] = {
    # What the program works out by itself, and again whenever it is asked to.
    "evenhand_version": None,
    "counters": None,
    "removed": None,
    "mined_sketches": None,
    "mined_duplicates": None,
    "mined_masks": None,
    "mined_versions": None,  # checked by replay
    "applications": frozenset({"revision", "content"}),
    "documents": frozenset({"size_bytes", "format", "received"}),
    "job_versions": frozenset({"until"}),
    "refusals": frozenset({"id"}),
    "corrections": frozenset({"ranks"}),
    # What lets people in, and what they keep for themselves.
    "sessions": None,
    "links": None,
    "throttle": None,
    "pending_sign_ins": None,
    "users": frozenset({"password"}),
    "tokens": frozenset({"hash", "used"}),
    "saved_searches": None,
    "backups": None,
    "labels": None,
    # What the ledger does not know on purpose: who said what of their groups.
    "self_identifications": frozenset({"application", "variable", "value"}),
    # Progress and settings of work, not its outcome.
    "candidates": frozenset({"created"}),
    "imports": frozenset({"source", "created", "sealed"}),
    "import_files": frozenset(
        {"import", "number", "file", "sha256", "size_bytes", "code", "message", "application", "external_id"}
    ),
    "repeatable_answers": None,
    "audits": frozenset(
        {"request", "asked", "actor", "schedule", "due", "alive", "attempts", "done", "total", "doing", "message"}
        | {"findings", "previous", "scrubbed"}
    ),
    "audit_schedules": frozenset({"id", "request", "due"}),
    "erasures": frozenset({"applications", "finished"}),
}
"""Tables (None) and columns that verification does not cover: the list in docs/concepts/ledger.md, in detail."""


class TamperedDatabase:
    """A database file behind its program's back. Each tampering is undone by `restore`."""

    def __init__(self, path: Path, random: Random) -> None:
        self._path, self._random = path, random
        self._connection = sqlite3.connect(path, isolation_level=None)
        for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            self._connection.execute(f"DROP TRIGGER {name}")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._kept = sqlite3.connect(":memory:")
        self._connection.backup(self._kept)
        names = self._connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        self.tables = sorted(name for (name,) in names.fetchall())

    def close(self) -> None:
        self._connection.close()
        self._kept.close()

    def restore(self) -> None:
        self._kept.backup(self._connection)

    def columns(self, table: str) -> list[tuple[str, bool]]:
        """Names, and whether they are part of the primary key."""
        return [(row[1], bool(row[5])) for row in self._connection.execute(f'PRAGMA table_info("{table}")')]

    def ways(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        """Every way by name; calling it tampers, and returns whether anything is other than before."""
        for table in self.tables:
            uncovered = UNCOVERED.get(table, frozenset())
            if uncovered is None:
                continue
            for column, _ in self.columns(table):
                if column not in uncovered:
                    yield f"edit {table}.{column}", partial(self._edit, table, column)
            yield f"delete {table}", partial(self._delete, table)
            if not table.startswith("mined_"):  # what was read from a file that nobody applied with ranks nobody
                yield f"insert {table}", partial(self._insert, table)
        for name, attack in ATTACKS.items():
            yield name, partial(self._attack, attack)
        yield "reorder and rehash", self._reorder
        yield "rewrite and rehash", self._rewrite
        yield "cut off the end", lambda: self._write(self._events()[: -self._random.randint(1, 5)])

    def _row(self, table: str, column: str = "1", where: str = "1") -> tuple[int, Any] | None:
        rows = self._connection.execute(f'SELECT rowid, {column} FROM "{table}" WHERE {where}').fetchall()
        return self._random.choice(rows) if rows else None

    def _edit(self, table: str, column: str) -> bool:
        where = DECIDED.get(table, "1")
        row = self._row(table, f'"{column}"', where)
        if row is None:
            return False
        try:
            changed = other(row[1], self._random)
            self._connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (changed, row[0]))
        except sqlite3.IntegrityError:
            return False
        return True

    def _delete(self, table: str) -> bool:
        row = self._row(table)
        if row is not None:
            self._connection.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (row[0],))
        return row is not None

    def _insert(self, table: str) -> bool:
        """A copy of a row under another key."""
        row = self._row(table)
        if row is None:
            return False
        columns = self.columns(table)
        values = list(self._connection.execute(f'SELECT * FROM "{table}" WHERE rowid = ?', (row[0],)).fetchone())
        names = {name for name, _ in columns}
        for at, (name, is_key) in enumerate(columns):
            if is_key or name in UNIQUE & names:
                values[at] = other(values[at], self._random)
        marks = ", ".join("?" * len(values))
        try:
            self._connection.execute(f'INSERT INTO "{table}" VALUES ({marks})', values)
        except sqlite3.IntegrityError:
            return False
        return True

    def _attack(self, statements: tuple[str, ...]) -> bool:
        before = self._connection.total_changes
        for statement in statements:
            self._connection.execute(statement)
        return self._connection.total_changes > before

    def _events(self) -> list[Row]:
        return self._connection.execute("SELECT * FROM ledger ORDER BY sequence").fetchall()

    def _write(self, rows: list[Row]) -> bool:
        self._connection.execute("DELETE FROM ledger")
        self._connection.executemany(f"INSERT INTO ledger VALUES ({', '.join('?' * 8)})", rows)
        return True

    def _reorder(self) -> bool:
        rows = self._events()
        at = self._random.randrange(len(rows) - 1)
        first, second = rows[at], rows[at + 1]
        rows[at], rows[at + 1] = (first[0], *second[1:]), (second[0], *first[1:])
        return self._write(rehash(rows, at))

    def _rewrite(self) -> bool:
        """A decision with another outcome, in the event and in all tables, every hash right."""
        rows = self._events()
        decided = [at for at, row in enumerate(rows) if row[2] == "decision"]
        if not decided:
            return False
        at = self._random.choice(decided)
        body = json.loads(rows[at][5])
        body["moves"] = [[seal, before, "offered"] for seal, before, _ in body["moves"]]
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        rows[at] = (*rows[at][:5], text, *rows[at][6:])
        self._connection.execute("UPDATE decisions SET to_status = 'offered' WHERE sequence = ?", (rows[at][0],))
        self._connection.execute(
            "UPDATE applications SET status = 'offered' "
            "WHERE id IN (SELECT application FROM decisions WHERE sequence = ?)",
            (rows[at][0],),
        )
        return self._write(rehash(rows, at))


UNIQUE = frozenset({"id", "hash", "login", "seal", "revision", "document", "name"})
DECIDED = {"audits": "state = 'done'", "imports": "finished IS NOT NULL"}
"""Rows of work that has ended; before that there is no event of it."""

_GIVEN = "sequence = (SELECT max(sequence) FROM decisions WHERE reason != '')"
_ONE = "(SELECT max(id) FROM applications)"
ATTACKS = {
    "drop a reason, write another": (
        f"DELETE FROM openings WHERE name = 'reason' AND {_GIVEN}",
        f"UPDATE decisions SET reason = 'Forged.' WHERE {_GIVEN}",
    ),
    "drop an actor's seal, blame another": (
        "DELETE FROM seals WHERE kind = 'actor' AND key = (SELECT max(actor) FROM decisions)",
        "UPDATE decisions SET actor = 'mallory' WHERE actor = (SELECT max(actor) FROM decisions)",
    ),
    "drop an applicant's seal and decisions": (
        f"DELETE FROM seals WHERE kind = 'application' AND key = {_ONE}",
        f"DELETE FROM decisions WHERE application = {_ONE}",
        f"UPDATE applications SET status = 'new' WHERE id = {_ONE}",
    ),
    "drop a person without an erasure": (
        *(
            f"DELETE FROM {table} WHERE application = {_ONE}"
            for table in ("openings", "mentions", "decisions", "notes")
        ),
        f"DELETE FROM seals WHERE key = {_ONE}",
        f"DELETE FROM applications WHERE id = {_ONE}",
    ),
    "swap two applicants": (
        "UPDATE seals SET key = CASE key WHEN (SELECT max(id) FROM applications) THEN '-' ELSE key END",
        "UPDATE seals SET key = (SELECT max(id) FROM applications) WHERE key = (SELECT min(id) FROM applications)",
        "UPDATE seals SET key = (SELECT min(id) FROM applications) WHERE key = '-'",
    ),
    "give access": (
        "INSERT OR IGNORE INTO job_access SELECT j.id, u.id, u.created FROM jobs j, users u LIMIT 1 OFFSET 1",
    ),
    "all statuses anew": ("UPDATE applications SET status = 'rejected'",),
}


def rehash(rows: list[Row], start: int) -> list[Row]:
    """The chain from `start` on, as somebody who knows how it is made would write it."""
    history = rows[:start]
    for row in rows[start:]:
        previous = history[-1][7] if history else rows[0][6]
        moved = (*row[:6], previous, "")
        history.append((*moved[:7], event_hash(Link(*moved))))
    return history


def other(value: Any, random: Random) -> Any:
    """A value that is not the one given, of a kind that the column takes."""
    if value is None:
        return "2031-01-01 00:00:00.000000"
    if isinstance(value, int | float):
        return 1 - value if value in (0, 1) else value + random.choice((1, 2, 1000))
    if isinstance(value, bytes):
        try:
            text = zlib.decompress(value).decode()
        except (zlib.error, UnicodeDecodeError):
            at = random.randrange(len(value))
            return value[:at] + bytes([value[at] ^ (1 << random.randrange(8))]) + value[at + 1 :]
        return zlib.compress(other(text, random).encode())
    if value[:1] in "[{":
        try:
            inside = json.loads(value)
        except ValueError:
            return value + " "
        return json.dumps([*inside, "x"] if isinstance(inside, list) else {**inside, "forged": True})
    if value[:4].isdigit() and value[4:5] == "-":
        return value.replace("20", "19", 1)
    at = random.randrange(len(value) + 1)
    changed = value[:at] + random.choice("0123456789abcdef") + value[at + random.randrange(2) :]
    return changed if changed != value else value + "0"


def rolled_back(path: Path, earlier: Path) -> None:
    """The whole file as it was once."""
    with closing(sqlite3.connect(earlier)) as old, closing(sqlite3.connect(path)) as now:
        old.backup(now)
