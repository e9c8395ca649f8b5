"""Training a network: examples in, the network of the best epoch on DEV out."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from evenhand.errors import UsageError
from evenhand.models.architectures import Architecture
from evenhand.models.encoder.weights import EncoderSource
from evenhand.models.sequences import Ids, count_words
from evenhand.models.training.encoders import LoadedEncoder, StateCache, Tuning, load_pretrained, tune
from evenhand.models.training.examples import (
    Preparation,
    PreparedExample,
    TrainingExample,
    all_sequences,
    fingerprint_of,
    make_batch,
    mixed_batches,
)
from evenhand.models.training.network import Network

# Numbers of a training, with their defaults and why, and what is heard of it while it runs.


@dataclass(frozen=True, slots=True)
class Schedule:
    """Cross-entropy, AdamW, linear decay after a warm-up; the best epoch on DEV is kept."""

    epochs: int = 20
    batch: int = 8  # resumes
    accumulation: int = 1  # batches per step
    rate: float = 1e-3  # of the encoder's own part; 2e-5 as published for full fine-tuning
    head_rate: float = 1e-3  # of sections, attention, decoder
    feature_rate: float = 5e-3  # of what joins mined features
    weight_decay: float = 0.01
    warm_up: float = 0.1  # share of all steps
    clip: float = 1.0
    dropout: float = 0.1  # before the decoder
    blind: float = 0.7  # share of resumes judged by features alone, where there are any; while training only
    patience: int = 5  # epochs without a better one on DEV
    seed: int = 0

    def factor(self, step: int, steps: int) -> float:
        """Of the learning rate at a step, counted from 0."""
        warm = max(1, round(self.warm_up * steps))
        return (step + 1) / warm if step < warm else max(0.0, (steps - step) / max(1, steps - warm))


@dataclass(frozen=True, slots=True)
class Epoch:
    """`loss` and `accuracy` are means over the training resumes as they were met."""

    number: int
    loss: float
    accuracy: float
    dev_loss: float
    dev_accuracy: float

    @property
    def merit(self) -> tuple[float, float]:
        """The higher the better: accuracy on DEV, and the smaller loss among equals."""
        return self.dev_accuracy, -self.dev_loss


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """How far a training is: `done` of `total` batches of an epoch; `dev_accuracy` once the epoch is over.

    `stage` is "reading" while frozen layers are computed; `done` and `total` then count tokens.
    """

    stage: str
    epoch: int
    epochs: int
    done: int
    total: int
    loss: float | None = None
    accuracy: float | None = None
    dev_accuracy: float | None = None


Listener = Callable[[TrainingProgress], None]


# A training between two epochs as one safetensors file, so that an interrupted one goes on as if nothing had been.

MOMENTS = ("exp_avg", "exp_avg_sq", "step")


@dataclass(slots=True)
class TrainingState:
    """All that changes while a network learns."""

    network: nn.Module
    optimizer: torch.optim.Optimizer
    step: int = 0
    history: list[Epoch] = field(default_factory=list)
    best: Epoch | None = None
    best_tensors: dict[str, Tensor] = field(default_factory=dict)


def learned(network: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """What training changes or fixes; the rest is the encoder's own."""
    yield from ((name, value) for name, value in network.named_parameters() if value.requires_grad)
    yield from network.named_buffers()


def snapshot(network: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in learned(network)}


@torch.no_grad()
def restore(network: nn.Module, tensors: dict[str, Tensor]) -> None:
    for name, value in learned(network):
        value.copy_(tensors[name])


