"""`evenhand reproduce tables`: types of tables and of their columns, beside the published F1 of .958 and .941."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from evenhand.progress import Progress, no_progress
from evenhand_lab.benchmarks.kit import Measurement
from evenhand_lab.training.tables import SEED, AnswerTally, collect_table_examples, compare

PUBLISHED = {"tables": 0.958, "columns": 0.941}


@dataclass(frozen=True, slots=True)
class TableFigure:
    material: str
    kind: str  # tables or columns
    f1: float  # averaged over the classes
    count: int
    classes: dict[str, float]  # F1 of each
    published: float


@dataclass(frozen=True, slots=True)
class TableFigures(Measurement):
    title: ClassVar[str] = "types of tables and of columns, averaged F1, published and ours"
    figures: list[TableFigure]

    def rows(self) -> list[tuple[str, str]]:
        return [
            (
                f"{each.material}: {each.kind}",
                f"published {each.published:.3f}; here {each.f1:.3f} (n = {each.count}; {_listed(each)})",
            )
            for each in self.figures
        ]


def _listed(each: TableFigure) -> str:
    return ", ".join(f"{name} {f1:.2f}" for name, f1 in each.classes.items())


def run(data: Path | None = None, *, seed: int = SEED, progress: Progress = no_progress) -> TableFigures:
    """On made-up tables, on generated resumes and, with `data`, on the annotated real ones found there."""
    with progress("tables", 1) as bar:
        examples = collect_table_examples(data, seed=seed)
        figures = [
            _figure(material, kind, tally)
            for material, evaluation in compare(examples)
            for kind, tally in (("tables", evaluation.tables), ("columns", evaluation.columns))
        ]
        bar.advance()
    return TableFigures(figures)


def _figure(material: str, kind: str, tally: AnswerTally) -> TableFigure:
    classes = {name: score.f1 for name, score in tally.scores().items()}
    return TableFigure(material, kind, tally.macro_f1(), sum(tally.pairs.values()), classes, PUBLISHED[kind])
