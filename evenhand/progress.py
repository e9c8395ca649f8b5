"""How long work tells that it moves on; whoever runs it brings the bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class ProgressBar(Protocol):
    def advance(self) -> None: ...


class NoProgressBar:
    def advance(self) -> None:
        return


Progress = Callable[[str, int], AbstractContextManager[ProgressBar]]
"""A label and how many steps there will be, to the bar that counts them."""


def no_progress(label: str, total: int) -> AbstractContextManager[ProgressBar]:
    """For runs that nobody looks at."""
    return nullcontext(NoProgressBar())


def with_progress(items: Iterable[Item], progress: Progress, label: str, total: int) -> Iterator[Item]:
    """The items, each counted when the next one is asked for."""
    with progress(label, total) as bar:
        for item in items:
            yield item
            bar.advance()
