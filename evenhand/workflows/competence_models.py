"""From labels, or from generated applicants, to a model in a folder: what `evenhand train level | fit` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evenhand.mining.research import FEATURES
from evenhand.plugins import generated_resumes
from evenhand.settings import Settings
from evenhand.workflows.competence_data import CompetenceData, Task
from evenhand.workflows.competence_training import CompetenceReport, train_competence
from evenhand.workflows.labelled_resumes import own_data
from evenhand.workflows.watching import Watch, unwatched

GENERATED = 1500  # applicants, where nobody's labels are given


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be learned from, and how; the rest has its defaults."""

    labels_file: Path | None = None
    labels: Sequence[str] = ()  # levels from the lowest to the highest
    n: int = GENERATED
    seed: int = 0
    design: str | None = None
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
    task: Task, out: Path, wish: Wish, *, settings: Settings | None = None, watch: Watch = unwatched
) -> TrainedModel:
    from evenhand.models.learning.encoders import Tuning  # noqa: PLC0415 - loads torch
    from evenhand.models.learning.schedule import Schedule  # noqa: PLC0415

    data, unread = _data(task, wish, settings, watch)
    tuning = Tuning("full", None) if wish.full else Tuning(layers=wish.layers)
    # As published for full fine-tuning; else what the development part of generated applicants prefers.
    rates = {"rate": 2e-5} if wish.full else {"rate": 1e-4, "head_rate": 1e-3, "dropout": 0.5}
    rounds = {"epochs": wish.epochs} if wish.epochs else {}
    training = train_competence(
        task,
        data=data,
        out=out,
        design=wish.design,
        seed=wish.seed,
        features=FEATURES if wish.with_features else (),
        encoder=wish.encoder,
        tuning=tuning,
        schedule=Schedule(**rates, **rounds),  # type: ignore[arg-type]
        checkpoint=wish.work / f"{task}.safetensors" if wish.work else None,
        watch=watch,
    )
    return TrainedModel(training.report, unread)


def _data(
    task: Task, wish: Wish, settings: Settings | None, watch: Watch
) -> tuple[CompetenceData, tuple[tuple[str, str], ...]]:
    if wish.labels_file is not None:
        own = own_data(
            task, wish.labels_file, labels=wish.labels, seed=wish.seed, settings=settings, watch=watch
        )
        return own.data, own.unread
    return generated_resumes().competence_data(task, wish.n, wish.seed, cache=wish.work, watch=watch), ()
