"""`evenhand bench crash`: processes killed while they ingest, decide and index, and what is there afterwards.

After each kill nothing acknowledged may be missing, nothing may be half done, and store, files and index must agree.
"""

from __future__ import annotations

import tempfile
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing.context import ForkServerContext
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from rich.table import Table

from evenhand.bench.crashing.account import Account, unreferenced
from evenhand.bench.crashing.killing import Ending, choose, prepare, run_and_kill
from evenhand.bench.crashing.work import Task
from evenhand.bench.measurements import as_table
from evenhand.bench.postgres import Postgres, is_installed
from evenhand.corpora.making import Order, make
from evenhand.records import Job
from evenhand.settings import Settings
from evenhand.workflows.integrity import disagreements
from evenhand.workflows.opening import open_service, reprocess
from evenhand.workflows.watching import Watch, unwatched

KILLS = 200
ALWAYS, NEW = 24, 2  # resumes offered to every job, and those that no job has seen
KINDS = ("ingest",) * 12 + ("decide",) * 10 + ("index",) * 7 + ("mine",)
NEW_JOBS = 0.4
SERVER_KILLS = 0.2  # of those on PostgreSQL, the server's processes instead of ours
FULL_DISKS = (20_000, 100_000, 200_000, 400_000)  # bytes a file may have
JOB = Job(text="Software developer", title="Software developer")


@dataclass(slots=True)
class Crash:
    title: ClassVar[str] = "processes killed at work, and what is there afterwards"
    kills: dict[str, dict[str, int]] = field(default_factory=dict)  # by database and work
    server_kills: int = 0  # of those on PostgreSQL
    acknowledged: int = 0
    applications: dict[str, int] = field(default_factory=dict)  # at the end, by database
    full_disks: int = 0
    told: list[str] = field(default_factory=list)  # sentences about them
    orphans: int = 0
    findings: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def rows(self) -> list[tuple[str, str]]:
        rows = [
            (f"kills, {database}", ", ".join(f"{count} {kind}" for kind, count in sorted(found.items())))
            for database, found in self.kills.items()
        ]
        at_the_end = ", ".join(f"{count:,} ({name})" for name, count in self.applications.items())
        return [
            *rows,
            ("  of them of the PostgreSQL server", f"{self.server_kills}"),
            ("changes acknowledged", f"{self.acknowledged:,}"),
            ("applications at the end", at_the_end),
            ("lost, half done or in disagreement", f"{len(self.findings)} (none allowed)"),
            ("processes that outlived the one that started them", f"{self.orphans} (none allowed)"),
            ("full disks, of them told in a sentence", f"{self.full_disks}, {len(self.told)}"),
        ]

    def table(self) -> Table:
        return as_table(self.title, self.rows())


def run(*, n: int = KILLS, seed: int = 1, watch: Watch = unwatched) -> Crash:
    """`n` kills, half of them on PostgreSQL where its server is installed, at the same time."""
    result = Crash()
    databases = ["sqlite", "postgresql"] if is_installed() else ["sqlite"]
    with watch("Killing", n) as bar, ThreadPoolExecutor(len(databases)) as grounds:

        def fight(database: str) -> None:
            with tempfile.TemporaryDirectory(prefix="evenhand-crash-") as folder:
                _Ground(Path(folder), database, seed, result, bar.advance).fight(n // len(databases))

        deque(grounds.map(fight, databases), maxlen=0)
    return result


class _Ground:
    """One database, its files and index: killed, looked at and killed again."""

    def __init__(
        self, folder: Path, database: str, seed: int, result: Crash, advance: Callable[[], None]
    ) -> None:
        self._folder = folder
        self._database = database
        self._rng = Random(f"{database} {seed}")
        self._order = Order(seed=seed, kind="it", formats=("txt",))
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
            self._settings = Settings(
                data=str(self._folder / "data"), workers=1, database=self._server.new_database()
            )
        try:
            self._fight(kills)
        finally:
            if self._server:
                self._server.stop()
        self._result.acknowledged += self._account.acknowledged

    def _fight(self, kills: int) -> None:
        counted: Counter[str] = Counter()
        self._result.kills[self._database] = counted
        self._round("ingest", kill=False)
        for limit_bytes in FULL_DISKS:
            self._round("ingest", kill=False, limit_bytes=limit_bytes)
        while counted.total() < kills:
            kind = self._rng.choice(KINDS)
            if self._round(kind, kill=True):
                counted[kind] += 1
                self._advance()
        self._round("ingest", kill=False)
        with open_service(self._settings) as service:
            self._result.applications[self._database] = service.store.count_applications()

    def _round(self, kind: str, *, kill: bool, limit_bytes: int | None = None) -> bool:
        """Whether it was cut off."""
        moment = choose(self._rng, self._last.get(kind)) if kill else None
        server = self._server if kill and self._rng.random() < SERVER_KILLS else None
        ending = run_and_kill(
            self._context,
            self._task(kind, limit_bytes),
            self._account,
            moment=moment,
            instead=server.kill if server else None,
        )
        if server and ending.cut_off:
            server.start()
            self._result.server_kills += 1
        self._note(kind, ending, full_disk=limit_bytes is not None, told=bool(server))
        self._result.findings += [f"{self._database}, {kind}: {each}" for each in self._look()]
        return ending.cut_off

    def _note(self, kind: str, ending: Ending, *, full_disk: bool, told: bool) -> None:
        self._result.orphans += ending.orphans
        if kind not in self._last or ending.messages > self._last[kind].messages:
            self._last[kind] = ending
        if ending.silent:
            self._result.findings.append(f"{self._database}, {kind}: ended without a word.")
        if full_disk:
            self._result.full_disks += 1
            self._result.told += [ending.failure] if ending.failure else []
        elif ending.failure and not told:
            self._result.findings.append(f"{self._database}, {kind}: {ending.failure}")

    def _look(self) -> Iterator[str]:
        if self._server:
            self._server.settle()
        with open_service(self._settings) as service:
            yield from self._account.settle(service.store)
            yield from unreferenced(self._settings)
            if next(service.store.unmined(), None):
                reprocess(service)
            yield from disagreements(service.store, service.snapshot())

    def _task(self, kind: str, limit_bytes: int | None) -> Task:
        paths = tuple(self._resumes()) if kind == "ingest" else ()
        # Often for the job of before: what was cut off is taken up again.
        if not self._job or limit_bytes is not None or self._rng.random() < NEW_JOBS:
            with open_service(self._settings) as service:
                self._job = service.store.add_job(JOB)
        return Task(kind, self._settings, self._job, paths, self._rng.randrange(1 << 32), limit_bytes)

    def _resumes(self) -> Iterator[Path]:
        folder = self._folder / "resumes"
        folder.mkdir(exist_ok=True)
        # Mostly known ones: they need no mining, so that more of the time is spent on what is to be broken.
        new = self._rng.choice((0, 0, NEW)) if self._made else ALWAYS
        for number in range(self._made, self._made + new):
            (folder / f"{number}.txt").write_bytes(make(self._order, number).files[0].data)
        self._made += new
        numbers = [*range(ALWAYS), *range(max(ALWAYS, self._made - new), self._made)]
        self._rng.shuffle(numbers)
        yield from (folder / f"{number}.txt" for number in numbers)
