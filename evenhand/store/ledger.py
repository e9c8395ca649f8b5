"""The ledger: what happened, in order, each event tied to the one before by its hash."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, func, select

from evenhand.errors import NotFound, StoreError
from evenhand.records import content_hash
from evenhand.records.event import (
    SYSTEM,
    ApplicationRef,
    CommitmentOpening,
    DecisionRecord,
    EventDraft,
    LedgerEvent,
    Link,
)
from evenhand.store.applications import ACTIONS, NEW, UNDO
from evenhand.store.base import SLICE, StoreBase, from_row, pages, select_in, slices
from evenhand.store.corrections import IN_FORCE, corrections
from evenhand.store.decisions import decisions
from evenhand.store.ledger_append import (
    ACTOR,
    APPLICATION,
    SUBJECTS,
    append,
    head,
    known_seals,
    ledger,
    mentions,
    openings,
    seals,
)
from evenhand.store.mined import corrected_profiles, mined_hashes, mined_profiles
from evenhand.store.tables import MASTER, applications, candidates, documents, jobs, unpack
from evenhand.store.watchlist import watch_entries


class LedgerStore(StoreBase):
    def append(self, drafts: Sequence[EventDraft]) -> list[LedgerEvent]:
        """Events that change nothing else: what was shown, exported, refused. On the disk when this returns."""
        if not drafts:
            return []
        with self._database.writing() as connection:
            return append(connection, drafts, self._now())

    def events(
        self,
        *,
        after: int = 0,
        before: int | None = None,
        kinds: Sequence[str] | None = None,
        job: str | None = None,
        limit: int = SLICE,
        newest_first: bool = False,
    ) -> list[LedgerEvent]:
        """Those with `after` < sequence < `before`, of some kinds or of one job."""
        order = ledger.c.sequence.desc() if newest_first else ledger.c.sequence
        query = _chosen(after, before, kinds, job).order_by(order).limit(limit)
        return [link.event() for link in self._records(Link, query)]

    def walk(
        self, *, after: int = 0, kinds: Sequence[str] | None = None, job: str | None = None
    ) -> Iterator[LedgerEvent]:
        """All of them, the oldest first, a slice at a time."""
        while events := self.events(after=after, kinds=kinds, job=job):
            yield from events
            after = events[-1].sequence

    def chain(self) -> Iterator[Link]:
        """The chain as it lies in the table, for verification."""
        for rows in pages(self._rows, select(ledger), ledger.c.sequence, after=0):
            yield from (from_row(Link, row) for row in rows)

    def get(self, sequence: int) -> LedgerEvent:
        row = self._row(select(ledger).where(ledger.c.sequence == sequence))
        if row is None:
            raise NotFound(f"There is no event {sequence} in the ledger.")
        return from_row(Link, row).event()

    def head(self) -> tuple[int, str]:
        """Sequence and hash of the newest event."""
        with self._database.reading() as connection:
            return head(connection)

    def count(self, *, kinds: Sequence[str] | None = None, job: str | None = None) -> int:
        chosen = _chosen(0, None, kinds, job).subquery()
        return int(self._scalar(select(func.count()).select_from(chosen)))

    def of_application(self, application: str) -> list[LedgerEvent]:
        """Every event an application is in, the oldest first."""
        query = (
            select(ledger)
            .join(mentions, mentions.c.sequence == ledger.c.sequence)
            .where(mentions.c.application == application)
            .order_by(ledger.c.sequence)
        )
        return [link.event() for link in self._records(Link, query)]

    def opening(self, sequence: int) -> dict[str, Any]:
        """The sealed values of an event that have not been erased, by name."""
        query = select(openings).where(openings.c.sequence == sequence).order_by(openings.c.name)
        return {row.name: json.loads(unpack(row.value)) for row in self._rows(query)}

    def opened(self, name: str, sequences: Sequence[int]) -> dict[int, Any]:
        """By event, the sealed value of this name; events whose value was erased are left out."""
        with self._database.reading() as connection:
            query = select(openings.c.sequence, openings.c.value).where(openings.c.name == name)
            rows = select_in(connection, query, openings.c.sequence, sequences)
            return {row.sequence: json.loads(unpack(row.value)) for row in rows}

    def openings(self, *, after: int, until: int | None = None) -> list[CommitmentOpening]:
        """Those of the events `after` < sequence <= `until`, as they lie in the table."""
        same = (seals.c.kind == APPLICATION) & (seals.c.key == openings.c.application)
        query = select(openings, seals.c.seal).outerjoin(seals, same).where(openings.c.sequence > after)
        if until is not None:
            query = query.where(openings.c.sequence <= until)
        opened = []
        for row in self._rows(query.order_by(openings.c.sequence, openings.c.name)):
            try:
                value = unpack(row.value)
            except (StoreError, TypeError):  # somebody has been at it
                value = None
            owner = None if row.application is None else row.seal or row.application
            opened.append(CommitmentOpening(row.sequence, row.name, row.salt, value, owner))
        return opened

    def decisions(self, *, after: int, until: int | None = None) -> list[DecisionRecord]:
        """What the table of decisions says of the events `after` < sequence <= `until`, one application at a time."""
        query = select(decisions).where(decisions.c.sequence > after)
        if until is not None:
            query = query.where(decisions.c.sequence <= until)
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(decisions.c.sequence, decisions.c.id)).all()
            people = known_seals(connection, APPLICATION, [row.application for row in rows])
            actors = known_seals(connection, ACTOR, [row.actor for row in rows])
        groups: dict[tuple[int, str], list[Row[Any]]] = defaultdict(list)
        for row in rows:
            groups[row.sequence, row.application].append(row)
        return [_decided(steps, people, actors) for steps in groups.values()]

    def count_unrecorded_decisions(self) -> int:
        """Decisions that name no event, as those from before the ledger do."""
        query = select(func.count()).select_from(decisions).where(decisions.c.sequence.is_(None))
        return int(self._scalar(query))

    def count_differing_statuses(self) -> int:
        """Applications whose status is not the one that the last decision on them gave."""
        newest = (
            select(decisions.c.application, func.max(decisions.c.id).label("id"))
            .group_by(decisions.c.application)
            .subquery()
        )
        last = decisions.alias()
        query = (
            select(func.count())
            .select_from(applications)
            .outerjoin(newest, newest.c.application == applications.c.id)
            .outerjoin(last, last.c.id == newest.c.id)
            .where(func.coalesce(last.c.to_status, NEW) != applications.c.status)
        )
        return int(self._scalar(query))

    def application_rows(self, ids: Sequence[str]) -> dict[str, Row[Any]]:
        """With the candidates' forms, by id, for verification."""
        query = select(applications, candidates.c.form).outerjoin(
            candidates, candidates.c.id == applications.c.candidate
        )
        with self._database.reading() as connection:
            return {row.id: row for row in select_in(connection, query, applications.c.id, sorted(set(ids)))}

    def mined_hashes(self, ids: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
        """By application: of what it has, and of what its corrections are applied to."""
        with self._database.reading() as connection:
            return mined_hashes(connection, ids), mined_hashes(connection, ids, corrected=False)

    def wrongly_corrected(self) -> int:
        """Applications that have corrections in force and none applied to what was read, or the other way round, or
        corrections of another's document."""
        columns = corrections.c.application, corrections.c.document
        of_mined = mined_profiles.c.sha256 == corrections.c.document
        in_force = set(map(tuple, self._rows(select(*columns).join(mined_profiles, of_mined).where(IN_FORCE))))
        applied = select(corrected_profiles.c.application, corrected_profiles.c.sha256)
        strange = select(*columns).join(applications, applications.c.id == columns[0])
        strange = strange.where(applications.c.document != columns[1])
        return len(in_force ^ set(map(tuple, self._rows(applied)))) + len(self._rows(strange))

    def table_rows(self, name: str, *columns: str) -> Sequence[Row[Any]]:
        """Columns of any table, as they are, for verification."""
        table = MASTER.tables[name]
        return self._rows(select(*(table.c[column] for column in columns)))

    def seal_rows(self) -> Iterator[Row[Any]]:
        for rows in pages(self._rows, select(seals), seals.c.seal):
            yield from rows

    def mentioned(self, *, after: int, until: int) -> set[tuple[int, str | None]]:
        """Events and the seals of who is noted to be in them; None for who has no seal."""
        same = (seals.c.kind == APPLICATION) & (seals.c.key == mentions.c.application)
        query = select(mentions.c.sequence, seals.c.seal).select_from(mentions).outerjoin(seals, same)
        rows = self._rows(query.where(mentions.c.sequence > after, mentions.c.sequence <= until))
        return {(row.sequence, row.seal) for row in rows}

    def count_unsealed_applications(self) -> int:
        """Applications that no event can be about."""
        same = (seals.c.kind == APPLICATION) & (seals.c.key == applications.c.id)
        query = select(func.count()).select_from(applications).outerjoin(seals, same).where(seals.c.seal.is_(None))
        return int(self._scalar(query))

    def count_stray_rows(self) -> int:
        """Documents under a name that no application with them has, candidates without an application, and
        applications without a document."""
        same = applications.c.document == documents.c.sha256
        named = same & (func.coalesce(applications.c.file, "") == func.coalesce(documents.c.file, ""))
        stray = (
            (documents, select(applications.c.id).where(named)),
            (candidates, select(applications.c.id).where(applications.c.candidate == candidates.c.id)),
            (applications, select(documents.c.sha256).where(same)),
        )
        counts = (select(func.count()).select_from(table).where(~with_.exists()) for table, with_ in stray)
        return sum(int(self._scalar(query)) for query in counts)

    def arrived(self, pairs: Sequence[tuple[str | None, str]]) -> set[tuple[str, str]]:
        """Jobs and documents, of these, that are applications."""
        query, hashes = select(applications.c.job, applications.c.document), sorted({sha256 for _, sha256 in pairs})
        with self._database.reading() as connection:
            rows = select_in(connection, query, applications.c.document, hashes)
            return {(row.job, row.document) for row in rows} & {(job or "", sha256) for job, sha256 in pairs}

    def undone(self) -> Sequence[Row[Any]]:
        """Application, batch and `undone_by` of decisions that were undone."""
        columns = decisions.c.application, decisions.c.batch, decisions.c.undone_by
        return self._rows(select(*columns).where(decisions.c.undone_by.is_not(None)))

    def undoing(self) -> Sequence[Row[Any]]:
        return self._rows(select(decisions).where(decisions.c.action == UNDO))

    def seal_of(self, kind: str, key: str) -> str | None:
        """None for who is in no event, or has been erased."""
        return self.seals_of(kind, [key]).get(key)

    def seals_of(self, kind: str, keys: Sequence[str]) -> dict[str, str]:
        with self._database.reading() as connection:
            return known_seals(connection, kind, keys)

    def unsealed(self, names: Sequence[str]) -> dict[str, str]:
        """Whose seals these are, by seal; the erased are left out."""
        if not names:
            return {}
        with self._database.reading() as connection:
            query = select(seals.c.seal, seals.c.key)
            return {row.seal: row.key for row in select_in(connection, query, seals.c.seal, sorted(set(names)))}

    def openings_of(self, application: str) -> dict[int, dict[str, Any]]:
        """By event and name, the sealed values about this application, each with its salt."""
        query = select(openings).where(openings.c.application == application)
        by_event: dict[int, dict[str, Any]] = defaultdict(dict)
        for row in self._rows(query.order_by(openings.c.sequence, openings.c.name)):
            by_event[row.sequence][row.name] = {"salt": row.salt, "value": json.loads(unpack(row.value))}
        return dict(by_event)

    def salt_of(self, application: str) -> str | None:
        """With which its seal was made; None where it is in no event."""
        same = (seals.c.kind == APPLICATION) & (seals.c.key == application)
        salt: str | None = self._scalar_or_none(select(seals.c.salt).where(same))
        return salt

    def begin(self) -> None:
        """Nothing to do where it has begun, or where it begins with the first job."""
        with self._database.reading() as connection:
            if not _is_late(connection):
                return
        with self._database.writing() as connection:
            if _is_late(connection):  # nobody else has done it meanwhile
                append(connection, list(_drafts(connection)), self._now())


def _chosen(after: int, before: int | None, kinds: Sequence[str] | None, job: str | None) -> Select[Any]:
    query = select(ledger).where(ledger.c.sequence > after)
    if before is not None:
        query = query.where(ledger.c.sequence < before)
    if kinds is not None:
        query = query.where(ledger.c.kind.in_(list(kinds)))
    if job is not None:
        query = query.where(ledger.c.job == job)
    return query


def _decided(steps: Sequence[Row[Any]], people: Mapping[str, str], actors: Mapping[str, str]) -> DecisionRecord:
    first, last = steps[0], steps[-1]
    alike = len({(row.batch, row.bulk, row.time, row.actor, row.reason) for row in steps}) == 1
    return DecisionRecord(
        first.sequence,
        people.get(first.application),
        first.from_status,
        last.to_status,
        last.action,
        last.batch,
        last.bulk,
        last.time.isoformat(),
        SYSTEM if last.actor == SYSTEM else actors.get(last.actor),
        last.reason,
        is_one=alike
        and all(one.to_status == two.from_status for one, two in pairwise(steps))
        and all(row.action == UNDO or ACTIONS.get(row.action) == row.to_status for row in steps),
        id=first.id,
    )


# The first events of a ledger that begins when there are applications already: what was there, and in which
# status.
COUNTED = (jobs, candidates, documents, applications, decisions, watch_entries)


def _is_late(connection: Connection) -> bool:
    def holds(table: Table) -> bool:
        return connection.execute(select(table.primary_key.columns[0]).limit(1)).first() is not None

    return not holds(ledger) and any(holds(table) for table in COUNTED)


def _drafts(connection: Connection) -> Iterator[EventDraft]:
    counts = {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in COUNTED}
    yield EventDraft("genesis", body={"counts": counts})
    for row in connection.execute(select(jobs).order_by(jobs.c.created, jobs.c.id)).all():
        requirements = content_hash(row.requirements)
        yield EventDraft("genesis", job=row.id, body={"requirements": requirements, "open": row.closed is None})
        yield from _applicants(connection, row.id)


def _applicants(connection: Connection, job: str) -> Iterator[EventDraft]:
    columns = applications.c.id, applications.c.status, applications.c.revision
    query = select(*columns).where(applications.c.job == job).order_by(applications.c.revision)
    for rows in slices(connection.execute(query).all(), SUBJECTS):
        body = {"applications": [(ApplicationRef(row.id), row.status) for row in rows]}
        yield EventDraft("genesis", job=job, body=body)
