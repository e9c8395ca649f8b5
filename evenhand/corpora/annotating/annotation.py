"""One label that one person gave to one resume, and labels in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Annotation:
    """`round` is that of the guideline under which the label was given; "" where there are no rounds."""

    item: str
    annotator: str
    label: str
    round: str = ""


def latest(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Who labels an item again in the same round has changed their mind: the last one counts."""
    found = {(each.round, each.item, each.annotator): each for each in annotations}
    return list(found.values())


def labels_of(annotations: Iterable[Annotation], given: Sequence[str] = ()) -> tuple[str, ...]:
    """The labels in the order given, behind them those that nobody announced, in the order of the alphabet."""
    used = {each.label for each in annotations}
    return (*given, *sorted(used - set(given)))
