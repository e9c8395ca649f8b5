"""Whether an explanation tells what the model goes by: the words it names are taken out, or all others are.

Comprehensiveness is what the output loses without the strongest words for the label, sufficiency what it loses when
only they are left. Random words of the same resume, as many, are the measure: an explanation that does no better
than they is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from evenhand.explain.asking import Asked
from evenhand.explain.places import PlacedResume
from evenhand.explain.words import Floats, Words
from evenhand.records.explanation import Faithfulness, Removal

FRACTIONS = (0.01, 0.05, 0.10, 0.20, 0.50)
SEEDS = 5
NO_BETTER = (
    "Taking out the words named here changes the output no more ({ours:+.2f}) than taking out random ones "
    "({random:+.2f}): do not rely on them."
)
Order = NDArray[np.int64]


def measure_faithfulness(
    asked: Asked,
    placed: PlacedResume,
    words: Words,
    scores: Floats,
    target: int,
    *,
    fractions: Sequence[float] = FRACTIONS,
    seeds: int = SEEDS,
) -> Faithfulness | None:
    """None of a resume without words. `scores` are those of the words."""
    number = len(words.spans)
    if not number:
        return None
    ours = np.argsort(-scores, kind="stable")
    randoms = [np.random.default_rng(seed).permutation(number) for seed in range(seeds)]
    sizes = [min(number, max(1, ceil(fraction * number))) for fraction in fractions]
    versions = [placed]
    versions += [each for size in sizes for each in _versions(placed, words, size, ours, randoms)]
    outputs = asked.logits(versions)[:, target]
    lost = (outputs[0] - outputs[1:]).reshape(len(sizes), 2 + seeds)
    return Faithfulness(
        tuple(
            Removal(fraction, float(row[0]), float(row[1]), float(row[2:].mean()))
            for fraction, row in zip(fractions, lost, strict=True)
        )
    )


def _versions(
    placed: PlacedResume, words: Words, size: int, ours: Order, randoms: Sequence[Order]
) -> Iterator[PlacedResume]:
    """Without the strongest, with only them, and without as many of each random order."""
    yield _without(placed, words, ours[:size])
    yield _without(placed, words, ours[size:])
    for order in randoms:
        yield _without(placed, words, order[:size])


def _without(placed: PlacedResume, words: Words, numbers: Order) -> PlacedResume:
    is_gone = np.zeros(len(words.spans) + 1, np.bool_)  # the last stands for what belongs to no word
    is_gone[numbers] = True
    return placed.without_characters(is_gone[words.at])


def faithfulness_warnings(found: Faithfulness | None) -> tuple[str, ...]:
    if found is None or found.beats_random:
        return ()
    return (NO_BETTER.format(ours=found.comprehensiveness, random=found.random_comprehensiveness),)
