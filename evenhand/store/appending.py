"""Appending to the ledger, inside the transaction of the change that is recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, insert, select

from evenhand.errors import UsageError
from evenhand.records import canonical_json
from evenhand.records.event import FIRST, KINDS, Draft, Event, Link, Owned, Subject, commitment
from evenhand.store.columns import clean, pack
from evenhand.store.database import newest_revision
from evenhand.store.ledger_tables import ledger, mentions, openings
from evenhand.store.sealing import new_salt, seal_actors, seal_applications

SUBJECTS = 1_000  # in one event at most; more are several events


def append(connection: Connection, drafts: Sequence[Draft], time: datetime) -> list[Event]:
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

    def __init__(self, connection: Connection, drafts: Sequence[Draft], time: datetime) -> None:
        self._connection = connection
        self._time = time.astimezone(UTC).isoformat()
        self._sequence, self._previous = head(connection)
        self._revision = newest_revision(connection)
        self._mentioned = [list(dict.fromkeys(_applications(draft))) for draft in drafts]
        self._seals, self._gone = seal_applications(connection, (id for ids in self._mentioned for id in ids))
        self._actors = seal_actors(connection, (draft.actor for draft in drafts))
        self._links: list[Link] = []
        self._openings: list[dict[str, Any]] = []

    def take(self, draft: Draft) -> Event:
        sequence = self._sequence + 1
        # The revision says what an index had taken in when it was asked: replay finds its way by it.
        body = {"revision": self._revision, **self._shown(dict(draft.body))}
        if draft.subjects:
            body["subjects"] = [self._seals[id] for id in draft.subjects]
        if draft.sealed:
            body["sealed"] = dict(self._seal(sequence, draft))
        link = Link(
            sequence,
            self._time,
            draft.kind,
            self._actors[draft.actor],
            draft.job,
            clean(canonical_json(body)),
            self._previous,
            "",
        )
        link = replace(link, hash=link.computed_hash())
        self._links.append(link)
        self._sequence, self._previous = sequence, link.hash
        return link.event()

    def write(self) -> None:
        columns = Link.__slots__
        self._insert(ledger, [{name: getattr(link, name) for name in columns} for link in self._links])
        self._insert(openings, self._openings)
        self._insert(
            mentions,
            [
                {"application": id, "sequence": link.sequence}
                for link, ids in zip(self._links, self._mentioned, strict=True)
                for id in ids
                if id not in self._gone
            ],
        )

    def _insert(self, table: Any, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._connection.execute(insert(table), rows)

    def _shown(self, value: Any) -> Any:
        """With the seal in place of each subject."""
        if isinstance(value, Subject):
            return self._seals[value.application]
        if isinstance(value, Mapping):
            return {key: self._shown(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self._shown(each) for each in value]
        return value

    def _seal(self, sequence: int, draft: Draft) -> Iterator[tuple[str, str]]:
        only = draft.subjects[0] if len(draft.subjects) == 1 else None
        for name, value in draft.sealed.items():
            owner, bare = (value.application, value.value) if isinstance(value, Owned) else (only, value)
            salt = new_salt()
            yield name, commitment(salt, bare)
            if owner in self._gone:
                continue
            self._openings.append(
                {
                    "sequence": sequence,
                    "name": name,
                    "application": owner,
                    "salt": salt,
                    "value": pack(canonical_json(bare)),
                }
            )


def _applications(draft: Draft) -> Iterator[str]:
    yield from draft.subjects
    yield from (value.application for value in draft.sealed.values() if isinstance(value, Owned))
    yield from _subjects(draft.body.values())


def _subjects(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, Subject):
            yield value.application
        elif isinstance(value, Mapping):
            yield from _subjects(value.values())
        elif isinstance(value, list | tuple):
            yield from _subjects(value)
