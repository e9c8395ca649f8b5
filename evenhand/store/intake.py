"""Taking in a batch of arrivals inside one transaction: documents, candidates, applications, what was mined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from evenhand.errors import NotFound, StoreError, UsageError
from evenhand.records import canonical_json
from evenhand.store.database import take_revisions
from evenhand.store.files import Files
from evenhand.store.jobs import closed_job, no_such_job
from evenhand.store.keeper import new_id, slices
from evenhand.store.mined import Rows, save_absent
from evenhand.store.rows import Arrival, Saved
from evenhand.store.statuses import NEW
from evenhand.store.tables import applications, candidates, documents, jobs


class Intake:
    """Knows what is there, decides what is new, and writes that."""

    def __init__(self, connection: Connection, files: Files, now: datetime) -> None:
        self._connection = connection
        self._files = files
        self._now = now
        self._saved: dict[tuple[str, str], Saved] = {}  # by job and document
        self._known_documents: set[str] = set()
        # By document: the first candidate who sent it, and by form data the one who sent it with these.
        self._sender: dict[str, str] = {}
        self._sender_with: dict[tuple[str, str], str] = {}
        self._new: dict[Table, list[dict[str, Any]]] = {documents: [], candidates: [], applications: []}

    @property
    def new(self) -> list[dict[str, Any]]:
        """The rows of the applications that are new, in order of their revisions."""
        return self._new[applications]

    def add(self, arrivals: Sequence[Arrival], mined: Mapping[str, Rows]) -> list[Saved]:
        self._check_jobs(sorted({arrival.job for arrival in arrivals}))
        self._check_candidates(sorted({arrival.candidate for arrival in arrivals if arrival.candidate}))
        self._look_up(sorted({arrival.sha256 for arrival in arrivals}))
        outcome = [self._take(arrival) for arrival in arrivals]
        # First, since it gives a new revision to the applications that are there; the new ones get theirs below.
        save_absent(self._connection, mined)
        self._write()
        return outcome

    def _take(self, arrival: Arrival) -> Saved:
        self._take_document(arrival)
        key = (arrival.job, arrival.sha256)
        if key in self._saved:
            return self._saved[key]
        candidate = arrival.candidate or self._find_candidate(arrival)
        id = new_id()
        self._new[applications].append(
            {
                "id": id,
                "job": arrival.job,
                "candidate": candidate,
                "document": arrival.sha256,
                "source": arrival.source,
                "status": NEW,
                "file": arrival.file,
                "received": self._now,
            }
        )
        self._saved[key] = Saved(id, candidate, new=False)  # what the next one in the batch is told
        return Saved(id, candidate, new=True)

    def _take_document(self, arrival: Arrival) -> None:
        size_bytes = self._files.size_bytes(arrival.sha256)
        if size_bytes is None:
            raise StoreError(f"The file {arrival.sha256} is not kept yet: files come before applications.")
        if arrival.mined and arrival.mined.document.sha256 != arrival.sha256:
            raise UsageError(
                f"What was mined from {arrival.mined.document.sha256} came with {arrival.sha256}."
            )
        if arrival.sha256 in self._known_documents:
            return
        self._known_documents.add(arrival.sha256)
        self._new[documents].append(
            {
                "sha256": arrival.sha256,
                "size_bytes": size_bytes,
                "format": arrival.mined.document.format if arrival.mined else None,
                "file": arrival.file,
                "received": self._now,
            }
        )

    def _find_candidate(self, arrival: Arrival) -> str:
        """Who sends the same file is the same candidate, unless the form data differ."""
        sha256, form = arrival.sha256, dict(arrival.form)
        found = self._sender_with.get((sha256, canonical_json(form))) if form else self._sender.get(sha256)
        if found:
            return found
        id = new_id()
        self._new[candidates].append({"id": id, "form": form, "created": self._now})
        self._remember(sha256, form, id)
        return id

    def _remember(self, sha256: str, form: dict[str, Any], candidate: str) -> None:
        self._sender.setdefault(sha256, candidate)
        self._sender_with.setdefault((sha256, canonical_json(form)), candidate)

    def _check_jobs(self, ids: Sequence[str]) -> None:
        found: dict[str, datetime | None] = {}
        for some in slices(ids):
            rows = self._connection.execute(select(jobs.c.id, jobs.c.closed).where(jobs.c.id.in_(some)))
            found |= {row.id: row.closed for row in rows}
        for id in ids:
            if id not in found:
                raise no_such_job(id)
            if found[id] is not None:
                raise closed_job(id)

    def _check_candidates(self, ids: Sequence[str]) -> None:
        found: set[str] = set()
        for some in slices(ids):
            found |= set(self._connection.scalars(select(candidates.c.id).where(candidates.c.id.in_(some))))
        for id in ids:
            if id not in found:
                raise NotFound(f"There is no candidate {id!r}.")

    def _look_up(self, hashes: Sequence[str]) -> None:
        for some in slices(hashes):
            query = select(documents.c.sha256).where(documents.c.sha256.in_(some))
            self._known_documents |= set(self._connection.scalars(query))
            senders = (
                select(applications, candidates.c.form)
                .join(candidates, candidates.c.id == applications.c.candidate)
                .where(applications.c.document.in_(some))
                .order_by(applications.c.received, applications.c.id)
            )
            for row in self._connection.execute(senders):
                self._saved[row.job, row.document] = Saved(row.id, row.candidate, new=False)
                self._remember(row.document, row.form, row.candidate)

    def _write(self) -> None:
        rows = self._new[applications]
        first = take_revisions(self._connection, len(rows))
        for number, row in enumerate(rows, first):
            row["revision"] = row["content"] = number
        for table, values in self._new.items():  # parents before children
            if values:
                self._connection.execute(insert(table), values)
