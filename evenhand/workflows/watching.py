"""How long work tells that it moves on; whoever runs it brings the bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Bar(Protocol):
    def advance(self) -> None: ...


class NoBar:
    def advance(self) -> None:
        return


Watch = Callable[[str, int], AbstractContextManager[Bar]]
"""A label and how many steps there will be, to the bar that counts them."""


def unwatched(label: str, total: int) -> AbstractContextManager[Bar]:
    """For runs that nobody looks at."""
    return nullcontext(NoBar())


def watched(items: Iterable[Item], watch: Watch, label: str, total: int) -> Iterator[Item]:
    """The items, each counted when the next one is asked for."""
    with watch(label, total) as bar:
        for item in items:
            yield item
            bar.advance()
