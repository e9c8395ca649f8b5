"""One worker seen from the parent: start it, have a child forked for each request, and know why a child died."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from evenhand.documents.sandbox import protocol
from evenhand.errors import DocumentError, EvenhandError, ParseCrash, ParseMemory, ParseTimeout

# The parent's side of the pipes to one child: a file goes out and a reply comes back before a deadline.


PIPE_BYTES = 1 << 20  # a resume and its answer pass in one go, without waking the other side in between
WORDS_BYTES = 8_000
READ_BYTES = 1 << 20
LOOK_SECONDS = 0.05  # between looks at the memory of a child that takes longer than most files do


class DeadlineExceeded(Exception):
    """The deadline has passed."""


class ChannelClosed(Exception):
    """The child has ended, or closed its side, before the reply was complete."""


class Channel:
    """Non-blocking descriptors to one process; `words` is the end of what it wrote to its standard error.

    The channel owns them, but for `end`, which can be read when the process has ended.
    """

    def __init__(self, *, to: int, replies: int, errors: int, end: int, pid: int) -> None:
        self._to, self._from, self._errors, self._end, self._pid = to, replies, errors, end, pid
        self.resident_bytes = 0  # the most that was seen while a reply took its time
        self.words = b""
        for descriptor in (to, replies, errors):
            os.set_blocking(descriptor, False)

    def converse(self, parts: list[bytes], deadline: float) -> tuple[dict[str, Any], bytes]:
        """Write `parts` and read one frame; ValueError when what comes back is no frame."""
        pending = [memoryview(part) for part in parts if part]
        received = bytearray()
        poller = select.poll()
        for descriptor in {self._from, self._errors, self._end}:
            poller.register(descriptor, select.POLLIN)
        if pending:
            poller.register(self._to, select.POLLOUT)
        start = protocol.PREFIX.size
        head = body = 0
        while len(received) < start + head + body:
            left = deadline - time.monotonic()
            events = dict(poller.poll(min(max(left, 0), LOOK_SECONDS) * 1000))
            if not events:
                if left <= LOOK_SECONDS:
                    raise DeadlineExceeded
                self._measure()
                continue
            if self._to in events and not self._write(pending):
                poller.unregister(self._to)
            if self._errors in events and not self.listen():
                poller.unregister(self._errors)
            if self._from in events:
                with contextlib.suppress(BlockingIOError):
                    part = os.read(self._from, READ_BYTES)
                    if not part:
                        raise ChannelClosed
                    received += part
            elif self._end in events:
                raise ChannelClosed
            if len(received) >= start:
                head, body = protocol.sizes(received[:start])
        header = json.loads(received[start : start + head])
        if not isinstance(header, dict) or len(received) > start + head + body:
            raise ValueError("not a frame")
        return header, bytes(received[start + head :])

    def _measure(self) -> None:
        """Note how many bytes of memory the child holds, where the system tells."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            pages = int(Path(f"/proc/{self._pid}/statm").read_bytes().split()[1])
            self.resident_bytes = max(self.resident_bytes, pages * os.sysconf("SC_PAGE_SIZE"))

    def await_end(self, seconds: float) -> bool:
        """Give a process that closed its pipes the moment it needs to be gone; whether it is."""
        return bool(select.select([self._end], [], [], seconds)[0])

    def listen(self) -> bool:
        """Keep the end of what the child says on its standard error; False when it will say no more."""
        try:
            part = os.read(self._errors, READ_BYTES)
        except BlockingIOError:
            return True
        self.words = (self.words + part)[-WORDS_BYTES:]
        return bool(part)

    def close(self) -> None:
        for descriptor in (self._to, self._from, self._errors):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _write(self, pending: list[memoryview]) -> bool:
        """Write what fits; False when everything is out."""
        try:
            while pending:
                count = os.writev(self._to, pending[:2])
                while pending and count >= len(pending[0]):
                    count -= len(pending.pop(0))
                if pending:
                    pending[0] = pending[0][count:]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            raise ChannelClosed from None
        return False


def open_pipe() -> tuple[int, int]:
    reading, writing = os.pipe()
    # Refused when the user's pipes already hold a lot of memory; the usual size works too.
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return reading, writing


