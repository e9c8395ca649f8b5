"""A parser that does what its file says: the worst that a real one may do, on purpose."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import resource
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from evenhand.documents.draft import ReadLimits
from evenhand.documents.sandbox.protocol import send
from evenhand.errors import EncryptedDocument
from evenhand.records.document import Document, Line


def parse(data: bytes, *, limits: ReadLimits) -> Document:
    verb, _, argument = data.decode("utf-8").partition(" ")
    said = MISBEHAVIOURS[verb](argument) or ""
    lines = (Line(0, len(said), 1, None, None, None, False, False, None, None, None),)
    return Document(None, "", "txt", 1, "parsed", said, (), lines, (), (), None)


def say(argument: str) -> str:
    return argument


def busy(_: str) -> None:
    while True:
        pass


def sleep(_: str) -> None:
    time.sleep(600)


def sleep_in_c(_: str) -> None:
    ctypes.PyDLL(None).sleep(600)  # keeps the interpreter's lock


def allocate(_: str) -> None:
    held = []
    while True:
        held.append(bytearray(50_000_000))


def allocate_and_abort(_: str) -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    while block := libc.malloc(ctypes.c_size_t(50_000_000)):
        ctypes.memset(block, 1, 50_000_000)
    libc.abort()


def abort_saying(argument: str) -> None:
    os.write(2, argument.encode())
    os.abort()


def segfault(_: str) -> None:
    ctypes.string_at(0)


def sow(_: str) -> str:
    """Harm the child so that it dies in the middle of the next file, whatever that is."""
    MISBEHAVIOURS["say"] = segfault
    return "sown"


def take_over(_: str) -> str:
    """Change this process so that it rewrites the text of every later file."""
    MISBEHAVIOURS["say"] = lambda _: "rewritten"
    return "taken over"


def descriptors(_: str) -> str:
    """What kinds of files are open beyond the standard three."""
    kinds = []
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            kinds.append(stat.filemode(os.fstat(descriptor).st_mode)[0])
    return "".join(kinds)


def leave(_: str) -> None:
    os._exit(0)


def raise_key_error(_: str) -> None:
    raise KeyError("nobody foresaw this")


def raise_panic(_: str) -> None:
    raise Panic


def recurse(_: str) -> None:
    recurse(_)


def refuse(_: str) -> None:
    raise EncryptedDocument


def chatter(_: str) -> str:
    print("x" * 500_000)  # noqa: T201
    sys.stdout.flush()
    os.write(1, b"y" * 500_000)
    os.write(2, b"z" * 500_000)
    return "still here"


def leak(argument: str) -> str:
    LEAKED.append(bytearray(b"x" * int(argument)))
    return str(os.getpid())


def connect(argument: str) -> str:
    return _outcome(lambda: socket.create_connection(("127.0.0.1", int(argument)), timeout=2))


def send_datagram(_: str) -> str:
    return _outcome(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))


def connect_unix(argument: str) -> str:
    return _outcome(lambda: socket.socket(socket.AF_UNIX).connect(argument))


def write_file(argument: str) -> str:
    return _outcome(lambda: Path(argument).write_text("x"))


def append_file(argument: str) -> str:
    return _outcome(lambda: os.write(os.open(argument, os.O_WRONLY | os.O_APPEND), b"x"))


def truncate_file(argument: str) -> str:
    return _outcome(lambda: os.truncate(argument, 0))


def remove_file(argument: str) -> str:
    return _outcome(lambda: Path(argument).unlink())


def read_file(argument: str) -> str:
    return _outcome(lambda: Path(argument).read_text())


def signal_process(argument: str) -> str:
    return _outcome(lambda: os.kill(int(argument), 0))


def system_call(argument: str) -> str:
    """Name of the error of one system call, by its number on this machine and its arguments."""
    number, *arguments = map(int, argument.split())
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *map(ctypes.c_long, arguments))
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]


def run_written_code(_: str) -> str:
    """Make memory that was written executable, as injected code needs it."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, ctypes.c_size_t(4096), 3, 0x22, -1, ctypes.c_long(0))
    changed = libc.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(4096), 5)
    return "done" if changed == 0 else errno.errorcode[ctypes.get_errno()]


