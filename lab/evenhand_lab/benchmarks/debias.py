"""`evenhand bench debias`: concept removal from rows to map, against LEACE, INLP and RLACE on the same matrix.

The matrix is drawn: a task of six classes and a group, each spread over several directions that overlap, and curved,
so that no linear eraser can take all of the group away. Times are of the processor, all threads together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import process_time
from typing import Any, ClassVar

import numpy as np

from evenhand.audit.statistics import wilson
from evenhand.debias.decomposition import decompose
from evenhand.debias.fitting import ERASERS, FittedRemoval, FittingPlan, fit_removal
from evenhand.debias.importance import weigh_concepts
from evenhand.debias.probes import ProbeSettings, floor_accuracy
from evenhand.debias.samples import Samples, Variable, make_samples
from evenhand.debias.scoring import final_bench, measure
from evenhand.debias.weighing import fit_heads
from evenhand.models.concept_removal import identity
from evenhand.progress import Progress, no_progress
from evenhand.records.conversion import to_json
from evenhand_lab.benchmarks.kit import Measurement, in_brackets, timed

ROWS, COLUMNS, RANK, CLASSES = 10_000, 384, 20, 6
LIMIT_SECONDS = 120.0
GROWTH = {"rows": (2500, 5000, 10_000), "columns": (192, 384, 768), "rank": (10, 20, 40)}


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Rival:
    """`seconds` to fit the map; accuracies on test rows."""

    name: str
    seconds: float
    task: float
    linear: float
    worse: float
    tested: int  # rows

    def __str__(self) -> str:
        task, linear, worse = (
            f"{value:.3f}{in_brackets(wilson(round(value * self.tested), self.tested))}"
            for value in (self.task, self.linear, self.worse)
        )
        return f"{self.seconds:.1f} s; task {task}, group: linear {linear}, worse of MLP and RBF {worse}"


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds of decomposition, heads and importance together, by size."""

    of: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """Of the power law through all sizes: 1 is as fast as the size, 2 with its square."""
        return float(np.polyfit(np.log(self.sizes), np.log(self.seconds), 1)[0])

    def row(self) -> tuple[str, str]:
        seconds = ", ".join(f"{value:.1f}" for value in self.seconds)
        sizes = ", ".join(f"{size:,}" for size in self.sizes)
        return f"seconds by {self.of}: {sizes}", f"{seconds} (size to the power of {self.exponent:.2f})"


@dataclass(frozen=True, slots=True)
class Debiasing(Measurement):
    title: ClassVar[str] = "concept removal, from rows to a chosen map, beside other erasers"
    rows_fitted: int
    columns: int
    rank: int
    seconds: float  # of the whole fit
    stages: tuple[Stage, ...]
    recipe: str
    floor: float
    rivals: tuple[Rival, ...]
    growth: tuple[Growth, ...]

    def to_json(self) -> dict[str, Any]:
        return to_json(self) | {"exponents": {exponent.of: exponent.exponent for exponent in self.growth}}

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("rows, columns, concepts", f"{self.rows_fitted:,}, {self.columns}, {self.rank}"),
            ("whole fit: SVD, heads, Sobol, sweep", f"{self.seconds:.1f} s (at most {LIMIT_SECONDS:g})"),
            *((f"  {stage.name}", f"{stage.seconds:.1f} s") for stage in self.stages),
            ("chosen", self.recipe),
            ("what the task's label tells of the group", f"{self.floor:.3f}"),
            *((rival.name, str(rival)) for rival in self.rivals),
            *(growth.row() for growth in self.growth),
        ]


def run(
    *, n: int = ROWS, seed: int = 1, columns: int = COLUMNS, rank: int = RANK, progress: Progress = no_progress
) -> Debiasing:
    samples = draw(n, columns, seed=seed)
    with progress("fitting", 1) as bar:
        fitted, stages = _timed_fit(samples, rank)
        bar.advance()
    rivals = []
    changes: dict[str, Callable[[Samples], Any]] = {"nothing": lambda _: identity(columns), **ERASERS}
    with progress("comparing", len(changes) + 1) as bar:
        for name, make in changes.items():
            rivals.append(_rival(name, make, fitted))
            bar.advance()
        chosen = fitted.removal.change
        whole = sum(stage.seconds for stage in stages)
        rivals.append(_rival(fitted.choice.recipe.name, lambda _: chosen, fitted, seconds=whole))
        bar.advance()
    return Debiasing(
        n,
        columns,
        rank,
        whole,
        stages,
        fitted.choice.reason,
        floor_accuracy(fitted.divided.test.task, fitted.divided.test.sensitive[0]),
        tuple(rivals),
        tuple(_growth(of, sizes, n, columns, rank, seed) for of, sizes in GROWTH.items()),
    )


