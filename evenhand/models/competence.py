"""Training a model of competence level or of fit to a job, from generated applicants or from labels of one's own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evenhand.errors import UsageError
from evenhand.mining.clinical_research import FEATURES
from evenhand.models.architectures import Architecture, find_architecture
from evenhand.models.calibration import calibration_error, fit_temperature, to_probabilities
from evenhand.models.evaluation import Evaluation, evaluate
from evenhand.models.labelled_resumes import CompetenceData, CompetenceExample, Task, own_data
from evenhand.models.manifest import EncoderStamp, Manifest, write_card
from evenhand.models.registry import save_artefact
from evenhand.plugins import generated_resumes
from evenhand.progress import Progress, ProgressBar, no_progress
from evenhand.records.conversion import JsonRecord
from evenhand.settings import Settings
from evenhand.version import __version__

if TYPE_CHECKING:
    from evenhand.models.training.encoders import StateCache, Tuning
    from evenhand.models.training.examples import TrainingExample as Numbered
    from evenhand.models.training.loop import Schedule, TrainedNetwork, TrainingProgress


# As published for levels; for fit the best was C+I+J+A, below whose attention the encoder could not learn in our time.
BEST_ARCHITECTURES: dict[Task, str] = {"level": "C+I", "fit": "C+I+J"}
LICENCE = "Apache-2.0"
LIBRARIES = ("numpy", "safetensors", "tokenizers", "torch")
LIMITS: dict[Task, tuple[str, ...]] = {
    "level": ("Levels are those of one employer's guideline for clinical research coordinators.",),
    "fit": (
        "Fit means that the level of the resume is the level of the job: who is over-qualified does not fit.",
        "It learned from few job texts and says little about jobs of another kind.",
    ),
}
GENERATED_LIMIT = "It learned from generated resumes: on real ones it has not been measured."


@dataclass(frozen=True, slots=True, eq=False)
class CompetenceReport(JsonRecord):
    """What one training came to. Probabilities on the test part are calibrated on the development part."""

    task: Task
    architecture: str = field(metadata={"json": "design"})
    features: tuple[str, ...]
    seed: int
    examples: tuple[int, int, int]  # train, dev, test
    epochs: int  # that were run
    best_epoch: int
    dev_accuracy: float
    test: Evaluation
    majority: float
    temperature: float
    ece: float
    seconds: float
    cpu_seconds: float  # what the machine's other work does not change


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """A trained network with its figures; `save` writes it as a model."""

    report: CompetenceReport
    trained: TrainedNetwork
    data: CompetenceData

    def save(self, out: Path, *, name: str | None = None, version: str = __version__) -> Manifest:
        from evenhand.models.training.export import export  # noqa: PLC0415 - loads torch

        exported = export(self.trained)
        manifest = _manifest(self, name or self.data.task, version, exported.settings)
        return save_artefact(out, manifest, exported.tensors, write_card(manifest))


def train_competence(
    task: Task,
    *,
    data: CompetenceData,
    out: Path | None = None,
    architecture: str | Architecture | None = None,
    seed: int = 0,
    features: Sequence[str] = FEATURES,
    encoder: str | Path | None = None,
    tuning: Tuning | None = None,
    schedule: Schedule | None = None,
    states: StateCache | None = None,
    checkpoint: Path | None = None,
    progress: Progress = no_progress,
) -> Training:
    """Trains, measures, and with `out` writes the model there. The same arguments give the same bytes on one thread.

    `states` of another training on the same resumes spare their reading; `checkpoint` is gone on with.
    """
    from evenhand.models.training.loop import Schedule, train_network  # noqa: PLC0415 - loads torch

    if not isinstance(architecture, Architecture):
        architecture = find_architecture(architecture or BEST_ARCHITECTURES[task])
    if architecture.needs_job != (task == "fit"):
        raise UsageError(f"The network {architecture.name} is not for the task {task}.")
    if data.task != task:
        raise UsageError(f"The data are for the task {data.task}, not {task}.")
    numbered = [_numbered(part, data) for part in (data.split.train, data.split.dev, data.split.test)]
    started = time.perf_counter(), time.process_time()
    with ExitStack() as stack:
        trained = train_network(
            architecture,
            numbered[0],
            numbered[1],
            labels=data.labels,
            jobs=tuple(data.job_texts.values()) if architecture.needs_job else (),
            features=tuple(features),
            encoder=encoder,
            tuning=tuning,
            schedule=replace(schedule or Schedule(), seed=seed),
            states=states,
            checkpoint=checkpoint,
            listener=_TrainingBars(progress, architecture.name, stack),
        )
    training = Training(_report(trained, data, numbered, seed, started), trained, data)
    if out is not None:
        training.save(out)
    return training


def _numbered(examples: Sequence[CompetenceExample], data: CompetenceData) -> list[Numbered]:
    """Labels and jobs as places in their lists."""
    from evenhand.models.training.examples import TrainingExample as Numbered  # noqa: PLC0415

    jobs = {key: place for place, key in enumerate(data.job_texts)}
    labels = {label: place for place, label in enumerate(data.labels)}
    return [
        Numbered(example.resume, labels[example.label], None if example.job is None else jobs[example.job])
        for example in examples
    ]


def _report(
    trained: TrainedNetwork,
    data: CompetenceData,
    parts: Sequence[Sequence[Numbered]],
    seed: int,
    started: tuple[float, float],
) -> CompetenceReport:
    _, dev, test = parts
    dev_gold, gold = (np.array([example.label for example in part], np.int64) for part in (dev, test))
    temperature = fit_temperature(trained.logits(dev), dev_gold)
    probabilities = to_probabilities(trained.logits(test), temperature=temperature)
    return CompetenceReport(
        data.task,
        trained.preparation.architecture.name,
        trained.preparation.features,
        seed,
        (len(parts[0]), len(dev), len(test)),
        len(trained.history),
        trained.best.number,
        trained.best.dev_accuracy,
        evaluate(probabilities.argmax(axis=1), gold, data.labels, ordered=data.task == "level"),
        data.majority,
        temperature,
        calibration_error(probabilities, gold),
        time.perf_counter() - started[0],
        time.process_time() - started[1],
    )


def _manifest(training: Training, name: str, version: str, settings: dict[str, Any]) -> Manifest:
    report, data = training.report, training.data
    encoder = settings.pop("encoder")
    train, dev, test = report.examples
    return Manifest(
        name=name,
        version=version,
        task=data.task,
        labels=data.labels,
        kind="network",
        outcome="ordered" if data.task == "level" else "single",
        encoder=EncoderStamp(encoder["name"], encoder["sha256"]),
        settings=settings,
        metrics={
            "dev_accuracy": report.dev_accuracy,
            "majority": report.majority,
            "ece": report.ece,
            "test": report.test.to_json(),
        },
        data=f"{data.description}. {train:,} examples to learn from, {dev:,} to choose the epoch and the "
        f"temperature by, {test:,} to measure on.",
        limits=(*LIMITS[data.task], *((GENERATED_LIMIT,) if data.is_generated else ())),
        licence=LICENCE,
        libraries={"evenhand": __version__, **{library: installed_version(library) for library in LIBRARIES}},
        temperature=report.temperature,
    )


@dataclass(slots=True)
class _TrainingBars:
    """What is heard of a training as bars: one while frozen layers read, one over the epochs."""

    progress: Progress
    name: str
    stack: ExitStack  # closes the bar of a stage
    bar: ProgressBar | None = None
    stage: str = ""
    percent: int = 0

    def __call__(self, step: TrainingProgress) -> None:
        """Bars count in hundredths: tokens and batches are too many to tell one by one."""
        if step.stage != self.stage:
            self.stack.close()
            self.stage, self.percent = step.stage, 0
            self.bar = self.stack.enter_context(self.progress(f"{self.name}: {step.stage}", 100))
        whole = step.total * (step.epochs if step.epoch else 1)
        done = step.done + step.total * max(0, step.epoch - 1)
        while self.bar is not None and self.percent < 100 * done // max(1, whole):
            self.bar.advance()
            self.percent += 1


# From labels, or from generated applicants, to a model in a folder: what `evenhand train level | fit` does.

GENERATED = 1500  # applicants, where nobody's labels are given


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """What is to be learned from, and how; the rest has its defaults."""

    labels_file: Path | None = None
    labels: Sequence[str] = ()  # levels from the lowest to the highest
    n: int = GENERATED
    seed: int = 0
    architecture: str | None = None
    encoder: str | None = None
    layers: int = 1  # of the encoder, from above
    full: bool = False  # every weight of the encoder
    epochs: int | None = None
    with_features: bool = True
    work: Path | None = None  # where a training that was stopped goes on


@dataclass(frozen=True, slots=True)
class TrainedModel:
    report: CompetenceReport
    unread: tuple[tuple[str, str], ...]  # files and why


def train_model(
    task: Task, out: Path, wish: TrainingOptions, *, settings: Settings | None = None, progress: Progress = no_progress
) -> TrainedModel:
    from evenhand.models.training.encoders import Tuning  # noqa: PLC0415 - loads torch
    from evenhand.models.training.loop import Schedule  # noqa: PLC0415

    unread: tuple[tuple[str, str], ...] = ()
    if wish.labels_file is None:
        data = generated_resumes().competence_data(task, wish.n, wish.seed, cache=wish.work, progress=progress)
    else:
        own = own_data(task, wish.labels_file, labels=wish.labels, seed=wish.seed, settings=settings, progress=progress)
        data, unread = own.data, own.unread
    tuning = Tuning("full", None) if wish.full else Tuning(layers=wish.layers)
    # As published for full fine-tuning; else what the development part of generated applicants prefers.
    rates = {"rate": 2e-5} if wish.full else {"rate": 1e-4, "head_rate": 1e-3, "dropout": 0.5}
    rounds = {"epochs": wish.epochs} if wish.epochs else {}
    training = train_competence(
        task,
        data=data,
        out=out,
        architecture=wish.architecture,
        seed=wish.seed,
        features=FEATURES if wish.with_features else (),
        encoder=wish.encoder,
        tuning=tuning,
        schedule=Schedule(**rates, **rounds),  # type: ignore[arg-type]
        checkpoint=wish.work / f"{task}.safetensors" if wish.work else None,
        progress=progress,
    )
    return TrainedModel(training.report, unread)
