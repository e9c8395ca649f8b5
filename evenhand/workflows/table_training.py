"""The table analyzer from its examples to the shipped model, and how well it does on each kind of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evenhand.corpora.making import Order, make
from evenhand.corpora.sets.annotated import find_files, read_annotated
from evenhand.mining.examples import Example, Span
from evenhand.mining.tables.model import SHIPPED, TableModel
from evenhand.mining.tables.training import Evaluation, evaluate, measure, train_tables
from evenhand.settings import Settings
from evenhand.workflows.aligning import example_of
from evenhand.workflows.reading import open_pool, read, read_many
from evenhand.workflows.table_fixtures import make_fixture

SEED = 3
FIXTURES = 600
RESUMES = (("it", 150), ("mixed", 150))  # generated resumes: few of the mixed ones have tables
FORMATS = ("docx", "pdf", "html", "odt", "rtf")  # those that hold tables


@dataclass(frozen=True, slots=True)
class TableExamples:
    """Fixtures are tables alone, generated ones were read from files, real ones are people's."""

    fixtures: tuple[Example, ...]
    generated: tuple[Example, ...]
    real: tuple[Example, ...] = ()

    @property
    def made(self) -> tuple[Example, ...]:
        return (*self.fixtures, *self.generated)


def gather(data: Path | None = None, *, seed: int = SEED) -> TableExamples:
    """`data` is the folder of the annotated resumes; without it there are no real examples."""
    return TableExamples(
        tuple(make_fixture(seed, number).example for number in range(FIXTURES)),
        tuple(generated_examples(seed)),
        tuple(annotated_examples(data)) if data else (),
    )


def build(examples: TableExamples, path: Path = SHIPPED) -> TableModel:
    """Train and write the model that is shipped.

    It learns from made-up resumes only: with real ones it does no better on others (see `compare`), and so whoever
    has the program can build it, no person's words can be in it, and every real table is one it has not seen.
    """
    data = train_tables(examples.made, SEED).to_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return TableModel.from_bytes(data)  # as anybody will load it, with its weights rounded


def compare(examples: TableExamples) -> Iterator[tuple[str, Evaluation]]:
    """What each kind of table gives when it was kept back, five folds by resume."""
    yield "fixtures", evaluate(examples.fixtures, SEED)
    yield "generated", evaluate(examples.generated, SEED, always=examples.fixtures)
    if examples.real:
        yield (
            "real, learned from made-up ones only",
            measure(train_tables(examples.made, SEED), examples.real),
        )
        yield "real, learned from both", evaluate(examples.real, SEED, always=examples.made)


def generated_examples(seed: int) -> Iterator[Example]:
    """Generated resumes in whose files the reader found a table."""
    with open_pool(Settings()) as pool:
        for kind, count in RESUMES:
            order = Order(seed, kind, FORMATS)
            for number in range(count):
                made = make(order, number)
                document = read(made.files[0].data, pool=pool)
                if not document.tables:
                    continue
                example = example_of(made.truth, made.plain.text, document, id=f"generated {kind} {number}")
                if example:
                    yield example


def annotated_examples(data: Path) -> Iterator[Example]:
    """Our annotated resumes that have tables, as far as their files are there and read as they were annotated."""
    annotated = {one.sha256: one for one in read_annotated()}
    paths = find_files(data, annotated)
    for number, document in enumerate(read_many([paths[sha256] for sha256 in annotated if sha256 in paths])):
        truth = annotated[document.sha256]
        if (
            not document.tables
            or not truth.fits(document.text)
            or len(truth.line_labels) != len(document.lines)
        ):
            continue
        spans = sorted(truth.spans, key=lambda span: span.start)
        yield Example(
            f"annotated {number}",
            document,
            truth.line_labels,
            tuple(Span(span.start, span.end, span.label, span.is_rest) for span in spans),
        )