START_SECONDS = 60.0
ALARM_SECONDS = 2.0
# What allocators say before they abort; the address space limit itself leaves no other trace.
MEMORY_WORDS = (b"memory allocation of", b"bad_alloc", b"out of memory", b"cannot allocate", b"memoryerror")
MEMORY_SHARE = 0.6  # of the limit, once resident: whatever killed the child, memory was the matter
ROOT = str(Path(__file__).resolve().parents[3])
WORKING_FOLDER = "/"  # not that of the parent, which may hold strangers' files
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TESSDATA_PREFIX", "LD_LIBRARY_PATH")
ONE_THREAD = ("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """How a worker is started; the same for all workers of a pool."""

    kind: str  # reading or mining, for messages
    task: str  # module that answers, with the options in `task_options`
    memory_bytes: int
    cpu_seconds: float
    wall_seconds: float
    requests: int  # that one child answers; with one, no file can change what is said of another
    sandbox: str = "warn"  # or require: what to do where the system cannot confine processes
    programs: bool = False  # may start other programs, under the same restrictions
    readable: tuple[str, ...] = ()  # beyond the installation
    task_options: Mapping[str, str | None] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        # The child's own alarm rings later than ours, for a child whose parent is gone.
        times = {
            "cpu_seconds": self.cpu_seconds,
            "wall_seconds": self.wall_seconds + ALARM_SECONDS,
            "requests": self.requests,
        }
        confinement = {"memory_bytes": self.memory_bytes, "programs": self.programs}
        readable = [*readable_paths(), *self.readable]
        return {**self.task_options, "task": self.task, "readable": readable, **confinement, **times}


Reply = TypeVar("Reply")
Decode = Callable[[dict[str, Any], bytes], Reply]


class ChildDied(Exception):
    """The process with a request is gone; `error` is what that means for its file.

    An earlier file may have harmed it, unless this was its first.
    """

    def __init__(
        self, error: DocumentError, last_words: str = "", peak_bytes: int = 0, *, is_first: bool = True
    ) -> None:
        super().__init__(str(error))
        self.is_first = is_first
        self.error = error
        self.last_words = last_words
        self.peak_bytes = peak_bytes


class WorkerDied(Exception):
    """The process that forks children has ended, which no request can be the cause of."""


class Worker:
    """A process that forks children, and the one that it has, seen from the parent. Used by one thread at a time."""

    def __init__(self, options: WorkerOptions) -> None:
        self.options = options
        self.hello: dict[str, Any] = {}
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                own_command("evenhand.documents.sandbox.worker", json.dumps(options.to_json())),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=environment(),
                cwd=WORKING_FOLDER,
                start_new_session=True,  # its own group, killed as a whole; Ctrl-C does not reach it
                bufsize=0,
            )
        self._control.settimeout(START_SECONDS)
        self._child = 0  # until it may be reaped
        self._channel: Channel | None = None  # to the child
        self._asked = 0  # of the child
        self._unread = 0  # records about a child that nobody waited for
        self._reaping = threading.Lock()

    @property
    def pid(self) -> int:
        return self._process.pid

    def await_hello(self) -> None:
        """Wait until it is warm; EvenhandError when it does not get there."""
        if self.hello or self._process.stderr is None:
            return
        control, errors = os.dup(self._control.fileno()), os.dup(self._process.stderr.fileno())
        channel = Channel(to=os.dup(control), replies=control, errors=errors, end=control, pid=self.pid)
        try:
            self.hello, _ = channel.converse([], time.monotonic() + START_SECONDS)
        except (DeadlineExceeded, ChannelClosed, ValueError):
            self.end()
            with contextlib.suppress(OSError):
                channel.listen()
            words = channel.words.decode("utf-8", "replace").strip().splitlines()
            reason = words[-1] if words else "it gave no reason"
            raise EvenhandError(f"The {self.options.kind} process does not start: {reason}") from None
        finally:
            channel.close()

    def ask(self, request: Mapping[str, Any], body: bytes, *, seconds: float, decode: Decode[Reply]) -> Reply:
        """What `decode` makes of the answer, which comes within `seconds`; ChildDied, or WorkerDied.

        `decode` raises ValueError for an answer that cannot be true.
        """
        self._channel = channel = self._channel or self._fork()
        self._asked += 1
        parts = protocol.pack({**request, "number": self._asked}, body)
        try:
            header, answer = channel.converse(parts, time.monotonic() + seconds)
            if header.get("number") != self._asked:
                raise ValueError("the answer to some other question")
            reply = decode(header, answer)
        except DeadlineExceeded:
            raise self._lost(channel, ParseTimeout()) from None
        except ValueError:
            raise self._lost(channel, ParseCrash()) from None
        except ChannelClosed:
            raise self._lost(channel, None if channel.await_end(1.0) else ParseCrash()) from None
        except BaseException:  # Ctrl-C: the child is in the middle of a file nobody waits for
            self._release(channel, done=False)
            raise
        if self._asked >= self.options.requests or header.get("spent") is True:
            self._release(channel, done=True)
        return reply

    def is_alive(self) -> bool:
        with self._reaping:
            return self._process.poll() is None

    def kill(self) -> None:
        """Kill it and its child, from any thread; the thread that uses it will find it dead."""
        with self._reaping:
            for group in (self._child, self.pid):
                # Only until it is reaped: after that the number of the group may belong to someone else.
                if group and self._process.returncode is None:
                    _kill_group(group)

    def end(self) -> None:
        """Kill and reap it; only for the thread that uses it, because others may close what that one waits for."""
        self.kill()
        with self._reaping:
            self._process.wait()
        self._control.close()
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._process.stderr is not None:
            self._process.stderr.close()

    def _fork(self) -> Channel:
        """Have a child forked that holds the other ends of three new pipes."""
        (requests, to), (replies, answers), (errors, words) = open_pipe(), open_pipe(), open_pipe()
        try:
            while self._unread:
                self._record()
            socket.send_fds(self._control, [b"f"], [requests, answers, words])
            self._child, _ = self._record()
        except (OSError, WorkerDied):
            for descriptor in (to, replies, errors):
                os.close(descriptor)
            raise WorkerDied from None
        finally:
            for descriptor in (requests, answers, words):
                os.close(descriptor)
        return Channel(to=to, replies=replies, errors=errors, end=self._control.fileno(), pid=self._child)

    def _record(self) -> tuple[int, int]:
        """The next that the worker says of a child; WorkerDied when it says no more."""
        record = b""
        while len(record) < protocol.RECORD.size:
            if not (part := self._control.recv(protocol.RECORD.size - len(record))):
                raise WorkerDied
            record += part
        self._unread = max(0, self._unread - 1)
        first, second = protocol.RECORD.unpack(record)
        return first, second

    def _release(self, channel: Channel, *, done: bool) -> None:
        """Kill the child and what it started, and let the worker reap it; what that says is read later."""
        with self._reaping:
            child, self._child = self._child, 0
            if child != self.pid or not done:  # where nothing is forked, the worker itself has answered
                _kill_group(child)
            self._unread = 2
            with contextlib.suppress(OSError):
                self._control.sendall(b"r")
        channel.close()
        self._channel, self._asked = None, 0

    def _lost(self, channel: Channel, error: DocumentError | None) -> ChildDied:
        """What became of a child that did not answer; `error` is the verdict where it is already known."""
        is_first, is_worker = self._asked == 1, self._child == self.pid
        with contextlib.suppress(OSError):
            channel.listen()
        self._release(channel, done=False)
        if is_worker:
            status, peak_bytes = self._process.wait(), 0
        else:
            self._record()
            status, peak_bytes = self._record()
            status = os.waitstatus_to_exitcode(status)
        verdict = error or self._verdict(status, max(peak_bytes, channel.resident_bytes), channel.words.lower())
        return ChildDied(verdict, channel.words.decode("utf-8", "replace"), peak_bytes, is_first=is_first)

    def _verdict(self, status: int, peak_bytes: int, words: bytes) -> DocumentError:
        """What a death that we did not cause means."""
        if status in (-signal.SIGXCPU, -signal.SIGALRM):
            return ParseTimeout()
        if status == -signal.SIGKILL:  # only the kernel does that, when the machine has no memory left
            return ParseMemory()
        if any(phrase in words for phrase in MEMORY_WORDS) or peak_bytes > MEMORY_SHARE * self.options.memory_bytes:
            return ParseMemory()
        return ParseCrash()


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def own_command(module: str, *arguments: str) -> list[str]:
    """Runs a module of ours in a process of its own; -P: modules that lie in the working folder are not imported."""
    return [sys.executable, "-P", "-B", "-m", module, *arguments]


def environment() -> dict[str, str]:
    """Little of the parent's: no secrets, one thread per library, the same hashes in every run."""
    return base_environment() | dict.fromkeys(ONE_THREAD, "1")


def base_environment(*names: str) -> dict[str, str]:
    """The variables that every process of ours gets, and those of the parent with these names."""
    passed = {name: os.environ[name] for name in (*PASSED_ON, *names) if name in os.environ}
    # Site-packages before the standard library would let an old backport there take a module's place.
    checkout = [] if Path(ROOT).name in ("site-packages", "dist-packages") else [ROOT]
    path = os.pathsep.join([*checkout, *_python_path()])
    return passed | {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "2"}


def readable_paths() -> list[str]:
    """What the child may read beyond the installation: module folders, and the data of Tesseract."""
    data = os.environ.get("TESSDATA_PREFIX")
    return [*_python_path(), *([data] if data else [])]


def _python_path() -> list[str]:
    entries = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [str(Path(entry).absolute()) for entry in entries if entry]
