"""Makes rankings again that the ledger tells of, from what was kept, and says where they differ from the record."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from evenhand.errors import EvenhandError, UsageError
from evenhand.records.event import Event
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.index import Entry, IndexReader, IndexWriter, Snapshot, StatusChange
from evenhand.search.index.conditions import Conditions
from evenhand.search.query.tree import Words
from evenhand.search.rankers import make_ranker
from evenhand.search.rankers.best import Weights
from evenhand.search.recorded_statistics import RecordedStatistics
from evenhand.store import Store
from evenhand.workflows.indexing import digest_of, make_entry
from evenhand.workflows.pool_history import PoolHistory
from evenhand.workflows.ranking_comparison import MadeAgain, compare
from evenhand.workflows.ranking_record import expansion_key, versions
from evenhand.workflows.screening import Screener
from evenhand.workflows.service import Service
from evenhand.workflows.watching import Watch, unwatched

MEMORY_BYTES = 30_000_000  # of the temporary index
UNSETTLED = "The search index was taking in many changes at the time, and was of no one moment."


@dataclass(frozen=True, slots=True)
class Replayed:
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


def replay(service: Service, sequence: int) -> Replayed:
    event = service.store.event(sequence)
    if event.kind != "ranking" or event.job is None:
        raise UsageError(f"Event {sequence} is no ranking, but {event.kind}: only rankings are made again.")
    with Replayer(service.store, event.job) as replayer:
        return replayer.replay(event)


def replay_all(service: Service, *, job: str | None = None, watch: Watch = unwatched) -> Iterator[Replayed]:
    """Every ranking of a job, or of all jobs: one temporary index for each job goes through its history."""
    store = service.store
    jobs = [job] if job else [each.id for each in store.jobs(closed=True)]
    with watch("Replaying", store.count_events(kinds=["ranking"], job=job)) as bar:
        for each in jobs:
            events = sorted(store.walk_events(kinds=["ranking"], job=each), key=_state)
            if not events:
                continue
            with Replayer(store, each) as replayer:
                for event in events:
                    yield replayer.replay(event)
                    bar.advance()


class Replayer:
    """A temporary index of one job, at the state of the ranking that is replayed. States have to come in order."""

    def __init__(self, store: Store, job: str) -> None:
        self._store = store
        self._job = job
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

    def replay(self, event: Event) -> Replayed:
        opened = self._store.opening(event.sequence)
        listed = len(event.body["listed"])
        snapshot = self._snapshot_at(_state(event))
        erased = self._history.erased
        if missing := {"criteria", "names", "told"} - opened.keys():
            reason = f"What it was made from has been erased: {', '.join(sorted(missing))}."
            return Replayed(event.sequence, self._job, listed, erased, impossible=reason)
        try:
            again = self._make_again(snapshot, event.body, opened)
        except (EvenhandError, KeyError, TypeError, ValueError) as failure:
            found: Sequence[str] = [f"It cannot be made again from its record: {failure}"]
        else:
            found = self._differences(event, opened["names"], again)
        if found and not event.body["settled"]:
            return Replayed(event.sequence, self._job, listed, erased, impossible=UNSETTLED)
        return Replayed(event.sequence, self._job, listed, erased, _with_versions(event, found))

    def _snapshot_at(self, revision: int) -> Snapshot:
        if revision != self._history.revision or self._reader is None:
            moved = self._history.advance(revision)
            entries = {entry.application: entry for entry in self._entries(moved.anew)}
            gone = moved.anew - entries.keys()  # nothing had been read from their files yet
            statuses = [
                StatusChange(id, status, revision)
                for id, status in moved.statuses.items()
                if id not in moved.anew
            ]
            self._writer.apply(entries.values(), gone, revision, statuses=statuses)
        if self._reader is None:
            self._reader = IndexReader(Path(self._folder.name))
        return self._reader.snapshot()

    def _entries(self, ids: set[str]) -> Iterator[Entry]:
        for row, job in self._history.rows(ids):
            if (profile := row.profile()) is not None:
                yield make_entry(row, digest_of(row, profile), profile, job)

    def _make_again(
        self, snapshot: Snapshot, body: Mapping[str, Any], opened: Mapping[str, Any]
    ) -> MadeAgain:
        """The same screener, told what it was told then."""
        requirements = self._history.requirements(body["requirements"])
        if requirements is None:
            raise UsageError("what the job asked for then is not kept")
        told = opened["told"]
        snapshot.conditions = RecordedConditions(snapshot, told["expansions"])
        weights = Weights(**body["weights"]["values"]) if body["weights"] else None
        screener = Screener(
            snapshot,
            requirements,
            make_ranker(body["ranker"], weights=weights),
            resolve_skill=lambda name: str(told["skills"].get(name, name)),
            statistics=RecordedStatistics(told["statistics"]),
        )
        asked = screener.ask(criteria_from(opened["criteria"]))
        addresses = snapshot.everyone(asked.filter.query())
        total = len(addresses)
        if "proposed" in opened:
            keys, _ = snapshot.table(addresses)
            among = set(opened["proposed"])
            addresses = [address for key, address in zip(keys, addresses, strict=True) if key in among]
        return MadeAgain(total, screener.rank(asked, addresses))

    def _differences(self, event: Event, names: Sequence[str], again: MadeAgain) -> list[str]:
        seals = self._store.seals_of("application", again.ordered.keys)
        return compare(
            event.body, names, again, seals, erased=self._history.erased, is_erased=self._history.is_erased
        )


class RecordedConditions(Conditions):
    """Prefixes stand for the terms they stood for then."""

    def __init__(self, snapshot: Snapshot, expansions: Mapping[str, list[str]]) -> None:
        super().__init__(snapshot.schema, snapshot.searcher)
        self._expansions = expansions

    def expansions(self, words: Words) -> list[str]:
        return self._expansions.get(expansion_key(words)) or super().expansions(words)


def criteria_from(value: Mapping[str, Any]) -> Criteria:
    facets = {name: tuple(values) for name, values in value["facets"].items()}
    skills = tuple(SkillCondition(**skill) for skill in value["skills"])
    return replace(Criteria(**value), facets=facets, skills=skills)


def _state(event: Event) -> int:
    """The revision of the index that the ranking was made on."""
    state: int = event.body["state"]
    return state


def _with_versions(event: Event, found: Sequence[str]) -> tuple[str, ...]:
    """Where something differs, another version may be the reason."""
    then, now = event.body["versions"], versions()
    if not found or then == now:
        return tuple(found)
    other = ", ".join(f"{name} {then.get(name)}" for name in now if then.get(name) != now[name])
    return (*found, f"It was made by other versions than these: {other}.")
