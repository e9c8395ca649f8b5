"""`evenhand bench ledger`: past rankings made again, tamperings found, events verified per second.

A pool of generated resumes lives through a busy day: lists are shown, people decide, undo, change what the job asks
for, erase somebody, and more resumes come in. Then every list that was shown is made again from the record. Then
somebody with the database file tampers with it, one way at a time (`tampering.py`), and verification by one's own
checkpoints and key has to notice. The peer of verification is the plain hashing of the same bytes.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import ClassVar

from evenhand.ledger.checkpoints import make_checkpoint
from evenhand.ledger.recording import Recorder
from evenhand.ledger.replay import replay_all
from evenhand.ledger.verify import verify_ledger
from evenhand.progress import Progress, no_progress
from evenhand.records import Demand, Job
from evenhand.records.event import EventDraft
from evenhand.screening.candidate_list import Viewer, screen
from evenhand.screening.service import ingest_files, open_service
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.service import Service
from evenhand.search.visibility import OPEN
from evenhand.settings import Settings
from evenhand.store.store import Store
from evenhand_lab.benchmarks.inputs import write_resumes
from evenhand_lab.benchmarks.kit import Measurement, timed
from evenhand_lab.benchmarks.tampering import TamperedDatabase, write_remaining_tables
from evenhand_lab.corpora.generate import CorpusRequest

RANKINGS, TAMPERED, VIEWS = 200, 5_000, 20_000
KINDS = {
    "edit": "a column edited",
    "delete": "a row deleted",
    "insert": "a row inserted",
    "attack": "several tables brought into agreement",
    "chain": "events changed, taken out, put in, exchanged or cut off, with and without recomputed hashes",
    "roll": "the whole file rolled back",
}
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
    tampered: dict[str, int]  # by way: "edit applications.status"
    missed: dict[str, int]
    columns: int  # edited, of tables that the documentation does not except
    tables: int
    events: int
    verify_seconds: float
    hash_seconds: float  # of the same bytes, nothing else
    record_seconds: float  # to write the events of views, 100 at a time

    def rows(self) -> list[tuple[str, str]]:
        tampered, missed = Counter(self.tampered), Counter(self.missed)
        kinds: dict[str, Counter[str]] = {}
        for way, many in tampered.items():
            kinds.setdefault(re.split("[ :]", way)[0], Counter()).update(tampered=many, missed=missed[way])
        found = tampered.total() - missed.total()
        return [
            ("rankings of a busy day made again, identical", f"{self.identical} of {self.rankings} (all)"),
            ("  time for one, on average", f"{self.replay_seconds / max(self.rankings, 1) * 1e3:.0f} ms"),
            ("tamperings found with one's own checkpoints and key", f"{found:,} of {tampered.total():,} (all)"),
            ("  ways; columns and tables edited", f"{len(tampered)}; {self.columns} of {self.tables}"),
            *(
                (f"  {KINDS[kind]}", f"{count['tampered'] - count['missed']:,} of {count['tampered']:,}")
                for kind, count in kinds.items()
            ),
            *((f"  missed: {way}", str(many)) for way, many in missed.items()),
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
            day = _Day(service, Path(folder), Random(seed), progress)
            earlier = day.live(rankings)
            replays, replay_seconds = timed(lambda: list(replay_all(service, progress=progress)), time.perf_counter)
        tampered, missed = _tamper(settings, n, Random(seed), earlier, progress)
        with Store.open(settings.database_url, files=settings.data_path / "files") as store:
            recorded = _record_views(store)
            events, verified, hashed = _verify(store, settings)
    identical = sum(replay.identical for replay in replays)
    edited = [way.removeprefix("edit ") for way in tampered if way.startswith("edit ")]
    return LedgerBenchmark(
        rankings=len(replays),
        identical=identical,
        replay_seconds=replay_seconds,
        tampered=dict(tampered),
        missed=dict(missed),
        columns=len(edited),
        tables=len({column.partition(".")[0] for column in edited}),
        events=events,
        verify_seconds=verified,
        hash_seconds=hashed,
        record_seconds=recorded,
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

    def live(self, rankings: int) -> list[Path]:
        """Copies of the database that were made on the way."""
        earlier = []
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
                if number % 50 == 45:
                    earlier.append(_copy(self._service.settings, f"earlier-{number}.db"))
                if number % 67 == 40:
                    everyone = list(self._service.store.applications.of_job(self._job))
                    self._service.store.erasures.remove_application(self._random.choice(everyone).id, actor="ann")
                    self._service.follow()
                bar.advance()
        return earlier

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


def _copy(settings: Settings, name: str) -> Path:
    path = settings.data_path / name
    with closing(sqlite3.connect(settings.data_path / "evenhand.db")) as now, closing(sqlite3.connect(path)) as copy:
        now.backup(copy)
    return path


def _tamper(
    settings: Settings, n: int, random: Random, earlier: Sequence[Path], progress: Progress
) -> tuple[Counter[str], Counter[str]]:
    """By way, those that were made and those that were missed: every way in turn, until there are `n`."""
    tampered: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    own = settings.data_path / "own-checkpoints.jsonl"
    with Store.open(settings.database_url, files=settings.data_path / "files") as store:
        write_remaining_tables(store, store.jobs.all()[0].id)
        checkpoint = make_checkpoint(store, settings)
        if checkpoint is None:
            raise AssertionError("Nothing has happened since the last checkpoint.")
        shutil.copy(settings.checkpoint_path, own)
        with (
            closing(TamperedDatabase(settings.data_path / "evenhand.db", random, earlier)) as database,
            progress("Tampering", n) as bar,
        ):
            ways = list(database.ways())
            random.shuffle(ways)
            for way, tamper in islice(cycle(ways), 2 * n):  # a way may have nothing to change
                if tampered.total() < n and tamper():
                    tampered[way] += 1
                    if verify_ledger(store, settings, checkpoints=own, key=checkpoint.key).sound:
                        missed[way] += 1
                    bar.advance()
                    database.restore()
    return tampered, missed


def _record_views(store: Store) -> float:
    [job] = [job.id for job in store.jobs.all()]
    application = next(store.applications.of_job(job)).id
    draft = EventDraft("view", "ann", job, subjects=(application,), body={"what": "candidate"})
    began = time.perf_counter()
    for _ in range(VIEWS // 100):
        store.ledger.append([draft] * 100)
    return time.perf_counter() - began


def _verify(store: Store, settings: Settings) -> tuple[int, float, float]:
    result, seconds = timed(lambda: verify_ledger(store, settings), time.perf_counter)
    if not result.sound:
        raise AssertionError(result.findings[0].message)
    bodies = [link.body.encode() for link in store.ledger.chain()]
    began = time.perf_counter()
    for body in bodies:
        hashlib.sha256(body).hexdigest()
    return result.events, seconds, time.perf_counter() - began
