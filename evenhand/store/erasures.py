"""Erasing people: every row that is about an application goes, or is emptied of what is personal, in one transaction.

What lies outside the database - files, the index, the space of deleted rows - follows; an erasure that is cut off
before all is done is known by having no end, and whoever opens the store next finishes it.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Row,
    String,
    Table,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from evenhand.errors import NotFound
from evenhand.records import canonical_json, content_hash
from evenhand.records.event import SYSTEM, EventDraft
from evenhand.store.applications import existing_application, refusals, select_applications
from evenhand.store.audits import audits
from evenhand.store.base import Clock, StoreBase, new_id, one_row, select_in
from evenhand.store.change_feed import removed
from evenhand.store.corrections import corrections
from evenhand.store.database import scrub, take_revisions
from evenhand.store.decisions import decisions
from evenhand.store.imports import WAITING, import_files, imports
from evenhand.store.jobs import saved_searches
from evenhand.store.ledger_append import append, forget_openings, forget_subject, ledger, openings, seals
from evenhand.store.mined import (
    MINED,
    corrected_profiles,
    forget_mined,
    forget_versions,
    mined_documents,
    mined_duplicates,
    mined_masks,
    mined_versions,
)
from evenhand.store.notes import flag_overrides, labels, notes, tags
from evenhand.store.person_mentions import (
    ERASED,
    Mention,
    PersonNames,
    empty_sources,
    forget_searches,
    identity_of,
    open_sources,
    other_mentions,
    remaining,
)
from evenhand.store.retention import check_not_held, holds
from evenhand.store.self_identifications import self_identifications
from evenhand.store.tables import (
    MASTER,
    CleanText,
    JsonText,
    UtcTime,
    applications,
    candidates,
    documents,
    pack,
    unpack,
)


@dataclass(frozen=True, slots=True)
class StoredErasure:
    """`certificate` has no signature until all is done."""

    id: str
    begun: datetime
    finished: datetime | None
    actor: str
    applications: tuple[str, ...]
    certificate: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ErasureScope:
    """What is kept of an application and would be erased with it, counted by kind."""

    application: str
    job: str
    candidate: str
    document: str
    counts: Mapping[str, int]
    keeps_document: bool  # another application came with the same file
    keeps_candidate: bool  # the same person has other applications


erasures = Table(
    "erasures",
    MASTER,
    Column("id", String(32), primary_key=True),
    Column("begun", UtcTime, nullable=False),
    Column("finished", UtcTime),  # None: cut off, to be finished by whoever opens the store next
    Column("actor", CleanText, nullable=False),
    Column("applications", JsonText, nullable=False),  # ids, which mean nothing any more
    Column("certificate", JsonText, nullable=False),  # as far as it is known; signed when finished
)


SCRUBBED_TABLES: tuple[Table, ...] = (
    *MINED.sorted_tables,
    *(applications, candidates, documents, refusals, decisions, labels),
    *(notes, tags, flag_overrides, saved_searches, import_files),
    *(openings, seals, mined_versions),
    *(corrections, holds),
    *(self_identifications, audits),
)
"""Where personal data lie, of which PostgreSQL would otherwise keep what was deleted for a while."""


class ErasureStore(StoreBase):
    def scope(self, ids: Sequence[str]) -> list[ErasureScope]:
        """What would be erased, without erasing anything."""
        with self._database.reading() as connection:
            return [_scope(connection, existing_application(connection, id), ids) for id in ids]

    def mentions(self, ids: Sequence[str]) -> list[Mention]:
        """Where these people are named in what was written about others, which an erasure leaves."""
        with self._database.reading() as connection:
            names = [PersonNames.of(connection, existing_application(connection, id)) for id in ids]
            return list(other_mentions(connection, names, ids))

    def begin(
        self, ids: Sequence[str], *, actor: str, certificate: Mapping[str, Any], id: str | None = None
    ) -> StoredErasure:
        """Erases these applications from the database. `certificate` is what is to be said beside the counts;
        `id` is that of an erasure which is done again, because the database was put back to an earlier state."""
        id, again = id or new_id(), id is not None
        with self._database.writing() as connection:
            if not again:
                check_not_held(connection, ids)
            now = self._now()
            counts, left = Counter[str](), Counter[str]()
            rows = [existing_application(connection, application) for application in ids]
            names = [PersonNames.of(connection, row) for row in rows]
            for row, person in zip(rows, names, strict=True):
                left["open sources"] += open_sources(connection, row.id)
                own, changes = self._erase(connection, row, person)
                counts += own
                # What the event says of whom is forgotten with the person; that it happened is not.
                body = {"action": "again" if again else "erase", "certificate": id, "rows": dict(sorted(own.items()))}
                body |= changes
                append(connection, [EventDraft("erasure", actor, row.job, subjects=(row.id,), body=body)], now)
                forget_subject(connection, row.id)
            left = +(left + remaining(connection, names))
            made = {**certificate, "rows": dict(sorted(counts.items())), "remaining": dict(sorted(left.items()))}
            connection.execute(delete(erasures).where(erasures.c.id == id))
            connection.execute(
                insert(erasures).values(id=id, begun=now, actor=actor, applications=list(ids), certificate=made)
            )
        return StoredErasure(id, now, None, actor, tuple(ids), made)

    def finish(self, id: str, certificate: Mapping[str, Any], *, hash: str, finished: datetime) -> StoredErasure:
        """Everything is done; `hash` of the signed certificate goes into the ledger."""
        with self._database.writing() as connection:
            begun = _erasure(connection, id)
            values = {"certificate": dict(certificate), "finished": finished}
            connection.execute(update(erasures).where(erasures.c.id == id).values(values))
            body = {"action": "certified", "certificate": id, "hash": hash}
            append(connection, [EventDraft("erasure", begun.actor, body=body)], self._now())
        return replace(begun, finished=finished, certificate=certificate)

    def restore(self, erasure: StoredErasure) -> None:
        """Puts one back that a restored database has forgotten, and whose applications it does not hold."""
        with self._database.writing() as connection:
            same = erasures.c.id == erasure.id
            if connection.execute(select(erasures.c.id).where(same)).first() is None:
                connection.execute(insert(erasures).values(asdict(erasure)))

    def get(self, id: str) -> StoredErasure:
        with self._database.reading() as connection:
            return _erasure(connection, id)

    def all(self, *, unfinished: bool = False) -> list[StoredErasure]:
        """The newest first."""
        query = select(erasures).order_by(erasures.c.begun.desc(), erasures.c.id)
        if unfinished:
            query = query.where(erasures.c.finished.is_(None))
        return [_as_erasure(row) for row in self._rows(query)]

    def ids(self) -> set[str]:
        return set(self._scalars(select(erasures.c.id)))

    def present(self, ids: Sequence[str]) -> set[str]:
        """Those of the applications that are there."""
        with self._database.reading() as connection:
            return {row.id for row in select_applications(connection, ids)}

    def scrub(self, **limit: int) -> str:
        """What was deleted is nowhere in the database's own files any more; says how that was done."""
        return scrub(self._database, tables=tuple(table.name for table in SCRUBBED_TABLES), **limit)

    def _erase(self, connection: Connection, row: Row[Any], names: PersonNames) -> tuple[Counter[str], dict[str, Any]]:
        """The rows of one application: how many of each kind, and what changed that is not this application's own, for
        the ledger."""
        keeps_document, _ = _shared(connection, row, [row.id])
        counts = count_rows(connection, row, keeps_document=keeps_document)
        counts["searches"], forgotten = forget_searches(connection, names)
        empty_sources(connection, names)
        forgotten += _forget_refused(connection, row, keeps_document)
        quoted = [row.id, row.document, row.file or "", *itertools.chain(*identity_of(connection, row))]
        reports = scrub_reports(connection, row.job, quoted, self._now)
        empty_rows(connection, row, keeps_document=keeps_document)
        _remove(connection, row.id)
        counts["candidates"] = _count(connection, candidates.c.id == row.candidate)
        self._erase_candidate(connection, row.candidate)
        counts["candidates"] -= _count(connection, candidates.c.id == row.candidate)
        self._erase_document(connection, row.document)
        return +counts, {"forgotten": forgotten, "reports": reports}

    def remove_application(self, id: str, *, actor: str = SYSTEM) -> None:
        """Its decisions stay on record. A file goes after the rows that refer to it, never before."""
        with self._database.writing() as connection:
            row = existing_application(connection, id)
            rows = {"groups": _count(connection, self_identifications.c.application == id)}
            _remove(connection, id)
            self._erase_candidate(connection, row.candidate)
            self._erase_document(connection, row.document)
            body = {"rows": rows, "forgotten": []}
            append(connection, [EventDraft("erasure", actor, row.job, subjects=(id,), body=body)], self._now())
            forget_subject(connection, id)
        self.erase_files()

    def erase_files(self) -> int:
        """Those whose removal has begun and that nothing refers to; also what a run that was cut off has left."""
        leaving = list(self._context.files.leaving())
        if not leaving:
            return 0
        with self._database.writing() as connection:  # or someone could begin to refer to one of them now
            claimed = {
                row.sha256
                for table in (documents, refusals)
                for row in select_in(connection, select(table.c.sha256), table.c.sha256, leaving)
            }
            for sha256 in leaving:
                if sha256 not in claimed:
                    self._context.files.remove(sha256)
                self._context.files.forget_leaving(sha256)
        return len(leaving) - len(claimed)

    def _erase_candidate(self, connection: Connection, candidate: str) -> None:
        query = select(applications.c.id).where(applications.c.candidate == candidate).limit(1)
        if connection.execute(query).first() is None:
            connection.execute(delete(candidates).where(candidates.c.id == candidate))

    def _erase_document(self, connection: Connection, sha256: str) -> None:
        query = select(applications.c.id).where(applications.c.document == sha256).limit(1)
        if connection.execute(query).first() is None:
            forget_mined(connection, [sha256])
            forget_versions(connection, sha256)
            connection.execute(delete(documents).where(documents.c.sha256 == sha256))
            self._context.files.note_leaving(sha256)


