"""`evenhand reproduce tables`: types of tables and of their columns, beside the published F1 of .958 and .941."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from evenhand.audit.statistics import ConfidenceInterval
from evenhand.progress import Progress, no_progress
from evenhand_lab.benchmarks.kit import Measurement, in_brackets
from evenhand_lab.training.tables import SEED, collect_table_examples, compare

PUBLISHED = {"tables": 0.958, "columns": 0.941}


@dataclass(frozen=True, slots=True)
class TableFigure:
    material: str
    kind: str  # tables or columns
    f1: float  # averaged over the classes
    count: int
    classes: dict[str, float]  # F1 of each
    published: float
    interval: ConfidenceInterval | None  # drawing resumes


@dataclass(frozen=True, slots=True)
class TableFigures(Measurement):
    title: ClassVar[str] = "types of tables and of columns, averaged F1, published and ours"
    figures: list[TableFigure]

    def rows(self) -> list[tuple[str, str]]:
        rows = []
        for figure in self.figures:
            classes = ", ".join(f"{name} {f1:.2f}" for name, f1 in figure.classes.items())
            here = f"here {figure.f1:.3f}{in_brackets(figure.interval)} (n = {figure.count}; {classes})"
            rows.append((f"{figure.material}: {figure.kind}", f"published {figure.published:.3f}; {here}"))
        return rows


def run(data: Path | None = None, *, seed: int = SEED, progress: Progress = no_progress) -> TableFigures:
    """On made-up tables, on generated resumes and, with `data`, on the annotated real ones found there."""
    figures = []
    with progress("tables", 1) as bar:
        for material, evaluation in compare(collect_table_examples(data, seed=seed)):
            for kind, tally in (("tables", evaluation.tables), ("columns", evaluation.columns)):
                figures.append(
                    TableFigure(
                        material,
                        kind,
                        tally.macro_f1(),
                        len(tally.right),
                        tally.f1(),
                        PUBLISHED[kind],
                        tally.macro_f1_interval(),
                    )
                )
        bar.advance()
    return TableFigures(figures)
