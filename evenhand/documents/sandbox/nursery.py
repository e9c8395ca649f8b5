"""Where children are started and, at the latest when the program ends, killed."""

from __future__ import annotations

import os
import queue
import threading
from concurrent.futures import Future

from evenhand.documents.sandbox.child import Child, ChildOptions
from evenhand.errors import EvenhandError


class Nursery:
    """Starts children from one thread that lives as long as the nursery.

    Linux kills a child that asked to die with its parent when the *thread* that started it ends, and in a
    web server such threads come and go.
    """

    def __init__(self, options: ChildOptions) -> None:
        self._options = options
        self._orders: queue.SimpleQueue[Future[Child] | None] = queue.SimpleQueue()
        self._children: set[Child] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._owner = os.getpid()

    def order(self) -> Future[Child]:
        """A child that is being started; it may not be warm yet when it arrives."""
        child: Future[Child] = Future()
        with self._lock:
            if self._closed or os.getpid() != self._owner:
                raise EvenhandError("This pool of reading processes is closed.")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="evenhand-nursery", daemon=True)
                self._thread.start()
            self._orders.put(child)
        return child

    def forget(self, child: Child) -> None:
        with self._lock:
            self._children.discard(child)

    def pids(self) -> list[int]:
        with self._lock:
            return [child.pid for child in self._children if child.is_alive()]

    def close(self) -> None:
        """Kill every child; whoever is waiting for one learns that it died."""
        if os.getpid() != self._owner:
            return  # a fork of the program that owns them
        with self._lock:
            self._closed = True
            for child in self._children:
                child.kill()
            self._orders.put(None)

    def _work(self) -> None:
        while (order := self._orders.get()) is not None:
            try:
                child = Child(self._options)
            except OSError as error:
                order.set_exception(EvenhandError(f"A reading process could not be started: {error}."))
                continue
            with self._lock:
                self._children.add(child)
                if self._closed:
                    child.kill()
            order.set_result(child)