def write_checkpoint(path: Path, state: TrainingState, fingerprint: str) -> None:
    tensors = {f"now.{name}": value for name, value in snapshot(state.network).items()}
    tensors |= {f"best.{name}": value for name, value in state.best_tensors.items()}
    for name, parameter in state.network.named_parameters():
        for moment, value in state.optimizer.state.get(parameter, {}).items():
            tensors[f"{moment}.{name}"] = value
    tensors["random"] = torch.get_rng_state()
    notes = {
        "fingerprint": fingerprint,
        "step": state.step,
        "history": [asdict(epoch) for epoch in state.history],
        "best": asdict(state.best) if state.best else None,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    save_file(tensors, beside, {"told": json.dumps(notes)})
    beside.replace(path)


def read_checkpoint(path: Path, state: TrainingState, fingerprint: str) -> None:
    """Nothing where there is none; UsageError where it belongs to another training, which going on would spoil."""
    if not path.exists():
        return
    try:
        with safe_open(path, "pt") as file:
            notes = json.loads(file.metadata()["told"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"The checkpoint {path} cannot be read: {error}.") from error
    if notes["fingerprint"] != fingerprint:
        raise UsageError(
            f"The checkpoint {path} belongs to a training with other resumes or settings; remove it or name another."
        )

    def part(prefix: str) -> dict[str, Tensor]:
        return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}

    restore(state.network, part("now."))
    state.best_tensors = part("best.")
    moments = {moment: part(f"{moment}.") for moment in MOMENTS}
    for name, parameter in state.network.named_parameters():
        if name in moments["step"]:
            state.optimizer.state[parameter] = {moment: moments[moment][name] for moment in MOMENTS}
    torch.set_rng_state(tensors["random"])
    state.step = notes["step"]
    state.history = [Epoch(**epoch) for epoch in notes["history"]]
    state.best = Epoch(**notes["best"]) if notes["best"] else None


# The same bytes from the same seed: one thread, fixed orders of sums.


def be_exact(seed: int) -> None:
    """For this process, from here on. Sums over several threads depend on how many there are."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)


MIN_DOCUMENTS = 5  # of a word that a pruning model may ship
JUDGED_TOGETHER = 16


@dataclass(frozen=True, slots=True, eq=False)
class TrainedNetwork:
    """A network of its best epoch; `logits` judges other resumes with it."""

    network: Network
    preparation: Preparation
    labels: tuple[str, ...]
    source: EncoderSource
    history: tuple[Epoch, ...]
    best: Epoch
    states: StateCache | None

    def logits(self, examples: Sequence[TrainingExample]) -> NDArray[np.float64]:
        """(examples, labels)"""
        rows = self.preparation.prepare(examples)
        found = _logits(self.network, rows, self.preparation.job_sequences(), self.states)
        return np.asarray(found.double().numpy())


def train_network(
    architecture: Architecture,
    trn: Sequence[TrainingExample],
    dev: Sequence[TrainingExample],
    *,
    labels: Sequence[str],
    jobs: Sequence[str] = (),
    features: Sequence[str] = (),
    encoder: str | Path | None = None,
    tuning: Tuning | None = None,
    schedule: Schedule | None = None,
    states: StateCache | None = None,
    checkpoint: Path | None = None,
    listener: Listener | None = None,
) -> TrainedNetwork:
    """`states` of an earlier training are shared (`TrainedNetwork.states`); an existing `checkpoint` is continued."""
    tuning, schedule = tuning or Tuning(), schedule or Schedule()
    if not trn or not dev:
        raise UsageError("Training needs resumes to learn from, and others to choose the best epoch by.")
    be_exact(schedule.seed)
    readable = load_pretrained(encoder)
    tune(readable.encoder, tuning, architecture)
    words = None
    if architecture.cut == "pruned":
        texts = {id(example.resume): example.resume.text for example in trn}
        words = count_words(texts.values(), least_documents=MIN_DOCUMENTS)
    preparation = Preparation(architecture, readable.rules, words, tuple(jobs), tuple(features))
    network = Network(
        architecture,
        readable.encoder,
        len(labels),
        features=len(features),
        dropout=schedule.dropout,
        blind=schedule.blind,
    )
    run = _Run(network, preparation, schedule, listener, preparation.prepare(trn), preparation.prepare(dev))
    run.keep_states(readable, states)
    told = {"labels": list(labels), "tuning": asdict(tuning), "encoder": dict(readable.source.sha256)}
    best = run.train(checkpoint, told)
    return TrainedNetwork(
        network=network,
        preparation=preparation,
        labels=tuple(labels),
        source=readable.source,
        history=tuple(run.state.history),
        best=best,
        states=run.states,
    )


class _Run:
    """One training; every method a step of it, in this order."""

    def __init__(
        self,
        network: Network,
        preparation: Preparation,
        schedule: Schedule,
        listener: Listener | None,
        trn: list[PreparedExample],
        dev: list[PreparedExample],
    ) -> None:
        self.network = network
        self.preparation = preparation
        self.schedule = schedule
        self.listener = listener
        self.jobs: list[Ids] = preparation.job_sequences()
        self.trn, self.dev = trn, dev
        self.states: StateCache | None = None
        self.state = TrainingState(network, _optimizer(network, schedule))
        self.steps = 0  # of a training that is not stopped early
        if network.features is not None:
            network.features.standardise(torch.stack([row.features for row in trn]))

    def keep_states(self, readable: LoadedEncoder, shared: StateCache | None) -> None:
        """Where nothing is frozen there is nothing to keep."""
        if readable.encoder.frozen == 0:
            return
        self.states = shared.matching(readable) if shared else StateCache(readable)
        self.states.fill(all_sequences([*self.trn, *self.dev], self.jobs), self._tell_reading)

    def train(self, checkpoint: Path | None, told: Mapping[str, object]) -> Epoch:
        fingerprint = self._fingerprint(told)
        state, schedule = self.state, self.schedule
        per_epoch = -(-len(self._batches(1)) // schedule.accumulation)  # as many in every epoch
        self.steps = schedule.epochs * per_epoch
        if checkpoint:
            read_checkpoint(checkpoint, state, fingerprint)
        while len(state.history) < schedule.epochs:
            if state.best is not None and len(state.history) - state.best.number >= schedule.patience:
                break
            epoch = self._epoch(len(state.history) + 1)
            state.history.append(epoch)
            if state.best is None or epoch.merit > state.best.merit:
                state.best, state.best_tensors = epoch, snapshot(self.network)
            if checkpoint:
                write_checkpoint(checkpoint, state, fingerprint)
        if state.best is None:
            raise UsageError("Training takes one epoch at least.")
        restore(self.network, state.best_tensors)
        self.network.eval()
        return state.best

    def _epoch(self, number: int) -> Epoch:
        batches = self._batches(number)
        per_step = self.schedule.accumulation
        loss = right = seen = 0.0
        self.network.train()
        for start in range(0, len(batches), per_step):
            group = batches[start : start + per_step]
            group_loss, group_right = self._step(group)
            loss, right = loss + group_loss, right + group_right
            seen += sum(map(len, group))
            self._tell(number, start + len(group), len(batches), loss / seen, right / seen)
        dev_loss, dev_accuracy = self._measure()
        epoch = Epoch(number, loss / seen, right / seen, dev_loss, dev_accuracy)
        self._tell(number, len(batches), len(batches), epoch.loss, epoch.accuracy, dev_accuracy)
        return epoch

    def _step(self, batches: Sequence[Sequence[int]]) -> tuple[float, float]:
        """The sum of losses and of right answers; each resume of the group weighs the same."""
        count = sum(map(len, batches))
        loss = right = 0.0
        for positions in batches:
            batch = make_batch([self.trn[position] for position in positions], self.jobs, self.states)
            logits = self.network(batch)
            total = functional.cross_entropy(logits, batch.labels, reduction="sum")
            (total / count).backward()  # type: ignore[no-untyped-call]
            loss += float(total.detach())
            right += float((logits.argmax(1) == batch.labels).sum())
        parameters = [parameter for parameter in self.network.parameters() if parameter.requires_grad]
        nn.utils.clip_grad_norm_(parameters, self.schedule.clip)
        factor = self.schedule.factor(self.state.step, self.steps)
        for group in self.state.optimizer.param_groups:
            group["lr"] = group["full_rate"] * factor
        self.state.optimizer.step()
        self.state.optimizer.zero_grad()
        self.state.step += 1
        return loss, right

    def _batches(self, epoch: int) -> list[list[int]]:
        seed = self.schedule.seed * 1_000_003 + epoch
        return mixed_batches(len(self.trn), size=self.schedule.batch, seed=seed)

    def _measure(self) -> tuple[float, float]:
        logits = _logits(self.network, self.dev, self.jobs, self.states)
        labels = torch.tensor([row.label for row in self.dev])
        loss = functional.cross_entropy(logits, labels)
        return float(loss), float((logits.argmax(1) == labels).double().mean())

    def _fingerprint(self, told: Mapping[str, object]) -> str:
        settings = {
            "schedule": asdict(self.schedule),
            "design": self.preparation.architecture.to_json(),
            "features": self.preparation.features,
            **told,
        }
        found = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
        found.update(fingerprint_of([*self.trn, *self.dev], self.jobs))
        return found.hexdigest()

    def _tell_reading(self, done: int, total: int) -> None:
        if self.listener:
            self.listener(TrainingProgress("reading", 0, self.schedule.epochs, done, total))

    def _tell(self, epoch: int, done: int, total: int, loss: float, accuracy: float, dev: float | None = None) -> None:
        if self.listener:
            self.listener(TrainingProgress("training", epoch, self.schedule.epochs, done, total, loss, accuracy, dev))


def _optimizer(network: Network, schedule: Schedule) -> torch.optim.Optimizer:
    """Biases and norms do not decay."""
    rates = {"encoder": schedule.rate, "features": schedule.feature_rate}
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, value in network.named_parameters():
        if value.requires_grad:
            rate = rates.get(name.partition(".")[0], schedule.head_rate)
            decay = schedule.weight_decay if value.ndim > 1 else 0.0
            groups.setdefault((rate, decay), []).append(value)
    return torch.optim.AdamW(
        [
            {"params": values, "lr": rate, "full_rate": rate, "weight_decay": decay}
            for (rate, decay), values in groups.items()
        ],
        fused=True,
    )


@torch.inference_mode()
def _logits(
    network: Network, rows: Sequence[PreparedExample], jobs: Sequence[Ids], states: StateCache | None
) -> Tensor:
    network.eval()
    found = []
    for start in range(0, len(rows), JUDGED_TOGETHER):
        some = rows[start : start + JUDGED_TOGETHER]
        if states is not None:
            states.fill(all_sequences(some, jobs))
        found.append(network(make_batch(some, jobs, states)))
    return torch.cat(found)