def _remove(connection: Connection, id: str) -> None:
    connection.execute(delete(applications).where(applications.c.id == id))
    for table in (corrected_profiles, mined_versions, mined_masks):  # what is its own, beside others with the file
        connection.execute(delete(table).where(table.c.application == id))
    connection.execute(insert(removed).values(application=id, revision=take_revisions(connection, 1)))


def _scope(connection: Connection, row: Row[Any], ids: Sequence[str]) -> ErasureScope:
    keeps_document, keeps_candidate = _shared(connection, row, ids)
    counts = count_rows(connection, row, keeps_document=keeps_document)
    return ErasureScope(
        row.id, row.job, row.candidate, row.document, dict(sorted((+counts).items())), keeps_document, keeps_candidate
    )


def _shared(connection: Connection, row: Row[Any], ids: Sequence[str]) -> tuple[bool, bool]:
    """Whether others than `ids` came with the same file, or are of the same candidate."""
    others = applications.c.id.notin_(list(ids))
    return (
        _count(connection, others & (applications.c.document == row.document)) > 0,
        _count(connection, others & (applications.c.candidate == row.candidate)) > 0,
    )


def _count(connection: Connection, condition: ColumnElement[bool]) -> int:
    return int(connection.execute(select(func.count()).where(condition)).scalar_one())