def open_for_writing(argument: str) -> str:
    return _outcome(lambda: os.open(argument, os.O_WRONLY))


def raise_limit(argument: str) -> str:
    return _outcome(lambda: resource.prlimit(int(argument), resource.RLIMIT_NOFILE, (64, 64)))


def set_times(argument: str) -> str:
    return _outcome(lambda: os.utime(argument, (0, 0)))


def user(_: str) -> str:
    return f"{os.getuid()} {os.getgid()} {os.getgroups()}"


def run_program(argument: str) -> str:
    return _outcome(lambda: subprocess.run([argument], check=True))


def use_thread(_: str) -> str:
    said: list[str] = []
    thread = threading.Thread(target=lambda: said.append("from a thread"))
    thread.start()
    thread.join()
    return said[0]


def fork_and_sleep(_: str) -> str:
    if not (child := os.fork()):
        time.sleep(600)
    return str(child)


def fork_and_crash(_: str) -> None:
    fork_and_sleep(_)
    segfault(_)


def environment(_: str) -> str:
    return " ".join(sorted(os.environ))


def forge(argument: str) -> None:
    """Answer in place of the worker, as code that took it over could."""
    body = json.dumps(FORGERIES[argument]).encode() if argument in FORGERIES else argument.encode()
    number = 0 if argument == "old_number" else 1
    send(_reply_descriptor(), {"number": number}, body)
    time.sleep(600)


def forge_garbage(_: str) -> None:
    os.write(_reply_descriptor(), b"\xff" * 100)
    time.sleep(600)


def forge_twice(_: str) -> None:
    for _repeat in range(2):
        send(_reply_descriptor(), {"number": 1}, json.dumps(HONEST).encode())


def _reply_descriptor() -> int:
    """The private end of the reply pipe: the only pipe that can be written to, apart from 1 and 2."""
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            mode = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode) and mode == os.O_WRONLY:
                return descriptor
    raise LookupError


HONEST = Document(None, "", "txt", 1, "parsed", "forged", (), (), (), (), None).to_json()
LINE = [0, 6, 1, None, None, None, False, False, None, None, None, None, None, None]
FORGERIES: dict[str, object] = {
    "honest": HONEST,
    "old_number": HONEST,
    "not_an_object": [],
    "missing_key": {"text": "x"},
    "unknown_status": HONEST | {"status": "excellent"},
    "unknown_code": HONEST | {"status": "error", "error": {"code": "odd", "message": "x"}},
    "error_without_status": HONEST | {"error": {"code": "too_large", "message": "x"}},
    "offset_outside": HONEST | {"lines": [[0, 7, *LINE[2:]]]},
    "offset_backwards": HONEST | {"lines": [LINE, LINE]},
    "offset_is_text": HONEST | {"lines": [["0", *LINE[1:]]]},
    "box_is_infinite": HONEST | {"lines": [[0, 6, 1, [0, 0, 1, float("inf")], *LINE[4:]]]},
    "box_is_text": HONEST | {"lines": [[0, 6, 1, "abcd", *LINE[4:]]]},
    "line_is_short": HONEST | {"lines": [LINE[:-1]]},
    "line_is_long": HONEST | {"lines": [[*LINE, None]]},
    "text_is_number": HONEST | {"text": 5},
    "half_a_character": HONEST | {"text": "\ud800"},
    "too_deep": json.loads("[" * 900 + "]" * 900),
}


class Panic(BaseException):
    """What a panic in Rust code looks like."""


LEAKED: list[bytearray] = []


def _outcome(attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except OSError as error:
        return type(error).__name__
    return "done"


MISBEHAVIOURS: dict[str, Callable[[str], str | None]] = {
    name: value for name, value in list(globals().items()) if callable(value) and value.__module__ == __name__
}
