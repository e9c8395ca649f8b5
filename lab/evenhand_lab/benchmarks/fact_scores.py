"""How mined values are counted: pairs one to one, precision and recall, the averages of the published protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evenhand.audit.statistics import ConfidenceInterval, Floats
from evenhand_lab.benchmarks.kit import bootstrap

OVERLAP = 0.9  # of the longer of the two: more is a match
_T = TypeVar("_T")
_U = TypeVar("_U")


@dataclass(frozen=True, slots=True)
class Count:
    """Right ones among the expected and the found of one document, or of many."""

    right: int = 0
    expected: int = 0
    found: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.right + other.right, self.expected + other.expected, self.found + other.found)

    @property
    def precision(self) -> float | None:
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float | None:
        return self.right / self.expected if self.expected else None

    @property
    def f1(self) -> float | None:
        total = self.found + self.expected
        return 2 * self.right / total if total else None


@dataclass(frozen=True, slots=True)
class Macro:
    """Precision and recall averaged over documents, F1 computed from the two averages."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def macro(counts: Iterable[Count]) -> Macro:
    """A document in which nothing was found is left out of precision, one without anything to find out of recall."""
    counts = list(counts)
    precisions = [count.precision for count in counts if count.precision is not None]
    recalls = [count.recall for count in counts if count.recall is not None]
    return Macro(*(sum(values) / len(values) if values else 0.0 for values in (precisions, recalls)))


def f1_interval(counts: Iterable[Count]) -> ConfidenceInterval | None:
    """Of the F1 over all documents together, drawing whole documents."""
    rows = [(count.right, count.found + count.expected) for count in counts]
    return bootstrap(rows, lambda sums: 2 * sums[:, 0] / sums[:, 1])


def macro_interval(counts: Iterable[Count]) -> ConfidenceInterval | None:
    """Of the F1 of the two averages over documents, drawing whole documents."""
    rows = [
        (count.precision or 0.0, count.precision is not None, count.recall or 0.0, count.recall is not None)
        for count in counts
    ]

    def f1(sums: Floats) -> Floats:
        precision, recall = sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3]
        return 2 * precision * recall / (precision + recall)

    return bootstrap(rows, f1)


def overlap(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Shared characters by the length of the longer stretch."""
    shared = min(first[1], second[1]) - max(first[0], second[0])
    longer = max(first[1] - first[0], second[1] - second[0])
    return max(0, shared) / longer if longer else 0.0


def count_spans(expected: Sequence[tuple[int, int, str]], found: Sequence[tuple[int, int, str]], label: str) -> Count:
    """Stretches of one label: a match has the same label and more than nine tenths overlap, each used once."""
    wanted = [(start, end) for start, end, name in expected if name == label]
    given = [(start, end) for start, end, name in found if name == label]
    return Count(pairs(wanted, given, lambda one, other: overlap(one, other) > OVERLAP), len(wanted), len(given))


def count_values(expected: Sequence[_T], found: Sequence[_U], same: Callable[[_T, _U], bool]) -> Count:
    return Count(pairs(expected, found, same), len(expected), len(found))


def pairs(expected: Sequence[_T], found: Sequence[_U], same: Callable[[_T, _U], bool]) -> int:
    """The largest number of pairs, each value in one at most (augmenting paths)."""
    partner: dict[int, int] = {}

    def place(wanted: int, seen: set[int]) -> bool:
        for given in range(len(found)):
            if given not in seen and same(expected[wanted], found[given]):
                seen.add(given)
                if given not in partner or place(partner[given], seen):
                    partner[given] = wanted
                    return True
        return False

    return sum(place(wanted, set()) for wanted in range(len(expected)))


def plain(text: str) -> str:
    """Letters and digits only, lower case: how values of different spelling are compared. "C++" stays itself."""
    return " ".join(re.findall(r"[\w+#]+", text.casefold()))