def draw(rows: int, columns: int, *, seed: int) -> Samples:
    rng = np.random.default_rng(seed)
    task = rng.integers(0, CLASSES, rows)
    group = (rng.random(rows) < 0.4 + 0.2 * (task % 2)).astype(int)  # some trades have more of one group
    hidden = rng.normal(size=(rows, 40)) * np.linspace(1.5, 0.3, 40)
    hidden[:, :10] += 1.5 * rng.normal(size=(CLASSES, 10))[task]
    sides = rng.choice([-1.0, 1.0], rows)
    hidden[:, 5:15] += rng.normal(size=10) * (2 * group - 1)[:, None]  # half of it where the task stands
    hidden[:, 15] += 1.5 * sides
    hidden[:, 16] += 1.5 * sides * (2 * group - 1)  # with the column before: a cross, which no line divides
    values = hidden @ rng.normal(size=(40, columns)) / np.sqrt(40) + 0.2 * rng.normal(size=(rows, columns))
    values /= np.linalg.norm(values, axis=1, keepdims=True)  # as sentence encoders give them
    return make_samples(values, _coded("task", task, CLASSES), [_coded("group", group, 2)])


def _coded(name: str, codes: Any, classes: int) -> Variable:
    return Variable(name, tuple(f"{name} {place}" for place in range(classes)), np.asarray(codes, np.int64))


def _timed_fit(samples: Samples, rank: int) -> tuple[FittedRemoval, tuple[Stage, ...]]:
    plan = FittingPlan()
    marks: list[tuple[str, float]] = []
    ranked = replace(plan, grid=replace(plan.grid, ranks=(rank,)))
    fitted = fit_removal(samples, ranked, on_step=lambda what: marks.append((what, process_time())))
    end = process_time()
    sweep_from = next(at for what, at in marks if "k=" in what)
    concepts_from = next(at for what, at in marks if what.startswith("concepts"))
    return fitted, (
        Stage("heads", concepts_from - marks[0][1]),
        Stage("SVD, Sobol indices, and the rows as they are", sweep_from - concepts_from),
        Stage(f"sweep of {len(fitted.points)} points", end - sweep_from),
    )


def _rival(name: str, make: Callable[[Samples], Any], fitted: FittedRemoval, *, seconds: float | None = None) -> Rival:
    change, spent = timed(lambda: make(fitted.divided.train))
    probing = ProbeSettings(seeds=(0,), rbf_rows=2000, rbf_costs=(1.0,))
    (score,) = measure(name, change, final_bench(fitted.divided), probing)
    linear = float(np.mean(score.leaks[0].linear))
    tested = len(fitted.divided.test.rows)
    return Rival(name, spent if seconds is None else seconds, score.accuracy, linear, score.worst_leak, tested)


def _growth(of: str, sizes: tuple[int, ...], rows: int, columns: int, rank: int, seed: int) -> Growth:
    """Of heads, decomposition and importance; where columns or concepts grow, on a quarter of the rows."""
    sizes = tuple(max(200, size * rows // ROWS) for size in sizes) if of == "rows" else sizes
    seconds = []
    for size in sizes:
        chosen = {"rows": max(200, rows // 4), "columns": columns, "rank": rank} | {of: size}
        samples = draw(chosen["rows"], chosen["columns"], seed=seed)
        start = process_time()
        heads = fit_heads(samples, samples)
        found = decompose(samples.rows, chosen["rank"])
        for head in (heads.task, *heads.sensitive):
            weigh_concepts(head, found, samples.rows)
        seconds.append(process_time() - start)
    return Growth(of, sizes, tuple(seconds))
