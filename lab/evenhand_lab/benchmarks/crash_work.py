"""What the process does that is killed: it tells what it begins, and only afterwards that it is done."""

from __future__ import annotations

import resource
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from evenhand.errors import EvenhandError
from evenhand.screening.service import ingest_files, reprocess
from evenhand.search.index_sync import rebuild
from evenhand.search.service import OpenIndex, Service
from evenhand.settings import Settings
from evenhand.store.applications import ApplicationStore, Arrival, ArrivalOutcome
from evenhand.store.base import StoreContext
from evenhand.store.decisions import BatchOutcome, DecisionStore
from evenhand.store.erasures import ErasureStore
from evenhand.store.mined import DocumentStore
from evenhand.store.statuses import ACTIONS, NEW, REJECTED, SCREENED
from evenhand.store.store import Store

Message = tuple[str, Any]
Tell = Callable[[Message], None]
EVERYONE = 1_000_000
LISTED, SHORTLISTED, REMOVED = 30, 3, 2  # applications that one round decides on


@dataclass(frozen=True, slots=True)
class CrashTask:
    kind: str
    settings: Settings
    job: str
    paths: tuple[Path, ...]
    seed: int
    limit_bytes: int | None = None  # no file can be written beyond, as on a full disk


class TellingApplications(ApplicationStore):
    def __init__(self, context: StoreContext, documents: DocumentStore, tell: Tell) -> None:
        super().__init__(context, documents)
        self._tell = tell

    def add(self, arrivals: Sequence[Arrival], **named: Any) -> list[ArrivalOutcome]:
        self._tell(("adding", len(arrivals)))
        saved = super().add(arrivals, **named)
        self._tell(("added", [outcome.application for outcome in saved]))
        return saved


class TellingDecisions(DecisionStore):
    def __init__(self, context: StoreContext, tell: Tell) -> None:
        super().__init__(context)
        self._tell = tell

    def _told(self, statuses: dict[str, str], change: Callable[[], BatchOutcome]) -> BatchOutcome:
        self._tell(("deciding", statuses))
        outcome = change()
        self._tell(("decided", None))
        return outcome

    def decide(self, ids: Sequence[str], action: str, **named: Any) -> BatchOutcome:
        return self._told(dict.fromkeys(ids, ACTIONS[action]), lambda: DecisionStore.decide(self, ids, action, **named))

    def reject_rest(self, job: str, listed: Sequence[str], shortlist: Sequence[str], **named: Any) -> BatchOutcome:
        statuses = {id: REJECTED for id in listed if id not in shortlist}
        return self._told(statuses, lambda: DecisionStore.reject_rest(self, job, listed, shortlist, **named))

    def undo(self, batch: str, **named: Any) -> BatchOutcome:
        statuses = {decision.application: decision.from_status for decision in reversed(self.batch(batch))}
        return self._told(statuses, lambda: DecisionStore.undo(self, batch, **named))


class TellingErasures(ErasureStore):
    def __init__(self, context: StoreContext, tell: Tell) -> None:
        super().__init__(context)
        self._tell = tell

    def remove_application(self, id: str, **named: Any) -> None:
        self._tell(("removing", id))
        super().remove_application(id, **named)
        self._tell(("removed", id))


class TellingStore(Store):
    """A store that says before each change what it will do, and after it that it is done."""

    def __init__(self, context: StoreContext) -> None:
        super().__init__(context)
        self.listener: Tell | None = None
        self.applications = TellingApplications(context, self.documents, self.tell)
        self.decisions = TellingDecisions(context, self.tell)
        self.erasures = TellingErasures(context, self.tell)

    def tell(self, message: Message) -> None:
        if self.listener:
            self.listener(message)


class TellingService(Service):
    def follow(self, **options: Any) -> int:
        assert isinstance(self.store, TellingStore)
        self.store.tell(("following", None))
        changed = Service.follow(self, **options)
        self.store.tell(("followed", None))
        return changed


def work(task: CrashTask, pipe: Connection) -> None:
    """Ends by itself, or is ended."""
    if task.limit_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (task.limit_bytes, task.limit_bytes))
    settings = task.settings
    try:
        with TellingStore.open(settings.database_url, files=settings.data_path / "files") as store:
            assert isinstance(store, TellingStore)
            store.listener = pipe.send
            index = settings.data_path / "index"
            KINDS[task.kind](TellingService(store, index, settings, OpenIndex(index)), task)
        pipe.send(("done", None))
    except EvenhandError as error:
        pipe.send(("failed", str(error)))
    except Exception:  # an error that nobody translated: its traceback is the only way to find out why
        pipe.send(("crashed", traceback.format_exc()))


def decide(service: Service, task: CrashTask) -> None:
    """Shortlist some, reject the rest of a list, undo that half of the time, and erase two."""
    rng = Random(task.seed)
    store = service.store
    everyone = store.changes.since(0, until=store.changes.revision(), limit=EVERYONE)
    open_ones = [application for application in everyone if application.status in (NEW, SCREENED)]
    rng.shuffle(open_ones)
    listed = open_ones[:LISTED]
    shortlist = [application.id for application in listed[:SHORTLISTED]]
    store.decisions.decide(shortlist, "shortlist", actor="ann")
    service.follow()
    for job in sorted({application.job for application in listed}):
        of_job = [application.id for application in listed if application.job == job]
        spared = [id for id in of_job if id in shortlist]
        rejected = store.decisions.reject_rest(job, of_job, spared, actor="ann", reason="position filled")
        service.follow()
        if rejected.changed and rng.random() < 0.5:
            store.decisions.undo(rejected.batch, actor="ben")
            service.follow()
    for application in open_ones[LISTED : LISTED + REMOVED]:
        store.erasures.remove_application(application.id)
        service.follow()


def index(service: Service, task: CrashTask) -> None:
    assert isinstance(service.store, TellingStore)
    service.store.tell(("following", None))
    rebuild(service.store, service.index)
    service.store.tell(("followed", None))


def mine(service: Service, task: CrashTask) -> None:
    service.store.documents.drop_mined()
    reprocess(service)


KINDS: dict[str, Callable[[Service, CrashTask], object]] = {
    "ingest": lambda service, task: ingest_files(service, task.paths, task.job, total=len(task.paths)),
    "decide": decide,
    "index": index,
    "mine": mine,
}
