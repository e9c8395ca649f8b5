"""What the process does that is killed: it tells what it begins, and only afterwards that it is done."""

from __future__ import annotations

import resource
import traceback
from collections.abc import Callable
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
from evenhand.store.applications import ACTIONS, NEW, REJECTED, SCREENED
from evenhand.store.store import Store

Message = tuple[str, Any]
Tell = Callable[[Message], None]
DECIDED: Message = ("decided", None)
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


class AnnouncedService(Service):
    """Without slots, unlike its base, so that `follow` can be announced too."""


def work(task: CrashTask, pipe: Connection) -> None:
    """Ends by itself, or is ended."""
    if task.limit_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (task.limit_bytes, task.limit_bytes))
    settings = task.settings
    try:
        with Store.open(settings.database_url, files=settings.data_path / "files") as store:
            index = settings.data_path / "index"
            service = AnnouncedService(store, index, settings, OpenIndex(index))
            announce_changes(service, pipe.send)
            KINDS[task.kind](service, task, pipe.send)
        pipe.send(("done", None))
    except EvenhandError as error:
        pipe.send(("failed", str(error)))
    except Exception:  # an error that nobody translated: its traceback is the only way to find out why
        pipe.send(("crashed", traceback.format_exc()))


def announce_changes(service: Service, tell: Tell) -> None:
    """The service and its store say before each change what they will do, and after it that it is done."""
    decisions = service.store.decisions

    def announce(
        owner: object, name: str, before: Callable[..., Message], after: Callable[..., Message] = lambda *_: DECIDED
    ) -> None:
        change = getattr(owner, name)

        def announced(*arguments: Any, **named: Any) -> Any:
            tell(before(*arguments))
            outcome = change(*arguments, **named)
            tell(after(outcome, *arguments))
            return outcome

        object.__setattr__(owner, name, announced)  # a service is frozen

    announce(
        service.store.applications,
        "add",
        lambda arrivals: ("adding", len(arrivals)),
        lambda saved, _: ("added", [outcome.application for outcome in saved]),
    )
    announce(decisions, "decide", lambda ids, action: ("deciding", dict.fromkeys(ids, ACTIONS[action])))
    announce(
        decisions,
        "reject_rest",
        lambda _, listed, shortlist: ("deciding", {id: REJECTED for id in listed if id not in shortlist}),
    )
    announce(
        decisions,
        "undo",
        lambda batch: (
            "deciding",
            {decision.application: decision.from_status for decision in reversed(decisions.batch(batch))},
        ),
    )
    announce(
        service.store.erasures,
        "remove_application",
        lambda application: ("removing", application),
        lambda _, application: ("removed", application),
    )
    announce(service, "follow", lambda: ("following", None), lambda _: ("followed", None))


def decide(service: Service, task: CrashTask, tell: Tell) -> None:
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


def index(service: Service, task: CrashTask, tell: Tell) -> None:
    tell(("following", None))
    rebuild(service.store, service.index)
    tell(("followed", None))


def mine(service: Service, task: CrashTask, tell: Tell) -> None:
    service.store.documents.drop_mined()
    reprocess(service)


KINDS: dict[str, Callable[[Service, CrashTask, Tell], object]] = {
    "ingest": lambda service, task, tell: ingest_files(service, task.paths, task.job, total=len(task.paths)),
    "decide": decide,
    "index": index,
    "mine": mine,
}
