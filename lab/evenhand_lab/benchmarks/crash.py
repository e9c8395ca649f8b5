"""`evenhand bench crash`: processes killed while they ingest, decide and index, and what is there afterwards.

After each kill nothing acknowledged may be missing, nothing may be half done, and store, files and index must agree.
"""

from __future__ import annotations

import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from random import Random
from signal import SIGKILL
from typing import ClassVar

from sqlalchemy import create_engine, text

from evenhand.errors import EvenhandError
from evenhand.progress import Progress, no_progress
from evenhand.screening.service import open_service, reprocess
from evenhand.search.index_sync import disagreements
from evenhand.settings import Settings
from evenhand.store.store import Store
from evenhand_lab.benchmarks.crash_work import EVERYONE, CrashTask, Message, work
from evenhand_lab.benchmarks.inputs import JOB, write_resumes
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.benchmarks.postgres import Postgres, children_of, is_installed, kill, still_there
from evenhand_lab.corpora.generate import CorpusRequest

# What a process was heard to acknowledge, compared with what the store knows after it was killed.


UNREFERENCED = {
    "candidates": "SELECT count(*) FROM candidates WHERE id NOT IN (SELECT candidate FROM applications)",
    "documents": "SELECT count(*) FROM documents WHERE sha256 NOT IN (SELECT document FROM applications)",
    "mined documents": "SELECT count(*) FROM mined_documents WHERE sha256 NOT IN (SELECT sha256 FROM documents)",
}


class Account:
    """Nothing acknowledged may be missing; what was only begun is there as a whole or not at all."""

    def __init__(self) -> None:
        self.acknowledged = 0  # applications and decisions, in all
        self._statuses: dict[str, str | None] = {}  # None: acknowledged, and not looked up yet
        self._adding = 0
        self._deciding: dict[str, str] = {}
        self._removing: str | None = None

    def hear(self, message: Message) -> None:
        kind, value = message
        match kind:
            case "adding":
                self._adding = value
            case "added":
                self._adding = 0
                self.acknowledged += len(value)
                for id in value:
                    self._statuses.setdefault(id, None)
            case "deciding":
                self._deciding = value
            case "decided":
                self.acknowledged += len(self._deciding)
                self._statuses |= self._deciding
                self._deciding = {}
            case "removing":
                self._removing = value
            case "removed":
                self.acknowledged += 1
                del self._statuses[value]
                self._removing = None

    def settle(self, store: Store) -> Iterator[str]:
        """What is wrong, as sentences. From here on what the store says is what is known."""
        everyone = store.changes.since(0, until=store.changes.revision(), limit=EVERYONE)
        stored = {application.id: application for application in everyone}
        for id, status in self._statuses.items():
            if id not in stored:
                if id != self._removing:
                    yield f"The application {id} was acknowledged and is gone."
            elif status is not None and id not in self._deciding and stored[id].status != status:
                yield f"The application {id} is {stored[id].status}, acknowledged was {status}."
        unheard = [id for id in stored if id not in self._statuses]
        if len(unheard) not in (0, self._adding):
            yield f"Of {self._adding} applications added together {len(unheard)} are there."
        pairs = {(application.job, application.document) for application in stored.values()}
        if len(pairs) != len(stored):
            yield f"{len(stored) - len(pairs)} applications are there twice."
        made = [stored[id].status == status for id, status in self._deciding.items()]
        before = [stored[id].status == self._statuses[id] for id in self._deciding]
        if not all(made) and not all(before):
            yield f"Of {len(made)} decisions made together {sum(made)} are there."
        self._statuses = {id: application.status for id, application in stored.items()}
        self._adding, self._deciding, self._removing = 0, {}, None


# Starts a process, listens to it and kills it: at a random moment, or just after it began something.

MAX_SECONDS = 120.0
AT_ONCE_SECONDS = 0.08  # after a message: a transaction or a commit of the index takes about as long
GONE_SECONDS = 20.0


