"""Folds on all processors: each process gets the resumes once, then one fold after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TypeVar

from evenhand.mining.learning import Prepared
from evenhand.workflows.reading import available_cores

Task = TypeVar("Task")
Result = TypeVar("Result")
Resumes = Sequence[Prepared]

_resumes: list[Prepared] = []  # of a process that works for another


@dataclass(frozen=True, slots=True)
class Workers:
    resumes: Resumes
    pool: ProcessPoolExecutor | None

    def map(
        self,
        function: Callable[[Resumes, Task], Result],
        tasks: Iterable[Task],
        *,
        advance: Callable[[], None],
    ) -> Iterator[Result]:
        """`function(resumes, task)` of every task, in their order; the function must be one of a module."""
        if self.pool is None:
            results = (function(self.resumes, task) for task in tasks)
        else:
            futures = [self.pool.submit(_work, function, task) for task in tasks]
            results = (future.result() for future in futures)
        for result in results:
            yield result
            advance()


@contextmanager
def workers(resumes: Resumes) -> Iterator[Workers]:
    cores = available_cores()
    if cores == 1:
        yield Workers(resumes, None)
        return
    # Spawned, not forked: this process has threads, and a copy of their locks could never be opened.
    context = get_context("spawn")
    with ProcessPoolExecutor(cores, mp_context=context, initializer=_begin, initargs=(resumes,)) as pool:
        yield Workers(resumes, pool)


def _begin(resumes: Resumes) -> None:
    _resumes[:] = resumes


def _work(function: Callable[[Resumes, Task], Result], task: Task) -> Result:
    return function(_resumes, task)