def _erasure(connection: Connection, id: str) -> StoredErasure:
    query = select(erasures).where(erasures.c.id == id)
    return _as_erasure(one_row(connection, query, NotFound("There is no such erasure.")))


def _as_erasure(row: Row[Any]) -> StoredErasure:
    return StoredErasure(row.id, row.begun, row.finished, row.actor, tuple(row.applications), row.certificate)


OURS = ("type", "severity", "worst", "kind", "code", "made")  # words of ours, which somebody may be called as well


def scrub_reports(connection: Connection, job: str, names: Iterable[str], clock: Clock) -> dict[str, str]:
    """In every report of the job no resume is quoted any more, and no text has one of the names; the hashes of those
    that changed, by audit."""
    hashes = {}
    named = sorted({name for name in names if name.strip()}, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in named))
    for row in connection.execute(select(audits.c.id, audits.c.report).where(_may_quote(job))).all():
        before = json.loads(unpack(row.report))
        after = _without(before, pattern)
        if after != before:
            values = {"report": pack(canonical_json(after)), "scrubbed": clock()}
            connection.execute(update(audits).where(audits.c.id == row.id).values(values))
            hashes[row.id] = content_hash(after)
    return hashes


def _may_quote(job: str) -> ColumnElement[bool]:
    """Reports of the job, and those about no job: they came from elsewhere and may quote anybody."""
    return and_(or_(audits.c.job == job, audits.c.job.is_(None)), audits.c.report.is_not(None))


