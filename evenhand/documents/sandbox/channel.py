"""The parent's side of the pipes to one child: a file goes out and a reply comes back before a deadline."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any

from evenhand.documents.sandbox import frames

PIPE_BYTES = 1 << 20  # a resume and its answer pass in one go, without waking the other side in between
WORDS_BYTES = 8_000
READ_BYTES = 1 << 20
LOOK_SECONDS = 0.05  # between looks at the memory of a child that takes longer than most files do


class Late(Exception):
    """The deadline has passed."""


class Gone(Exception):
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
            _widen(descriptor)

    def converse(self, parts: list[bytes], deadline: float) -> tuple[dict[str, Any], bytes]:
        """Write `parts` and read one frame; ValueError when what comes back is no frame."""
        pending = [memoryview(part) for part in parts if part]
        received = bytearray()
        poller = self._poller(writing=bool(pending))
        while not _is_complete(received):
            left = deadline - time.monotonic()
            events = dict(poller.poll(min(max(left, 0), LOOK_SECONDS) * 1000))
            if not events:
                if left <= LOOK_SECONDS:
                    raise Late
                self.resident_bytes = max(self.resident_bytes, _resident(self._pid))
                continue
            if self._to in events and not self._write(pending):
                poller.unregister(self._to)
            if self._errors in events and not self.listen():
                poller.unregister(self._errors)
            if self._from in events:
                self._read(received)
            elif self._exit in events:
                raise Gone
        return _unpack(received)

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

    def _poller(self, *, writing: bool) -> select.poll:
        poller = select.poll()
        poller.register(self._from, select.POLLIN)
        poller.register(self._errors, select.POLLIN)
        if self._exit >= 0:
            poller.register(self._exit, select.POLLIN)
        if writing:
            poller.register(self._to, select.POLLOUT)
        return poller

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
            raise Gone from None
        return False

    def _read(self, received: bytearray) -> None:
        with contextlib.suppress(BlockingIOError):
            part = os.read(self._from, READ_BYTES)
            if not part:
                raise Gone
            received += part


def _is_complete(received: bytearray) -> bool:
    if len(received) < frames.PREFIX.size:
        return False
    head, body = frames.sizes(received[: frames.PREFIX.size])
    return len(received) >= frames.PREFIX.size + head + body


def _unpack(received: bytearray) -> tuple[dict[str, Any], bytes]:
    start = frames.PREFIX.size
    head, body = frames.sizes(received[:start])
    header = json.loads(received[start : start + head])
    if not isinstance(header, dict) or len(received) > start + head + body:
        raise ValueError("not a frame")
    return header, bytes(received[start + head :])


def _resident(pid: int) -> int:
    """Bytes of memory the child holds; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _watch(pid: int) -> int:
    """A descriptor that tells of the end even while a grandchild holds the pipes open; -1: there is none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # not Linux, or a container that forbids it
        return -1


def _widen(descriptor: int) -> None:
    # Refused when the user's pipes already hold a lot of memory; the usual size works too.
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
