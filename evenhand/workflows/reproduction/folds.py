"""Cross-validation by resume: what is measured was never learned from, not even by a model that labels for another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

FOLDS = 5
RUN = 6  # words in a row that two resumes share by copying rather than by chance
SAME = 0.25  # of the shorter resume's runs: then the two are editions of one
_WORD = re.compile(r"\w+")

Labels = list[list[str]]
"""For each of some resumes a label per line."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Places of the resumes to learn from, and of those to measure on."""

    train: tuple[int, ...]
    test: tuple[int, ...]


def folds(texts: Sequence[str], count: int = FOLDS) -> list[Fold]:
    """Every resume is measured once."""
    numbers = fold_numbers(texts, count)
    places = range(len(texts))
    return [
        Fold(
            tuple(place for place in places if numbers[place] != fold),
            tuple(place for place in places if numbers[place] == fold),
        )
        for fold in range(count)
    ]


def fold_numbers(texts: Sequence[str], count: int = FOLDS) -> list[int]:
    """The fold of each text: in turn, but an edition of an earlier text goes where that one went."""
    numbers: list[int] = []
    owners: dict[int, list[int]] = {}
    sizes: list[int] = []
    for place, text in enumerate(texts):
        runs = _runs(text)
        shared = Counter(owner for run in runs for owner in owners.get(run, ()))
        known = [owner for owner, common in shared.items() if common >= SAME * min(len(runs), sizes[owner])]
        numbers.append(numbers[min(known)] if known else place % count)
        sizes.append(len(runs))
        for run in runs:
            owners.setdefault(run, []).append(place)
    return numbers


def _runs(text: str) -> set[int]:
    words = _WORD.findall(text.casefold())
    return {hash(tuple(words[place : place + RUN])) for place in range(max(1, len(words) - RUN + 1))}


def labels_by_fold(
    parts: Sequence[Fold], label: Callable[[Sequence[Fold]], Iterable[Labels]]
) -> list[dict[int, list[str]]]:
    """For every fold the line labels of all resumes, none by a model that saw the resume or one of the fold's test.

    `label` learns, for each fold it is given, from the train resumes and labels the test ones. Those of a fold's
    test get the labels of a model of all other folds, those of another fold the labels of a model of all but these
    two: the same model serves both, so that fifteen are enough for five folds.
    """
    pairs = [(one, other) for one in range(len(parts)) for other in range(one + 1)]
    found = label([_apart(parts, one, other) for one, other in pairs])
    result: list[dict[int, list[str]]] = [{} for _ in parts]
    for (one, other), labels in zip(pairs, found, strict=True):
        count = len(parts[one].test)
        result[other] |= zip(parts[one].test, labels[:count], strict=True)
        if one != other:
            result[one] |= zip(parts[other].test, labels[count:], strict=True)
    return result


def _apart(parts: Sequence[Fold], one: int, other: int) -> Fold:
    """To learn from what is in neither of two folds, and label both."""
    if one == other:
        return parts[one]
    both = (*parts[one].test, *parts[other].test)
    kept = set(both)
    return Fold(tuple(place for place in parts[one].train if place not in kept), both)
