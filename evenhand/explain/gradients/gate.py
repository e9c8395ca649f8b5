"""Completeness as a gate: twice as many steps until the scores add up, and the truth where they never do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from evenhand.explain.attribution import is_complete

FIRST_STEPS, MOST_STEPS = 50, 1600


class Complete(Protocol):
    """What a method gives: scores that sum to the difference of two outputs, but for `delta`."""

    @property
    def output(self) -> float: ...
    @property
    def baseline_output(self) -> float: ...
    @property
    def delta(self) -> float: ...


Found = TypeVar("Found", bound=Complete)


def passes(found: Complete) -> bool:
    return is_complete(found.delta, found.output, found.baseline_output)


def until_complete(
    explain: Callable[[int], Found], *, first: int = FIRST_STEPS, most: int = MOST_STEPS
) -> tuple[Found, bool]:
    """What `explain` gives for so many steps, `first`, then twice as many, `most` at the most; whether it passed."""
    steps = first
    while True:
        found = explain(steps)
        if passes(found) or steps >= most:
            return found, passes(found)
        steps = min(2 * steps, most)
