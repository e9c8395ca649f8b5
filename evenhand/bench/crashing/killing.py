"""Starts a process, listens to it and kills it: at a random moment, or just after it began something."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from random import Random
from signal import SIGKILL

from evenhand.bench.crashing.account import Account
from evenhand.bench.crashing.work import Message, Task, work
from evenhand.bench.processes import children_of, kill, still_there
from evenhand.errors import EvenhandError

LONGEST_SECONDS = 120.0
AT_ONCE_SECONDS = 0.08  # after a message: a transaction or a commit of the index takes about as long
GONE_SECONDS = 20.0
PRELOADED = ("evenhand.bench.crashing.work",)


def prepare() -> ForkServerContext:
    """Processes are forked from one that has everything loaded, and neither threads nor open files."""
    context = get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context


@dataclass(frozen=True, slots=True)
class Moment:
    """After so many messages, and then so many seconds."""

    messages: int
    seconds: float


@dataclass(slots=True)
class Ending:
    cut_off: bool  # it, or what it needs, was killed before it was done
    silent: bool  # it ended by itself without saying how: an error that nobody translated
    failure: str | None  # what it said when it could not go on
    messages: int
    seconds: float
    orphans: int  # processes it had started, that outlived it


def choose(rng: Random, last: Ending | None) -> Moment:
    """Half of them anywhere in the time it took before, half just after one of its messages."""
    if last is None or rng.random() < 0.5:
        return Moment(0, rng.uniform(0, last.seconds if last else 3.0))
    return Moment(rng.randint(1, max(1, last.messages - 1)), rng.uniform(0, AT_ONCE_SECONDS))


def run_and_kill(
    context: ForkServerContext,
    task: Task,
    account: Account,
    *,
    moment: Moment | None = None,
    instead: Callable[[], None] | None = None,
) -> Ending:
    """Without a moment it may finish. `instead` of the process, something else can be harmed."""
    listening, telling = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(task, telling))
    started = time.monotonic()
    process.start()
    telling.close()
    listener = _Listener(listening, account)
    listener.listen(until=started + LONGEST_SECONDS, moment=moment)
    harmed = children_of(process.pid or 0)
    cut_off = not listener.ended
    if cut_off and instead:
        instead()
        listener.listen(until=time.monotonic() + LONGEST_SECONDS)
    if not listener.ended:
        if moment is None or instead:
            process.kill()
            raise EvenhandError(f"A process did not end ({task.kind}, seed {task.seed}).")
        kill(process.pid or 0, SIGKILL)
    # What it told before it died counts, heard or not.
    listener.listen(until=time.monotonic() + LONGEST_SECONDS)
    process.join()
    orphans = still_there(harmed, seconds=GONE_SECONDS)
    return Ending(
        cut_off,
        process.exitcode != -SIGKILL and not listener.concluded,
        listener.failure,
        listener.messages,
        time.monotonic() - started,
        len(orphans),
    )


class _Listener:
    def __init__(self, pipe: Connection, account: Account) -> None:
        self._pipe = pipe
        self._account = account
        self.messages = 0
        self.failure: str | None = None
        self.concluded = False  # it has said that it is done, or why not
        self.ended = False

    def listen(self, *, until: float, moment: Moment | None = None) -> None:
        """Until the other side is gone, or the time or the moment has come."""
        if moment and moment.messages == 0:
            until, moment = time.monotonic() + moment.seconds, None
        while not self.ended and self._pipe.poll(max(0.0, until - time.monotonic())):
            try:
                self._hear(self._pipe.recv())
            except (EOFError, OSError):
                self.ended = True
                self._pipe.close()
                return
            if moment and self.messages >= moment.messages:
                until, moment = time.monotonic() + moment.seconds, None

    def _hear(self, message: Message) -> None:
        self.messages += 1
        self.concluded = message[0] in ("done", "failed")
        if message[0] == "failed":
            self.failure = str(message[1])
        self._account.hear(message)
