"""Other processes, as /proc tells of them."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """Processes that `pid` has started and that are still there."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == pid:
                found.append(int(stat.parent.name))
    return sorted(found)


def kill(pid: int, how: signal.Signals) -> None:
    """One that is gone already stays gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, how)


def still_there(pids: Iterable[int], *, seconds: float) -> list[int]:
    """Those that have not ended after so long; a dead one whose parent has not noticed counts as ended."""
    deadline = time.monotonic() + seconds
    left = list(pids)
    while (left := [pid for pid in left if _is_alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
