"""What the published experiments are repeated on: as many generated IT resumes as there were real ones, and ours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from evenhand.documents.reading import available_cores
from evenhand.mining.tables.analysis import shipped_model
from evenhand.mining.vocabulary import load_vocabulary
from evenhand.progress import Progress
from evenhand_lab.training.crf import AnnotatedExample
from evenhand_lab.training.examples import annotated_examples, generated
from evenhand_lab.training.miner import prepare_all

RESUMES = 110  # as published
SEED = 1
FORMATS = ("pdf", "docx")
SPARE = 5  # one in so many more is made: some files cannot be laid beside their text
GENERATED, REAL = "generated it", "real"


@dataclass(frozen=True, slots=True)
class Material:
    """Resumes of one sort, with their annotations."""

    name: str
    prepared: list[AnnotatedExample]
    left_out: int = 0  # made, but too different from their files to carry the truth over; they may be the hard ones

    @property
    def texts(self) -> list[str]:
        return [resume.example.document.text for resume in self.prepared]


def load_materials(data: Path | None, n: int, seed: int, *, progress: Progress) -> list[Material]:
    """`n` generated resumes and, with `data`, the annotated real ones found there."""
    vocabulary = load_vocabulary()
    tables = shipped_model()  # learned from made-up resumes of another seed: it knows none that is measured
    made = [resume.example for resume in generated("it", n + n // SPARE, seed, FORMATS, progress=progress)]
    examples = [example for example in made if example][:n]  # the first that can serve; those between them cannot
    tried = made.index(examples[-1]) + 1 if len(examples) == n and n else len(made)
    prepared = prepare_all(examples, vocabulary, tables, progress=progress)
    materials = [Material(GENERATED, prepared, tried - len(examples))]
    if data:
        real = annotated_examples(data, progress=progress)
        materials.append(Material(REAL, prepare_all(real, vocabulary, tables, progress=progress)))
    return materials


def sizes(materials: Sequence[Material]) -> dict[str, str]:
    """How many resumes of each sort, for a person to read."""
    left_out = {material.name: f" ({material.left_out} left out)" * bool(material.left_out) for material in materials}
    return {material.name: f"{len(material.prepared)}{left_out[material.name]}" for material in materials}


# Cross-validation by resume: what is measured was never learned from, not even by a model that labels for another.

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
    """Every resume is measured once: in turn, but an edition of an earlier text goes where that one went."""
    numbers: list[int] = []
    owners: dict[int, list[int]] = {}
    sizes: list[int] = []
    for place, text in enumerate(texts):
        words = _WORD.findall(text.casefold())
        runs = {hash(tuple(words[at : at + RUN])) for at in range(max(1, len(words) - RUN + 1))}
        shared = Counter(owner for run in runs for owner in owners.get(run, ()))
        known = [owner for owner, common in shared.items() if common >= SAME * min(len(runs), sizes[owner])]
        numbers.append(numbers[min(known)] if known else place % count)
        sizes.append(len(runs))
        for run in runs:
            owners.setdefault(run, []).append(place)

    def places(fold: int, *, test: bool) -> tuple[int, ...]:
        return tuple(place for place, number in enumerate(numbers) if (number == fold) == test)

    return [Fold(places(fold, test=False), places(fold, test=True)) for fold in range(count)]


def labels_by_fold(
    parts: Sequence[Fold], label: Callable[[Sequence[Fold]], Iterable[Labels]]
) -> list[dict[int, list[str]]]:
    """For every fold the line labels of all resumes, none by a model that saw the resume or one of the fold's test.

    `label` learns, for each fold it is given, from the train resumes and labels the test ones. Those of a fold's
    test get the labels of a model of all other folds, those of another fold the labels of a model of all but these
    two: the same model serves both, so that fifteen are enough for five folds.
    """
    tasks: dict[tuple[int, int], Fold] = {}
    for one, part in enumerate(parts):
        for other in range(one):
            both = (*part.test, *parts[other].test)
            tasks[one, other] = Fold(tuple(place for place in part.train if place not in both), both)
        tasks[one, one] = part
    result: list[dict[int, list[str]]] = [{} for _ in parts]
    for (one, other), labels in zip(tasks, label(list(tasks.values())), strict=True):
        count = len(parts[one].test)
        result[other] |= zip(parts[one].test, labels[:count], strict=True)
        if one != other:
            result[one] |= zip(parts[other].test, labels[count:], strict=True)
    return result


# Folds on all processors.

Task = TypeVar("Task")
Result = TypeVar("Result")
Resumes = Sequence[AnnotatedExample]

_resumes: list[AnnotatedExample] = []  # of a process that works for another


def workers(resumes: Resumes) -> ProcessPoolExecutor:
    """Each process gets the resumes once, then one task for `on_resumes` after the other."""
    # Spawned, not forked: this process has threads, and a copy of their locks could never be opened.
    context = get_context("spawn")
    return ProcessPoolExecutor(available_cores(), mp_context=context, initializer=_begin, initargs=(resumes,))


def _begin(resumes: Resumes) -> None:
    _resumes[:] = resumes


def on_resumes(function: Callable[[Resumes, Task], Result], task: Task) -> Result:
    """In a process of `workers`; the function must be one of a module."""
    return function(_resumes, task)
