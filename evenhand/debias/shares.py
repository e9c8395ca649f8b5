"""How groups are spread over the labels of a task, and how well a group can be guessed from the label alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evenhand.records.report import Grid


@dataclass(frozen=True, slots=True)
class LabelShares:
    """`counts` has every group, in the order of the groups' names."""

    label: str
    counts: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        return sum(count for _, count in self.counts)

    def percent(self, group: str) -> float:
        return 100 * dict(self.counts)[group] / self.total


def shares_by_label(labels: Sequence[str], groups: Sequence[str]) -> tuple[LabelShares, ...]:
    """The most frequent label first, equal ones by name."""
    pairs = Counter(zip(labels, groups, strict=True))
    names = sorted(set(groups))
    found = [
        LabelShares(label, tuple((group, pairs[label, group]) for group in names))
        for label in sorted(set(labels))
    ]
    return tuple(sorted(found, key=lambda each: -each.total))


def floor_of(shares: Sequence[LabelShares]) -> float:
    """In per cent: how often who guesses each label's most frequent group is right.

    Who names every label rightly gives so much of the group away. Nothing that keeps the task can go below it.
    """
    total = sum(each.total for each in shares)
    if not total:
        raise ValueError("There are no labels to guess from.")
    return 100 * sum(max(count for _, count in each.counts) for each in shares) / total


def shares_grid(shares: Sequence[LabelShares], *, title: str) -> Grid:
    """A row per label and one for all: how many, and which part of each group."""
    groups = [group for group, _ in shares[0].counts] if shares else []
    every = LabelShares(
        "all", tuple((group, sum(dict(each.counts)[group] for each in shares)) for group in groups)
    )
    rows = tuple(
        (
            each.label.replace("_", " "),
            f"{each.total:,}",
            *(f"{each.percent(group):.1f} %" for group in groups),
        )
        for each in (*shares, *([every] if shares else []))
    )
    return Grid(title, ("label", "texts", *groups), rows, numeric=frozenset(range(1, len(groups) + 2)))
