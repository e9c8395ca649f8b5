"""Examples to a learned model of occupation: fixed parts, and nothing measured on what was learned from."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.errors import UsageError
from evenhand.models.calibration import Floats, calibration_error, to_probabilities
from evenhand.models.evaluation import Evaluation, SeveralEvaluation, evaluate, evaluate_several
from evenhand.models.inputs import ResumeInput
from evenhand.models.joined.blocks import TextEncoder
from evenhand.models.joined.fitting import Gold, logits_of
from evenhand.models.joined.learning import Learned, Lesson
from evenhand.models.joined.prepared import prepare
from evenhand.workflows.occupation_data import Example
from evenhand.workflows.occupation_models import OccupationModel
from evenhand.workflows.occupation_words import allowed_terms
from evenhand.workflows.watching import Watch, watched

PARTS = 5  # one of them to measure on; the rest in as many again, each held out once
Places = list[int]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Resumes of one model's data, with which labels are true of each."""

    examples: tuple[Example, ...]
    labels: tuple[str, ...]
    gold: Gold

    @property
    def resumes(self) -> list[ResumeInput]:
        return [example.resume for example in self.examples]


@dataclass(frozen=True, slots=True)
class Parts:
    """Places of examples: `test` is measured on, `train` in parts that are each held out once."""

    train: tuple[Places, ...]
    test: Places

    @property
    def learned(self) -> Places:
        return sorted(at for part in self.train for at in part)

    @property
    def everything(self) -> tuple[Places, ...]:
        """The parts again with the test part dealt out to them, for the model that ships."""
        return tuple(sorted([*part, *self.test[at :: len(self.train)]]) for at, part in enumerate(self.train))


@dataclass(frozen=True, slots=True)
class Figures:
    """How a model does on resumes it has not seen; `ece` is None for one that gives no probabilities."""

    evaluation: Evaluation | SeveralEvaluation
    ece: float | None

    @property
    def accuracy(self) -> float:
        """Of several labels: the share of resumes with exactly the right ones."""
        return self.evaluation.accuracy

    @property
    def macro_f1(self) -> float:
        return self.evaluation.macro_f1

    @property
    def micro_f1(self) -> float:
        return self.evaluation.micro_f1


def label_all(examples: Sequence[Example]) -> Labelled:
    labels = tuple(sorted({label for example in examples for label in example.labels}))
    gold = np.array([[label in example.labels for label in labels] for example in examples], np.bool_)
    return Labelled(tuple(examples), labels, gold)


def divide(examples: Sequence[Example], *, seed: int) -> Parts:
    """Near-duplicates stay together, and every part has its share of every label."""
    test, *rest = deal(examples, range(len(examples)), PARTS, seed=seed)
    learned = sorted(at for part in rest for at in part)
    parts = Parts(tuple(deal(examples, learned, PARTS, seed=seed + 1)), test)
    if not all((*parts.train, test)):
        raise UsageError(f"{len(examples)} resumes, near-duplicates counted once, are too few to learn from.")
    return parts


def deal(examples: Sequence[Example], places: Sequence[int], parts: int, *, seed: int) -> list[Places]:
    """Groups label by label (that of their first resume), shuffled, dealt out like cards."""
    groups: dict[str, Places] = defaultdict(list)
    for at in places:
        groups[examples[at].group].append(at)
    by_label: dict[tuple[str, ...], list[Places]] = defaultdict(list)
    for members in groups.values():
        by_label[examples[members[0]].labels].append(members)
    dealt: list[Places] = [[] for _ in range(parts)]
    turn = 0
    for label in sorted(by_label):
        random.Random(f"{seed}/{label}").shuffle(by_label[label])  # noqa: S311 - examples, not secrets
        for members in by_label[label]:
            dealt[turn % parts].extend(members)
            turn += 1
    return [sorted(part) for part in dealt]


def lesson_of(
    model: OccupationModel,
    labelled: Labelled,
    resumes: Sequence[ResumeInput],
    *,
    encoder: TextEncoder | None,
    seed: int,
    watch: Watch,
) -> Lesson:
    """`resumes` are those of `labelled`, as one of the views shows them."""
    allowed = allowed_terms(resume.text for resume in labelled.resumes)
    prepared = prepare(
        resumes,
        model.recipe,
        allowed=allowed,
        encoder=encoder,
        each=lambda found: watched(found, watch, "encoding resumes", len(resumes)),
    )
    return Lesson(prepared, labelled.gold, labelled.labels, model.recipe, model.several, seed)


def measure(learned: Learned, lesson: Lesson, test: Sequence[int]) -> Figures:
    return _figures(logits_of(learned.model, lesson.prepared, test), learned, lesson, test)


def measure_held_out(learned: Learned, lesson: Lesson, places: Sequence[int]) -> Figures:
    """By cross-validation; `places` are those that were learned from, in order."""
    return _figures(learned.held_out, learned, lesson, places)


def _figures(logits: Floats, learned: Learned, lesson: Lesson, places: Sequence[int]) -> Figures:
    several = lesson.several
    sure = to_probabilities(logits, temperature=learned.temperature, several=several)
    ece = calibration_error(sure, truth_of(lesson.gold, places, several=several), several=several)
    return Figures(judged(sure, lesson.gold, places, lesson.labels, several=several), ece)


def judged(
    sure: Floats,
    gold: Gold,
    test: Sequence[int],
    labels: Sequence[str],
    *,
    several: bool,
    border: float = 0.5,
) -> Evaluation | SeveralEvaluation:
    """From scores, of which the highest is said, or every one from the border on."""
    truth = truth_of(gold, test, several=several)
    if several:
        return evaluate_several(sure >= border, truth, labels)
    return evaluate(sure.argmax(axis=1), truth, labels)


def truth_of(gold: Gold, places: Sequence[int], *, several: bool) -> NDArray[np.int64]:
    found = gold[list(places)].astype(np.int64)
    return found if several else np.asarray(found.argmax(axis=1))
