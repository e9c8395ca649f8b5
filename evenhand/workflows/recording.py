"""Writes down what was shown: many who are shown something at once share one wait for the disk."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evenhand.errors import UsageError
from evenhand.ledger import Checkpoint, last_checkpoint
from evenhand.records.event import Draft, Event
from evenhand.settings import Settings
from evenhand.store import Store
from evenhand.workflows.ledger import make_checkpoint

SOON_SECONDS = 1.0
SOON_KINDS = ("decision", "undo", "override", "correction", "erasure")
"""After these a checkpoint does not wait for the next minute."""
LATE_SECONDS = 60.0


@dataclass(slots=True)
class _Waiting:
    """Drafts of one caller, until they are on the disk or could not be written."""

    drafts: tuple[Draft, ...]
    events: list[Event] | None = None
    error: Exception | None = None

    @property
    def is_done(self) -> bool:
        return self.events is not None or self.error is not None


class Recorder:
    """One for all threads of a process. What `record` has returned for is on the disk."""

    def __init__(
        self, store: Store, settings: Settings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._writing = threading.Lock()
        self._pending: list[_Waiting] = []
        self._adding = threading.Lock()
        self._signing = threading.Lock()
        self._signed = 0  # the newest event with a checkpoint
        self._signed_at = float("-inf")
        if found := last_checkpoint(settings.checkpoint_path):
            self._signed = found.sequence

    def record(self, drafts: Sequence[Draft]) -> list[Event]:
        """Whoever comes to write writes for all who wait."""
        if not drafts:
            return []
        mine = _Waiting(tuple(drafts))
        with self._adding:
            self._pending.append(mine)
        with self._writing:
            if not mine.is_done:
                self._write_pending()
        if mine.error is not None:
            raise mine.error
        return mine.events or []

    def checkpoint(self) -> Checkpoint | None:
        """Signs if it is time: a second after a decision or an erasure, else a minute after anything. Call it often."""
        if not self._signing.acquire(blocking=False):
            return None
        try:
            return self._sign() if self._is_time() else None
        finally:
            self._signing.release()

    def _is_time(self) -> bool:
        since = self._clock() - self._signed_at
        if since < SOON_SECONDS or self._store.ledger_head()[0] <= self._signed:
            return False
        return since >= LATE_SECONDS or bool(
            self._store.events(after=self._signed, kinds=SOON_KINDS, limit=1)
        )

    def _sign(self) -> Checkpoint | None:
        sequence = self._store.ledger_head()[0]
        self._signed_at = self._clock()  # also when it fails: a command that hangs is not run without a break
        made = make_checkpoint(self._store, self._settings)
        self._signed = made.sequence if made else sequence
        return made

    def _write_pending(self) -> None:
        with self._adding:
            waiting, self._pending = self._pending, []
        try:
            events = iter(self._store.record([draft for each in waiting for draft in each.drafts]))
        except UsageError:
            for each in waiting:  # one of them is no event; the others are not to suffer for it
                self._write_alone(each)
            return
        except BaseException as error:
            _fail(waiting, error)
            raise
        for each in waiting:
            each.events = [next(events) for _ in each.drafts]

    def _write_alone(self, waiting: _Waiting) -> None:
        try:
            waiting.events = self._store.record(waiting.drafts)
        except Exception as error:  # told to who waits for it
            waiting.error = error


def _fail(waiting: Sequence[_Waiting], error: BaseException) -> None:
    for each in waiting:
        each.error = error if isinstance(error, Exception) else RuntimeError("The writer was stopped.")
