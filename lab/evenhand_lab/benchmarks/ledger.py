"""`evenhand bench ledger`: past rankings made again, tamperings found, events verified per second.

A pool of generated resumes lives through a busy day: lists are shown, people decide, undo, change what the job asks
for, erase somebody, and more resumes come in. Then every list that was shown is made again from the record. Then
somebody with the database file tampers with the ledger, one way at a time, and verification has to notice. The peer
of verification is the plain hashing of the same bytes.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import ClassVar

from evenhand.ledger.checkpoints import make_checkpoint
from evenhand.ledger.recording import Recorder
from evenhand.ledger.replay import replay_all
from evenhand.ledger.verify import verify_ledger
from evenhand.progress import Progress, no_progress
from evenhand.records import Demand, Job
from evenhand.records.event import EventDraft, Link, event_hash
from evenhand.screening.candidate_list import Viewer, screen
from evenhand.screening.service import ingest_files, open_service
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.service import Service
from evenhand.search.visibility import OPEN
from evenhand.settings import Settings
from evenhand.store.store import Store
from evenhand_lab.benchmarks.inputs import write_resumes
from evenhand_lab.benchmarks.kit import Measurement, timed
from evenhand_lab.corpora.generate import CorpusRequest

# Somebody with the database file tampers with the ledger: one way at a time, drawn at random.


Row = tuple[object, ...]
COLUMNS = ("sequence", "time", "kind", "actor", "job", "body", "previous", "hash")


Tamper = Callable[[list[Row], Random], list[Row]]


def alter(rows: list[Row], random: Random) -> list[Row]:
    """One field of one event: when, what, who, which job, the body."""
    at, column = random.randrange(len(rows)), random.choice((1, 2, 3, 5))
    value = str(rows[at][column])
    place = random.randrange(len(value))
    changed = value[:place] + ("0" if value[place] != "0" else "1") + value[place + 1 :]
    return [*rows[:at], _with(rows[at], column, changed), *rows[at + 1 :]]


def delete(rows: list[Row], random: Random) -> list[Row]:
    at = random.randrange(len(rows))
    return rows[:at] + rows[at + 1 :]


def insert(rows: list[Row], random: Random) -> list[Row]:
    """A copy of an event between two others, those after it counted on."""
    at = random.randrange(len(rows))
    later = [_with(row, 0, int(str(row[0])) + 1) for row in rows[at:]]
    return [*rows[:at], _with(random.choice(rows), 0, rows[at][0]), *later]


def reorder(rows: list[Row], random: Random) -> list[Row]:
    one, other = random.sample(range(len(rows)), 2)
    moved = list(rows)
    moved[one], moved[other] = _with(rows[other], 0, rows[one][0]), _with(rows[one], 0, rows[other][0])
    return moved


def truncate(rows: list[Row], random: Random) -> list[Row]:
    return rows[: -random.randint(1, len(rows) - 1)]


def rewrite(rows: list[Row], random: Random) -> list[Row]:
    """History from one event on told anew, with every hash right: only what was signed elsewhere knows better."""
    at = random.randrange(len(rows))
    history = rows[:at]
    for row in alter(rows, random)[at:] if random.random() < 0.5 else rows[at + 1 :]:
        previous = history[-1][7] if history else rows[0][6]
        number = int(str(history[-1][0])) + 1 if history else 1
        moved = _with(_with(row, 0, number), 6, previous)
        history.append(_with(moved, 7, event_hash(Link(*moved))))  # type: ignore[arg-type]
    return history


TAMPERINGS: dict[str, Tamper] = {way.__name__: way for way in (alter, delete, insert, reorder, truncate, rewrite)}


def tamper(path: Path, how: str, random: Random) -> bool:
    """As somebody who can write the file would. Whether anything is other than before: a rewriting may by chance tell
    the truth."""
    names = ", ".join(COLUMNS)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        # Triggers keep honest programs from mistakes, not an attacker.
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        rows = connection.execute(f"SELECT {names} FROM ledger ORDER BY sequence").fetchall()
        changed = TAMPERINGS[how](rows, random)
        connection.execute("BEGIN")
        connection.execute("DELETE FROM ledger")
        marks = ", ".join("?" * len(COLUMNS))
        connection.executemany(f"INSERT INTO ledger ({names}) VALUES ({marks})", changed)
        connection.execute("COMMIT")
    return changed != rows


def _with(row: Row, column: int, value: object) -> Row:
    return (*row[:column], value, *row[column + 1 :])


RANKINGS, TAMPERED, VIEWS = 200, 1_000, 20_000
FIRST, LATER = 60, 40  # resumes before and during the day
TEXTS = ("", "", "linux", '"data warehouse" sql', "java>=12", "NOT php", "prog* windows")
FACETS: tuple[dict[str, tuple[str, ...]], ...] = (
    {},
    {"status": ("new",)},
    {"status": ("screened", "shortlisted")},
    {"degree": ("bachelor", "master")},
    {"relevant_years": ("3-5", "5-10", "not stated")},
)
RANKERS = ("best", "best", "best", "bm25", "tfidf", "kl", "tfidf+skills")
JOB = Job(
    text="Software developer with Java, SQL and Linux. Three years of experience.",
    title="Software developer",
    demands=(Demand(("java",), True, 36), Demand(("sql",), False, None), Demand(("linux",), False, 12)),
)


@dataclass(frozen=True, slots=True)
class LedgerBenchmark(Measurement):
    title: ClassVar[str] = "past rankings made again, tamperings found, events verified"
    rankings: int
    identical: int
    replay_seconds: float
    tampered: dict[str, int]
    found: dict[str, int]
    events: int
    verify_seconds: float
    hash_seconds: float  # of the same bytes, nothing else
    record_seconds: float  # to write the events of views, 100 at a time

    def rows(self) -> list[tuple[str, str]]:
        by_kind = ", ".join(f"{how} {self.found.get(how, 0)} of {many}" for how, many in self.tampered.items())
        found, tampered = sum(self.found.values()), sum(self.tampered.values())
        return [
            ("rankings of a busy day made again, identical", f"{self.identical} of {self.rankings} (all)"),
            ("  time for one, on average", f"{self.replay_seconds / max(self.rankings, 1) * 1e3:.0f} ms"),
            ("tamperings found with the checkpoint", f"{found} of {tampered} (all)"),
            ("  by kind", by_kind),
            (f"{self.events:,} events verified, per second", f"{self.events / self.verify_seconds:,.0f}"),
            (
                "  beside plain hashing of the same bytes",
                f"{self.verify_seconds / self.hash_seconds:.1f} times as long",
            ),
            (f"{VIEWS:,} views recorded, 100 at once, per second", f"{VIEWS / self.record_seconds:,.0f}"),
        ]


def run(
    *, n: int = TAMPERED, rankings: int = RANKINGS, seed: int = 1, progress: Progress = no_progress
) -> LedgerBenchmark:
    """`n` tamperings."""
    with tempfile.TemporaryDirectory(prefix="evenhand-ledger-") as folder:
        settings = Settings(data=folder, workers=2)
        with open_service(settings) as service:
            _Day(service, Path(folder), Random(seed), progress).live(rankings)
            replays, replay_seconds = timed(lambda: list(replay_all(service, progress=progress)), time.perf_counter)
            make_checkpoint(service.store, settings)
        tampered, detected = _tamper(settings, n, Random(seed), progress)
        with open_service(settings) as service:
            recorded = _record_views(service)
            events, verified, hashed = _verify(service)
    identical = sum(replay.identical for replay in replays)
    return LedgerBenchmark(
        len(replays), identical, replay_seconds, dict(tampered), dict(detected), events, verified, hashed, recorded
    )


class _Day:
    def __init__(self, service: Service, folder: Path, random: Random, progress: Progress) -> None:
        self._service, self._random, self._progress = service, random, progress
        self._folder = folder / "resumes"
        self._order = CorpusRequest(seed=random.randrange(1 << 16), kind="it", formats=("txt",))
        self._recorder = Recorder(service.store, service.settings)
        self._viewer = Viewer("ann", OPEN, lambda job: True)
        self._made = 0
        self._job = service.store.jobs.add(JOB, actor="ann")

    def live(self, rankings: int) -> None:
        self._ingest(FIRST)
        with self._progress("Living a day", rankings) as bar:
            for number in range(rankings):
                self._search()
                # Now and then nothing happens between two lists.
                self._random.choice((self._decide, self._decide, self._undo, lambda: None))()
                if number % 50 == 20:
                    self._ingest(LATER // 4)
                if number % 40 == 30:
                    self._change()
                if number % 67 == 40:
                    everyone = list(self._service.store.applications.of_job(self._job))
                    self._service.store.erasures.remove_application(self._random.choice(everyone).id, actor="ann")
                    self._service.follow()
                bar.advance()

    def _search(self) -> None:
        random = self._random
        skills = (SkillCondition("java", at_least=random.choice((6, 12, 24))),) if random.random() < 0.2 else ()
        text, facets, ranker = random.choice(TEXTS), random.choice(FACETS), random.choice(RANKERS)
        criteria = Criteria(self._job, text=text, facets=facets, skills=skills, ranker=ranker)
        screen(self._service, self._recorder, self._viewer, criteria, first=random.choice((0, 0, 0, 20)))

    def _decide(self) -> None:
        everyone = self._service.store.applications.of_job(self._job)
        open_ones = [application.id for application in everyone if application.status in ("new", "screened")]
        if open_ones:
            action = self._random.choice(("shortlist", "reject", "screen"))
            self._service.store.decisions.decide([self._random.choice(open_ones)], action, actor="ann", reason="bench")
            self._service.follow()

    def _undo(self) -> None:
        batches = [batch for batch in self._service.store.decisions.recent_batches(self._job) if batch.standing]
        if batches:
            self._service.store.decisions.undo(batches[0].id, actor="ben")
            self._service.follow()

    def _change(self) -> None:
        job = self._service.store.jobs.get(self._job).requirements
        months = self._random.choice((12, 24, 48))
        changed = replace(job, demands=(replace(job.demands[0], months=months), *job.demands[1:]))
        self._service.store.jobs.change(self._job, changed, actor="ann")
        self._service.follow()

    def _ingest(self, many: int) -> None:
        paths = write_resumes(self._folder, self._order, range(self._made, self._made + many))
        self._made += many
        ingest_files(self._service, paths, self._job, total=many, actor="ann")


def _tamper(settings: Settings, n: int, random: Random, progress: Progress) -> tuple[Counter[str], Counter[str]]:
    """Each on a copy of its own."""
    tampered: Counter[str] = Counter()
    detected: Counter[str] = Counter()
    path = settings.data_path / "evenhand.db"
    original = settings.data_path / "kept.db"
    shutil.copy(path, original)
    with progress("Tampering", n) as bar:
        while tampered.total() < n:
            how = random.choice(list(TAMPERINGS))
            shutil.copy(original, path)
            if tamper(path, how, random):
                tampered[how] += 1
                with Store.open(settings.database_url, files=settings.data_path / "files") as store:
                    detected[how] += not verify_ledger(store, settings).sound
                bar.advance()
    for end in ("wal", "shm"):
        path.with_name(f"{path.name}-{end}").unlink(missing_ok=True)
    original.replace(path)
    return tampered, detected


def _record_views(service: Service) -> float:
    [job] = [job.id for job in service.store.jobs.all()]
    application = next(service.store.applications.of_job(job)).id
    draft = EventDraft("view", "ann", job, subjects=(application,), body={"what": "candidate"})
    began = time.perf_counter()
    for _ in range(VIEWS // 100):
        service.store.ledger.append([draft] * 100)
    return time.perf_counter() - began


def _verify(service: Service) -> tuple[int, float, float]:
    result, seconds = timed(lambda: verify_ledger(service.store, service.settings), time.perf_counter)
    if not result.sound:
        raise AssertionError(result.findings[0].message)
    bodies = [link.body.encode() for link in service.store.ledger.chain()]
    began = time.perf_counter()
    for body in bodies:
        hashlib.sha256(body).hexdigest()
    return result.events, seconds, time.perf_counter() - began
