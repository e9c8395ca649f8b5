"""Audits behind the pages' back: those that are due by schedule and those somebody asked for, one at a time."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import threading
from dataclasses import asdict

from evenhand.documents.sandbox.child import ONE_THREAD, WORKING_FOLDER, base_environment, own_command
from evenhand.errors import EvenhandError
from evenhand.search.service import Service
from evenhand.store.audits import RUNNING

log = logging.getLogger(__name__)
WORKER = "evenhand.audit.worker"
LOOK_SECONDS = 20.0  # between looks at what is due
WAIT_SECONDS = 0.5
STOP_SECONDS = 5.0


class Auditor:
    """One thread in each process that serves. Which of them works on what the store decides, so that several servers
    on one database run nothing twice, and what one has begun and left another takes up."""

    def __init__(self, service: Service, *, look_seconds: float = LOOK_SECONDS) -> None:
        self._service = service
        self._look_seconds = look_seconds
        self._wanted = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work, name="evenhand-auditor", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """What is being worked on is laid back for the next start."""
        self._stopping.set()
        self._wanted.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS + 1)

    def wake(self) -> None:
        """Somebody has asked for an audit."""
        self._wanted.set()

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                store = self._service.store
                store.audits.queue_due()
                while not self._stopping.is_set() and (claimed := store.audits.claim()) is not None:
                    self._run(claimed.id)
            except EvenhandError as error:
                log.error("Audits wait: %s", error)
            except Exception:
                log.exception("Audits wait")
            self._wanted.wait(self._look_seconds)
            self._wanted.clear()

    def _run(self, id: str) -> None:
        store = self._service.store
        worker = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            own_command(WORKER, id), stdin=subprocess.PIPE, env=_environment(), cwd=WORKING_FOLDER
        )
        assert worker.stdin is not None  # noqa: S101 - a pipe was asked for
        with worker.stdin as given:
            given.write(json.dumps(asdict(self._service.settings.anchored())).encode())
        while worker.poll() is None:
            if self._stopping.wait(WAIT_SECONDS):
                worker.terminate()
                try:
                    worker.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    worker.kill()
                    worker.wait()
                store.audits.release(id)
                return
        if store.audits.get(id).state == RUNNING:
            store.audits.fail(id, f"The process that worked on it ended with {worker.returncode}.")


def _environment() -> dict[str, str]:
    """As little of ours as an audit needs: its settings come by pipe, the database may want libpq's variables."""
    return base_environment("HOME", "TMPDIR", *ONE_THREAD, *(name for name in os.environ if name.startswith("PG")))
