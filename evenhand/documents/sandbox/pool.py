"""Pools of confined processes: every file gets an answer in time, whatever becomes of its reader."""

from __future__ import annotations

import hashlib
import logging
import os
import queue
import shutil
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Self

from evenhand.documents.draft import ReadLimits
from evenhand.documents.parse import failed
from evenhand.documents.sandbox.child import ChildDied, Decode, Reply, Worker, WorkerDied, WorkerOptions
from evenhand.documents.sandbox.protocol import document_from
from evenhand.documents.sandbox.reader import PARSER
from evenhand.errors import EvenhandError, ParseCrash, ParseTimeout, SandboxUnavailable
from evenhand.records.document import Document

# Where children are started and, at the latest when the program ends, killed.


class WorkerStarter:
    """Starts workers from one thread that lives as long as the pool.

    Linux kills a process that asked to die with its parent when the *thread* that started it ends, and in a
    web server such threads come and go.
    """

    def __init__(self, options: WorkerOptions) -> None:
        self._options = options
        self._orders: queue.SimpleQueue[Future[Worker] | None] = queue.SimpleQueue()
        self._workers: set[Worker] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._owner = os.getpid()

    def order(self) -> Future[Worker]:
        """A worker that is being started; it may not be warm yet when it arrives."""
        worker: Future[Worker] = Future()
        with self._lock:
            if self._closed or os.getpid() != self._owner:
                raise EvenhandError(f"This pool of {self._options.kind} processes is closed.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="evenhand-workers", daemon=True)
                self._thread.start()
            self._orders.put(worker)
        return worker

    def forget(self, worker: Worker) -> None:
        with self._lock:
            self._workers.discard(worker)

    def pids(self) -> list[int]:
        with self._lock:
            return [worker.pid for worker in self._workers if worker.is_alive()]

    def close(self) -> None:
        """Kill every worker; whoever is waiting for one learns that it died."""
        if os.getpid() != self._owner:
            return  # a fork of the program that owns them
        with self._lock:
            self._closed = True
            for worker in self._workers:
                worker.kill()
            self._orders.put(None)

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            try:
                worker = Worker(self._options)
            except OSError as error:
                order.set_exception(EvenhandError(f"A {self._options.kind} process could not be started: {error}."))
                continue
            with self._lock:
                self._workers.add(worker)
                if self._closed:
                    worker.kill()
            order.set_result(worker)


STARTS = 3
log = logging.getLogger(__name__)


def confinement_gap(protections: Mapping[str, Any]) -> str:
    """A sentence on what this system lacks to confine the processes that read files; empty where it lacks nothing."""
    risks = {"landlock": "open other files", "seccomp": "use the network and reach other processes"}
    missing = [name for name in risks if not protections[name]]
    if not missing:
        return ""
    names = " and ".join({"landlock": "Landlock", "seccomp": "seccomp"}[name] for name in missing)
    could = " and ".join(risks[name] for name in missing)
    return f"This system does not confine the processes that read files ({names}): a harmful file could {could}."


@lru_cache
def _warn_once(sentence: str) -> None:
    log.warning("Warning: %s", sentence)


class WorkerPool:
    """Asks up to `workers` processes at once, each forked for one request or a few.

    Any thread may call it; close it, or use `with`.
    """

    def __init__(self, options: WorkerOptions, *, workers: int | None = None) -> None:
        self.options = options
        self._places = threading.BoundedSemaphore(workers) if workers else nullcontext()
        self._lock = threading.Lock()
        self._idle: list[Future[Worker]] = []
        self._starter = WorkerStarter(options)
        self._finalizer = weakref.finalize(self, self._starter.close)  # runs at exit as well

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all processes, those at work too."""
        self._finalizer()
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            if worker.exception() is None:
                worker.result().end()

    def warm(self) -> None:
        """Start a worker now: it loads what it needs while others are at work."""
        worker = self._starter.order()
        with self._lock:
            self._idle.append(worker)

    def ask(self, request: Mapping[str, Any], body: bytes, decode: Decode[Reply]) -> Reply:
        """What `decode` makes of the answer; ChildDied when there is none."""
        for _ in range(STARTS):
            try:
                with self._places, self._worker() as worker:
                    return worker.ask(request, body, seconds=self.options.wall_seconds, decode=decode)
            except WorkerDied:  # somebody ended it; no request can
                continue
            except ChildDied as death:
                # An earlier file may have harmed that process; the death of a new one is evidence.
                if death.is_first or isinstance(death.error, ParseTimeout):
                    raise
        raise ChildDied(ParseCrash())

    def protections(self) -> Mapping[str, Any]:
        """What is in force in the processes on this machine; starts one if none is running."""
        with self._places, self._worker() as worker:
            protections: Mapping[str, Any] = worker.hello["protections"]
        return protections

    def pids(self) -> list[int]:
        """Process ids of the workers, for those who watch their memory."""
        return self._starter.pids()

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        """A worker that nobody else uses meanwhile: one that is idle, or a new one."""
        with self._lock:
            order = self._idle.pop() if self._idle else None
        order = order or self._starter.order()
        worker = order.result()
        try:
            worker.await_hello()
            if gap := confinement_gap(worker.hello["protections"]):
                if self.options.sandbox == "require":
                    raise SandboxUnavailable(f"{gap} The setting sandbox forbids that: no file is read.")
                _warn_once(gap)
            yield worker
        finally:
            if worker.is_alive():
                with self._lock:
                    self._idle.append(order)
            else:
                worker.end()
                self._starter.forget(worker)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A Document and how it came about, for those who measure."""

    document: Document
    seconds: float
    cause: str | None = None  # class of an exception that no reader foresaw
    last_words: str = ""  # the end of a dead process's standard error
    peak_bytes: int = 0  # resident memory of the process at its highest


@dataclass(slots=True)
class ReadTask:
    """One file on its way through the pool."""

    data: bytes
    file: str | None
    sha256: str
    limits: ReadLimits
    started: float = field(default_factory=time.perf_counter)

    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def lost(self, death: ChildDied) -> ReadResult:
        document = failed(death.error, file=self.file, sha256=self.sha256)
        return ReadResult(document, self.seconds(), None, death.last_words, death.peak_bytes)


class SandboxPool(WorkerPool):
    """Reads files in up to `workers` processes at once, each of which reads one file or a few."""

    def __init__(
        self,
        workers: int = 1,
        *,
        memory_bytes: int = 1_500_000_000,
        cpu_seconds: float = 17.0,
        wall_seconds: float = 18.0,
        programs: bool | None = None,
        parser: str = PARSER,
        files_per_process: int = 1,
        sandbox: str = "warn",
    ) -> None:
        self.workers = workers
        if programs is None:
            programs = shutil.which("tesseract") is not None  # the one program a reader ever calls
        options = WorkerOptions(
            kind="reading",
            task="evenhand.documents.sandbox.reader",
            memory_bytes=memory_bytes,
            cpu_seconds=cpu_seconds,
            wall_seconds=wall_seconds,
            requests=files_per_process,
            sandbox=sandbox,
            programs=programs,
            task_options={"parser": parser},
        )
        super().__init__(options, workers=workers)

    def read(self, data: bytes, *, file: str | None = None, limits: ReadLimits | None = None) -> Document:
        """The Document of `data`; never raises because of what the file contains."""
        return self.examine(data, file=file, limits=limits).document

    def examine(self, data: bytes, *, file: str | None = None, limits: ReadLimits | None = None) -> ReadResult:
        """Read `data`, and tell what it took."""
        case = ReadTask(data, file, hashlib.sha256(data).hexdigest(), limits or ReadLimits())

        def decode(header: dict[str, Any], body: bytes) -> ReadResult:
            document = document_from(body, file=file, sha256=case.sha256)
            cause, peak_bytes = header.get("cause"), header.get("peak_bytes")
            cause = cause[:100] if isinstance(cause, str) else None
            return ReadResult(document, case.seconds(), cause, "", peak_bytes if isinstance(peak_bytes, int) else 0)

        try:
            return self.ask({"limits": asdict(case.limits)}, data, decode)
        except ChildDied as death:
            return case.lost(death)
