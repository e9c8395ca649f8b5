"""Whoever works on an audit says so every two seconds: one that is silent is taken for gone, and another takes over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from evenhand.store import Store

EVERY_SECONDS = 2.0


class Telling:
    """A bar whose numbers are written down, also while it stands still. `lost`: the audit is no longer ours."""

    def __init__(self, store: Store, id: str, *, lost: Callable[[], None]) -> None:
        self._store = store
        self._id = id
        self._lost = lost
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tell, name="evenhand-audit-telling", daemon=True)
        self.done, self.total, self.doing = 0, 0, "Preparing"

    def advance(self) -> None:
        self.done += 1

    def watch(self, label: str, total: int) -> AbstractContextManager[Telling]:
        self.done, self.total, self.doing = 0, total, label
        return nullcontext(self)

    def __enter__(self) -> Telling:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _tell(self) -> None:
        while not self._ended.wait(EVERY_SECONDS):
            if not self._store.tell_audit(self._id, done=self.done, total=self.total, doing=self.doing):
                self._lost()
                return
