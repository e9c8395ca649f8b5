"""`evenhand bench fallen`: the server killed while people decide and import, and what is there when it stands again.

Two people work through the API: one decides, undoes and decides again, the other uploads resumes. At a random moment
the server and all it started are killed (SIGKILL). What had been answered must be there: every decision with its
event, every upload with its bytes and, in the end, its application; the chain must verify, database, files and index
agree.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import httpx

from evenhand.errors import NotFound
from evenhand.ledger.verify import verify_ledger
from evenhand.progress import Progress, no_progress
from evenhand.records import Job
from evenhand.screening.imports import run_import
from evenhand.screening.service import ingest_files, open_service
from evenhand.search.index_sync import disagreements
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.imports import WAITING
from evenhand.store.store import Store
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.benchmarks.served import HOST, free_port, start_server, wait_for
from evenhand_lab.corpora.generate import CorpusRequest, make

KILLS = 100
FIRST = 30  # applications there from the beginning
MAX_SECONDS = 2.5  # that the server is let work before it is killed
SHOWN_FINDINGS = 10  # findings, in the table
LATER = 200  # resumes that are uploaded one by one
JOB = Job(text="Software developer", title="Software developer")


@dataclass(slots=True)
class ServerCrash(Measurement):
    title: ClassVar[str] = "the server killed while people decide and import"
    kills: int = 0
    decisions: int = 0  # answered, on how many applications
    uploads: int = 0  # answered
    unanswered: int = 0  # requests that the kill cut off
    events: int = 0  # in the ledger at the end
    applications: int = 0
    findings: list[str] = field(default_factory=list)

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("kills (SIGKILL to the server and all it started)", f"{self.kills}"),
            ("decisions answered, applications they changed", f"{self.decisions:,}"),
            ("uploads answered", f"{self.uploads:,}"),
            ("requests that were cut off", f"{self.unanswered:,}"),
            ("events in the ledger, applications at the end", f"{self.events:,}, {self.applications:,}"),
            ("lost, half done, in disagreement, or wrong in the chain", f"{len(self.findings)} (none allowed)"),
            *((f"  finding {number}", found) for number, found in enumerate(self.findings[:SHOWN_FINDINGS], start=1)),
        ]


def run(*, n: int = KILLS, seed: int = 1, progress: Progress = no_progress) -> ServerCrash:
    result = ServerCrash()
    with tempfile.TemporaryDirectory(prefix="evenhand-fallen-") as folder, progress("Killing", n) as bar:
        ground = _KilledServer(Path(folder), Random(seed), result)
        for _ in range(n):
            ground.round()
            bar.advance()
        ground.finish()
    return result


class _KilledServer:
    def __init__(self, folder: Path, random: Random, result: ServerCrash) -> None:
        self._settings = Settings(data=str(folder / "data"), workers=1)
        self._random = random
        self._result = result
        self._batches: set[str] = set()
        self._uploads: dict[tuple[str, int], str] = {}  # import and number to the name of the file
        self._order = CorpusRequest(seed=random.randrange(1 << 16), kind="it", formats=("txt",))
        self._made = 0
        with open_service(self._settings) as service:
            user = service.store.accounts.add("ann", "Ann", "admin", actor="bench")
            self._job = service.store.jobs.add(JOB)
            self._token = service.store.tokens.make(user.id, "bench", 30)[1]
            paths = [self._written(folder) for _ in range(FIRST)]
            ingest_files(service, paths, self._job, total=len(paths))

    def round(self) -> None:
        """One life of the server."""
        port = free_port()
        process = start_server(self._settings, port=port, processes=1)
        wait_for(port, process)
        stop = threading.Event()
        people = [
            threading.Thread(target=work, args=(f"http://{HOST}:{port}", stop, self._random.randrange(1 << 32)))
            for work in (self._decide, self._upload)
        ]
        for person in people:
            person.start()
        time.sleep(self._random.uniform(0.05, MAX_SECONDS))
        _kill(process)
        stop.set()
        for person in people:
            person.join(timeout=30)
        self._result.kills += 1
        self._look()

    def finish(self) -> None:
        with open_service(self._settings) as service:
            for id in service.store.imports.unfinished():
                service.store.imports.seal(id)
                run_import(service, id)
            self._result.findings += _unsettled(service.store, self._uploads)
            self._result.findings += disagreements(service.store, service.snapshot())
            self._result.events = service.store.ledger.count()
            self._result.applications = service.store.applications.count()

    def _decide(self, address: str, stop: threading.Event, seed: int) -> None:
        random = Random(seed)
        batch: str | None = None
        with self._client(address) as client:
            while not stop.is_set():
                is_undo = batch is not None and random.random() < 0.5
                if is_undo:
                    answer = self._post(client, "decisions/undo", json={"batch": batch})
                else:
                    page = self._ask(client, "screen?status=new&status=screened&size=100")
                    ids = [each["application"] for each in (page or {}).get("results", [])]
                    if not ids:
                        return
                    chosen = random.sample(ids, min(len(ids), random.randint(1, 3)))
                    action = random.choice(("shortlist", "reject"))
                    body = {"action": action, "applications": chosen, "reason": "bench"}
                    answer = self._post(client, "decisions", json=body)
                batch = None
                if answer and answer["changed"]:
                    batch = None if is_undo else answer["batch"]  # what undid cannot be undone
                    self._batches.add(answer["batch"])
                    self._result.decisions += len(answer["changed"])

    def _upload(self, address: str, stop: threading.Event, seed: int) -> None:
        with self._client(address) as client:
            begun = self._post(client, "imports", json={"source": "bench"})
            while begun and not stop.is_set() and self._made < FIRST + LATER:
                number, data = self._next()
                name = f"{number}.txt"
                answer = self._post(client, f"imports/{begun['id']}/files", params={"name": name}, content=data)
                if answer:
                    self._uploads[begun["id"], answer["number"]] = name
                    self._result.uploads += 1

    def _client(self, address: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self._token}"}
        return httpx.Client(base_url=f"{address}/api/v1/jobs/{self._job}/", headers=headers, timeout=30)

    def _ask(self, client: httpx.Client, path: str) -> dict[str, Any] | None:
        return self._answered(lambda: client.get(path))

    def _post(self, client: httpx.Client, path: str, **named: Any) -> dict[str, Any] | None:
        return self._answered(lambda: client.post(path, **named))

    def _answered(self, request: Any) -> dict[str, Any] | None:
        """None where the server fell before it answered; anything else but an answer is a finding."""
        try:
            answer = request()
        except httpx.HTTPError:
            self._result.unanswered += 1
            return None
        if answer.status_code >= 300:
            self._result.findings.append(f"{answer.request.url.path}: {answer.status_code} {answer.text[:200]}")
            return None
        found: dict[str, Any] = answer.json()
        return found

    def _look(self) -> None:
        """As the next one to open it would find it."""
        with open_service(self._settings) as service:
            found = [*_lost_decisions(service.store, self._batches), *_lost_uploads(service, self._uploads)]
            found += [finding.message for finding in verify_ledger(service.store, self._settings).findings]
            found += disagreements(service.store, service.snapshot())
        self._result.findings += found

    def _next(self) -> tuple[int, bytes]:
        number, self._made = self._made, self._made + 1
        return number, make(self._order, number).files[0].data

    def _written(self, folder: Path) -> Path:
        number, data = self._next()
        path = folder / f"{number}.txt"
        path.write_bytes(data)
        return path


def _lost_decisions(store: Store, batches: set[str]) -> Iterator[str]:
    for batch in sorted(batches):
        try:
            store.decisions.batch(batch)
        except NotFound:
            yield f"The decision {batch} was answered and is gone."


def _lost_uploads(service: Service, uploads: dict[tuple[str, int], str]) -> Iterator[str]:
    kept: dict[str, dict[int, str | None]] = {}
    for (id, number), name in uploads.items():
        if id not in kept:
            kept[id] = {file.number: file.sha256 for file in service.store.imports.get(id).files}
        sha256 = kept[id].get(number)
        if sha256 is None or service.store.files.size_bytes(sha256) is None:
            yield f"The upload {name} was answered and is gone."


def _unsettled(store: Store, uploads: dict[tuple[str, int], str]) -> Iterator[str]:
    for id in sorted({id for id, _ in uploads}):
        if waiting := store.imports.get(id).count(WAITING):
            yield f"{waiting} files of the import {id} never became anything."


def _kill(process: subprocess.Popen[bytes]) -> None:
    """With everything it started: they are one group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=30)
