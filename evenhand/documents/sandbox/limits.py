"""What a child process takes away from itself before it sees the first byte of a stranger's file."""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
import site
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evenhand.documents.sandbox import landlock, seccomp

OPEN_FILES = 64
PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Protections:
    """What is in force in a child; platforms and kernels differ, so it is reported and not assumed."""

    memory_bytes: int  # 0: this platform does not limit address space
    no_file_writes: bool
    dies_with_parent: bool
    seccomp: bool  # no network, no file changes, no tracing
    landlock: int  # version in force, 0: files outside the installation can be read
    programs: bool  # may start another program (Tesseract), under the same restrictions

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def confine(*, memory_bytes: int, programs: bool, readable: Iterable[str] = ()) -> Protections:
    """Apply every limit this platform offers; call it before any thread is started."""
    _default_signals()
    no_file_writes = _set_limit(resource.RLIMIT_FSIZE, 0)
    _set_limit(resource.RLIMIT_CORE, 0)
    _set_limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    limited = sys.platform == "linux" and _set_limit(resource.RLIMIT_AS, memory_bytes)
    os.register_at_fork(after_in_child=die_with_parent)  # `subprocess` needs it as preexec_fn instead
    return Protections(
        memory_bytes=memory_bytes if limited else 0,
        no_file_writes=no_file_writes,
        dies_with_parent=die_with_parent(),
        landlock=landlock.restrict([*installation(), *readable]),
        seccomp=seccomp.install(programs=programs),
        programs=programs,
    )


def die_with_parent() -> bool:
    """Ask the kernel to kill this process when the thread that started it ends (Linux)."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0) == 0)


def allow_seconds(*, cpu_seconds: float, wall_seconds: float) -> None:
    """Grant time for one file: past it the kernel ends this process, even inside C code."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(usage.ru_utime + usage.ru_stime + cpu_seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
    signal.setitimer(signal.ITIMER_REAL, wall_seconds)


def stop_clock() -> None:
    """The file is done: a child may be idle for as long as it likes."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def installation() -> list[str]:
    """Folders that hold the interpreter, the libraries and this package."""
    places = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values()}
    if site.ENABLE_USER_SITE and site.USER_SITE:
        places.add(site.USER_SITE)
    return sorted(places | {str(Path(__file__).resolve().parents[2])})


def _default_signals() -> None:
    """A parent may have ignored or blocked them, which children inherit; the limits rely on them."""
    for deadly in (signal.SIGALRM, signal.SIGXCPU, signal.SIGTERM):
        signal.signal(deadly, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent alone decides on Ctrl-C
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _set_limit(kind: int, value: int) -> bool:
    try:
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):
        return False
    return True
