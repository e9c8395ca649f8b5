"""What the published experiments are repeated on: as many generated IT resumes as there were real ones, and ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.mining.examples import Example
from evenhand.mining.learning import Prepared
from evenhand.mining.tables import shipped_model
from evenhand.mining.vocabulary import load_vocabulary
from evenhand.workflows.examples import annotated_examples, generated
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
    left_out: int = (
        0  # made, but too different from their files to carry the truth over; they may be the hard ones
    )

    @property
    def texts(self) -> list[str]:
        return [each.example.document.text for each in self.prepared]


def load_materials(data: Path | None, n: int, seed: int, *, watch: Watch) -> list[Material]:
    """`n` generated resumes and, with `data`, the annotated real ones found there."""
    vocabulary = load_vocabulary()
    tables = shipped_model()  # learned from made-up resumes of another seed: it knows none that is measured
    made, left_out = made_examples(n, seed, watch=watch)
    materials = [Material(GENERATED, prepare_all(made, vocabulary, tables, watch=watch), left_out)]
    if data:
        real = annotated_examples(data, watch=watch)
        materials.append(Material(REAL, prepare_all(real, vocabulary, tables, watch=watch)))
    return materials


def made_examples(n: int, seed: int, *, watch: Watch) -> tuple[list[Example], int]:
    """The first `n` that can serve as examples, and how many before the last of them could not."""
    examples: list[Example] = []
    left_out = 0
    for each in generated("it", n + n // SPARE, seed, FORMATS, watch=watch):
        if len(examples) == n:
            break
        if each.example:
            examples.append(each.example)
        else:
            left_out += 1
    return examples, left_out


def sizes(materials: Sequence[Material]) -> dict[str, str]:
    """How many resumes of each sort, for a person to read."""
    return {
        each.name: f"{len(each.prepared)}" + (f" ({each.left_out} left out)" if each.left_out else "")
        for each in materials
    }
