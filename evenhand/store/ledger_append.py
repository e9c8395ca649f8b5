"""The ledger's tables, and appending to them inside the transaction of the change that is recorded."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Index,
    LargeBinary,
    Select,
    String,
    Table,
    Text,
    delete,
    event,
    insert,
    or_,
    select,
)

from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand.records.event import (
    FIRST,
    KINDS,
    SYSTEM,
    ApplicationRef,
    EventDraft,
    LedgerEvent,
    Link,
    OwnedValue,
    commitment,
    seal,
)
from evenhand.store.base import select_in
from evenhand.store.database import newest_revision
from evenhand.store.tables import MASTER, BigId, CleanText, applications, clean, pack

ledger = Table(
    "ledger",
    MASTER,
    Column("sequence", BigId, primary_key=True, autoincrement=False),
    Column("time", String(40), nullable=False),  # as it was hashed
    Column("kind", String(16), nullable=False),
    Column("actor", String(64), nullable=False),
    Column("job", String(32)),  # no foreign key: a record outlives what it is about
    Column("body", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Index("ix_ledger_job_sequence", "job", "sequence"),
    Index("ix_ledger_kind_sequence", "kind", "sequence"),
    # Decisions on a job are looked for on every page, among very many rankings that were shown.
    Index("ix_ledger_job_kind_sequence", "job", "kind", "sequence"),
)

# Whoever may change tables may also drop these. They stop mistakes; the chain and its checkpoints find the rest.
TRIGGERS = {
    "sqlite": [
        f"CREATE TRIGGER ledger_refuses_{change} BEFORE {change} ON ledger "
        "BEGIN SELECT RAISE(ABORT, 'the ledger is appended to, and nothing else'); END"
        for change in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        "CREATE FUNCTION ledger_refuses() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'the ledger is appended to, and nothing else'; END $$",
        "CREATE TRIGGER ledger_refuses_change BEFORE UPDATE OR DELETE ON ledger "
        "FOR EACH ROW EXECUTE FUNCTION ledger_refuses()",
        "CREATE TRIGGER ledger_refuses_emptying BEFORE TRUNCATE ON ledger "
        "FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses()",
    ],
}
for _dialect, _statements in TRIGGERS.items():
    for _statement in _statements:
        _ddl = DDL(_statement)  # type: ignore[no-untyped-call]  # SQLAlchemy does not type it
        event.listen(ledger, "after_create", _ddl.execute_if(dialect=_dialect))

seals = Table(
    "seals",
    MASTER,
    Column("kind", String(16), primary_key=True),  # application or actor
    Column("key", CleanText, primary_key=True),
    Column("salt", String(32), nullable=False),
    Column("seal", String(64), nullable=False, unique=True),
)

openings = Table(
    "openings",
    MASTER,
    Column("sequence", BigInteger, primary_key=True),
    Column("name", String(32), primary_key=True),
    Column("application", String(32), index=True),  # whose it is; None: nobody's in particular
    Column("salt", String(32), nullable=False),
    Column("value", LargeBinary, nullable=False),  # packed canonical JSON
)

mentions = Table(
    "mentions",
    MASTER,
    Column("application", String(32), primary_key=True),
    Column("sequence", BigInteger, primary_key=True),
)
"""Which events an application is in, so that its history need not be looked for in all of them."""

# What somebody has to have opened or taken away to have had the resume before them; a list shows pieces of it only.
RESUME_VIEWS = ("candidate", "difference", "original file", "masked text")


def shows_resume(event: ColumnElement[Any]) -> ColumnElement[bool]:
    """Whether an event, by the column of its body, says that somebody had the resume before them."""
    return or_(*(event.contains(f'"what":"{what}"', autoescape=True) for what in RESUME_VIEWS))


def opened_resumes() -> Select[Any]:
    """Application and sequence of every event with which somebody had a resume before them."""
    return (
        select(mentions.c.application, mentions.c.sequence)
        .join(ledger, ledger.c.sequence == mentions.c.sequence)
        .where(ledger.c.kind.in_(("view", "export")), shows_resume(ledger.c.body))
    )


# Kinds of seals: the names that people have in the ledger, which mean nothing once somebody is erased.
APPLICATION = "application"
ACTOR = "actor"
SALT_BYTES = 16


def seal_applications(connection: Connection, ids: Iterable[str]) -> tuple[dict[str, str], set[str]]:
    """The seal of each, and who of them is there no longer: those get one that leads nowhere, and leave no trace."""
    wanted = list(dict.fromkeys(ids))
    sealed = known_seals(connection, APPLICATION, wanted)
    unknown = [id for id in wanted if id not in sealed]
    rows = select_in(connection, select(applications.c.id), applications.c.id, unknown)
    sealed |= seal_all(connection, APPLICATION, sorted(row.id for row in rows))
    gone = {id for id in wanted if id not in sealed}
    return sealed | {id: seal(new_salt(), id) for id in gone}, gone


def seal_all(connection: Connection, kind: str, keys: Iterable[str]) -> dict[str, str]:
    """The seal of each, by its key; who has none yet gets one."""
    wanted = list(keys)
    sealed = known_seals(connection, kind, wanted)
    new: dict[str, dict[str, str]] = {}
    for key in wanted:
        if key not in sealed:
            salt, cleaned = new_salt(), clean(key)
            new.setdefault(cleaned, {"kind": kind, "key": cleaned, "salt": salt, "seal": seal(salt, cleaned)})
            sealed[key] = new[cleaned]["seal"]
    if new:
        connection.execute(insert(seals), list(new.values()))
    return sealed


def seal_actors(connection: Connection, keys: Iterable[str]) -> dict[str, str]:
    return {**seal_all(connection, ACTOR, (key for key in keys if key != SYSTEM)), SYSTEM: SYSTEM}


def known_seals(connection: Connection, kind: str, keys: Sequence[str]) -> dict[str, str]:
    """By key; those who have none are left out."""
    query = select(seals.c.key, seals.c.seal).where(seals.c.kind == kind)
    rows = select_in(connection, query, seals.c.key, sorted({clean(key) for key in keys}))
    known = {row.key: row.seal for row in rows}
    return {key: known[clean(key)] for key in keys if clean(key) in known}


def forget_subject(connection: Connection, application: str) -> None:
    """What the ledger says of this application can no longer be connected with anyone; the chain stays whole."""
    connection.execute(delete(seals).where(seals.c.kind == APPLICATION, seals.c.key == application))
    connection.execute(delete(openings).where(openings.c.application == application))
    connection.execute(delete(mentions).where(mentions.c.application == application))


def forget_openings(connection: Connection, condition: ColumnElement[bool]) -> list[tuple[int, str]]:
    """Sealed values that are nobody's in particular, by event and name: the event of the erasure has to list them, or
    verification takes them for stolen."""
    query = select(openings.c.sequence, openings.c.name).where(condition).order_by(*openings.primary_key.columns)
    forgotten = [(row.sequence, row.name) for row in connection.execute(query)]
    connection.execute(delete(openings).where(condition))
    return forgotten


def new_salt() -> str:
    return secrets.token_hex(SALT_BYTES)


SUBJECTS = 1_000  # in one event at most; more are several events


def append(connection: Connection, drafts: Sequence[EventDraft], time: datetime) -> list[LedgerEvent]:
    """In a writing transaction, of which there is one at a time: or two events could follow the same one."""
    if not drafts:
        return []
    for draft in drafts:
        if draft.kind not in KINDS:
            raise UsageError(f"There is no kind of event {draft.kind!r}.")
    writer = _Appending(connection, drafts, time)
    events = [writer.take(draft) for draft in drafts]
    writer.write()
    return events


def head(connection: Connection) -> tuple[int, str]:
    """Sequence and hash of the newest event; 0 and FIRST where there is none."""
    query = select(ledger.c.sequence, ledger.c.hash).order_by(ledger.c.sequence.desc()).limit(1)
    row = connection.execute(query).first()
    return (row.sequence, row.hash) if row else (0, FIRST)


class _Appending:
    """Builds the rows, each tied to the one before."""

    def __init__(self, connection: Connection, drafts: Sequence[EventDraft], time: datetime) -> None:
        self._connection = connection
        self._time = time.astimezone(UTC).isoformat()
        self._sequence, self._previous = head(connection)
        self._revision = newest_revision(connection)
        self._mentioned = [list(dict.fromkeys(_applications(draft))) for draft in drafts]
        self._seals, self._gone = seal_applications(connection, (id for ids in self._mentioned for id in ids))
        self._actors = seal_actors(connection, (draft.actor for draft in drafts))
        self._links: list[Link] = []
        self._openings: list[dict[str, Any]] = []

    def take(self, draft: EventDraft) -> LedgerEvent:
        sequence = self._sequence + 1
        # The revision says what an index had taken in when it was asked: replay finds its way by it.
        body = {"revision": self._revision, **self._with_seals(dict(draft.body))}
        if draft.subjects:
            body["subjects"] = [self._seals[id] for id in draft.subjects]
        if draft.sealed:
            body["sealed"] = dict(self._seal(sequence, draft))
            if self._gone:  # what was sealed of who is erased already was never kept
                kept = {row["name"] for row in self._openings if row["sequence"] == sequence}
                if unkept := sorted(body["sealed"].keys() - kept):
                    body["unkept"] = unkept
        actor, text = self._actors[draft.actor], clean(canonical_json(body))
        link = Link(sequence, self._time, draft.kind, actor, draft.job, text, self._previous, "")
        link = replace(link, hash=link.computed_hash())
        self._links.append(link)
        self._sequence, self._previous = sequence, link.hash
        return link.event()

    def write(self) -> None:
        columns = Link.__slots__
        mentioned = [
            {"application": id, "sequence": link.sequence}
            for link, ids in zip(self._links, self._mentioned, strict=True)
            for id in ids
            if id not in self._gone
        ]
        links = [{name: getattr(link, name) for name in columns} for link in self._links]
        for table, rows in ((ledger, links), (openings, self._openings), (mentions, mentioned)):
            if rows:
                self._connection.execute(insert(table), rows)

    def _with_seals(self, value: Any) -> Any:
        """With the seal in place of each subject."""
        if isinstance(value, ApplicationRef):
            return self._seals[value.application]
        if isinstance(value, Mapping):
            return {key: self._with_seals(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._with_seals(item) for item in value]
        return value

    def _seal(self, sequence: int, draft: EventDraft) -> Iterator[tuple[str, str]]:
        only = draft.subjects[0] if len(draft.subjects) == 1 else None
        for name, value in draft.sealed.items():
            owner, bare = (value.application, value.value) if isinstance(value, OwnedValue) else (only, value)
            salt = new_salt()
            yield name, commitment(salt, bare)
            if owner in self._gone:
                continue
            row = {"sequence": sequence, "name": name, "application": owner, "salt": salt}
            self._openings.append({**row, "value": pack(canonical_json(bare))})


def _applications(draft: EventDraft) -> Iterator[str]:
    yield from draft.subjects
    yield from (value.application for value in draft.sealed.values() if isinstance(value, OwnedValue))
    yield from _subjects(draft.body.values())


def _subjects(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, ApplicationRef):
            yield value.application
        elif isinstance(value, Mapping):
            yield from _subjects(value.values())
        elif isinstance(value, list | tuple):
            yield from _subjects(value)
