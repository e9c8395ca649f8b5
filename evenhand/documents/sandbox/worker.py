"""The child process: takes files from its parent one by one and answers each with a Document as JSON.

Started as `python -P -m evenhand.documents.sandbox.worker OPTIONS`, OPTIONS being a JSON object.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import hashlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from evenhand.documents.draft import ReadLimits
from evenhand.documents.sandbox import protocol
from evenhand.documents.sandbox.confinement import allow_seconds, confine, stop_clock
from evenhand.errors import CorruptDocument, DocumentError, ParseMemory, TooLarge
from evenhand.records.document import Document, Failure

# A resume makes hardly any garbage in circles; looking for it at Python's usual rate costs 5% of the time.
GARBAGE_OBJECTS = 200_000
GARBAGE_FILES = 100

Parse = Callable[..., Document]


def main(options: dict[str, Any]) -> None:
    requests, replies = private_channels()
    protections = confine(
        memory_bytes=options["memory_bytes"], programs=options["programs"], readable=options["readable"]
    )
    # Imported only now: whatever threads its libraries start are already confined.
    module = import_module(options["parser"])
    for name in options["warm"]:
        with contextlib.suppress(ImportError):  # a reader that cannot load fails for its own files only
            import_module(name)
    gc.freeze()  # what the imports made stays, and need not be looked at again
    gc.set_threshold(GARBAGE_OBJECTS)
    protocol.send(replies, {"protections": protections.to_json(), "counted_bytes": counted_bytes()}, b"")
    while (request := protocol.receive(requests)) is not None:
        header, body = answer(request[0], request[1], module.parse)
        protocol.send(replies, header, body)
        if header["number"] % GARBAGE_FILES == 0:
            gc.collect()


def private_channels() -> tuple[int, int]:
    """Keep the pipes to ourselves: what a library prints must not end up between two frames."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    faulthandler.enable()
    return requests, replies


def answer(request: dict[str, Any], data: bytes, parse: Parse) -> tuple[dict[str, Any], bytes]:
    """The reply to one file; `cause` names an exception that no reader foresaw."""
    allow_seconds(cpu_seconds=request["cpu_seconds"], wall_seconds=request["wall_seconds"])
    started = time.perf_counter()
    body, cause = read(data, ReadLimits(**request["limits"]), parse)
    seconds = time.perf_counter() - started
    stop_clock()
    return {"number": request["number"], "cause": cause, "seconds": seconds} | memory(), body


def read(data: bytes, limits: ReadLimits, parse: Parse) -> tuple[bytes, str | None]:
    try:
        body = protocol.encode_document(parse(data, limits=limits))
        return (body, None) if len(body) <= protocol.BODY_BYTES else (failed(TooLarge(), data), None)
    except DocumentError as error:
        return failed(error, data), None
    except MemoryError:
        return failed(ParseMemory(), data), "MemoryError"
    except BaseException as error:  # a panic in Rust code is not an Exception
        return failed(CorruptDocument(), data), type(error).__name__


def failed(error: DocumentError, data: bytes) -> bytes:
    failure = Failure(error.code, str(error))
    sha256 = hashlib.sha256(data).hexdigest()
    return protocol.encode_document(Document(None, sha256, None, 0, "error", "", (), (), (), (), failure))


def memory() -> dict[str, int]:
    """Resident bytes now and at the peak of this process's life."""
    try:
        status = Path("/proc/self/status").read_bytes()
    except OSError:  # not Linux, or a container without /proc
        return {"resident_bytes": counted_bytes(), "peak_bytes": counted_bytes()}
    lines = dict(line.split(b":", 1) for line in status.splitlines())
    return {
        "resident_bytes": int(lines[b"VmRSS"].split()[0]) * 1024,
        "peak_bytes": int(lines[b"VmHWM"].split()[0]) * 1024,
    }


def counted_bytes() -> int:
    """The peak as the system counts it for a parent: on Linux it includes the parent's own at the fork."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
