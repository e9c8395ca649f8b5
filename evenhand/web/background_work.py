"""Long work that a page waits for: it runs in a thread of its own, and tells how far it is until it is done."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from evenhand.progress import Progress

T = TypeVar("T")
EVERY_SECONDS = 0.5
NDJSON = "application/x-ndjson"  # a line for each of them


class TaskCancelled(Exception):
    """Nobody waits any more."""


class _Counting:
    """The bar of the work; whoever waits looks at its numbers."""

    def __init__(self) -> None:
        self.done = 0
        self.total = 0
        self.stopped = False

    def advance(self) -> None:
        self.done += 1
        if self.stopped:
            raise TaskCancelled

    def progress(self, label: str, total: int) -> AbstractContextManager[_Counting]:
        self.done, self.total = 0, total
        return nullcontext(self)


def progress_lines(work: Callable[[Progress], T], show: Callable[[T], dict[str, Any]]) -> Iterator[str]:
    """For our script, a line of JSON each: how far it is twice a second, then what `show` makes of the result.

    Who stops listening stops the work.
    """
    bar = _Counting()
    results: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work(bar.progress))
        except TaskCancelled:
            pass
        except BaseException as error:  # told to who waits
            failed.append(error)

    thread = threading.Thread(target=run, name="evenhand-work", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(EVERY_SECONDS)
            if thread.is_alive():
                yield json.dumps({"done": bar.done, "total": bar.total}) + "\n"
    finally:
        bar.stopped = True
    if failed:
        raise failed[0]
    yield json.dumps(show(results[0])) + "\n"
