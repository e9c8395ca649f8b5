"""`evenhand bench server-crash`: the server killed while people decide and import, and what is there afterwards.

Two people work through the API: one decides, undoes and decides again, the other uploads resumes. At a random moment
the server and all it started are killed (SIGKILL). What had been answered must be there: every decision with its
event, every upload with its bytes and, in the end, its application; the chain must verify, database, files and index
agree.
"""

from __future__ import annotations

import os
import signal
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
from evenhand.screening.imports import run_import
from evenhand.screening.service import ingest_files, open_service
from evenhand.search.index_sync import disagreements
from evenhand.search.service import Service
from evenhand.settings import Settings
from evenhand.store.imports import WAITING
from evenhand_lab.benchmarks.inputs import JOB, write_resumes
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.benchmarks.served import HOST, free_port, start_server, wait_for
from evenhand_lab.corpora.generate import CorpusRequest, make

KILLS = 100
FIRST = 200  # applications there from the beginning
MAX_SECONDS = 2.5  # that the server is let work before it is killed
SHOWN_FINDINGS = 10  # findings, in the table
LATER = 2_000  # resumes that are uploaded one by one, at most


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
    with tempfile.TemporaryDirectory(prefix="evenhand-server-crash-") as folder, progress("Killing", n) as bar:
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
        self._made = FIRST
        with open_service(self._settings) as service:
            user = service.store.accounts.add("ann", "Ann", "admin", actor="bench")
            self._job = service.store.jobs.add(JOB)
            self._token = service.store.tokens.make(user.id, "bench", 30)[1]
            paths = write_resumes(folder, self._order, range(FIRST))
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
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with everything it started: they are one group
        process.wait(timeout=30)
        stop.set()
        for person in people:
            person.join(timeout=30)
        self._result.kills += 1
        with open_service(self._settings) as service:
            self._result.findings += self._check(service)

    def finish(self) -> None:
        result = self._result
        with open_service(self._settings) as service:
            store = service.store
            for id in store.imports.unfinished():
                store.imports.seal(id)
                run_import(service, id)
            for id in sorted({id for id, _ in self._uploads}):
                if waiting := store.imports.get(id).count(WAITING):
                    result.findings.append(f"{waiting} files of the import {id} never became anything.")
            result.findings += disagreements(store, service.snapshot())
            result.events, result.applications = store.ledger.count(), store.applications.count()

    def _decide(self, address: str, stop: threading.Event, seed: int) -> None:
        random = Random(seed)
        batch: str | None = None
        with self._client(address) as client:
            while not stop.is_set():
                is_undo = batch is not None and random.random() < 0.5
                if is_undo:
                    answer = self._ask(client, "POST", "decisions/undo", json={"batch": batch})
                else:
                    page = self._ask(client, "GET", "screen?size=100&status=new")
                    ids = [row["application"] for row in (page or {}).get("results", [])]
                    if not ids:
                        return
                    chosen = random.sample(ids, min(len(ids), random.randint(1, 3)))
                    action = random.choice(("shortlist", "reject"))
                    body = {"action": action, "applications": chosen, "reason": "bench"}
                    answer = self._ask(client, "POST", "decisions", json=body)
                batch = None
                if answer and answer["changed"]:
                    batch = None if is_undo else answer["batch"]  # what undid cannot be undone
                    self._batches.add(answer["batch"])
                    self._result.decisions += len(answer["changed"])

    def _upload(self, address: str, stop: threading.Event, seed: int) -> None:
        with self._client(address) as client:
            begun = self._ask(client, "POST", "imports", json={"source": "bench"})
            while begun and not stop.is_set() and self._made < FIRST + LATER:
                name, data = f"{self._made}.txt", make(self._order, self._made).files[0].data
                self._made += 1
                path = f"imports/{begun['id']}/files"
                if answer := self._ask(client, "POST", path, params={"name": name}, content=data):
                    self._uploads[begun["id"], answer["number"]] = name
                    self._result.uploads += 1

    def _client(self, address: str) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self._token}"}
        return httpx.Client(base_url=f"{address}/api/v1/jobs/{self._job}/", headers=headers, timeout=30)

    def _ask(self, client: httpx.Client, method: str, path: str, **named: Any) -> dict[str, Any] | None:
        """None where the server fell before it answered; anything else but an answer is a finding."""
        try:
            answer = client.request(method, path, **named)
        except httpx.HTTPError:
            self._result.unanswered += 1
            return None
        if answer.status_code >= 300:
            self._result.findings.append(f"{answer.request.url.path}: {answer.status_code} {answer.text[:200]}")
            return None
        content: dict[str, Any] = answer.json()
        return content

    def _check(self, service: Service) -> Iterator[str]:
        """As the next one to open it would find it."""
        store = service.store
        for batch in sorted(self._batches):
            try:
                store.decisions.batch(batch)
            except NotFound:
                yield f"The decision {batch} was answered and is gone."
        hashes: dict[str, dict[int, str | None]] = {}
        for (id, number), name in self._uploads.items():
            if id not in hashes:
                hashes[id] = {file.number: file.sha256 for file in store.imports.get(id).files}
            sha256 = hashes[id].get(number)
            if sha256 is None or store.files.size_bytes(sha256) is None:
                yield f"The upload {name} was answered and is gone."
        yield from (finding.message for finding in verify_ledger(store, self._settings).findings)
        yield from disagreements(store, service.snapshot())
