"""How much memory a piece of work needs at its peak."""

from __future__ import annotations

import ctypes
import gc
import os
import threading

from evenhand.bench.speed import resident_bytes

SAMPLE_SECONDS = 0.02


class PeakMemory:
    """Looks again and again while the work goes on, and counts what comes on top of what was in use before."""

    def __init__(self) -> None:
        _give_back()
        self.first = self.most = resident_bytes(os.getpid())
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    @property
    def megabytes(self) -> float:
        return (self.most - self.first) / 1e6

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(SAMPLE_SECONDS):
            self.most = max(self.most, resident_bytes(os.getpid()))


def _give_back() -> None:
    """What is free but still held would be used again, and the work would seem to need nothing."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
