"""Learning the two classifiers, linear support vector machines, and measuring them on resumes they have not seen."""

from __future__ import annotations

import warnings
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from sklearn.svm import LinearSVC  # type: ignore[import-untyped, unused-ignore]

from evenhand.mining.examples import Example
from evenhand.mining.tables.analysis import COLUMN_TYPES, TABLE_TYPES, read_table
from evenhand.mining.tables.contents import words_in
from evenhand.mining.tables.features import HEAD, WORD, Features, column_features, table_features
from evenhand.mining.tables.labels import COLUMN_KINDS, OTHER
from evenhand.mining.tables.model import LinearModel, TableModel
from evenhand.mining.tables.truth import TrueTable, true_tables

LEAST_RESUMES = 15  # that hold a word before it may be learned: a rarer one could tell of a person
FOLDS = 5
REAL_WEIGHT = 4.0  # of a real table: there are few of them, and they are what counts
COST = 0.1  # of an error against the size of the weights


@dataclass(frozen=True, slots=True)
class _Item:
    resume: str
    features: Features
    answer: str
    weight: float


@dataclass(frozen=True, slots=True)
class Score:
    precision: float
    recall: float
    f1: float
    count: int  # of the right answers


@dataclass(slots=True)
class Tally:
    """Right answers against given ones."""

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)

    def scores(self) -> dict[str, Score]:
        """By class, of those that occur."""
        return {name: self._score(name) for name in sorted({answer for answer, _ in self.pairs})}

    def macro_f1(self) -> float:
        scores = self.scores()
        return sum(score.f1 for score in scores.values()) / len(scores) if scores else 0.0

    def _score(self, name: str) -> Score:
        right = self.pairs[name, name]
        true = sum(count for (answer, _), count in self.pairs.items() if answer == name)
        given = sum(count for (_, guess), count in self.pairs.items() if guess == name)
        precision, recall = right / given if given else 0.0, right / true if true else 0.0
        f1 = 2 * right / (true + given) if true + given else 0.0
        return Score(precision, recall, f1, true)


@dataclass(slots=True)
class Evaluation:
    """`columns` is ColClass alone, told the table's type; `chained` uses the type that TabClass gave."""

    tables: Tally = field(default_factory=Tally)
    columns: Tally = field(default_factory=Tally)
    chained: Tally = field(default_factory=Tally)


def train_tables(examples: Sequence[Example], seed: int = 0) -> TableModel:
    return _train({example.id: (example, true_tables(example)) for example in examples}, seed)


def evaluate(
    examples: Sequence[Example], seed: int = 0, *, folds: int = FOLDS, always: Sequence[Example] = ()
) -> Evaluation:
    """Cross-validation by resume; `always` are examples to learn from in every fold and never to measure on.

    A resume belongs to the fold of the number its id ends in, so that whoever made it can say what is kept apart.
    """
    known = {example.id: (example, true_tables(example)) for example in (*examples, *always)}
    measured = {example.id for example in examples}
    result = Evaluation()
    for fold in range(folds):
        kept = {id for id in measured if fold_of(id, folds) == fold}
        model = _train({id: truth for id, truth in known.items() if id not in kept}, seed)
        for id in sorted(kept):
            for table in known[id][1]:
                _measure(model, table, result)
    return result


def measure(model: TableModel, examples: Sequence[Example]) -> Evaluation:
    result = Evaluation()
    for example in examples:
        for table in true_tables(example):
            _measure(model, table, result)
    return result


def fold_of(id: str, folds: int = FOLDS) -> int:
    digits = id[len(id.rstrip("0123456789")) :]
    return (int(digits) if digits else zlib.crc32(id.encode())) % folds


def _measure(model: TableModel, table: TrueTable, result: Evaluation) -> None:
    reading = read_table(table.looked, model)
    result.tables.pairs[table.type, reading.type] += 1
    for place, answer in table.columns.items():
        features = column_features(table.looked, place, table.type)
        result.columns.pairs[answer, model.columns.classify(features, among=COLUMN_TYPES[table.type])] += 1
        number = table.looked.view.column_numbers[place]
        result.chained.pairs[answer, reading.columns.get(number, "none")] += 1


def _train(truths: Mapping[str, tuple[Example, list[TrueTable]]], seed: int) -> TableModel:
    tables: list[_Item] = []
    columns: list[_Item] = []
    for id in sorted(truths):  # whatever the order in which they came
        example, found = truths[id]
        weight = 1.0 if example.is_generated else REAL_WEIGHT
        for table in found:
            tables.append(_Item(id, table_features(table.looked), table.type, weight))
            columns += [
                _Item(id, column_features(table.looked, place, table.type), answer, weight)
                for place, answer in table.columns.items()
            ]
    about = {
        "resumes": len({item.resume for item in tables}),
        "tables": len(tables),
        "columns": len(columns),
        "real resumes": len(
            {id for id, (example, found) in truths.items() if found and not example.is_generated}
        ),
        "seed": seed,
    }
    people = _names_of_people(example for example, _ in truths.values())
    return TableModel(
        _fit(tables, TABLE_TYPES, people, seed), _fit(columns, (*COLUMN_KINDS, OTHER), people, seed), about
    )


def _names_of_people(examples: Iterable[Example]) -> frozenset[str]:
    return frozenset(
        word
        for example in examples
        for span in example.spans
        if span.label == "name"
        for word in words_in(example.document.text[span.start : span.end])
    )


def _fit(items: Sequence[_Item], classes: Sequence[str], people: Collection[str], seed: int) -> LinearModel:
    names = _learned_features(items, people)
    rows = {name: row for row, name in enumerate(names)}
    matrix = np.zeros((len(items), len(names)))
    for place, item in enumerate(items):
        for name, value in item.features.items():
            if name in rows:
                matrix[place, rows[name]] = value
    machine = LinearSVC(C=COST, dual=False, class_weight="balanced", random_state=seed, max_iter=5000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # one that has not converged must not be shipped unnoticed
        machine.fit(matrix, [item.answer for item in items], sample_weight=[item.weight for item in items])
    order = list(machine.classes_)
    present = [name for name in classes if name in order]
    if len(present) < 3:
        raise ValueError(f"tables of at least three classes are needed, not only {present}")
    places = [order.index(name) for name in present]
    return LinearModel(tuple(present), names, machine.coef_[places].T, machine.intercept_[places])


def _learned_features(items: Sequence[_Item], names: Collection[str]) -> tuple[str, ...]:
    """Everything but rare words and the names of people."""
    resumes: dict[str, set[str]] = {}
    for item in items:
        for name in item.features:
            resumes.setdefault(name, set()).add(item.resume)
    return tuple(
        sorted(
            name
            for name, holders in resumes.items()
            if not name.startswith((HEAD, WORD))
            or (len(holders) >= LEAST_RESUMES and name.partition(":")[2] not in names)
        )
    )