def _without(value: Any, names: re.Pattern[str]) -> Any:
    if isinstance(value, dict):
        if value.get("type") == "pair":
            empty = {"text": ERASED, "marks": []}
            value = {**value, "left": empty, "right": empty}
        return {
            ERASED if names.fullmatch(key) else key: item if key in OURS else _without(item, names)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_without(item, names) for item in value]
    return names.sub(ERASED, value) if isinstance(value, str) else value


OWN = {
    "notes": notes,
    "tags": tags,
    "labels": labels,
    "flags": flag_overrides,
    "groups": self_identifications,
    "corrections": corrections,
    "corrected facts": corrected_profiles,
    "masks": mined_masks,
    "earlier facts": mined_versions,
}
"""Tables whose rows go with the application."""


def count_rows(connection: Connection, row: Row[Any], *, keeps_document: bool) -> Counter[str]:
    """Of each kind, those that `empty_rows` and the removal of the application reach."""
    counts = Counter({"applications": 1})
    for name, table in OWN.items():
        counts[name] = _count(connection, table.c.application == row.id)
    counts["decision reasons"] = _count(connection, _reasons(row))
    counts["import files"] = _count(connection, _imported(row, keeps_document))
    counts["refusals"] = _count(connection, _refused(row, keeps_document))
    counts["sealed values"] = _count(connection, openings.c.application == row.id)
    counts["seals"] = 1
    # Which of a job's applicants a report quotes nobody noted, so that all are taken.
    counts["audit reports"] = _count(connection, _may_quote(row.job))
    if not keeps_document:
        same = row.document
        counts["documents"] = 1
        counts["texts and facts"] = _count(connection, mined_documents.c.sha256 == same)
        counts["earlier facts"] = _count(connection, mined_versions.c.sha256 == same)
        pair = (mined_duplicates.c.first == same) | (mined_duplicates.c.second == same)
        counts["resemblances"] = _count(connection, pair)
    return counts


def empty_rows(connection: Connection, row: Row[Any], *, keeps_document: bool) -> None:
    """What stays is that something was decided, refused or imported; of whom is gone."""
    connection.execute(update(decisions).where(_reasons(row)).values(reason=""))
    gone = {"file": ERASED, "sha256": None, "external_id": None, "application": None}
    connection.execute(update(import_files).where(_imported(row, keeps_document)).values(gone))
    connection.execute(delete(refusals).where(_refused(row, keeps_document)))
    if keeps_document:
        # The name under which the file first came may be this application's: another's takes its place.
        query = select(applications.c.file).where(applications.c.document == row.document, applications.c.id != row.id)
        other = connection.execute(query.order_by(applications.c.received).limit(1)).scalar_one()
        connection.execute(update(documents).where(documents.c.sha256 == row.document).values(file=other))


def _forget_refused(connection: Connection, row: Row[Any], keeps_document: bool) -> list[tuple[int, str]]:
    """The same file, refused before it became this application: its name stands in the ledger's openings."""
    query = (
        select(openings.c.sequence, openings.c.name, openings.c.value)
        .join(ledger, ledger.c.sequence == openings.c.sequence)
        .where(ledger.c.kind == "refusal")
    )
    if keeps_document:
        query = query.where(ledger.c.job == row.job)
    forgotten = []
    for opening in connection.execute(query).all():
        if json.loads(unpack(opening.value))[1] == row.document:
            same = and_(openings.c.sequence == opening.sequence, openings.c.name == opening.name)
            forgotten += forget_openings(connection, same)
    return forgotten


def _reasons(row: Row[Any]) -> ColumnElement[bool]:
    return and_(decisions.c.application == row.id, decisions.c.reason != "")


def _imported(row: Row[Any], keeps_document: bool) -> ColumnElement[bool]:
    """A file that still waits its turn is another arrival of it."""
    same = and_(import_files.c.sha256 == row.document, import_files.c.state != WAITING)
    if not keeps_document:
        return same
    of_job = select(imports.c.id).where(imports.c.job == row.job)
    return and_(same, import_files.c["import"].in_(of_job))


def _refused(row: Row[Any], keeps_document: bool) -> ColumnElement[bool]:
    same = and_(refusals.c.sha256 == row.document)
    return and_(same, refusals.c.job == row.job) if keeps_document else same
