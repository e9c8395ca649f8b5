"""`evenhand bench predict`: resumes judged per second by a network of chunks, beside plain transformers, and training.

Both sides get the same cut resumes and share the head; times are of the processor, on one thread, the best of several
rounds that take turns. The peer pads chunks to the longest of their batch, in fp32, and is run with several batch
sizes; beside it stands transformers' own pipeline on the same chunks as texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import process_time
from typing import Any, ClassVar

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from evenhand.errors import UsageError
from evenhand.models.architectures import ARCHITECTURES
from evenhand.models.calibration import Floats
from evenhand.models.encoder.weights import find_source, padded
from evenhand.models.inference.loading import find_fitting, load_network
from evenhand.models.inference.network import NetworkClassifier
from evenhand.models.inputs import ResumeInput, input_of_text
from evenhand.models.registry import SHIPPED, Artefact, load_artefact
from evenhand.models.sequences import Ids
from evenhand.models.training.encoders import StateCache, Tuning, load_pretrained, tune
from evenhand.models.training.examples import (
    Preparation,
    PreparedExample,
    TrainingExample,
    all_sequences,
    make_batch,
    mixed_batches,
)
from evenhand.models.training.loop import be_exact
from evenhand.models.training.network import Network
from evenhand.progress import Progress, no_progress
from evenhand_lab.benchmarks.kit import Figures, Measurement, timed
from evenhand_lab.benchmarks.plain_transformers import load_bert, open_pipeline, open_plain
from evenhand_lab.training.competence import mined_applicants

# The training half of `evenhand bench predict`: tokens per second beside the same training with plain
# padding.
#
# Both fine-tune the whole shipped encoder under the same network of chunks, on the same batches, with the
# same steps of AdamW; the peer is transformers' own BERT with every chunk padded to the longest of its batch.
# The first loss of both is compared, so that nobody is fast by computing something else. The third figure is
# what training does by default: frozen layers are computed once, and only what stands above them at every
# step. Times are of the processor, on one thread.


DESIGN = ARCHITECTURES["C"]
LABELS = 5
BATCH = 4
TRAINING_ROUNDS = 2
RATE = 2e-5
MIN_RATIO = 1.5


@dataclass(frozen=True, slots=True)
class TrainingSpeed(Figures):
    """Tokens of resumes, padding not counted, per second of processor time in the best round."""

    derived: ClassVar = ("ratio",)
    resumes: int
    tokens: int
    padded_tokens: int  # as the peer computes them
    plain: float
    ours: float
    kept: float  # by default: frozen layers computed before
    reading: float  # computing those, once
    loss_gap: float  # between both on the first batch

    @property
    def ratio(self) -> float:
        return self.ours / self.plain

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("training, resumes, tokens", f"{self.resumes}, {self.tokens:,} ({self.padded_tokens:,} padded)"),
            ("transformers with padding, whole encoder", f"{self.plain:,.0f} tokens/s"),
            ("Evenhand, whole encoder", f"{self.ours:,.0f} tokens/s"),
            ("  times as fast", f"{self.ratio:.2f} (at least {MIN_RATIO:g})"),
            ("  first losses differ by", f"{self.loss_gap:.1e}"),
            ("Evenhand, upper layer by LoRA", f"{self.kept:,.0f} tokens/s"),
            ("  frozen layers, once before", f"{self.reading:,.0f} tokens/s"),
        ]


def measure_training(resumes: Sequence[ResumeInput], *, rounds: int = TRAINING_ROUNDS) -> TrainingSpeed:
    """Labels are by turns: what is learned does not matter here."""
    be_exact(0)
    examples = [TrainingExample(resume, place % LABELS) for place, resume in enumerate(resumes)]
    rows = Preparation(DESIGN, load_pretrained().rules).prepare(examples)
    batches = [[rows[place] for place in batch] for batch in mixed_batches(len(rows), size=BATCH, seed=0)]
    tokens = sum(len(ids) for row in rows for ids in row.cut.sequences)
    plain, ours = _Plain(), _Ours(None)
    readable = load_pretrained()
    tune(readable.encoder, Tuning())
    states = StateCache(readable)
    _, reading = timed(lambda: states.fill(all_sequences(rows, ())))  # the frozen layers, once
    trainees: dict[str, _Plain | _Ours] = {"plain": plain, "ours": ours, "kept": _Ours(states)}
    seconds = dict.fromkeys(trainees, float("inf"))
    losses: dict[str, float] = {}
    for _ in range(rounds):
        for name, trainee in trainees.items():
            loss, spent = _train(trainee, batches)
            losses.setdefault(name, loss)
            seconds[name] = min(seconds[name], spent)
    widest = (max(len(ids) for row in batch for ids in row.cut.sequences) for batch in batches)
    counts = (sum(len(row.cut.sequences) for row in batch) for batch in batches)
    return TrainingSpeed(
        resumes=len(rows),
        tokens=tokens,
        padded_tokens=sum(width * count for width, count in zip(widest, counts, strict=True)),
        **{name: tokens / spent for name, spent in seconds.items()},
        reading=tokens / reading,
        loss_gap=abs(losses["plain"] - losses["ours"]),
    )


def _train(trainee: _Plain | _Ours, batches: Sequence[Sequence[PreparedExample]]) -> tuple[float, float]:
    """The first loss, and the seconds that all batches took."""
    trained = [parameter for parameter in trainee.network.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=RATE, fused=True)
    losses = []
    start = process_time()
    for batch in batches:
        loss = functional.cross_entropy(trainee.logits(batch), torch.tensor([row.label for row in batch]))
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        optimizer.zero_grad()
        losses.append(float(loss.detach()))
    return losses[0], process_time() - start


class _Ours:
    def __init__(self, states: StateCache | None) -> None:
        self.states = states
        readable = load_pretrained()
        tune(readable.encoder, Tuning() if states else Tuning("full", None))
        self.network = Network(DESIGN, readable.encoder, LABELS)
        _draw(self.network.decoder)

    def logits(self, batch: Sequence[PreparedExample]) -> Tensor:
        logits: Tensor = self.network(make_batch(batch, (), self.states))
        return logits


class _Plain:
    """As anybody would write it."""

    def __init__(self) -> None:
        folder = find_source(None).folder
        self.bert = load_bert(folder, load_file(folder / "model.safetensors"))
        self.decoder = nn.Linear(self.bert.config.hidden_size, LABELS)
        _draw(self.decoder)
        self.network = nn.ModuleList([self.bert, self.decoder])

    def logits(self, batch: Sequence[PreparedExample]) -> Tensor:
        sequences: list[Ids] = [ids for row in batch for ids in row.cut.sequences]
        owner = torch.tensor([place for place, row in enumerate(batch) for _ in row.cut.sequences])
        ids, mask = (torch.from_numpy(array).long() for array in padded(sequences))
        firsts = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state[:, 0]
        logits: Tensor = self.decoder(torch.zeros(len(batch), firsts.shape[1]).index_add(0, owner, firsts))
        return logits


def _draw(decoder: nn.Linear) -> None:
    """The same for both."""
    torch.manual_seed(1)
    nn.init.normal_(decoder.weight, std=0.02)
    nn.init.zeros_(decoder.bias)


RESUMES = 60
TRAINED = 24  # of them
ROUNDS = 3
SIZES = (1, 8, 32)  # chunks at once, of the peer
PIPED = 8
PIPELINE = f"its pipeline, {PIPED} chunks at once"
MIN_PEER_RATIO, MIN_AGREEMENT = 3.0, 0.99


@dataclass(frozen=True, slots=True)
class TimedPrediction:
    name: str
    seconds: float
    agreement: float  # share of resumes with the peer's label
    difference: float  # of probabilities from the peer's, at most


@dataclass(frozen=True, slots=True)
class Predicting(Measurement):
    title: ClassVar[str] = "resumes judged per second, beside plain transformers"
    derived: ClassVar = ("ratio", "pipeline_ratio")
    model: str
    resumes: int
    chunks: int
    tokens: int
    ours: tuple[TimedPrediction, ...]  # int8, fp32
    peers: tuple[TimedPrediction, ...]
    pipeline: TimedPrediction
    training: TrainingSpeed | None = None

    @property
    def ratio(self) -> float:
        """To the fastest peer."""
        return min(peer.seconds for peer in self.peers) / self.ours[0].seconds

    @property
    def pipeline_ratio(self) -> float:
        return self.pipeline.seconds / self.ours[0].seconds

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("model, resumes, chunks, tokens", f"{self.model}, {self.resumes}, {self.chunks:,}, {self.tokens:,}"),
            *((f"Evenhand, {our.name}", self._row(our)) for our in self.ours),
            *((f"transformers, {peer.name}", self._row(peer)) for peer in self.peers),
            (f"transformers, {self.pipeline.name}", self._row(self.pipeline)),
            ("times as fast as the pipeline", f"{self.pipeline_ratio:.2f} (at least {MIN_PEER_RATIO:g})"),
            ("times as fast as the fastest of all", f"{self.ratio:.2f}"),
            ("  at the same label", f"{self.ours[0].agreement:.4f} of resumes (at least {MIN_AGREEMENT})"),
            ("  probabilities differ by at most", f"{self.ours[0].difference:.4f}"),
            *(self.training.rows() if self.training else ()),
        ]

    def _row(self, timed: TimedPrediction) -> str:
        return f"{self.resumes / timed.seconds:.2f} resumes/s, {self.tokens / timed.seconds:,.0f} tokens/s"


def run(*, n: int = RESUMES, seed: int = 1, progress: Progress = no_progress) -> Predicting:
    """Measure the shipped model of levels on `n` generated resumes, and training on some of them."""
    artefact = load_artefact(SHIPPED / "level")
    applicants = mined_applicants(n, seed, progress=progress)
    resumes = [input_of_text(applicant.text, applicant.profile) for applicant in applicants]
    found = measure(artefact, resumes, progress=progress)
    return replace(found, training=measure_training(resumes[:TRAINED]))


def measure(
    artefact: Artefact, resumes: Sequence[ResumeInput], *, rounds: int = ROUNDS, progress: Progress = no_progress
) -> Predicting:
    judges = open_judges(artefact)
    first = judges["int8"]
    if first.architecture.cut != "chunked" or first.architecture.needs_job:
        raise UsageError(f"The model {artefact.manifest.name} is no network of chunks without a job.")
    seconds = dict.fromkeys(judges, float("inf"))
    found: dict[str, Floats] = {}
    with progress("judging", rounds * len(judges)) as bar:
        for _ in range(rounds):
            for name, judge in judges.items():
                found[name], spent = timed(partial(judge.predict, resumes))
                seconds[name] = min(seconds[name], spent)
                bar.advance()
    expected = found[peer_name(SIZES[0])]
    timings = {name: compared(name, seconds[name], found[name], expected) for name in judges}
    cuts = [sequence for resume in resumes for sequence in first.cut(resume).sequences]
    return Predicting(
        model=f"{artefact.manifest.name} {artefact.manifest.version} ({first.architecture.name})",
        resumes=len(resumes),
        chunks=len(cuts),
        tokens=sum(map(len, cuts)),
        ours=(timings["int8"], timings["fp32"]),
        peers=tuple(timings[peer_name(size)] for size in SIZES),
        pipeline=timings[PIPELINE],
    )


def open_judges(artefact: Artefact) -> dict[str, NetworkClassifier]:
    def ours(precision: Any) -> NetworkClassifier:
        return load_network(artefact, encoders=(None,), precision=precision, cache=None, threads=1)

    folder = find_fitting(artefact.manifest, (None,)).folder
    full = ours("fp32")
    peers = {peer_name(size): replace(full, encoder=open_plain(artefact, folder, size=size)) for size in SIZES}
    piped = replace(full, encoder=open_pipeline(artefact, folder, size=PIPED))
    return {"int8": ours("int8"), "fp32": full, **peers, PIPELINE: piped}


def peer_name(size: int) -> str:
    return f"{size} chunk{'s' * (size > 1)} at once"


def compared(name: str, seconds: float, found: Floats, expected: Floats) -> TimedPrediction:
    same = (found.argmax(axis=1) == expected.argmax(axis=1)).mean()
    return TimedPrediction(name, seconds, float(same), float(abs(found - expected).max()))
