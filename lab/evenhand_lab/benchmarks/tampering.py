"""Tamperings with a database that holds a ledger: every table and column, the chain, and the whole file.

Who tampers can write the database file, drops its triggers, and knows how the chain is made. They reach neither the
checkpoints kept elsewhere nor the key.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from evenhand.records import Failure
from evenhand.records.conversion import content_hash
from evenhand.records.event import Link, event_hash
from evenhand.store.corrections import CorrectionDraft
from evenhand.store.jobs import JobSettings
from evenhand.store.mined import CorrectedReading
from evenhand.store.store import Store

Row = tuple[Any, ...]
ChangeOfChain = Callable[[list[Row], Random], list[Row]]

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
    """A database file behind its program's back. Each tampering is undone by `restore`. `earlier`: older files."""

    def __init__(self, path: Path, random: Random, earlier: Sequence[Path] = ()) -> None:
        self._random, self._earlier = random, earlier
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
            yield f"attack: {name}", partial(self._attack, attack)
        for name, change in CHAIN.items():
            yield f"chain: {name}", partial(self._rewrite, change, is_rehashed=False)
            yield f"chain: {name}, every hash right", partial(self._rewrite, change, is_rehashed=True)
        yield "chain: another decision, in all tables, every hash right", self._decide_otherwise
        if self._earlier:
            yield "roll back: the whole file", self._roll_back

    def _row(self, table: str, column: str = "1", where: str = "1") -> tuple[int, Any] | None:
        rows = self._connection.execute(f'SELECT rowid, {column} FROM "{table}" WHERE {where}').fetchall()
        return self._random.choice(rows) if rows else None

    def _edit(self, table: str, column: str) -> bool:
        where = DECIDED.get(table, "1")
        row = self._row(table, f'"{column}"', where)
        if row is None:
            return False
        statement = f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?'
        return any(self._try(statement, [other(row[1], self._random), row[0]]) for _ in range(TRIES))

    def _try(self, statement: str, values: Sequence[Any]) -> bool:
        """False where the key is taken, or the value is none of the column's."""
        try:
            self._connection.execute(statement, values)
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
        kept = self._connection.execute(f'SELECT * FROM "{table}" WHERE rowid = ?', (row[0],)).fetchone()
        free = [is_key or name in UNIQUE for name, is_key in self.columns(table)]
        statement = f'INSERT INTO "{table}" VALUES ({", ".join("?" * len(kept))})'
        pairs = list(zip(kept, free, strict=True))
        return any(
            self._try(statement, [other(value, self._random) if is_free else value for value, is_free in pairs])
            for _ in range(TRIES)
        )

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

    def _rewrite(self, change: ChangeOfChain, *, is_rehashed: bool) -> bool:
        """A chain told otherwise; by chance it may say the same as before."""
        before = self._events()
        rows = change(before, self._random)
        if is_rehashed:
            rows = rehash(rows, next((at for at, row in enumerate(rows) if row != before[at]), len(rows)))
        return rows != before and self._write(rows)

    def _roll_back(self) -> bool:
        with closing(sqlite3.connect(self._random.choice(self._earlier))) as old:
            old.backup(self._connection)
        return True

    def _decide_otherwise(self) -> bool:
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


# The chain itself: an event changed, taken out, put in, moved, the end cut off.


def change_event(rows: list[Row], random: Random) -> list[Row]:
    """When, what, who, which job, or the body."""
    at, column = random.randrange(len(rows)), random.choice((1, 2, 3, 4, 5))
    return [*rows[:at], (*rows[at][:column], other(rows[at][column], random), *rows[at][column + 1 :]), *rows[at + 1 :]]


def take_out(rows: list[Row], random: Random) -> list[Row]:
    """The gap closed."""
    at = random.randrange(len(rows))
    return _numbered([*rows[:at], *rows[at + 1 :]])


def put_in(rows: list[Row], random: Random) -> list[Row]:
    """A copy between two others. Behind the last one it would be an event like any other."""
    at = random.randrange(len(rows))
    return _numbered([*rows[:at], random.choice(rows), *rows[at:]])


def exchange(rows: list[Row], random: Random) -> list[Row]:
    one, two = random.sample(range(len(rows)), 2)
    moved = list(rows)
    moved[one], moved[two] = rows[two], rows[one]
    return _numbered(moved)


def cut_off(rows: list[Row], random: Random) -> list[Row]:
    return rows[: -random.randrange(1, len(rows))]


def _numbered(rows: list[Row]) -> list[Row]:
    return [(number, *row[1:]) for number, row in enumerate(rows, start=1)]


CHAIN: dict[str, ChangeOfChain] = {
    "change an event": change_event,
    "take one out": take_out,
    "put one in": put_in,
    "exchange two": exchange,
    "cut off the end": cut_off,
}

TRIES = 8  # with keys, of which some are taken
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
        "INSERT INTO job_access SELECT j.id, u.id, u.created FROM jobs j, users u "
        "WHERE NOT EXISTS (SELECT 1 FROM job_access a WHERE a.job = j.id AND a.user = u.id) LIMIT 1",
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
        return 1 - value if value in (0, 1) else value + random.choice((1, 1000, 1_000_000))
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


def write_remaining_tables(store: Store, job: str) -> None:
    """A row in every table that events tell of and that ingesting, ranking and deciding leave empty.

    For the store alone: the corrected reading has no features that could be ranked. Answers about groups are not among
    it, which this module may not know.
    """
    first, second, *_, last = [application.id for application in store.applications.of_job(job)]
    ada = store.accounts.add("ada", "Ada", "recruiter", actor="ann")
    ben = store.accounts.add("ben", "Ben", "admin", actor="ann")
    store.jobs.grant_access(job, ada.id, actor=ben.id)
    store.job_settings.change(job, JobSettings(blind=True), actor=ada.id)
    store.tokens.make(ada.id, "script", 30)
    store.watchlist.add("not_accredited", "Example University", actor="ann")
    store.notes.add(first, "Call her.", actor="ann")
    store.notes.remove(store.notes.add(first, "Call him.", actor="ann"), application=first, actor="ann")
    store.notes.add_tag(first, "java", actor="ann")
    store.notes.dismiss_flag(first, "no_hire", "On the list.", actor="ann", reason="Another company.")
    store.retention.set_rule("rejected", 90, actor="ann")
    store.retention.hold(second, "A court decides.", actor="ann")
    reading = store.corrections.reading(first)
    draft = CorrectionDraft("name", {"value": "Ida"}, "Ada", "Ida", "misread")
    store.corrections.add([(reading, draft, CorrectedReading(reading.profile(), b"new", "1"))], actor="ann")
    store.audits.schedule("weekly", job=job, request={}, actor="ann")
    report = {"findings": [], "worst": "ok", "title": "Selection rates"}
    store.audits.finish(store.audits.request("outcomes", job=job, request={}, actor="ann", running=True), report)
    store.identities.connect("https://id.example.com", "42", ada.id, actor=ada.id)
    erasure = store.erasures.begin([last], actor=ben.id, certificate={"backups": []})
    signed = {**erasure.certificate, "signature": "made up"}
    store.erasures.finish(erasure.id, signed, hash=content_hash(signed), finished=erasure.begun)
    batch = store.imports.begin(job, actor="ann")
    store.imports.add_file(batch, "x.pdf", sha256=None, size_bytes=9, failure=Failure("too_large", "Too large."))
    store.imports.seal(batch)
    store.imports.finish(batch)
