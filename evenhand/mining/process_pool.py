"""A pool of mining processes: every Document gets a Profile in time, even if it hangs or kills its process.

`MiningPool.mine` takes an idle process or starts one, sends the Document and waits for the Profile. A process that is
too slow or dies is discarded; a Document that killed a used process gets a second attempt in a fresh one.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Self, TypeVar

from evenhand.documents.sandbox import protocol
from evenhand.documents.sandbox.child import (
    WORKING_FOLDER,
    Channel,
    ChannelClosed,
    DeadlineExceeded,
    environment,
    own_command,
    readable_paths,
)
from evenhand.errors import EvenhandError
from evenhand.mining.in_process import failed_profile, user_lexicon, user_models
from evenhand.records.conversion import Rules, is_valid
from evenhand.records.document import Document
from evenhand.records.profile import (
    DEGREE_LEVELS,
    SECTION_TYPES,
    Education,
    Evidence,
    Profile,
    Project,
    Section,
    Source,
)
from evenhand.settings import Settings

WORKER = "evenhand.mining.worker"
MINER = "evenhand.mining.miner"  # module whose `load_miner` is used
START_SECONDS = 60.0
ALARM_SECONDS = 2.0  # the process's own alarm rings later than ours, for one whose parent is gone
T = TypeVar("T")


class MiningTimeout(Exception):
    def __init__(self) -> None:
        super().__init__("Mining took too long and was stopped; there are no facts.")


class MiningCrash(Exception):
    def __init__(self) -> None:
        super().__init__("This resume ended the mining process; there are no facts.")


class MiningProcess:
    """One process, used by one thread at a time."""

    def __init__(self, settings: Settings, miner: str = MINER, task: str | None = None) -> None:
        self.documents = 0
        lexicon, models = user_lexicon(settings), user_models(settings)
        own = [str(path) for path in (lexicon, models) if path]
        options = {
            "miner": miner,
            "task": task,
            "memory_bytes": settings.memory_bytes,
            "lexicon": str(lexicon) if lexicon else None,
            "models": str(models) if models else None,
            "readable": [*readable_paths(), *own],
        }
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            own_command(WORKER, json.dumps(options)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            cwd=WORKING_FOLDER,
            start_new_session=True,
            bufsize=0,
        )
        self._channel = Channel(self._process)
        self._is_ready = False
        self._reaping = threading.Lock()

    @property
    def pid(self) -> int:
        return self._process.pid

    def await_ready(self) -> None:
        """Wait until the models are loaded; EvenhandError when the process does not start."""
        if self._is_ready:
            return
        try:
            self._channel.converse([], time.monotonic() + START_SECONDS)
        except (DeadlineExceeded, ChannelClosed, ValueError):
            self.end()
            words = self._channel.words.decode("utf-8", "replace").strip().splitlines()
            reason = words[-1] if words else "it gave no reason"
            raise EvenhandError(f"The mining process does not start: {reason}") from None
        self._is_ready = True

    def mine(self, document: Document, *, as_of: str, cpu_seconds: float, wall_seconds: float) -> Profile:
        """As `ask`."""
        request = {"as_of": as_of, "file": document.file, "sha256": document.sha256}
        body = protocol.encode_document(document)
        return self.ask(
            request,
            body,
            lambda reply: profile_from(reply, document, as_of),
            cpu_seconds=cpu_seconds,
            wall_seconds=wall_seconds,
        )

    def ask(
        self,
        request: Mapping[str, Any],
        body: bytes,
        decode: Callable[[bytes], T],
        *,
        cpu_seconds: float,
        wall_seconds: float,
    ) -> T:
        """Raises MiningTimeout, or MiningCrash when the process dies of it or `decode` finds its answer nonsense."""
        self.documents += 1
        limits = {"cpu_seconds": cpu_seconds, "wall_seconds": wall_seconds + ALARM_SECONDS}
        parts = protocol.pack({**request, "number": self.documents, **limits}, body)
        try:
            header, reply = self._channel.converse(parts, time.monotonic() + wall_seconds)
            if header.get("number") != self.documents:
                raise ValueError("the answer to some other question")
            return decode(reply)
        except DeadlineExceeded:
            raise MiningTimeout from None
        except (ChannelClosed, ValueError):
            raise MiningCrash from None

    def kill(self) -> None:
        """From any thread; the thread that uses the process will find it dead."""
        with self._reaping, contextlib.suppress(ProcessLookupError, PermissionError):
            if self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill and reap it; only for the thread that uses it, because others may close what that one waits for."""
        self.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._channel.listen()
        self._channel.close()


