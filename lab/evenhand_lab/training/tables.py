"""The table analyzer from its examples to the shipped model, and how well it does on each kind of them."""

from __future__ import annotations

import warnings
import zlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC  # type: ignore[import-untyped, unused-ignore]

from evenhand.audit.statistics import ConfidenceInterval
from evenhand.documents.reading import read_many
from evenhand.mining.tables import analysis, shape
from evenhand.mining.tables import features as table_text
from evenhand.mining.tables.analysis import TableClassifier, TableModel
from evenhand.mining.tables.features import AnalysedTable, analyse_table, column_features
from evenhand.mining.tables.shape import COLUMN_KINDS, DEGREE, GRID, OTHER, SPECIALIZATION, table_views
from evenhand.records.document import Document
from evenhand_lab.benchmarks.kit import bootstrap
from evenhand_lab.corpora.sets.resumes import find_files, read_annotated
from evenhand_lab.training.examples import LabelledSpan, MiningExample, generated_examples, spans_of
from evenhand_lab.training.table_fixtures import make_fixture

# The right answers about the tables of an annotated document, from the labels of its lines and spans.

_MAJORITY = 0.6  # of the lines: a table of several sections is a frame for the layout
_SECTIONS = {"education": analysis.EDUCATION, "experience": analysis.PAST_EMPLOYER, "personal": analysis.PERSONAL}
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    analysis.EDUCATION: {"university": shape.UNIVERSITY, "degree": DEGREE, "dates": shape.YEAR}
    | {"performance": shape.PERFORMANCE, "field": SPECIALIZATION},
    analysis.PAST_EMPLOYER: {"employer": shape.EMPLOYER, "dates": shape.PERIOD, "duration": shape.PERIOD}
    | {"title": shape.DESIGNATION},
}


@dataclass(frozen=True, slots=True)
class TrueTable:
    looked: AnalysedTable
    type: str
    columns: Mapping[int, str]  # by place in the view; only of 2-D tables of studies or employers


def true_tables(example: MiningExample) -> list[TrueTable]:
    tables = []
    for view in table_views(example.document):
        if view.filled < analysis.MIN_CELLS:
            continue
        looked = analyse_table(view)
        spans = {}
        for place in view.lines:
            line = example.document.lines[place]
            first, last = (bisect_left(example.spans, at, key=lambda span: span.start) for at in (line.start, line.end))
            spans[place] = list(example.spans[first:last])
        # By the section of most lines. A table about a project names no employer, wherever it stands: that is other.
        sections = Counter(example.line_labels[place].split(".")[0] for place in view.lines)
        section, count = sections.most_common(1)[0]
        type_ = _SECTIONS.get(section, OTHER) if count >= _MAJORITY * len(view.lines) else OTHER
        labels = {span.label for of_line in spans.values() for span in of_line}
        if type_ == analysis.PAST_EMPLOYER and "employer" not in labels:
            type_ = OTHER
        columns = {}
        if looked.shape.kind == GRID and type_ in analysis.COLUMN_TYPES:
            columns = _columns(example.document, looked, type_, spans)
        tables.append(TrueTable(looked, type_, columns))
    return tables


def _columns(
    document: Document, looked: AnalysedTable, type_: str, spans: Mapping[int, list[LabelledSpan]]
) -> dict[int, str]:
    view, first_record = looked.view, looked.shape.first_record
    rows = {number: place for place, number in enumerate(view.row_numbers)}
    lengths: dict[tuple[int, int], Counter[str]] = {}
    for place, found in spans.items():
        table = document.lines[place].table
        if table is None or table[1] not in rows or rows[table[1]] < first_record:
            continue
        cell = lengths.setdefault((rows[table[1]], table[2]), Counter())
        for span in found:
            if name := _COLUMNS[type_].get(span.label):
                cell[name] += span.end - span.start
    columns = {}
    for place, number in enumerate(view.column_numbers):
        filled = [row for row in range(first_record, len(view.cells)) if view.cells[row][place]]
        votes = Counter(_cell_type(lengths.get((row, number), Counter())) for row in filled)
        name, count = votes.most_common(1)[0] if votes else (OTHER, 0)
        columns[place] = name if count * 2 >= len(filled) else OTHER
    return columns


def _cell_type(lengths: Counter[str]) -> str:
    """What takes most room in the cell; a field behind a degree belongs to it, however long."""
    if DEGREE in lengths and SPECIALIZATION in lengths:
        lengths[DEGREE] += lengths.pop(SPECIALIZATION)
    return max(lengths, key=lambda name: (lengths[name], name)) if lengths else OTHER


