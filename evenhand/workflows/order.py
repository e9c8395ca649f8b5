"""Work done by several threads whose results come back in the order of the input."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 4  # results per thread that may wait for a slow one before them


def in_order(function: Callable[[Item], Result], items: Iterable[Item], *, threads: int) -> Iterator[Result]:
    """`map` over threads: at most a few items are taken ahead, so memory stays flat over any number."""
    orders: queue.SimpleQueue[tuple[Item, Future[Result]] | None] = queue.SimpleQueue()
    for _ in range(threads):
        # Daemons: after Ctrl-C the program must not wait for a file that nobody wants any more.
        threading.Thread(target=_work, args=(function, orders), name="evenhand-reader", daemon=True).start()
    waiting: deque[Future[Result]] = deque()
    source = iter(items)
    try:
        while True:
            for item in islice(source, threads * AHEAD - len(waiting)):
                waiting.append(Future())
                orders.put((item, waiting[-1]))
            if not waiting:
                return
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
        for _ in range(threads):
            orders.put(None)


def _work(
    function: Callable[[Item], Result], orders: queue.SimpleQueue[tuple[Item, Future[Result]] | None]
) -> None:
    while (order := orders.get()) is not None:
        item, future = order
        if not future.set_running_or_notify_cancel():
            continue
        try:
            future.set_result(function(item))
        except BaseException as error:
            future.set_exception(error)
        del order, item, future  # or the last file of a finished batch would stay in memory
