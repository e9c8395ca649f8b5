"""A job's applications as they were at any revision, from the ledger and the versions that were superseded since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evenhand.records import Job, content_hash
from evenhand.records.event import Event
from evenhand.store import Indexed, Store
from evenhand.store.rows import JobVersion, MinedVersion
from evenhand.store.statuses import NEW

KINDS = ("genesis", "ingest", "decision", "undo", "erasure")


@dataclass(frozen=True, slots=True)
class Change:
    """At this revision an application came, got another status (None: went), or has to be looked at anew."""

    revision: int
    seal: str
    status: str | None


@dataclass(slots=True)
class Moved:
    """What an index has to take in to get from one revision to another, by application."""

    anew: set[str] = field(default_factory=set)
    statuses: dict[str, str] = field(default_factory=dict)


class PoolHistory:
    """Goes forward only: `advance` to each revision in its order."""

    def __init__(self, store: Store, job: str) -> None:
        self._store = store
        self._job = job
        self._changes = sorted(
            changes(store.walk_events(kinds=KINDS, job=job)), key=lambda change: change.revision
        )
        self._at = 0
        self._ids = store.unsealed([change.seal for change in self._changes])
        self._documents = {each.id: each.document for each in store.applications_of(job)}
        self._mined = store.mined_versions(sorted(set(self._documents.values())))
        self._jobs = store.job_versions(job)
        self._now = store.job(job).requirements
        self._statuses: dict[str, str] = {}  # by seal, of those who are there
        self.revision = -1

    @property
    def erased(self) -> int:
        """Of those who were there at this revision, how many have been erased since."""
        return sum(seal not in self._ids for seal in self._statuses)

    def is_erased(self, seal: str) -> bool:
        return seal not in self._ids

    def requirements(self, hash: str) -> Job | None:
        """Those with this hash, whenever they were in force."""
        kept = [self._now, *(version.requirements for version in self._jobs)]
        return next((job for job in kept if content_hash(job.to_json()) == hash), None)

    def advance(self, revision: int) -> Moved:
        """To this revision; what changed for those who have not been erased since."""
        moved = Moved(anew=set(self._superseded(revision)))
        while self._at < len(self._changes) and self._changes[self._at].revision <= revision:
            self._take(self._changes[self._at], moved)
            self._at += 1
        self.revision = revision
        living = {self._ids[seal] for seal in self._statuses if seal in self._ids}
        return Moved(moved.anew & living, {id: to for id, to in moved.statuses.items() if id in living})

    def rows(self, ids: Iterable[str]) -> Iterator[tuple[Indexed, Job]]:
        """Everything about these applications as it was at this revision, with what the job asked for then."""
        job = self._job_then()
        status = {self._ids[seal]: to for seal, to in self._statuses.items() if seal in self._ids}
        for row in self._store.indexed(sorted(ids)):
            application = replace(row.application, status=status[row.application.id])
            yield replace(row, application=application, **self._content_then(application.document)), job

    def _take(self, change: Change, moved: Moved) -> None:
        known = change.seal in self._statuses
        if change.status is None:
            self._statuses.pop(change.seal, None)
            return
        self._statuses[change.seal] = change.status
        if (id := self._ids.get(change.seal)) is None:
            return
        if known:
            moved.statuses[id] = change.status
        else:
            moved.anew.add(id)

    def _superseded(self, revision: int) -> Iterator[str]:
        """Applications whose facts, or what the job asked of them, changed between the revisions."""

        def passed(versions: Sequence[JobVersion | MinedVersion]) -> bool:
            return any(
                version.until is not None and self.revision <= version.until < revision
                for version in versions
            )

        if passed(self._jobs):
            yield from self._documents
            return
        changed = {document for document, versions in self._mined.items() if passed(versions)}
        yield from (id for id, document in self._documents.items() if document in changed)

    def _job_then(self) -> Job:
        then = next((version for version in self._jobs if version.until >= self.revision), None)
        return then.requirements if then else self._now

    def _content_then(self, document: str) -> dict[str, Any]:
        """Nothing to replace where what is kept now was in force then."""
        for version in self._mined.get(document, ()):
            if version.until is None or version.until >= self.revision:
                return {
                    "text": version.text,
                    "packed_profile": version.packed_profile,
                    "digest": version.digest,
                    "digest_version": version.digest_version,
                }
        return {}


def changes(events: Iterable[Event]) -> Iterator[Change]:
    """Applications in one event have revisions in a row, of which the event names the last."""
    for event in events:
        body, revision = event.body, event.body["revision"]
        if event.kind == "ingest":
            first = revision - len(body["applications"]) + 1
            for number, seal in enumerate(body["applications"], start=first):
                yield Change(number, seal, NEW)
        elif event.kind == "genesis":
            for seal, status in body.get("applications", ()):
                yield Change(revision, seal, status)
        elif event.kind == "erasure":
            for seal in body.get("subjects", ()):
                yield Change(revision, seal, None)
        else:
            first = revision - len(body["moves"]) + 1
            for number, (seal, _, status) in enumerate(body["moves"], start=first):
                yield Change(number, seal, status)
