"""The trainings of `evenhand reproduce competence`, each kept as soon as it is done, so that a stopped run goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.mining.research import FEATURES
from evenhand.models.competence.designs import FIT_DESIGNS, LEVEL_DESIGNS
from evenhand.models.evaluation import Evaluation
from evenhand.models.inputs import ResumeInput
from evenhand.records import canonical_json
from evenhand.workflows.competence_data import CompetenceData, Task, with_level_ids
from evenhand.workflows.competence_training import BEST_DESIGNS, train_competence
from evenhand.workflows.crc_data import CrcData
from evenhand.workflows.reproduction.competence_causes import CAUSES, CauseFigure, planted_data
from evenhand.workflows.watching import Watch

if TYPE_CHECKING:
    from evenhand.models.learning.encoders import Tuning
    from evenhand.models.learning.schedule import Schedule
    from evenhand.models.learning.states import KeptStates

PLAIN, WITH_FEATURES, LEVEL_IDS = "as published", "with mined features", "level ids for job texts"


@dataclass(frozen=True, slots=True)
class Order:
    """One training that is wanted."""

    task: Task
    design: str
    variant: str
    seed: int

    @property
    def file(self) -> str:
        return f"{self.task} {self.design} {self.variant} {self.seed}.json".replace(" ", "_")


@dataclass(frozen=True, slots=True)
class Run:
    """What came of it. `confusion` has rows for what was predicted and columns for what is true."""

    order: Order
    dev_accuracy: float
    labels: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    majority: float
    ece: float
    epochs: int
    seconds: float
    cpu_seconds: float

    @property
    def test(self) -> Evaluation:
        return Evaluation(self.labels, np.array(self.confusion, np.int64), ordered=self.order.task == "level")

    def to_json(self) -> dict[str, Any]:
        return {
            "task": self.order.task,
            "design": self.order.design,
            "variant": self.order.variant,
            "seed": self.order.seed,
            "dev_accuracy": self.dev_accuracy,
            "test_accuracy": self.test.accuracy,
            "labels": list(self.labels),
            "confusion": [list(row) for row in self.confusion],
            "majority": self.majority,
            "ece": self.ece,
            "epochs": self.epochs,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Run:
        return cls(
            Order(data["task"], data["design"], data["variant"], data["seed"]),
            data["dev_accuracy"],
            tuple(data["labels"]),
            tuple(tuple(row) for row in data["confusion"]),
            data["majority"],
            data["ece"],
            data["epochs"],
            data["seconds"],
            data["cpu_seconds"],
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """One network over its seeds, in per cent; a single seed has no deviation."""

    task: Task
    design: str
    variant: str
    dev: float
    dev_deviation: float
    test: float
    test_deviation: float
    runs: tuple[Run, ...]

    @property
    def best_run(self) -> Run:
        """As published, the single run that does best on the test part."""
        return max(self.runs, key=lambda run: run.test.accuracy)


def figure_of(runs: Sequence[Run]) -> Figure:
    dev = [100 * run.dev_accuracy for run in runs]
    test = [100 * run.test.accuracy for run in runs]
    order = runs[0].order
    return Figure(
        order.task,
        order.design,
        order.variant,
        fmean(dev),
        _spread(dev),
        fmean(test),
        _spread(test),
        tuple(runs),
    )


def _spread(values: Sequence[float]) -> float:
    return stdev(values) if len(values) > 1 else 0.0


@dataclass(eq=False)
class Runner:
    """Does a training unless the work folder has it; all of them share what the frozen layers read."""

    data: CrcData
    work: Path
    schedule: Schedule
    tuning: Tuning
    states: KeptStates
    watch: Watch
    encoder: str | Path | None = None
    features: Sequence[str] = FEATURES

    def figures(self, seeds: int) -> Iterator[Figure]:
        """The twelve networks; then, on the best of each task by its development part, what else is asked."""
        tasks: dict[Task, tuple[str, ...]] = {"level": LEVEL_DESIGNS, "fit": FIT_DESIGNS}
        for task, designs in tasks.items():
            plain = [self._figure(task, design, PLAIN, seeds) for design in designs]
            yield from plain
            best = max(plain, key=lambda figure: figure.dev).design
            # Also under the network that ships: below attention the encoder is frozen.
            for design in dict.fromkeys((best, BEST_DESIGNS[task])):
                yield self._figure(task, design, WITH_FEATURES, seeds)
            if task == "fit":
                yield self._figure(task, best, LEVEL_IDS, seeds)

    def causes(self, resumes: Sequence[ResumeInput]) -> Iterator[CauseFigure]:
        """Both networks of each planted task; one seed, for these differences are large or a fault."""
        for cause in CAUSES:
            data = planted_data(resumes, cause.name, seed=0)
            found = {}
            for design in (cause.better, cause.worse):
                run = self.run(Order("level", design, cause.name, 0), data)
                found[design] = 100 * run.test.accuracy
            yield CauseFigure(
                cause.name, cause.better, cause.worse, found[cause.better], found[cause.worse], cause.least
            )

    def _figure(self, task: Task, design: str, variant: str, seeds: int) -> Figure:
        return figure_of([self.run(Order(task, design, variant, seed)) for seed in range(seeds)])

    def run(self, order: Order, data: CompetenceData | None = None) -> Run:
        path = self.work / order.file
        if path.is_file():
            return Run.from_json(json.loads(path.read_text(encoding="utf-8")))
        report = train_competence(
            order.task,
            data=data or self._data(order),
            design=order.design,
            seed=order.seed,
            features=self.features if order.variant == WITH_FEATURES else (),
            encoder=self.encoder,
            schedule=self.schedule,
            tuning=self.tuning,
            states=self.states,
            watch=self.watch,
        ).report
        run = Run(
            order,
            report.dev_accuracy,
            report.test.labels,
            tuple(tuple(map(int, row)) for row in report.test.confusion),
            report.majority,
            report.ece,
            report.epochs,
            report.seconds,
            report.cpu_seconds,
        )
        self._keep(path, run)
        return run

    def _data(self, order: Order) -> CompetenceData:
        found = self.data.level if order.task == "level" else self.data.fit
        return with_level_ids(found) if order.variant == LEVEL_IDS else found

    def _keep(self, path: Path, run: Run) -> None:
        """Whole or not at all: half a file would be taken for a run."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(canonical_json(run.to_json()) + "\n", encoding="utf-8")
        part.replace(path)


def stamp_of(*settings: object) -> str:
    """Runs of other settings or resumes are kept apart."""
    return hashlib.sha256(repr(settings).encode()).hexdigest()[:12]
