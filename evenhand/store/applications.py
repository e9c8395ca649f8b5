"""Applications: a candidate's document for a job. Adding the same ones again changes nothing."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby, islice
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Row, String, Table, delete, func, insert, select

from evenhand.errors import NotFound, StoreError, UsageError
from evenhand.records import Failure, Profile, canonical_json, content_hash
from evenhand.records.event import SYSTEM, ApplicationRef, EventDraft, OwnedValue
from evenhand.store.base import StoreBase, StoreContext, from_row, new_id, pages, select_in, slices
from evenhand.store.database import take_revisions
from evenhand.store.files import FileStore
from evenhand.store.jobs import closed_job, no_such_job
from evenhand.store.ledger_append import SUBJECTS, append
from evenhand.store.mined import (
    OWN_PROFILE,
    CorrectedReading,
    DocumentStore,
    MiningResult,
    Rows,
    mined_documents,
    mined_hashes,
    prepare,
    save_absent,
    versions_of,
    with_mined,
)
from evenhand.store.tables import (
    MASTER,
    BigId,
    CleanText,
    UtcTime,
    applications,
    candidates,
    clean,
    documents,
    jobs,
    unpack,
)

# The statuses of an application and the ways between them.
NEW = "new"
SCREENED = "screened"
SHORTLISTED = "shortlisted"
REJECTED = "rejected"
OFFERED = "offered"

STATUS_NAMES = {
    NEW: "New",
    SCREENED: "Screened",
    SHORTLISTED: "Shortlisted for Interview",
    OFFERED: "Offered",
    REJECTED: "Rejected",
}

ACTIONS = {"screen": SCREENED, "shortlist": SHORTLISTED, "reject": REJECTED, "offer": OFFERED}
UNDO = "undo"

TRANSITIONS = {
    NEW: (SCREENED,),
    SCREENED: (SHORTLISTED, REJECTED),
    SHORTLISTED: (OFFERED, REJECTED),
    REJECTED: (),
    OFFERED: (),
}


def steps(status: str, action: str) -> tuple[tuple[str, str, str], ...]:
    """The (action, from, to) that lead from `status`; nothing when the application is there already.

    Who shortlists or rejects a new application has thereby screened it: both steps are recorded.
    """
    if action not in ACTIONS:
        raise UsageError(f"There is no action {action!r}; the actions are {', '.join(ACTIONS)}.")
    target = ACTIONS[action]
    if target == status:
        return ()
    if target in TRANSITIONS[status]:
        return ((action, status, target),)
    if status == NEW and target in TRANSITIONS[SCREENED]:
        return (("screen", NEW, SCREENED), (action, SCREENED, target))
    raise UsageError(f"An application that is {STATUS_NAMES[status]} cannot become {STATUS_NAMES[target]}.")


Form = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One resume for one job. Its bytes must already be in `Store.files`."""

    job: str
    sha256: str
    source: str | None = None
    file: str | None = None  # the name under which it came
    form: Form = field(default_factory=dict)  # what the applicant typed in; often nothing
    candidate: str | None = None  # when it is known who applies
    external_id: str | None = None  # by which another system knows it; nobody else's of the job
    mined: MiningResult | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A file that came for a job and could not become an application. Its bytes are kept where there were any."""

    job: str
    file: str
    sha256: str | None
    failure: Failure


@dataclass(frozen=True, slots=True)
class ArrivalOutcome:
    """What became of an arrival: its application, and whether that is new."""

    application: str
    candidate: str
    new: bool


@dataclass(frozen=True, slots=True)
class Application:
    id: str
    job: str
    candidate: str
    document: str  # SHA-256 of the file
    source: str | None
    status: str
    file: str | None
    received: datetime
    revision: int
    content: int  # the revision at which anything but the status last changed
    external_id: str | None = None


refusals = Table(
    "refusals",
    MASTER,
    Column("id", BigId, primary_key=True),
    Column("job", ForeignKey("jobs.id"), nullable=False, index=True),
    Column("file", CleanText, nullable=False),
    Column("sha256", String(64)),  # None where no bytes could be had
    Column("code", String(32), nullable=False),
    Column("message", CleanText, nullable=False),
    Column("received", UtcTime, nullable=False),
)


class IntakeStore:
    """Knows what is there, decides what is new, and writes that."""

    def __init__(self, connection: Connection, files: FileStore, now: datetime) -> None:
        self._connection = connection
        self._files = files
        self._now = now
        self._saved: dict[tuple[str, str], ArrivalOutcome] = {}  # by job and document
        self._known_documents: set[str] = set()
        # By document: the first candidate who sent it, and by form data the one who sent it with these.
        self._sender: dict[str, str] = {}
        self._sender_with: dict[tuple[str, str], str] = {}
        self._new: dict[Table, list[dict[str, Any]]] = {documents: [], candidates: [], applications: []}

    @property
    def new(self) -> list[dict[str, Any]]:
        """The rows of the applications that are new, in order of their revisions."""
        return self._new[applications]

    def add(
        self, arrivals: Sequence[Arrival], mined: Mapping[str, Rows], corrected: Mapping[str, CorrectedReading]
    ) -> list[ArrivalOutcome]:
        self._check(arrivals)
        self._look_up(sorted({arrival.sha256 for arrival in arrivals}))
        outcome = [self._take(arrival) for arrival in arrivals]
        # First, since it gives a new revision to the applications that are there; the new ones get theirs below.
        save_absent(self._connection, mined, corrected)
        self._write()
        return outcome

    def _take(self, arrival: Arrival) -> ArrivalOutcome:
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
                "external_id": arrival.external_id,
            }
        )
        self._saved[key] = ArrivalOutcome(id, candidate, new=False)  # what the next one in the batch is told
        return ArrivalOutcome(id, candidate, new=True)

    def _take_document(self, arrival: Arrival) -> None:
        size_bytes = self._files.size_bytes(arrival.sha256)
        if size_bytes is None:
            raise StoreError(f"The file {arrival.sha256} is not kept yet: files come before applications.")
        if arrival.mined and arrival.mined.document.sha256 != arrival.sha256:
            raise UsageError(f"What was mined from {arrival.mined.document.sha256} came with {arrival.sha256}.")
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
        known = self._sender_with.get((sha256, canonical_json(form))) if form else self._sender.get(sha256)
        if known:
            return known
        id = new_id()
        self._new[candidates].append({"id": id, "form": form, "created": self._now})
        self._remember(sha256, form, id)
        return id

    def _remember(self, sha256: str, form: dict[str, Any], candidate: str) -> None:
        self._sender.setdefault(sha256, candidate)
        self._sender_with.setdefault((sha256, canonical_json(form)), candidate)

    def _check(self, arrivals: Sequence[Arrival]) -> None:
        """Raises where a job is not there or closed, or a candidate is not there."""
        ids = sorted({arrival.job for arrival in arrivals})
        query = select(jobs.c.id, jobs.c.closed)
        closed = {row.id: row.closed for row in select_in(self._connection, query, jobs.c.id, ids)}
        for id in ids:
            if id not in closed:
                raise no_such_job(id)
            if closed[id] is not None:
                raise closed_job(id)
        ids = sorted({arrival.candidate for arrival in arrivals if arrival.candidate})
        known = {row.id for row in select_in(self._connection, select(candidates.c.id), candidates.c.id, ids)}
        for id in ids:
            if id not in known:
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
                self._saved[row.job, row.document] = ArrivalOutcome(row.id, row.candidate, new=False)
                self._remember(row.document, row.form, row.candidate)

    def _write(self) -> None:
        rows = self._new[applications]
        first = take_revisions(self._connection, len(rows))
        for number, row in enumerate(rows, first):
            row["revision"] = row["content"] = number
        for table, values in self._new.items():  # parents before children
            if values:
                self._connection.execute(insert(table), values)


def ingest_drafts(
    connection: Connection, rows: Sequence[Mapping[str, Any]], versions: Mapping[str, Any], actor: str
) -> Iterator[EventDraft]:
    """Events of applications with revisions in a row, for one job and from one source."""
    query, senders = select(candidates), sorted({row["candidate"] for row in rows})
    forms = {row.id: content_hash(row.form) for row in select_in(connection, query, candidates.c.id, senders)}
    mined = mined_hashes(connection, [row["id"] for row in rows])
    for (job, source), group in groupby(rows, key=lambda row: (row["job"], row["source"])):
        for some in slices(list(group), SUBJECTS):
            body = {
                "versions": versions,
                "applications": [ApplicationRef(row["id"]) for row in some],
                "revision": some[-1]["revision"],
            }
            sealed = {
                str(number): OwnedValue(
                    row["id"],
                    {
                        "sha256": row["document"],
                        "file": row["file"],
                        "source": source,
                        "candidate": row["candidate"],
                        "form": forms[row["candidate"]],
                        "mined": mined.get(row["id"]),
                        **({} if row["external_id"] is None else {"external_id": row["external_id"]}),
                    },
                )
                for number, row in enumerate(some)
            }
            yield EventDraft("ingest", actor, job, body=body, sealed=sealed)


def refusal_drafts(refusals: Sequence[Refusal], actor: str) -> Iterator[EventDraft]:
    for job in sorted({refusal.job for refusal in refusals}):
        own = [refusal for refusal in refusals if refusal.job == job]
        codes = Counter(refusal.failure.code for refusal in own)
        # One value for each file: what is erased later is one of them.
        sealed = {
            str(number): [clean(refusal.file), refusal.sha256, refusal.failure.code, clean(refusal.failure.message)]
            for number, refusal in enumerate(own)
        }
        yield EventDraft("refusal", actor, job, body={"count": codes.total(), "codes": dict(codes)}, sealed=sealed)


def forget_refusals(connection: Connection, arrivals: Iterable[Arrival]) -> None:
    """What has become an application after all is refused no longer."""
    hashes: dict[str, set[str]] = defaultdict(set)
    for arrival in arrivals:
        hashes[arrival.job].add(arrival.sha256)
    for job, sha256s in hashes.items():
        for some in slices(sorted(sha256s)):
            same = (refusals.c.job == job) & refusals.c.sha256.in_(some)
            connection.execute(delete(refusals).where(same))


def record_refusals(connection: Connection, refused: Sequence[Refusal], now: datetime) -> None:
    """The same file refused again replaces its record."""
    for refusal in refused:
        same = (refusals.c.job == refusal.job) & (refusals.c.file == clean(refusal.file))
        connection.execute(delete(refusals).where(same))
        connection.execute(
            insert(refusals).values(
                job=refusal.job,
                file=refusal.file,
                sha256=refusal.sha256,
                code=refusal.failure.code,
                message=refusal.failure.message,
                received=now,
            )
        )


class ApplicationStore(StoreBase):
    def __init__(self, context: StoreContext, documents: DocumentStore) -> None:
        super().__init__(context)
        self._documents = documents

    def add(
        self,
        arrivals: Sequence[Arrival],
        *,
        refusals: Sequence[Refusal] = (),
        corrected: Mapping[str, CorrectedReading] | None = None,
        actor: str = SYSTEM,
    ) -> list[ArrivalOutcome]:
        """All of them, or none if one cannot be; what became of each, in the order given.

        `corrected` is for applications that are there, whose documents are mined anew: what their corrections make of
        it.
        """
        there = self._documents.mined([arrival.sha256 for arrival in arrivals])
        mined = prepare(arrival.mined for arrival in arrivals if arrival.mined and arrival.sha256 not in there)
        with self._database.writing() as connection:
            now = self._now()
            forget_refusals(connection, arrivals)
            record_refusals(connection, refusals, now)
            intake = IntakeStore(connection, self._context.files, now)
            saved = intake.add(arrivals, mined, corrected or {})
            # Files mined before, for another job, are not mined again.
            versions = versions_of([arrival.mined for arrival in arrivals if arrival.mined])
            drafts = [*ingest_drafts(connection, intake.new, versions, actor), *refusal_drafts(refusals, actor)]
            append(connection, drafts, now)
            return saved

    def get(self, id: str) -> Application:
        return self.get_many([id])[0]

    def get_many(self, ids: Sequence[str]) -> list[Application]:
        """In the order asked for."""
        with self._database.reading() as connection:
            return [from_row(Application, row) for row in existing_applications(connection, ids)]

    def of_job(self, job: str) -> Iterator[Application]:
        """In order of their documents' hashes, a slice at a time."""
        query = select(applications).where(applications.c.job == job)
        for rows in pages(self._rows, query, applications.c.document):
            yield from (from_row(Application, row) for row in rows)

    def known_arrivals(self, job: str, sha256s: Sequence[str]) -> dict[str, ArrivalOutcome]:
        """By document, those that are applications for the job already."""
        query = select(applications).where(applications.c.job == job)
        with self._database.reading() as connection:
            rows = select_in(connection, query, applications.c.document, sha256s)
            return {row.document: ArrivalOutcome(row.id, row.candidate, new=False) for row in rows}

    def page_of_job(
        self, job: str, *, external_id: str | None = None, first: int, size: int
    ) -> tuple[list[Application], int]:
        """In the order in which they came, and how many there are in all."""
        chosen = applications.c.job == job
        if external_id is not None:
            chosen &= applications.c.external_id == external_id
        query = select(applications).where(chosen).order_by(applications.c.received, applications.c.id)
        with self._database.reading() as connection:
            total = connection.execute(select(func.count()).select_from(applications).where(chosen)).scalar_one()
            rows = connection.execute(query.offset(first).limit(size))
            return [from_row(Application, row) for row in rows], int(total)

    def count(self, job: str | None = None) -> int:
        query = select(func.count()).select_from(applications)
        if job is not None:
            query = query.where(applications.c.job == job)
        return int(self._scalar(query))

    def profile(self, id: str) -> Profile | None:
        """With its own corrections; None when the document could not be read, or has not been mined yet."""
        query = with_mined(select(OWN_PROFILE.label("profile"), mined_documents.c.text).select_from(applications))
        row = self._row(query.where(applications.c.id == id))
        if row is None or row.profile is None:
            return None
        return Profile.from_json(json.loads(unpack(row.profile)), unpack(row.text))

    def form(self, candidate: str) -> Form:
        row = self._row(select(candidates.c.form).where(candidates.c.id == candidate))
        if row is None:
            raise NotFound(f"There is no candidate {candidate!r}.")
        form: Form = row.form
        return form

    def refusals(self, job: str) -> list[Refusal]:
        """In the order in which they came."""
        query = select(refusals).where(refusals.c.job == job).order_by(refusals.c.id)
        return [Refusal(row.job, row.file, row.sha256, Failure(row.code, row.message)) for row in self._rows(query)]

    def find_by_text(self, text: str, *, limit: int) -> list[str]:
        """Ids of applications whose form or file name holds the text, whatever its capitals; in order of the ids.

        Every row is looked at: SQLite knows the small letters of ASCII only, and forms are kept with escapes.
        """
        wanted = text.casefold()
        query = select(applications.c.id, applications.c.file, candidates.c.form).join(
            candidates, candidates.c.id == applications.c.candidate
        )
        everyone = (row for rows in pages(self._rows, query, applications.c.id) for row in rows)
        ids = (row.id for row in everyone if wanted in f"{row.file} {_typed(row.form)}".casefold())
        return list(islice(ids, limit))


def select_applications(connection: Connection, ids: Sequence[str]) -> Iterator[Row[Any]]:
    return select_in(connection, select(applications), applications.c.id, list(ids))


def existing_applications(connection: Connection, ids: Sequence[str]) -> list[Row[Any]]:
    """In the order asked for; NotFound where one is not there."""
    rows = {row.id: row for row in select_applications(connection, ids)}
    for id in ids:
        if id not in rows:
            raise no_such_application(id)
    return [rows[id] for id in ids]


def existing_application(connection: Connection, id: str) -> Row[Any]:
    return existing_applications(connection, [id])[0]


def no_such_application(id: str) -> NotFound:
    return NotFound(f"There is no application {id!r}.")


def _typed(value: Any) -> str:
    """Everything that stands in a form, without the names of its fields."""
    if isinstance(value, dict):
        return " ".join(map(_typed, value.values()))
    return " ".join(map(_typed, value)) if isinstance(value, list) else str(value)