class MiningPool:
    """Mines in as many processes as there are threads that ask. Close it, or use `with`.

    `task` names a module whose `answer` the processes do instead of mining, for others who read strangers' texts.
    """

    def __init__(self, settings: Settings, *, miner: str = MINER, task: str | None = None) -> None:
        self.settings = settings
        self._miner = miner
        self._task = task
        self._lock = threading.Lock()
        self._idle: list[MiningProcess] = []
        self._all: set[MiningProcess] = set()
        self._closed = False
        self._finalizer = weakref.finalize(self, _kill_all, self._all)  # runs at exit as well

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all processes, those at work too."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        self._finalizer()
        for process in idle:
            process.end()

    def warm(self) -> None:
        """Start a process now: it loads its models while the first file is being read."""
        process = self._start()
        with self._lock:
            self._idle.append(process)

    def mine(self, document: Document, *, as_of: str) -> Profile:
        """Never raises because of what the text contains."""
        cpu_seconds, wall_seconds = self.settings.cpu_seconds, self.settings.wall_seconds
        try:
            return self.run(
                lambda process: process.mine(document, as_of=as_of, cpu_seconds=cpu_seconds, wall_seconds=wall_seconds)
            )
        except (MiningTimeout, MiningCrash) as failure:
            return failed_profile(document, as_of, str(failure))

    def run(self, work: Callable[[MiningProcess], T]) -> T:
        """Raises MiningTimeout, or MiningCrash where the work ended a fresh process as well."""
        with self._lock:
            idle = self._idle.pop() if self._idle else None
        with contextlib.suppress(MiningCrash):
            return self._run_in(idle or self._start(), work)
        # Something before may have harmed that process; the death of a fresh one is evidence.
        return self._run_in(self._start(), work)

    def _run_in(self, process: MiningProcess, work: Callable[[MiningProcess], T]) -> T:
        """The process goes back to the idle ones if it did its work."""
        try:
            process.await_ready()
            result = work(process)
        except BaseException:
            self._discard(process)
            raise
        with self._lock:
            is_reusable = not self._closed
            if is_reusable:
                self._idle.append(process)
        if not is_reusable:
            self._discard(process)
        return result

    def pids(self) -> list[int]:
        """Process ids, for those who watch their memory."""
        with self._lock:
            return [process.pid for process in self._all]

    def _start(self) -> MiningProcess:
        with self._lock:
            if self._closed:
                raise EvenhandError("This pool of mining processes is closed.")
            process = MiningProcess(self.settings, self._miner, self._task)
            self._all.add(process)
        return process

    def _discard(self, process: MiningProcess) -> None:
        with self._lock:
            self._all.discard(process)
        process.end()


def _kill_all(processes: set[MiningProcess]) -> None:
    for process in tuple(processes):
        process.kill()


def profile_from(body: bytes, document: Document, as_of: str) -> Profile:
    """The Profile in a reply, with our own source and month; ValueError when it is not one of this Document.

    Whoever took the process over writes what they like: what comes back is plain data, every value of the type that
    the record says, every place inside the text.
    """
    data = protocol.decode_json(body)
    try:
        profile = Profile.from_json(data, document.text)
    except (TypeError, KeyError, AttributeError, IndexError) as error:
        raise ValueError("reply is not a profile") from error
    profile = replace(profile, document=Source.of(document), as_of=as_of)
    length, jobs = len(document.text), len(profile.positions)
    rules: Rules = {
        Evidence: lambda place: (
            0 <= place.start <= place.end <= length and place.page >= 0 and 0 <= place.confidence <= 1
        ),
        Section: lambda section: 0 <= section.start <= section.end <= length and section.type in SECTION_TYPES,
        Education: lambda study: study.level is None or study.level in DEGREE_LEVELS,
        Project: lambda project: project.position is None or 0 <= project.position < jobs,
    }
    if not is_valid(profile, rules):
        raise ValueError("reply contradicts itself")
    return profile
