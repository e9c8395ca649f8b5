"""Occlusion: what the output loses when a word, a line or a section is taken away, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from evenhand.explain.attribution import Attribution, Floats, ModelWords, PlaceScore, ScoringModel, is_complete
from evenhand.explain.places import PlacedResume
from evenhand.models.calibration import CHOSEN
from evenhand.models.calibration import Floats as Rows
from evenhand.models.linear.storing import LinearClassifier
from evenhand.records.explanation import Counterfactual, Faithfulness, WordRemoval

Unit = Literal["word", "line", "section"]
UNITS: tuple[Unit, ...] = get_args(Unit)
METHOD = "occlusion"
MAX_OCCLUSION_CHARACTERS = 200_000_000  # read in all: half a minute of a joined model
LONG = "The text is far longer than a resume: {larger}s were taken away instead of {unit}s."
GAP = (
    "Occlusion takes away one {unit} at a time. Where two say the same, unit alone seems needless; where one makes "
    "another tell, both are credited: the scores miss the whole difference by {delta:+.2f}."
)


def attribute_by_occlusion(
    model: ScoringModel, placed: PlacedResume, words: ModelWords, target: int, *, unit: Unit = "word"
) -> Attribution:
    """The score of a line or a section is shared equally by its words. The baseline is the resume without any word."""
    # Every unit costs one reading of the text: what is far longer than a resume is taken away in larger parts.
    for larger in UNITS[UNITS.index(unit) :]:
        units = units_of(words, larger)
        if len(units) * len(words.text) <= MAX_OCCLUSION_CHARACTERS:
            break
    notes = () if larger == unit else (LONG.format(unit=unit, larger=larger),)
    unit = larger
    model = model.with_cache_of(placed.resume)
    without = [placed.without((words.spans[at].start, words.spans[at].end) for at in unit) for unit in units]
    empty = placed.without((span.start, span.end) for span in words.spans)
    outputs = model.logits([placed, empty, *without])[:, target]
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
            PlaceScore(words.spans[at].start, words.spans[at].end, loss / len(unit))
            for unit, loss in zip(units, lost.tolist(), strict=True)
            for at in unit
        ),
        special=0.0,
        delta=delta,
        converged=is_whole,
        layer=unit,
        tokens=len(words.spans),
        warnings=notes if is_whole else (*notes, GAP.format(unit=unit, delta=delta)),
    )


def units_of(words: ModelWords, unit: Unit) -> Sequence[Sequence[int]]:
    """The words of each unit, by their numbers."""
    if unit == "line":
        return [range(first, last + 1) for first, last in words.line_words]
    if unit == "section":
        kinds = words.kind_of
        return [np.flatnonzero(kinds == kind).tolist() for kind in sorted(set(kinds.tolist()))]
    return [(at,) for at in range(len(words.spans))]


# Whether an explanation tells what the model goes by: the words it names are taken out, or all others are.
#
# Comprehensiveness is what the output loses without the strongest words for the label, sufficiency what it loses when
# only they are left. Random words of the same resume, as many, are the measure: an explanation that does no better
# than they is none.

FRACTIONS = (0.01, 0.05, 0.10, 0.20, 0.50)
SEEDS = 5
NO_BETTER = (
    "Taking out the words named here changes the output no more ({ours:+.2f}) than taking out random ones "
    "({random:+.2f}): do not rely on them."
)
Order = NDArray[np.int64]


def measure_faithfulness(
    model: ScoringModel,
    placed: PlacedResume,
    words: ModelWords,
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
    for size in sizes:  # without the strongest, with only them, and without as many of each random order
        removed = [ours[:size], ours[size:], *(order[:size] for order in randoms)]
        versions += [_without(placed, words, numbers) for numbers in removed]
    outputs = model.logits(versions)[:, target]
    lost = (outputs[0] - outputs[1:]).reshape(len(sizes), 2 + seeds)
    return Faithfulness(
        tuple(
            WordRemoval(fraction, float(row[0]), float(row[1]), float(row[2:].mean()))
            for fraction, row in zip(fractions, lost, strict=True)
        )
    )


def _without(placed: PlacedResume, words: ModelWords, numbers: Order) -> PlacedResume:
    is_gone = np.zeros(len(words.spans) + 1, np.bool_)  # the last stands for what belongs to no word
    is_gone[numbers] = True
    return placed.without_characters(is_gone[words.at])


def faithfulness_warnings(faithfulness: Faithfulness | None) -> tuple[str, ...]:
    if faithfulness is None or faithfulness.beats_random:
        return ()
    return (NO_BETTER.format(ours=faithfulness.comprehensiveness, random=faithfulness.random_comprehensiveness),)


# The fewest lines without which the model would say something else: chosen by their scores, checked by judging.

ROUNDS = 12
MAX_COUNTERFACTUAL_CHARACTERS = 30_000_000  # judged while lines are tried one by one: some seconds; a resume has 5,000
MIN_TRIES = 16
ONE_BY_ONE = 4  # so many lines are added singly, then more at a time; what was too many is put back


@dataclass(frozen=True, slots=True, eq=False)
class CounterfactualQuery:
    """Of one resume and one label that the model gives it."""

    model: ScoringModel
    placed: PlacedResume
    words: ModelWords
    target: int

    def without(self, lines: Sequence[int]) -> PlacedResume:
        spans, ends = self.words.spans, [self.words.line_words[line] for line in lines]
        return self.placed.without((spans[first].start, spans[last].end) for first, last in ends)

    def outputs(self, sets: Sequence[Sequence[int]]) -> Rows:
        return self.model.logits([self.without(lines) for lines in sets])

    def changes(self, lines: Sequence[int]) -> bool:
        return not self.is_said(self.outputs([lines]))[0]

    def is_said(self, logits: Rows) -> list[bool]:
        if self.model.manifest.outcome == "several":
            probable = self.model.probabilities(logits)[:, self.target] >= CHOSEN
            return [bool(probability) for probability in probable]
        return [int(row.argmax()) == self.target for row in logits]

    def says(self, lines: Sequence[int]) -> tuple[str, ...]:
        """The labels that the model gives without the lines."""
        (row,) = self.outputs([lines])
        labels = self.model.manifest.labels
        if self.model.manifest.outcome != "several":
            return (labels[int(row.argmax())],)
        probable = self.model.probabilities(row[None])[0] >= CHOSEN
        return tuple(label for label, is_probable in zip(labels, probable, strict=True) if is_probable)


def find_change(
    model: ScoringModel, placed: PlacedResume, words: ModelWords, scores: Floats, target: int
) -> Counterfactual | None:
    """None where the model does not give the resume this label, or gives it whatever is taken away.

    Lines go one after another, the strongest first, until the label changes; then those are put back that it changes
    without. The result is the fewest that this finds: where lines speak for unit other, fewer may do.
    """
    query = CounterfactualQuery(model.with_cache_of(placed.resume), placed, words, target)
    if not words.line_words or query.changes(()):
        return None
    removed = _step_by_step(query) if isinstance(model.classifier, LinearClassifier) else None
    lines = words.lines(scores)
    strongest_first = sorted(range(len(lines)), key=lambda line: -lines[line].score)
    removed = removed or _shortest_prefix(query, strongest_first)
    if removed is None:
        return None
    needed = _pruned(query, removed)
    return Counterfactual(tuple(lines[line] for line in sorted(needed)), query.says(needed))


def _step_by_step(query: CounterfactualQuery) -> list[int] | None:
    """The line whose removal costs most, then the next one without it, and so on for a few rounds.

    Scores for one label do not say what a line does for its rival, nor what it is worth when others are gone. Joined
    models judge in a millisecond, so that each line can be tried.
    """
    removed: list[int] = []
    left = list(range(len(query.words.line_words)))
    rounds = min(ROUNDS, MAX_COUNTERFACTUAL_CHARACTERS // (len(left) * max(query.placed.length, 1)))
    while left and len(removed) < rounds:
        logits = query.outputs([(*removed, line) for line in left])
        margins = logits[:, query.target]  # how far the label is ahead: of not being said, or of the next
        if query.model.manifest.outcome != "several":
            margins = margins - np.delete(logits, query.target, axis=1).max(axis=1)
        best = int(margins.argmin())
        removed.append(left.pop(best))
        if not query.is_said(logits[best : best + 1])[0]:
            return removed
    return None


def _shortest_prefix(query: CounterfactualQuery, order: Sequence[int]) -> list[int] | None:
    size = 1
    while True:
        size = min(size, len(order))
        if query.changes(order[:size]):
            return list(order[:size])
        if size == len(order):
            return None
        size = size + 1 if size < ONE_BY_ONE else size * 3 // 2


def _pruned(query: CounterfactualQuery, removed: Sequence[int]) -> list[int]:
    """Without the lines that are not needed, the weakest tried first; of a very long text not all are tried."""
    needed = list(removed)
    tries = max(MIN_TRIES, MAX_COUNTERFACTUAL_CHARACTERS // max(query.placed.length, 1))
    for line in removed[: -tries - 1 : -1]:
        fewer = [other for other in needed if other != line]
        if fewer and query.changes(fewer):
            needed = fewer
    return needed
