"""One reading process seen from the parent: start it, ask it, and know why it died."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evenhand.documents.sandbox import protocol
from evenhand.errors import DocumentError, ParseCrash, ParseMemory, ParseTimeout

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
    """Non-blocking pipes to one child; `words` is the end of what it wrote to its standard error."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        streams = (process.stdin, process.stdout, process.stderr)
        self._streams = [stream for stream in streams if stream is not None]
        self._to, self._from, self._errors = (stream.fileno() for stream in self._streams)
        self._exit = _watch(process.pid)
        self._pid = process.pid
        self.resident_bytes = 0  # the most that was seen while a reply took its time
        self.words = b""
        for descriptor in (self._to, self._from, self._errors):
            os.set_blocking(descriptor, False)
            # Refused when the user's pipes already hold a lot of memory; the usual size works too.
            if hasattr(fcntl, "F_SETPIPE_SZ"):
                with contextlib.suppress(OSError):
                    fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)

    def converse(self, parts: list[bytes], deadline: float) -> tuple[dict[str, Any], bytes]:
        """Write `parts` and read one frame; ValueError when what comes back is no frame."""
        pending = [memoryview(part) for part in parts if part]
        received = bytearray()
        poller = select.poll()
        for descriptor in (self._from, self._errors, self._exit):
            if descriptor >= 0:
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
            elif self._exit in events:
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

    def is_silent(self) -> bool:
        return not select.select([self._from], [], [], 0)[0]

    def await_exit(self, seconds: float) -> None:
        """Give a child that closed its pipes the moment it needs to be gone."""
        if self._exit >= 0:
            select.select([self._exit], [], [], seconds)
        else:
            time.sleep(min(seconds, 0.05))

    def listen(self) -> bool:
        """Keep the end of what the child says on its standard error; False when it will say no more."""
        try:
            part = os.read(self._errors, READ_BYTES)
        except BlockingIOError:
            return True
        self.words = (self.words + part)[-WORDS_BYTES:]
        return bool(part)

    def close(self) -> None:
        for stream in self._streams:
            with contextlib.suppress(OSError):
                stream.close()
        if self._exit >= 0:
            os.close(self._exit)
            self._exit = -1

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


def _watch(pid: int) -> int:
    """A descriptor that tells of the end even while a grandchild holds the pipes open; -1: there is none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # not Linux, or a container that forbids it
        return -1


START_SECONDS = 60.0
# What allocators say before they abort; the address space limit itself leaves no other trace.
MEMORY_WORDS = (b"memory allocation of", b"bad_alloc", b"out of memory", b"cannot allocate", b"memoryerror")
MEMORY_SHARE = 0.6  # of the limit, once resident: whatever killed the child, memory was the matter
ROOT = str(Path(__file__).resolve().parents[3])
WORKING_FOLDER = "/"  # not that of the parent, which may hold strangers' files
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TESSDATA_PREFIX", "LD_LIBRARY_PATH")
ONE_THREAD = ("OMP_NUM_THREADS", "OMP_THREAD_LIMIT", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")


@dataclass(frozen=True, slots=True)
class ChildOptions:
    """How a child is started; the same for all children of a pool."""

    memory_bytes: int
    programs: bool  # may start other programs, under the same restrictions
    parser: str  # module whose `parse` reads a file
    warm: tuple[str, ...]  # modules loaded before the first file


class ChildDied(Exception):
    """The child is gone; `error` is what that means for the file it was reading."""

    def __init__(self, error: DocumentError, last_words: str = "", peak_bytes: int = 0) -> None:
        super().__init__(str(error))
        self.error = error
        self.last_words = last_words
        self.peak_bytes = peak_bytes


class Child:
    """A running reading process. Used by one thread at a time."""

    def __init__(self, options: ChildOptions) -> None:
        self.options = options
        self.files = 0
        self.hello: dict[str, Any] = {}
        passed = json.dumps(asdict(options) | {"readable": readable_paths()})
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            own_command("evenhand.documents.sandbox.worker", passed),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            cwd=WORKING_FOLDER,
            start_new_session=True,  # its own group, killed as a whole; Ctrl-C does not reach it
            bufsize=0,
        )
        self._channel = Channel(self._process)
        self._reaping = threading.Lock()

    @property
    def pid(self) -> int:
        return self._process.pid

    def await_hello(self) -> None:
        """Wait until it is warm; Died when it does not get there."""
        if not self.hello:
            self.hello, _ = self._converse([], START_SECONDS)

    def ask(self, parts: list[bytes], *, number: int, seconds: float) -> tuple[dict[str, Any], bytes]:
        """Send one packed request and wait at most `seconds` for the reply of the same number."""
        self.files += 1
        header, body = self._converse(parts, seconds)
        if header.get("number") != number:
            raise self.end(ParseCrash())  # the answer to some other question: nothing it says counts
        return header, body

    def is_alive(self) -> bool:
        if self._process.returncode is not None:
            return False
        if not hasattr(os, "waitid"):  # macOS before Python 3.13: found out when it is asked
            return True
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def is_ready(self) -> bool:
        """Alive, and not talking out of turn: bytes nobody asked for would pass for the next reply."""
        return self.is_alive() and self._channel.is_silent()

    def kill(self) -> None:
        """Kill the whole group, from any thread; the thread that uses the child will find it dead."""
        with self._reaping:
            self._kill_group()

    def end(self, error: DocumentError | None = None) -> ChildDied:
        """Kill the whole group and reap the child; `error` is the verdict where it is already known."""
        with self._reaping:
            if self._process.returncode is not None:
                return ChildDied(error or ParseCrash())
            was_dead = not self.is_alive()
            self._kill_group()
            peak_bytes = self._reap()
        with contextlib.suppress(OSError):
            self._channel.listen()
        self._channel.close()
        by_itself = was_dead or self._process.returncode != -signal.SIGKILL
        verdict = error or (self._verdict(peak_bytes) if by_itself else ParseCrash())
        return ChildDied(verdict, self._channel.words.decode("utf-8", "replace"), peak_bytes)

    def _converse(self, parts: list[bytes], seconds: float) -> tuple[dict[str, Any], bytes]:
        try:
            return self._channel.converse(parts, time.monotonic() + seconds)
        except DeadlineExceeded:
            raise self.end(ParseTimeout()) from None
        except ChannelClosed:
            self._channel.await_exit(1.0)
            raise self.end() from None
        except ValueError:
            raise self.end(ParseCrash()) from None

    def _kill_group(self) -> None:
        # Only until it is reaped: after that the number of the group may belong to someone else.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def _reap(self) -> int:
        """Collect the exit status; the peak of resident bytes."""
        try:
            _, status, usage = os.wait4(self.pid, 0)
        except ChildProcessError:  # a host program that ignores SIGCHLD: the kernel has reaped it
            self._process.returncode = 0
            return 0
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)

    def _verdict(self, peak_bytes: int) -> DocumentError:
        """What a death that we did not cause means."""
        status = self._process.returncode
        if status in (-signal.SIGXCPU, -signal.SIGALRM):
            return ParseTimeout()
        if status == -signal.SIGKILL:  # only the kernel does that, when the machine has no memory left
            return ParseMemory()
        if any(phrase in self._channel.words.lower() for phrase in MEMORY_WORDS):
            return ParseMemory()
        # The count starts with what the parent held when it forked, so only growth beyond that tells.
        most = MEMORY_SHARE * self.options.memory_bytes
        if peak_bytes > max(most, self.hello.get("counted_bytes", 0)) or self._channel.resident_bytes > most:
            return ParseMemory()
        return ParseCrash()


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
