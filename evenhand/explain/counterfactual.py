"""The fewest lines without which the model would say something else: chosen by their scores, checked by judging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evenhand.explain.asking import Asked
from evenhand.explain.places import PlacedResume
from evenhand.explain.words import Floats, Words
from evenhand.models.calibration import CHOSEN
from evenhand.models.calibration import Floats as Rows
from evenhand.models.joined import JoinedJudge
from evenhand.records.explanation import Change

ROUNDS = 12
MOST_CHARACTERS = 30_000_000  # judged while lines are tried one by one: some seconds; a resume has 5,000
FEWEST_TRIES = 16
ONE_BY_ONE = 4  # so many lines are added singly, then more at a time; what was too many is put back


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Of one resume and one label that the model gives it."""

    asked: Asked
    placed: PlacedResume
    words: Words
    target: int

    def without(self, lines: Sequence[int]) -> PlacedResume:
        spans, found = self.words.spans, [self.words.line_words[line] for line in lines]
        return self.placed.without((spans[first].start, spans[last].end) for first, last in found)

    def outputs(self, sets: Sequence[Sequence[int]]) -> Rows:
        return self.asked.logits([self.without(lines) for lines in sets])

    def changes(self, lines: Sequence[int]) -> bool:
        return not self.is_said(self.outputs([lines]))[0]

    def is_said(self, logits: Rows) -> list[bool]:
        if self.asked.manifest.outcome == "several":
            probable = self.asked.probabilities(logits)[:, self.target] >= CHOSEN
            return [bool(each) for each in probable]
        return [int(row.argmax()) == self.target for row in logits]

    def says(self, lines: Sequence[int]) -> tuple[str, ...]:
        """The labels that the model gives without the lines."""
        (row,) = self.outputs([lines])
        labels = self.asked.manifest.labels
        if self.asked.manifest.outcome != "several":
            return (labels[int(row.argmax())],)
        probable = self.asked.probabilities(row[None])[0] >= CHOSEN
        return tuple(label for label, is_probable in zip(labels, probable, strict=True) if is_probable)


def find_change(
    asked: Asked, placed: PlacedResume, words: Words, scores: Floats, target: int
) -> Change | None:
    """None where the model does not give the resume this label, or gives it whatever is taken away.

    Lines go one after another, the strongest first, until the label changes; then those are put back that it changes
    without. The result is the fewest that this finds: where lines speak for each other, fewer may do.
    """
    question = Question(asked.remembering(placed.resume), placed, words, target)
    if not words.line_words or question.changes(()):
        return None
    removed = _step_by_step(question) if isinstance(asked.judge, JoinedJudge) else None
    removed = removed or _shortest_prefix(question, _order(question, scores))
    if removed is None:
        return None
    kept = _pruned(question, removed)
    lines = words.lines(scores)
    return Change(tuple(lines[line] for line in sorted(kept)), question.says(kept))


def _order(question: Question, scores: Floats) -> list[int]:
    """The strongest first, by the scores for the label."""
    strength = [line.score for line in question.words.lines(scores)]
    return sorted(range(len(strength)), key=lambda line: -strength[line])


def _step_by_step(question: Question) -> list[int] | None:
    """The line whose removal costs most, then the next one without it, and so on for a few rounds.

    Scores for one label do not say what a line does for its rival, nor what it is worth when others are gone. Joined
    models judge in a millisecond, so that each line can be tried.
    """
    removed: list[int] = []
    left = list(range(len(question.words.line_words)))
    rounds = min(ROUNDS, MOST_CHARACTERS // (len(left) * max(question.placed.length, 1)))
    while left and len(removed) < rounds:
        logits = question.outputs([(*removed, line) for line in left])
        best = int(_margins(question, logits).argmin())
        removed.append(left.pop(best))
        if not question.is_said(logits[best : best + 1])[0]:
            return removed
    return None


def _margins(question: Question, logits: Rows) -> Rows:
    """How far the label is ahead: of the next, or of not being said."""
    own = logits[:, question.target]
    if question.asked.manifest.outcome == "several":
        return own
    others = np.delete(logits, question.target, axis=1)
    return np.asarray(own - others.max(axis=1))


def _shortest_prefix(question: Question, order: Sequence[int]) -> list[int] | None:
    size = 1
    while True:
        size = min(size, len(order))
        if question.changes(order[:size]):
            return list(order[:size])
        if size == len(order):
            return None
        size = size + 1 if size < ONE_BY_ONE else size * 3 // 2


def _pruned(question: Question, removed: Sequence[int]) -> list[int]:
    """Without the lines that are not needed, the weakest tried first; of a very long text not all are tried."""
    kept = list(removed)
    tries = max(FEWEST_TRIES, MOST_CHARACTERS // max(question.placed.length, 1))
    for line in removed[: -tries - 1 : -1]:
        fewer = [each for each in kept if each != line]
        if fewer and question.changes(fewer):
            kept = fewer
    return kept
