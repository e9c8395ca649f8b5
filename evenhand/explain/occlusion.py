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
GAP = (
    "Occlusion takes away one {unit} at a time. Where two say the same, each alone seems needless; where one makes "
    "another tell, both are credited: the scores miss the whole difference by {delta:+.2f}."
)


def attribute_by_occlusion(
    asked: Asked, placed: PlacedResume, words: Words, target: int, *, unit: Unit = "word"
) -> Attribution:
    """The score of a line or a section is shared equally by its words. The baseline is the resume without any word."""
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
        warnings=() if is_whole else (GAP.format(unit=unit, delta=delta),),
    )


def units_of(words: Words, unit: Unit) -> Sequence[Sequence[int]]:
    """The words of each unit, by their numbers."""
    if unit == "line":
        return [range(first, last + 1) for first, last in words.line_words]
    if unit == "section":
        kinds = words.kind_of
        return [np.flatnonzero(kinds == kind).tolist() for kind in sorted(set(kinds.tolist()))]
    return [(at,) for at in range(len(words.spans))]