# Learning the two classifiers, linear support vector machines, and measuring them on resumes they have not seen.

MIN_RESUMES = 15  # that hold a word before it may be learned: a rarer one could tell of a person
FOLDS = 5
REAL_WEIGHT = 4.0  # of a real table: there are few of them, and they are what counts
COST = 0.1  # of an error against the size of the weights


class _Item(NamedTuple):
    resume: str
    features: table_text.Features
    answer: str
    weight: float


@dataclass(frozen=True, slots=True)
class AnswerTally:
    """Right answers, and those given in their place."""

    right: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    resumes: list[int] = field(default_factory=list)  # of which each answer is, counted as they were measured

    def f1(self) -> dict[str, float]:
        """By class, of those that occur among the right answers."""
        names = sorted(set(self.right))
        scores = f1_score(self.right, self.given, labels=names, average=None, zero_division=0) if names else ()
        return {name: float(score) for name, score in zip(names, scores, strict=True)}

    def macro_f1(self) -> float:
        scores = self.f1().values()
        return sum(scores) / len(scores) if scores else 0.0

    def macro_f1_interval(self) -> ConfidenceInterval | None:
        """Drawing whole resumes. A draw without a class has the average of the others."""
        names = sorted(set(self.right))
        units: dict[int, list[float]] = {}
        for right, given, resume in zip(self.right, self.given, self.resumes, strict=True):
            row = units.setdefault(resume, [0.0] * 2 * len(names))
            row[2 * names.index(right)] += 2 * (right == given)
            for answer in (right, given):
                if answer in names:
                    row[2 * names.index(answer) + 1] += 1
        return bootstrap(list(units.values()), lambda sums: np.nanmean(sums[:, ::2] / sums[:, 1::2], axis=1))


@dataclass(frozen=True, slots=True)
class TableEvaluation:
    """`columns` is ColClass alone, told the table's type."""

    tables: AnswerTally = field(default_factory=AnswerTally)
    columns: AnswerTally = field(default_factory=AnswerTally)

    def add(self, model: TableModel, tables: Sequence[TrueTable]) -> None:
        resume = len(set(self.tables.resumes))
        for table in tables:
            self.tables.resumes.append(resume)
            self.tables.right.append(table.type)
            self.tables.given.append(analysis.read_table(table.looked, model).type)
            for place, answer in table.columns.items():
                features = column_features(table.looked, place, table.type)
                self.columns.resumes.append(resume)
                self.columns.right.append(answer)
                self.columns.given.append(model.columns.classify(features, among=analysis.COLUMN_TYPES[table.type]))


def train_tables(examples: Sequence[MiningExample], seed: int = 0) -> TableModel:
    return _train({example.id: (example, true_tables(example)) for example in examples}, seed)


def evaluate(
    examples: Sequence[MiningExample], seed: int = 0, *, always: Sequence[MiningExample] = ()
) -> TableEvaluation:
    """Cross-validation by resume; `always` are examples to learn from in every fold and never to measure on.

    A resume belongs to the fold of the number its id ends in, so that whoever made it can say what is kept apart.
    """
    known = {example.id: (example, true_tables(example)) for example in (*examples, *always)}
    measured = {example.id for example in examples}
    result = TableEvaluation()
    for fold in range(FOLDS):
        held_out = {id for id in measured if fold_of(id) == fold}
        model = _train({id: truth for id, truth in known.items() if id not in held_out}, seed)
        for id in sorted(held_out):
            result.add(model, known[id][1])
    return result


def measure(model: TableModel, examples: Sequence[MiningExample]) -> TableEvaluation:
    result = TableEvaluation()
    for example in examples:
        result.add(model, true_tables(example))
    return result


def fold_of(id: str) -> int:
    digits = id[len(id.rstrip("0123456789")) :]
    return (int(digits) if digits else zlib.crc32(id.encode())) % FOLDS


def _train(truths: Mapping[str, tuple[MiningExample, list[TrueTable]]], seed: int) -> TableModel:
    tables: list[_Item] = []
    columns: list[_Item] = []
    for id in sorted(truths):  # whatever the order in which they came
        example, found = truths[id]
        weight = 1.0 if example.is_generated else REAL_WEIGHT
        for table in found:
            tables.append(_Item(id, table_text.table_features(table.looked), table.type, weight))
            columns += [
                _Item(id, column_features(table.looked, place, table.type), answer, weight)
                for place, answer in table.columns.items()
            ]
    about = {
        "resumes": len({item.resume for item in tables}),
        "tables": len(tables),
        "columns": len(columns),
        "real resumes": len({id for id, (example, found) in truths.items() if found and not example.is_generated}),
        "seed": seed,
    }
    people = {
        word
        for example, _ in truths.values()
        for span in example.spans
        if span.label == "name"
        for word in table_text.words_in(example.document.text[span.start : span.end])
    }
    return TableModel(
        _fit(tables, analysis.TABLE_TYPES, people, seed), _fit(columns, (*COLUMN_KINDS, OTHER), people, seed), about
    )


