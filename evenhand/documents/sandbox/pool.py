"""A pool of reading processes: every file gets an answer in time, whatever becomes of its reader."""

from __future__ import annotations

import hashlib
import os
import queue
import shutil
import threading
import time
import weakref
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from evenhand.documents.draft import ReadLimits
from evenhand.documents.parse import failed
from evenhand.documents.sandbox import protocol
from evenhand.documents.sandbox.child import Child, ChildDied, ChildOptions
from evenhand.documents.sandbox.protocol import document_from
from evenhand.errors import EvenhandError, ParseCrash, ParseMemory, ParseTimeout
from evenhand.records.document import Document

# Where children are started and, at the latest when the program ends, killed.


class WorkerStarter:
    """Starts children from one thread that lives as long as the pool.

    Linux kills a child that asked to die with its parent when the *thread* that started it ends, and in a
    web server such threads come and go.
    """

    def __init__(self, options: ChildOptions) -> None:
        self._options = options
        self._orders: queue.SimpleQueue[Future[Child] | None] = queue.SimpleQueue()
        self._children: set[Child] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._owner = os.getpid()

    def order(self) -> Future[Child]:
        """A child that is being started; it may not be warm yet when it arrives."""
        child: Future[Child] = Future()
        with self._lock:
            if self._closed or os.getpid() != self._owner:
                raise EvenhandError("This pool of reading processes is closed.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="evenhand-nursery", daemon=True)
                self._thread.start()
            self._orders.put(child)
        return child

    def forget(self, child: Child) -> None:
        with self._lock:
            self._children.discard(child)

    def pids(self) -> list[int]:
        with self._lock:
            return [child.pid for child in self._children if child.is_alive()]

    def close(self) -> None:
        """Kill every child; whoever is waiting for one learns that it died."""
        if os.getpid() != self._owner:
            return  # a fork of the program that owns them
        with self._lock:
            self._closed = True
            for child in self._children:
                child.kill()
            self._orders.put(None)

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            try:
                child = Child(self._options)
            except OSError as error:
                order.set_exception(EvenhandError(f"A reading process could not be started: {error}."))
                continue
            with self._lock:
                self._children.add(child)
                if self._closed:
                    child.kill()
            order.set_result(child)


PARSER = "evenhand.documents.parse"
WARM = ("evenhand.documents.pdf.reader",)  # most resumes are PDF; other readers load when first needed
STARTS = 3
ALARM_SECONDS = 2.0  # the child's own alarm rings later than ours, for a child whose parent is gone


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A Document and how it came about, for those who measure."""

    document: Document
    seconds: float
    cause: str | None = None  # class of an exception that no reader foresaw
    last_words: str = ""  # the end of a dead child's standard error
    peak_bytes: int = 0  # resident memory of the child at its highest so far


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


class SandboxPool:
    """Reads files in up to `workers` children at once. Any thread may call it; close it, or use `with`."""

    def __init__(
        self,
        workers: int = 1,
        *,
        memory_bytes: int = 1_500_000_000,
        cpu_seconds: float = 17.0,
        wall_seconds: float = 18.0,
        programs: bool | None = None,
        parser: str = PARSER,
        recycle_files: int = 2_000,
        recycle_bytes: int | None = None,
    ) -> None:
        self.workers = workers
        self.wall_seconds = wall_seconds
        self.cpu_seconds = cpu_seconds
        if programs is None:
            programs = shutil.which("tesseract") is not None  # the one program a reader ever calls
        warm = WARM if parser == PARSER else ()
        self.options = ChildOptions(memory_bytes=memory_bytes, programs=programs, parser=parser, warm=warm)
        self._recycle_files = recycle_files
        self._recycle_bytes = recycle_bytes or memory_bytes // 2
        self._places = threading.BoundedSemaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._spare: Future[Child] | None = None
        self._losses = 0
        self._starter = WorkerStarter(self.options)
        self._finalizer = weakref.finalize(self, self._starter.close)  # runs at exit as well

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all children, those at work too."""
        self._finalizer()
        with self._lock:
            idle, self._idle = self._idle, []
            spare, self._spare = self._spare, None
        for child in idle:
            child.end()
        if spare is not None and spare.exception() is None:
            spare.result().end()

    def read(self, data: bytes, *, file: str | None = None, limits: ReadLimits | None = None) -> Document:
        """The Document of `data`; never raises because of what the file contains."""
        return self.examine(data, file=file, limits=limits).document

    def examine(self, data: bytes, *, file: str | None = None, limits: ReadLimits | None = None) -> ReadResult:
        """Read `data`, and tell what it took."""
        case = ReadTask(data, file, hashlib.sha256(data).hexdigest(), limits or ReadLimits())
        with self._places:
            child = self._take()
            try:
                return self._attempt(child, case, self.wall_seconds)
            except ChildDied as death:
                if child.files == 1 or isinstance(death.error, ParseTimeout):
                    return case.lost(death)
            # An earlier file may have harmed that child; the death of a fresh one is evidence.
            try:
                return self._attempt(self._fresh(), case, self.wall_seconds - case.seconds())
            except ChildDied as death:
                return case.lost(death)

    def protections(self) -> Mapping[str, Any]:
        """What is in force in the children on this machine; starts one if none is running."""
        with self._places:
            child = self._take()
            with self._lock:
                self._idle.append(child)
        protections: Mapping[str, Any] = child.hello["protections"]
        return protections

    def pids(self) -> list[int]:
        """Process ids of the children, for those who watch their memory."""
        return self._starter.pids()

    def _attempt(self, child: Child, case: ReadTask, seconds: float) -> ReadResult:
        try:
            number = child.files + 1
            request = {
                "number": number,
                "limits": asdict(case.limits),
                "cpu_seconds": self.cpu_seconds,
                "wall_seconds": seconds + ALARM_SECONDS,
            }
            header, body = child.ask(protocol.pack(request, case.data), number=number, seconds=seconds)
            try:
                document = document_from(body, file=case.file, sha256=case.sha256)
            except ValueError:
                raise child.end(ParseCrash()) from None
        except ChildDied:
            self._losses += 1
            self._discard(child)
            self._prepare()
            raise
        except BaseException:  # Ctrl-C: the child is in the middle of a file nobody waits for
            self._discard(child)
            raise
        self._give_back(child, header, document)
        cause = header.get("cause")
        cause = cause[:100] if isinstance(cause, str) else None
        return ReadResult(document, case.seconds(), cause, "", _count(header, "peak_bytes"))

    def _take(self) -> Child:
        """A warm child: one that is idle, the spare, or a new one."""
        while True:
            with self._lock:
                child = self._idle.pop() if self._idle else None
            if child is None:
                return self._fresh()
            if child.is_ready():
                return child
            self._discard(child)

    def _fresh(self) -> Child:
        death = None
        for _ in range(STARTS):
            with self._lock:
                taken, self._spare = self._spare, None
            taken = taken or self._starter.order()
            if self._losses:
                # Bad files come in clumps: from the first loss on the next child is always warm already.
                self._prepare()
            child = taken.result()
            try:
                child.await_hello()
            except ChildDied as died:
                self._discard(child)
                death = died
            else:
                return child
        words = death.last_words.strip().splitlines() if death else []
        reason = words[-1] if words else "it gave no reason"
        raise EvenhandError(f"The reading process does not start: {reason}")

    def _prepare(self) -> None:
        with self._lock:
            if self._spare is None:
                self._spare = self._starter.order()

    def _discard(self, child: Child) -> None:
        child.end()
        self._starter.forget(child)

    def _give_back(self, child: Child, header: Mapping[str, Any], document: Document) -> None:
        starved = document.error is not None and document.error.code == ParseMemory.code
        grown = _count(header, "resident_bytes") > self._recycle_bytes
        if starved or grown or child.files >= self._recycle_files:
            self._discard(child)
            self._prepare()
        else:
            with self._lock:
                self._idle.append(child)


def _count(header: Mapping[str, Any], name: str) -> int:
    value = header.get(name)
    return value if isinstance(value, int) else 0
