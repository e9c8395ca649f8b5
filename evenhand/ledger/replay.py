"""Replay: makes recorded rankings again from what was kept, and says where they differ from the record."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any

from evenhand.errors import EvenhandError, UsageError
from evenhand.ledger.recording import expansion_key, versions
from evenhand.progress import Progress, no_progress
from evenhand.records import Job, content_hash
from evenhand.records.event import LedgerEvent
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.index.reader import IndexReader, Snapshot
from evenhand.search.index.schema import VERSION as INDEX_VERSION
from evenhand.search.index.schema import Conditions
from evenhand.search.index.writer import IndexWriter, StatusChange
from evenhand.search.index_sync import make_entry
from evenhand.search.query_language import PhraseCondition
from evenhand.search.rankers.best import Weights
from evenhand.search.rankers.first_best import FirstWeights, are_first
from evenhand.search.rankers.registry import make_ranker
from evenhand.search.screener import OrderedCandidates, Screener
from evenhand.search.service import Service
from evenhand.search.statistics import RecordedStatistics
from evenhand.store.applications import NEW
from evenhand.store.change_feed import IndexRow
from evenhand.store.jobs import JobVersion
from evenhand.store.mined import MinedVersion
from evenhand.store.store import Store

MAX_DIFFERENCES = 20
SHOWN = 12  # signs of a seal

Parts = dict[str, float]


@dataclass(frozen=True, slots=True)
class ReplayedOrder:
    """Everyone who matched, and the order of those the ranker looked at."""

    total: int
    ordered: OrderedCandidates


def compare(
    body: Mapping[str, Any],
    names: Sequence[str],
    again: ReplayedOrder,
    seals: Mapping[str, str],
    *,
    erased: int,
    is_erased: Callable[[str], bool],
) -> list[str]:
    """The first differences, as sentences. Those who were erased since may be missing, and nobody else."""
    differences = [
        *_counts("matched", body["total"], again.total, erased),
        *_counts("were put in order", body["ordered"], len(again.ordered.rows), erased),
        *_order(body, names, again.ordered, seals, erased=erased, is_erased=is_erased),
    ]
    more = len(differences) - MAX_DIFFERENCES
    return [*differences[:MAX_DIFFERENCES], f"And {more:,} more."] if more > 0 else differences


def _counts(what: str, then: int, now: int, erased: int) -> Iterator[str]:
    if not 0 <= then - now <= erased:
        yield f"{then:,} {what} by the record, {now:,} when it is made again."


def _order(
    body: Mapping[str, Any],
    names: Sequence[str],
    ordered: OrderedCandidates,
    seals: Mapping[str, str],
    *,
    erased: int,
    is_erased: Callable[[str], bool],
) -> Iterator[str]:
    recorded = [(seal, parts) for seal, parts in body["listed"] if not is_erased(seal)]
    rows = [(seals.get(ordered.keys[row], ""), row) for row in ordered.rows]
    start = _start(body, recorded, [seal for seal, _ in rows], erased)
    if start is None:
        yield f"The list began with {recorded[0][0][:SHOWN]} at rank {body['first'] + 1}; it no longer does."
        return
    expected = len(recorded) if erased else min(body["size"], max(0, len(rows) - start))
    if len(recorded) != expected:
        yield f"The record lists {len(recorded)}, where {expected} are to be listed."
    for number, ((seal, parts), (other, row)) in enumerate(zip(recorded, rows[start:], strict=False), start=1):
        if seal != other:
            yield f"Number {number} of the list is {seal[:SHOWN]} by the record and {other[:SHOWN]} made again."
        else:
            again = {part.name: part.value for part in ordered.table.score(row).parts}
            yield from _parts(seal, {names[at]: value for at, value in parts}, again)


def _start(
    body: Mapping[str, Any], recorded: Sequence[tuple[str, Any]], seals: Sequence[str], erased: int
) -> int | None:
    """Where the page begins in the new order: at its own rank, or earlier by as many as were erased before it."""
    first: int = body["first"]
    if not recorded or not erased:
        return first
    head = recorded[0][0]
    rank = first + [seal for seal, _ in body["listed"]].index(head)
    at = seals.index(head) if head in seals else rank + 1
    return at if 0 <= rank - at <= erased else None


def _parts(seal: str, then: Parts, now: Parts) -> Iterator[str]:
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name):
            yield (
                f"{name!r} of {seal[:SHOWN]} is {then.get(name, 'absent')} by the record and "
                f"{now.get(name, 'absent')} made again."
            )


KINDS = ("genesis", "ingest", "decision", "undo", "erasure")


@dataclass(frozen=True, slots=True)
class PoolChange:
    """At this revision an application came, got another status (None: went), or has to be looked at anew."""

    revision: int
    seal: str
    status: str | None


@dataclass(slots=True)
class IndexChanges:
    """What an index has to take in to get from one revision to another, by application."""

    anew: set[str] = field(default_factory=set)
    statuses: dict[str, str] = field(default_factory=dict)


class PoolHistory:
    """A job's applications as they were at any revision, from the ledger and the versions superseded since.

    Goes forward only: `advance` to each revision in its order.
    """

    def __init__(self, store: Store, job: str) -> None:
        self._store = store
        self._job = job
        self._changes = sorted(changes(store.ledger.walk(kinds=KINDS, job=job)), key=lambda change: change.revision)
        self._at = 0
        self._ids = store.ledger.unsealed([change.seal for change in self._changes])
        self._documents = {application.id: application.document for application in store.applications.of_job(job)}
        mined = store.documents.mined_versions(sorted(set(self._documents.values())))
        self._mined = {id: _own(id, mined[sha256]) for id, sha256 in self._documents.items() if sha256 in mined}
        self._jobs = store.jobs.versions(job)
        self._now = store.jobs.get(job).requirements
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
        known = [self._now, *(version.requirements for version in self._jobs)]
        return next((job for job in known if content_hash(job.to_json()) == hash), None)

    def advance(self, revision: int) -> IndexChanges:
        """To this revision; what changed for those who have not been erased since."""
        moved = IndexChanges(anew=set(self._superseded(revision)))
        while self._at < len(self._changes) and self._changes[self._at].revision <= revision:
            self._take(self._changes[self._at], moved)
            self._at += 1
        self.revision = revision
        living = {self._ids[seal] for seal in self._statuses if seal in self._ids}
        return IndexChanges(moved.anew & living, {id: to for id, to in moved.statuses.items() if id in living})

    def rows(self, ids: Iterable[str]) -> Iterator[tuple[IndexRow, Job]]:
        """Everything about these applications as it was at this revision, with what the job asked for then."""
        superseded = next((version for version in self._jobs if version.until >= self.revision), None)
        job = superseded.requirements if superseded else self._now
        status = {self._ids[seal]: to for seal, to in self._statuses.items() if seal in self._ids}
        for row in self._store.changes.index_rows(sorted(ids)):
            application = replace(row.application, status=status[row.application.id])
            yield replace(row, application=application, **self._content_then(application.id)), job

    def _take(self, change: PoolChange, moved: IndexChanges) -> None:
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
            return any(version.until is not None and self.revision <= version.until < revision for version in versions)

        if passed(self._jobs):
            yield from self._documents
            return
        yield from (id for id, versions in self._mined.items() if passed(versions))

    def _content_then(self, application: str) -> dict[str, Any]:
        """Nothing to replace where what is kept now was in force then."""
        for version in self._mined.get(application, ()):
            if version.until is None or version.until >= self.revision:
                return {
                    "text": version.text,
                    "packed_profile": version.packed_profile,
                    "digest": version.digest,
                    "digest_version": version.digest_version,
                }
        return {}


def _own(application: str, versions: Iterable[MinedVersion]) -> list[MinedVersion]:
    """What was in force for an application, the oldest first; its own corrections come before the document's reading,
    which was in force for others at the same time."""
    own = [version for version in versions if version.application in (None, application)]
    return sorted(own, key=lambda one: (math.inf if one.until is None else one.until, one.application is None))


def changes(events: Iterable[LedgerEvent]) -> Iterator[PoolChange]:
    """Applications in one event have revisions in a row, of which the event names the last."""
    for event in events:
        body, revision = event.body, event.body["revision"]
        if event.kind == "ingest":
            first = revision - len(body["applications"]) + 1
            for number, seal in enumerate(body["applications"], start=first):
                yield PoolChange(number, seal, NEW)
        elif event.kind == "genesis":
            for seal, status in body.get("applications", ()):
                yield PoolChange(revision, seal, status)
        elif event.kind == "erasure":
            for seal in body.get("subjects", ()):
                yield PoolChange(revision, seal, None)
        else:
            first = revision - len(body["moves"]) + 1
            for number, (seal, _, status) in enumerate(body["moves"], start=first):
                yield PoolChange(number, seal, status)


MEMORY_BYTES = 30_000_000  # of the temporary index
UNSETTLED = "The search index was taking in many changes at the time, and was of no one moment."


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """`impossible` says why a ranking cannot be made again: what was searched for has been erased."""

    sequence: int
    job: str
    listed: int
    erased: int  # of the applicants of that time, gone since and left out of the comparison
    differences: tuple[str, ...] = ()
    impossible: str | None = None

    @property
    def identical(self) -> bool:
        return not self.differences and self.impossible is None

    def to_json(self) -> dict[str, Any]:
        names = ("sequence", "job", "identical", "listed", "erased", "differences", "impossible")
        return {name: getattr(self, name) for name in names}


def replay(service: Service, sequence: int) -> ReplayResult:
    event = service.store.ledger.get(sequence)
    if event.kind != "ranking" or event.job is None:
        raise UsageError(f"Event {sequence} is no ranking, but {event.kind}: only rankings are made again.")
    with Replayer(service.store, event.job, index_version=_index_version(event)) as replayer:
        return replayer.replay(event)


def replay_all(service: Service, *, job: str | None = None, progress: Progress = no_progress) -> Iterator[ReplayResult]:
    """Every ranking of a job, or of all jobs: one temporary index for each job, and for each way in which its entries
    were made, goes through its history."""
    store = service.store
    ids = [job] if job else [stored.id for stored in store.jobs.all(closed=True)]
    with progress("Replaying", store.ledger.count(kinds=["ranking"], job=job)) as bar:
        for id in ids:
            events = sorted(store.ledger.walk(kinds=["ranking"], job=id), key=lambda e: (_index_version(e), _state(e)))
            for version, alike in groupby(events, key=_index_version):
                with Replayer(store, id, index_version=version) as replayer:
                    for event in alike:
                        yield replayer.replay(event)
                        bar.advance()


class Replayer:
    """A temporary index of one job, at the state of the ranking that is replayed. States have to come in order."""

    def __init__(self, store: Store, job: str, *, index_version: int) -> None:
        self._store = store
        self._job = job
        self._index_version = index_version
        self._history = PoolHistory(store, job)
        self._folder = tempfile.TemporaryDirectory(prefix="evenhand-replay-")
        self._writer = IndexWriter(Path(self._folder.name), anew=True, memory_bytes=MEMORY_BYTES)
        self._reader: IndexReader | None = None

    def __enter__(self) -> Replayer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._writer.__exit__(kind, error, trace)
        self._folder.cleanup()

    def replay(self, event: LedgerEvent) -> ReplayResult:
        opened = self._store.ledger.opening(event.sequence)
        listed = len(event.body["listed"])
        snapshot = self._snapshot_at(_state(event))
        erased = self._history.erased
        if missing := {"criteria", "names", "told"} - opened.keys():
            reason = f"What it was made from has been erased: {', '.join(sorted(missing))}."
            return ReplayResult(event.sequence, self._job, listed, erased, impossible=reason)
        try:
            again = self._make_again(snapshot, event, opened)
        except (EvenhandError, KeyError, TypeError, ValueError) as failure:
            differences: Sequence[str] = [f"It cannot be made again from its record: {failure}"]
        else:
            seals = self._store.ledger.seals_of("application", again.ordered.keys)
            is_erased = self._history.is_erased
            differences = compare(event.body, opened["names"], again, seals, erased=erased, is_erased=is_erased)
        if differences and not event.body["settled"]:
            return ReplayResult(event.sequence, self._job, listed, erased, impossible=UNSETTLED)
        return ReplayResult(event.sequence, self._job, listed, erased, _with_versions(event, differences))

    def _snapshot_at(self, revision: int) -> Snapshot:
        if revision != self._history.revision or self._reader is None:
            moved = self._history.advance(revision)
            entries = {
                row.application.id: make_entry(row, profile, job, version=self._index_version)
                for row, job in self._history.rows(moved.anew)
                if (profile := row.profile()) is not None
            }
            gone = moved.anew - entries.keys()  # nothing had been read from their files yet
            statuses = [
                StatusChange(id, status, revision) for id, status in moved.statuses.items() if id not in moved.anew
            ]
            self._writer.apply(entries.values(), gone, revision, statuses=statuses)
        if self._reader is None:
            self._reader = IndexReader(Path(self._folder.name))
        return self._reader.snapshot()

    def _make_again(self, snapshot: Snapshot, event: LedgerEvent, opened: Mapping[str, Any]) -> ReplayedOrder:
        """The same screener, told what it was told then."""
        body, with_common = event.body, _index_version(event) < _WITHOUT_COMMON
        requirements = self._history.requirements(body["requirements"])
        if requirements is None:
            raise UsageError("what the job asked for then is not kept")
        told = opened["told"]
        snapshot.conditions = RecordedConditions(snapshot, told["expansions"])
        values = body["weights"]["values"] if body["weights"] else {}
        weights = (FirstWeights if are_first(values) else Weights)(**values) if values else None
        screener = Screener(
            snapshot,
            requirements,
            make_ranker(body["ranker"], weights=weights),
            resolve_skill=lambda name: str(told["skills"].get(name, name)),
            statistics=RecordedStatistics(told["statistics"]),
            hidden=dict(told.get("hidden", {})),
            with_common=with_common,
        )
        criteria = criteria_from(opened["criteria"])
        if "hidden" not in told:  # no word was hidden: none was typed, or it was before contact data were
            criteria = replace(criteria, masked=())
        asked = screener.ask(criteria)
        addresses = snapshot.everyone(asked.filter.query())
        total = len(addresses)
        if "proposed" in opened:
            keys, _ = snapshot.table(addresses)
            among = set(opened["proposed"])
            addresses = [address for key, address in zip(keys, addresses, strict=True) if key in among]
        return ReplayedOrder(total, screener.rank(asked, addresses))


class RecordedConditions(Conditions):
    """Prefixes stand for the terms they stood for then."""

    def __init__(self, snapshot: Snapshot, expansions: Mapping[str, list[str]]) -> None:
        super().__init__(snapshot.schema, snapshot.searcher)
        self._expansions = expansions

    def expansions(self, words: PhraseCondition) -> list[str]:
        return self._expansions.get(expansion_key(words)) or super().expansions(words)


def criteria_from(value: Mapping[str, Any]) -> Criteria:
    facets = {name: tuple(values) for name, values in value["facets"].items()}
    skills = tuple(SkillCondition(**skill) for skill in value["skills"])
    return replace(Criteria(**value), facets=facets, skills=skills, masked=tuple(value.get("masked", ())))


_WITHOUT_COMMON = 3
"""From this version of the index on words that most ads have are no terms of a query."""


def _state(event: LedgerEvent) -> int:
    """The revision of the index that the ranking was made on."""
    state: int = event.body["state"]
    return state


def _index_version(event: LedgerEvent) -> int:
    """The version of the index that its entries were made for."""
    return int(event.body["versions"].get("index", INDEX_VERSION))


def _with_versions(event: LedgerEvent, differences: Sequence[str]) -> tuple[str, ...]:
    """Where something differs, another version may be the reason."""
    then, now = event.body["versions"], versions()
    if not differences or then == now:
        return tuple(differences)
    other = ", ".join(f"{name} {then.get(name)}" for name in now if then.get(name) != now[name])
    return (*differences, f"It was made by other versions than these: {other}.")
