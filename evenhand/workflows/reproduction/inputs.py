"""What the published experiments are repeated on: as many generated IT resumes as there were real ones, and ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evenhand.mining.examples import Example
from evenhand.mining.learning import Prepared
from evenhand.mining.tables import shipped_model
from evenhand.mining.vocabulary import load_vocabulary
from evenhand.workflows.examples import annotated_examples, generated_examples
from evenhand.workflows.preparing import prepare_all
from evenhand.workflows.watching import Watch

RESUMES = 110  # as published
SEED = 1
FORMATS = ("pdf", "docx")
SPARE = 5  # one in so many more is made: some files cannot be laid beside their text
GENERATED, REAL = "generated it", "real"


@dataclass(frozen=True, slots=True)
class Material:
    """Resumes of one sort, with what mining notes on them."""

    name: str
    prepared: list[Prepared]

    @property
    def texts(self) -> list[str]:
        return [each.example.document.text for each in self.prepared]


def load_materials(data: Path | None, n: int, seed: int, *, watch: Watch) -> list[Material]:
    """`n` generated resumes and, with `data`, the annotated real ones found there."""
    vocabulary = load_vocabulary()
    tables = shipped_model()  # learned from made-up resumes of another seed: it knows none that is measured
    return [
        Material(name, prepare_all(examples, vocabulary, tables, watch=watch))
        for name, examples in example_sets(data, n, seed, watch=watch)
    ]


def example_sets(
    data: Path | None, n: int, seed: int, *, watch: Watch
) -> Iterator[tuple[str, list[Example]]]:
    made = generated_examples("it", n + n // SPARE, seed, FORMATS, watch=watch)
    yield GENERATED, made[:n]
    if data:
        yield REAL, annotated_examples(data, watch=watch)
