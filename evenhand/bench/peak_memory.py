"""How much memory a piece of work needs at its peak."""

from __future__ import annotations

import os
import threading

from evenhand.bench.speed import resident_bytes

SAMPLE_SECONDS = 0.02


class PeakMemory:
    """Looks again and again while the work goes on, and counts what comes on top of what was in use before."""

    def __init__(self) -> None:
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
