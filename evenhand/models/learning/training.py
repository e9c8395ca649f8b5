"""Training a network: examples in, the network of the best epoch on DEV out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from evenhand.errors import UsageError
from evenhand.models.competence.batching import mixed_batches, same_count_batches
from evenhand.models.competence.cutting import Ids
from evenhand.models.competence.designs import Design
from evenhand.models.competence.pruning import count_words
from evenhand.models.encoder.weights import EncoderSource
from evenhand.models.learning.checkpoint import State, read_checkpoint, restore, snapshot, write_checkpoint
from evenhand.models.learning.encoders import Readable, Tuning, load_readable, tune
from evenhand.models.learning.exactness import be_exact
from evenhand.models.learning.examples import (
    Example,
    Preparation,
    Prepared,
    all_sequences,
    digest_of,
    feature_matrix,
    make_batch,
)
from evenhand.models.learning.network import Network
from evenhand.models.learning.schedule import Epoch, Listener, Progress, Schedule
from evenhand.models.learning.states import KeptStates

LEAST_DOCUMENTS = 5  # of a word that a pruning model may ship
JUDGED_TOGETHER = 16


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """A network of its best epoch; `logits` judges other resumes with it."""

    network: Network
    preparation: Preparation
    labels: tuple[str, ...]
    source: EncoderSource
    history: tuple[Epoch, ...]
    best: Epoch
    states: KeptStates | None

    def logits(self, examples: Sequence[Example]) -> NDArray[np.float64]:
        """(examples, labels)"""
        rows = self.preparation.prepare(examples)
        found = _logits(self.network, rows, self.preparation.job_sequences(), self.states)
        return np.asarray(found.double().numpy())


def train_network(
    design: Design,
    trn: Sequence[Example],
    dev: Sequence[Example],
    *,
    labels: Sequence[str],
    jobs: Sequence[str] = (),
    features: Sequence[str] = (),
    encoder: str | Path | None = None,
    tuning: Tuning | None = None,
    schedule: Schedule | None = None,
    states: KeptStates | None = None,
    checkpoint: Path | None = None,
    listener: Listener | None = None,
) -> Trained:
    """`states` of an earlier training are shared (`Trained.states`); `checkpoint` is gone on with if it exists."""
    tuning, schedule = tuning or Tuning(), schedule or Schedule()
    if not trn or not dev:
        raise UsageError("Training needs resumes to learn from, and others to choose the best epoch by.")
    be_exact(schedule.seed)
    readable = load_readable(encoder)
    tune(readable.encoder, tuning, design)
    words = None
    if design.cut == "pruned":
        texts = {id(example.resume): example.resume.text for example in trn}
        words = count_words(texts.values(), least_documents=LEAST_DOCUMENTS)
    preparation = Preparation(design, readable.rules, words, tuple(jobs), tuple(features))
    network = Network(
        design,
        readable.encoder,
        len(labels),
        features=len(features),
        dropout=schedule.dropout,
        blind=schedule.blind,
    )
    run = _Run(network, preparation, schedule, listener)
    run.take(preparation.prepare(trn), preparation.prepare(dev))
    run.keep_states(readable, states)
    told = {"labels": list(labels), "tuning": asdict(tuning), "encoder": dict(readable.source.sha256)}
    best = run.train(checkpoint, told)
    return Trained(
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
        self, network: Network, preparation: Preparation, schedule: Schedule, listener: Listener | None
    ) -> None:
        self.network = network
        self.preparation = preparation
        self.schedule = schedule
        self.listener = listener
        self.jobs: list[Ids] = preparation.job_sequences()
        self.trn: list[Prepared] = []
        self.dev: list[Prepared] = []
        self.states: KeptStates | None = None
        self.state = State(network, _optimizer(network, schedule))
        self.steps = 0  # of a training that is not stopped early

    def take(self, trn: list[Prepared], dev: list[Prepared]) -> None:
        self.trn, self.dev = trn, dev
        if self.network.features is not None:
            self.network.features.standardise(feature_matrix(trn))

    def keep_states(self, readable: Readable, shared: KeptStates | None) -> None:
        """Where nothing is frozen there is nothing to keep."""
        if readable.encoder.frozen == 0:
            return
        self.states = shared.matching(readable) if shared else KeptStates(readable)
        self.states.fill(all_sequences([*self.trn, *self.dev], self.jobs), self._tell_reading)

    def train(self, checkpoint: Path | None, told: Mapping[str, object]) -> Epoch:
        fingerprint = self._fingerprint(told)
        state, schedule = self.state, self.schedule
        per_epoch = -(-len(self._batches(1)) // schedule.accumulation)  # as many in every epoch
        self.steps = schedule.epochs * per_epoch
        if checkpoint:
            read_checkpoint(checkpoint, state, fingerprint)
        while len(state.history) < schedule.epochs and not self._has_stalled():
            epoch = self._epoch(len(state.history) + 1)
            state.history.append(epoch)
            if epoch.is_better(state.best):
                state.best, state.best_tensors = epoch, snapshot(self.network)
            if checkpoint:
                write_checkpoint(checkpoint, state, fingerprint)
        if state.best is None:
            raise UsageError("Training takes one epoch at least.")
        restore(self.network, state.best_tensors)
        self.network.eval()
        return state.best

    def _has_stalled(self) -> bool:
        best = self.state.best
        return best is not None and len(self.state.history) - best.number >= self.schedule.patience

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
        if self.schedule.same_count:
            return same_count_batches([len(row.cut.sequences) for row in self.trn], seed=seed)
        return mixed_batches(len(self.trn), size=self.schedule.batch, seed=seed)

    def _measure(self) -> tuple[float, float]:
        logits = _logits(self.network, self.dev, self.jobs, self.states)
        labels = torch.tensor([row.label for row in self.dev])
        loss = functional.cross_entropy(logits, labels)
        return float(loss), float((logits.argmax(1) == labels).double().mean())

    def _fingerprint(self, told: Mapping[str, object]) -> str:
        settings = {
            "schedule": asdict(self.schedule),
            "design": self.preparation.design.to_json(),
            "features": self.preparation.features,
            **told,
        }
        found = hashlib.sha256(json.dumps(settings, sort_keys=True).encode())
        found.update(digest_of([*self.trn, *self.dev], self.jobs))
        return found.hexdigest()

    def _tell_reading(self, done: int, total: int) -> None:
        if self.listener:
            self.listener(Progress("reading", 0, self.schedule.epochs, done, total))

    def _tell(
        self, epoch: int, done: int, total: int, loss: float, accuracy: float, dev: float | None = None
    ) -> None:
        if self.listener:
            self.listener(Progress("training", epoch, self.schedule.epochs, done, total, loss, accuracy, dev))


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
    network: Network, rows: Sequence[Prepared], jobs: Sequence[Ids], states: KeptStates | None
) -> Tensor:
    network.eval()
    found = []
    for start in range(0, len(rows), JUDGED_TOGETHER):
        some = rows[start : start + JUDGED_TOGETHER]
        if states is not None:
            states.fill(all_sequences(some, jobs))
        found.append(network(make_batch(some, jobs, states)))
    return torch.cat(found)
