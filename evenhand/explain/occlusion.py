"""Occlusion: what the output loses when a word, a line or a section is taken away, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from evenhand.explain.asking import Asked
from evenhand.explain.attribution import Attribution, PlaceScore, is_complete
from evenhand.explain.places import PlacedResume
from evenhand.explain.words import Words

Unit = Literal["word", "line", "section"]
UNITS: tuple[Unit, ...] = get_args(Unit)
METHOD = "occlusion"
MOST_CHARACTERS = 200_000_000  # read in all: half a minute of a joined model
LONG = "The text is far longer than a resume: {larger}s were taken away instead of {unit}s."
GAP = (
    "Occlusion takes away one {unit} at a time. Where two say the same, each alone seems needless; where one makes "
    "another tell, both are credited: the scores miss the whole difference by {delta:+.2f}."
)


def attribute_by_occlusion(
    asked: Asked, placed: PlacedResume, words: Words, target: int, *, unit: Unit = "word"
) -> Attribution:
    """The score of a line or a section is shared equally by its words. The baseline is the resume without any word."""
    unit, notes = _affordable(words, unit)
    units = units_of(words, unit)
    asked = asked.remembering(placed.resume)
    without = [placed.without((words.spans[at].start, words.spans[at].end) for at in each) for each in units]
    empty = placed.without((span.start, span.end) for span in words.spans)
    outputs = asked.logits([placed, empty, *without])[:, target]
    output, baseline_output = float(outputs[0]), float(outputs[1])
    lost = output - outputs[2:]
    delta = float(lost.sum()) - (output - baseline_output)
    is_whole = is_complete(delta, output, baseline_output)
    return Attribution(
        method=METHOD,
        baseline="pad",
        output=output,
        baseline_output=baseline_output,
        scores=tuple(
            PlaceScore(words.spans[at].start, words.spans[at].end, loss / len(each))
            for each, loss in zip(units, lost.tolist(), strict=True)
            for at in each
        ),
        special=0.0,
        delta=delta,
        converged=is_whole,
        layer=unit,
        tokens=len(words.spans),
        warnings=notes if is_whole else (*notes, GAP.format(unit=unit, delta=delta)),
    )


def _affordable(words: Words, unit: Unit) -> tuple[Unit, tuple[str, ...]]:
    """Every unit costs one reading of the text: what is far longer than a resume is taken away in larger parts."""
    for larger in UNITS[UNITS.index(unit) :]:
        if len(units_of(words, larger)) * len(words.text) <= MOST_CHARACTERS or larger == UNITS[-1]:
            break
    return larger, () if larger == unit else (LONG.format(unit=unit, larger=larger),)


def units_of(words: Words, unit: Unit) -> Sequence[Sequence[int]]:
    """The words of each unit, by their numbers."""
    if unit == "line":
        return [range(first, last + 1) for first, last in words.line_words]
    if unit == "section":
        kinds = words.kind_of
        return [np.flatnonzero(kinds == kind).tolist() for kind in sorted(set(kinds.tolist()))]
    return [(at,) for at in range(len(words.spans))]