def prepare() -> ForkServerContext:
    """Processes are forked from one that has everything loaded, and neither threads nor open files."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["evenhand_lab.benchmarks.crash_work"])
    return context


@dataclass(frozen=True, slots=True)
class KillTime:
    """After so many messages, and then so many seconds."""

    messages: int
    seconds: float


@dataclass(slots=True)
class Ending:
    cut_off: bool  # it, or what it needs, was killed before it was done
    silent: bool  # it ended by itself without saying how
    failure: str | None  # what it said when it could not go on
    crash: str | None  # the traceback of an error that nobody translated
    messages: int
    seconds: float
    orphans: int  # processes it had started, that outlived it


def choose(rng: Random, last: Ending | None) -> KillTime:
    """Half of them anywhere in the time it took before, half just after one of its messages."""
    if last is None or rng.random() < 0.5:
        return KillTime(0, rng.uniform(0, last.seconds if last else 3.0))
    return KillTime(rng.randint(1, max(1, last.messages - 1)), rng.uniform(0, AT_ONCE_SECONDS))


def run_and_kill(
    context: ForkServerContext,
    task: CrashTask,
    account: Account,
    *,
    moment: KillTime | None = None,
    instead: Callable[[], None] | None = None,
) -> Ending:
    """Without a moment it may finish. `instead` of the process, something else can be harmed."""
    listening, telling = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(task, telling))
    started = time.monotonic()
    process.start()
    telling.close()
    listener = _Listener(listening, account)
    listener.listen(until=started + MAX_SECONDS, moment=moment)
    harmed = children_of(process.pid or 0)
    cut_off = not listener.ended
    if cut_off and instead:
        instead()
        listener.listen(until=time.monotonic() + MAX_SECONDS)
    if not listener.ended:
        if moment is None or instead:
            process.kill()
            raise EvenhandError(f"A process did not end ({task.kind}, seed {task.seed}).")
        kill(process.pid or 0, SIGKILL)
    # What it told before it died counts, heard or not.
    listener.listen(until=time.monotonic() + MAX_SECONDS)
    process.join()
    orphans = still_there(harmed, seconds=GONE_SECONDS)
    return Ending(
        cut_off,
        process.exitcode != -SIGKILL and not listener.concluded,
        listener.failure,
        listener.crash,
        listener.messages,
        time.monotonic() - started,
        len(orphans),
    )


class _Listener:
    def __init__(self, pipe: Connection, account: Account) -> None:
        self._pipe = pipe
        self._account = account
        self.messages = 0
        self.failure: str | None = None
        self.crash: str | None = None
        self.concluded = False  # it has said that it is done, or why not
        self.ended = False

    def listen(self, *, until: float, moment: KillTime | None = None) -> None:
        """Until the other side is gone, or the time or the moment has come."""
        if moment and moment.messages == 0:
            until, moment = time.monotonic() + moment.seconds, None
        while not self.ended and self._pipe.poll(max(0.0, until - time.monotonic())):
            try:
                kind, value = self._pipe.recv()
            except (EOFError, OSError):
                self.ended = True
                self._pipe.close()
                return
            self.messages += 1
            self.concluded = kind in ("done", "failed", "crashed")
            if kind == "failed":
                self.failure = str(value)
            elif kind == "crashed":
                self.crash = str(value)
            self._account.hear((kind, value))
            if moment and self.messages >= moment.messages:
                until, moment = time.monotonic() + moment.seconds, None


KILLS = 400  # half of them on each database
ALWAYS, NEW = 24, 2  # resumes offered to every job, and those that no job has seen
KINDS = ("ingest",) * 12 + ("decide",) * 10 + ("index",) * 7 + ("mine",)
NEW_JOBS = 0.4
SERVER_KILLS = 0.2  # of those on PostgreSQL, the server's processes instead of ours
FULL_DISKS = (20_000, 100_000, 200_000, 400_000)  # bytes a file may have


@dataclass(slots=True)
class Crash(Measurement):
    title: ClassVar[str] = "processes killed at work, and what is there afterwards"
    kills: dict[str, dict[str, int]] = field(default_factory=dict)  # by database and work
    server_kills: int = 0  # of those on PostgreSQL
    acknowledged: int = 0
    applications: dict[str, int] = field(default_factory=dict)  # at the end, by database
    full_disks: int = 0
    told: list[str] = field(default_factory=list)  # sentences about them
    orphans: int = 0
    findings: list[str] = field(default_factory=list)

    def rows(self) -> list[tuple[str, str]]:
        at_the_end = ", ".join(f"{count:,} ({name})" for name, count in self.applications.items())
        return [
            *(
                (f"kills, {database}", ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
                for database, counts in self.kills.items()
            ),
            ("  of them of the PostgreSQL server", f"{self.server_kills}"),
            ("changes acknowledged", f"{self.acknowledged:,}"),
            ("applications at the end", at_the_end),
            ("lost, half done or in disagreement", f"{len(self.findings)} (none allowed)"),
            ("processes that outlived the one that started them", f"{self.orphans} (none allowed)"),
            ("full disks, of them told in a sentence", f"{self.full_disks}, {len(self.told)}"),
        ]


def run(*, n: int = KILLS, seed: int = 1, progress: Progress = no_progress) -> Crash:
    """`n` kills, half of them on PostgreSQL where its server is installed, at the same time."""
    result = Crash()
    databases = ["sqlite", "postgresql"] if is_installed() else ["sqlite"]
    with progress("Killing", n) as bar, ThreadPoolExecutor(len(databases)) as grounds:

        def fight(database: str) -> None:
            with tempfile.TemporaryDirectory(prefix="evenhand-crash-") as folder:
                _KilledStore(Path(folder), database, seed, result, bar.advance).fight(n // len(databases))

        deque(grounds.map(fight, databases), maxlen=0)
    return result


class _KilledStore:
    """One database, its files and index: killed, looked at and killed again."""

    def __init__(self, folder: Path, database: str, seed: int, result: Crash, advance: Callable[[], None]) -> None:
        self._folder = folder
        self._database = database
        self._rng = Random(f"{database} {seed}")
        self._order = CorpusRequest(seed=seed, kind="it", formats=("txt",))
        self._result = result
        self._advance = advance
        self._account = Account()
        self._last: dict[str, Ending] = {}  # the one that came furthest, by kind
        self._job = ""
        self._made = 0
        self._server: Postgres | None = None
        self._context: ForkServerContext = prepare()
        self._settings = Settings(data=str(folder / "data"), workers=1)

    def fight(self, kills: int) -> None:
        if self._database == "postgresql":
            self._server = Postgres(durable=True)
            self._server.start()
            self._settings = replace(self._settings, database=self._server.new_database())
        try:
            self._round("ingest", kill=False)
            for limit_bytes in FULL_DISKS:
                self._round("ingest", kill=False, limit_bytes=limit_bytes)
            counts = self._result.kills[self._database] = {}
            while sum(counts.values()) < kills:
                kind = self._rng.choice(KINDS)
                if self._round(kind, kill=True):
                    counts[kind] = counts.get(kind, 0) + 1
                    self._advance()
            self._round("ingest", kill=False)
            with open_service(self._settings) as service:
                self._result.applications[self._database] = service.store.applications.count()
        finally:
            if self._server:
                self._server.stop()
        self._result.acknowledged += self._account.acknowledged

    def _round(self, kind: str, *, kill: bool, limit_bytes: int | None = None) -> bool:
        """Whether it was cut off."""
        result, name = self._result, f"{self._database}, {kind}"
        moment = choose(self._rng, self._last.get(kind)) if kill else None
        server = self._server if kill and self._rng.random() < SERVER_KILLS else None
        instead = server.kill if server else None
        task = self._task(kind, limit_bytes)
        ending = run_and_kill(self._context, task, self._account, moment=moment, instead=instead)
        if server and ending.cut_off:
            server.start()
            result.server_kills += 1
        result.orphans += ending.orphans
        if kind not in self._last or ending.messages > self._last[kind].messages:
            self._last[kind] = ending
        if ending.silent:
            result.findings.append(f"{name}: ended without a word.")
        if ending.crash:
            result.findings.append(f"{name}: {ending.crash}")
        if limit_bytes is not None:
            result.full_disks += 1
            result.told += [ending.failure] if ending.failure else []
        elif ending.failure and not server:
            result.findings.append(f"{name}: {ending.failure}")
        result.findings += [f"{name}: {finding}" for finding in self._check()]
        return ending.cut_off

    def _check(self) -> Iterator[str]:
        if self._server:
            self._server.settle()
        with open_service(self._settings) as service:
            yield from self._account.settle(service.store)
            engine = create_engine(self._settings.database_url)
            with engine.connect() as connection:
                for name, query in UNREFERENCED.items():
                    if count := connection.execute(text(query)).scalar_one():
                        yield f"{count} {name} belong to no application."
            engine.dispose()
            if next(service.store.documents.unmined(), None):
                reprocess(service)
            yield from disagreements(service.store, service.snapshot())

    def _task(self, kind: str, limit_bytes: int | None) -> CrashTask:
        paths = tuple(self._resumes()) if kind == "ingest" else ()
        # Often for the job of before: what was cut off is taken up again.
        if not self._job or limit_bytes is not None or self._rng.random() < NEW_JOBS:
            with open_service(self._settings) as service:
                self._job = service.store.jobs.add(JOB)
        return CrashTask(kind, self._settings, self._job, paths, self._rng.randrange(1 << 32), limit_bytes)

    def _resumes(self) -> Iterator[Path]:
        folder = self._folder / "resumes"
        # Mostly known ones: they need no mining, so that more of the time is spent on what is to be broken.
        new = self._rng.choice((0, 0, NEW)) if self._made else ALWAYS
        write_resumes(folder, self._order, range(self._made, self._made + new))
        self._made += new
        numbers = [*range(ALWAYS), *range(max(ALWAYS, self._made - new), self._made)]
        self._rng.shuffle(numbers)
        yield from (folder / f"{number}.txt" for number in numbers)