def _fit(items: Sequence[_Item], classes: Sequence[str], people: Collection[str], seed: int) -> TableClassifier:
    resumes: dict[str, set[str]] = {}
    for item in items:
        for name in item.features:
            resumes.setdefault(name, set()).add(item.resume)
    # Everything but rare words and the names of people.
    names = sorted(
        name
        for name, holders in resumes.items()
        if not name.startswith((table_text.HEAD, table_text.WORD))
        or (len(holders) >= MIN_RESUMES and name.partition(":")[2] not in people)
    )
    matrix = np.array([[item.features.get(name, 0.0) for name in names] for item in items])
    machine = LinearSVC(C=COST, dual=False, class_weight="balanced", random_state=seed, max_iter=5000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # one that has not converged must not be shipped unnoticed
        machine.fit(matrix, [item.answer for item in items], sample_weight=[item.weight for item in items])
    order = list(machine.classes_)
    present = [name for name in classes if name in order]
    if len(present) < 3:
        raise ValueError(f"tables of at least three classes are needed, not only {present}")
    places = [order.index(name) for name in present]
    return TableClassifier(tuple(present), tuple(names), machine.coef_[places].T, machine.intercept_[places])


SEED = 3
FIXTURES = 600
RESUMES = (("it", 150), ("mixed", 150))  # generated resumes: few of the mixed ones have tables
FORMATS = ("docx", "pdf", "html", "odt", "rtf")  # those that hold tables


@dataclass(frozen=True, slots=True)
class TableExamples:
    """Fixtures are tables alone, generated ones were read from files, real ones are people's."""

    fixtures: tuple[MiningExample, ...]
    generated: tuple[MiningExample, ...]
    real: tuple[MiningExample, ...] = ()

    @property
    def made(self) -> tuple[MiningExample, ...]:
        return (*self.fixtures, *self.generated)


def collect_table_examples(data: Path | None = None, *, seed: int = SEED) -> TableExamples:
    """`data` is the folder of the annotated resumes; without it there are no real examples."""
    return TableExamples(
        tuple(make_fixture(seed, number).example for number in range(FIXTURES)),
        tuple(
            example
            for kind, count in RESUMES
            for example in generated_examples(kind, count, seed, FORMATS)
            if example.document.tables
        ),
        tuple(annotated_examples(data)) if data else (),
    )


def build(examples: TableExamples, path: Path = analysis.SHIPPED) -> TableModel:
    """Train and write the model that is shipped.

    It learns from made-up resumes only: with real ones it does no better on others (see `compare`), and so whoever
    has the program can build it, no person's words can be in it, and every real table is one it has not seen.
    """
    data = train_tables(examples.made, SEED).to_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return TableModel.from_bytes(data)  # as anybody will load it, with its weights rounded


def compare(examples: TableExamples) -> Iterator[tuple[str, TableEvaluation]]:
    """What each kind of table gives when it was kept back, five folds by resume."""
    yield "fixtures", evaluate(examples.fixtures, SEED)
    yield "generated", evaluate(examples.generated, SEED, always=examples.fixtures)
    if examples.real:
        yield ("real, learned from made-up ones only", measure(train_tables(examples.made, SEED), examples.real))
        yield "real, learned from both", evaluate(examples.real, SEED, always=examples.made)


def annotated_examples(data: Path) -> Iterator[MiningExample]:
    """Our annotated resumes that have tables, as far as their files are there and read as they were annotated."""
    annotated = {one.sha256: one for one in read_annotated()}
    paths = find_files(data, annotated)
    for number, document in enumerate(read_many([paths[sha256] for sha256 in annotated if sha256 in paths])):
        truth = annotated[document.sha256]
        if not document.tables or not truth.fits(document.text) or len(truth.line_labels) != len(document.lines):
            continue
        spans = sorted(spans_of(truth), key=lambda span: span.start)
        yield MiningExample(f"annotated {number}", document, truth.line_labels, tuple(spans))
