"""The process that is forked to read files: it has loaded everything, is confined, and never sees a file itself.

Started as `python -P -m evenhand.documents.sandbox.worker OPTIONS`, OPTIONS being a JSON object. Its standard input is
a socket to the parent. For each child the parent sends three pipes through it; the child answers over them and ends
after so many files as it may read. It has nothing that the next child has, so what a file does to it ends with it.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NoReturn, Protocol

from evenhand.documents.sandbox import protocol
from evenhand.documents.sandbox.confinement import FORKS, allow_seconds, confine, install, stop_clock

# A resume makes hardly any garbage in circles; looking for it at Python's usual rate costs 5% of the time.
GARBAGE_OBJECTS = 200_000

Answer = Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]


class Task(Protocol):
    """A module that answers requests; `options` are those of the process."""

    def prepare(self, options: dict[str, Any]) -> Answer: ...

    def warm(self, options: dict[str, Any]) -> Iterator[None]:
        """Load, step by step, what not every request needs."""


def main(options: dict[str, Any]) -> None:
    control = private_control()
    protections = confine(
        memory_bytes=options["memory_bytes"], programs=options["programs"], readable=options["readable"]
    )
    # Imported only now: whatever its libraries start is already confined.
    task: Task = import_module(options["task"])
    answer = task.prepare(options)
    warming = task.warm(options)
    gc.set_threshold(GARBAGE_OBJECTS)
    protocol.send(control.fileno(), {"protections": protections.to_json()}, b"")
    while pipes := socket.recv_fds(control, 1, 3)[1]:
        gc.freeze()  # what is loaded stays, and need not be looked at again
        pid = os.fork() if FORKS else os.getpid()
        if pid == 0:
            control.close()
            serve_and_exit(pipes, answer, options, filtered=protections.seccomp)
        if FORKS:
            os.setpgid(pid, pid)  # killed as a whole; it waits for its request until the parent knows the number
        control.sendall(protocol.RECORD.pack(pid, 0))
        if not FORKS:
            serve(pipes, answer, options, filtered=False)
        for pipe in pipes:
            os.close(pipe)
        next(warming, None)  # while the child is at work
        report_end(control, pid)


def private_control() -> socket.socket:
    """Keep the socket to ourselves: what a library prints must not end up in it."""
    control = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    faulthandler.enable()
    return control


def serve_and_exit(pipes: list[int], answer: Answer, options: dict[str, Any], *, filtered: bool) -> NoReturn:
    """In the child: whatever happens, it does not come back to what only the process that forked it may do."""
    try:
        serve(pipes, answer, options, filtered=filtered)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def serve(pipes: list[int], answer: Answer, options: dict[str, Any], *, filtered: bool) -> None:
    """Answer the requests that come through the pipes, as many as one process may."""
    requests, replies, errors = pipes
    os.dup2(errors, 1)
    os.dup2(errors, 2)
    if filtered and not install(programs=options["programs"]):
        raise OSError("The filter of system calls was refused.")
    for _ in range(options["requests"]):
        if (request := protocol.receive(requests)) is None:
            break
        allow_seconds(cpu_seconds=options["cpu_seconds"], wall_seconds=options["wall_seconds"])
        header, body = answer(*request)
        stop_clock()
        protocol.send(replies, header | {"number": request[0]["number"]}, body)


def report_end(control: socket.socket, pid: int) -> None:
    """Say that the child has ended; reap it when the parent, who may still have to kill its group, says so."""
    if FORKS:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    control.sendall(protocol.RECORD.pack(0, 0))
    if not control.recv(1):
        sys.exit()
    status, peak_bytes = 0, 0
    if FORKS:
        _, status, usage = os.wait4(pid, 0)
        peak_bytes = usage.ru_maxrss * 1024
    control.sendall(protocol.RECORD.pack(status, peak_bytes))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
