"""Cross-validation by resume: what is measured was never learned from, not even by a model that labels for another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evenhand.mining.learning import Prepared

FOLDS = 5
RUN = 6  # words in a row that two resumes share by copying rather than by chance
SAME = 0.25  # of the shorter resume's runs: then the two are editions of one
_WORD = re.compile(r"\w+")

Labels = list[list[str]]
"""For every resume a label per line."""


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
    prepared: Sequence[Prepared],
    parts: Sequence[Fold],
    label: Callable[[Sequence[Prepared], Sequence[Prepared]], Labels],
    *,
    advance: Callable[[], None] = lambda: None,
) -> list[Labels]:
    """For every fold the line labels of all resumes, none by a model that saw the resume or one of the fold's test.

    `label(known, new)` learns from the known resumes and labels the new ones. Those of the test get the labels of
    a model of all other folds, those of another fold g the labels of a model of all folds but these two: the same
    model serves fold g, so that ten are enough.
    """
    result: list[Labels] = [[[] for _ in prepared] for _ in parts]
    for one, fold in enumerate(parts):
        _put(result[one], fold.test, label(_at(prepared, fold.train), _at(prepared, fold.test)))
        advance()
        for other in range(one):
            apart = {*fold.test, *parts[other].test}
            known = [each for place, each in enumerate(prepared) if place not in apart]
            both = (*fold.test, *parts[other].test)
            found = label(known, _at(prepared, both))
            _put(result[other], fold.test, found[: len(fold.test)])
            _put(result[one], parts[other].test, found[len(fold.test) :])
            advance()
    return result


def _at(prepared: Sequence[Prepared], places: Sequence[int]) -> list[Prepared]:
    return [prepared[place] for place in places]


def _put(labels: Labels, places: Sequence[int], found: Labels) -> None:
    for place, names in zip(places, found, strict=True):
        labels[place] = names
