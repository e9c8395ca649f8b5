"""The training half of `evenhand bench predict`: tokens per second beside the same training with plain padding.

Both fine-tune the whole shipped encoder under the same network of chunks, on the same batches, with the same steps of
AdamW; the peer is transformers' own BERT with every chunk padded to the longest of its batch. The first loss of both is
compared, so that nobody is fast by computing something else. The third figure is what training does by default: frozen
layers are computed once, and only what stands above them at every step. Times are of the processor, on one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from time import process_time
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertModel

from evenhand.models.competence.batching import mixed_batches
from evenhand.models.competence.cutting import Ids
from evenhand.models.competence.designs import DESIGNS
from evenhand.models.encoder.tokens import padded
from evenhand.models.encoder.weights import find_source
from evenhand.models.inputs import ResumeInput
from evenhand.models.learning import Example, KeptStates, Tuning, be_exact
from evenhand.models.learning.encoders import load_readable, tune
from evenhand.models.learning.examples import Preparation, Prepared, all_sequences, make_batch
from evenhand.models.learning.network import Network

DESIGN = DESIGNS["C"]
LABELS = 5
BATCH = 4
ROUNDS = 2
RATE = 2e-5
LEAST_RATIO = 1.5


@dataclass(frozen=True, slots=True)
class TrainingSpeed:
    """Tokens of resumes, padding not counted, per second of processor time in the best round."""

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

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"ratio": self.ratio}

    def rows(self) -> list[tuple[str, str]]:
        return [
            ("training, resumes, tokens", f"{self.resumes}, {self.tokens:,} ({self.padded_tokens:,} padded)"),
            ("transformers with padding, whole encoder", f"{self.plain:,.0f} tokens/s"),
            ("Evenhand, whole encoder", f"{self.ours:,.0f} tokens/s"),
            ("  times as fast", f"{self.ratio:.2f} (at least {LEAST_RATIO:g})"),
            ("  first losses differ by", f"{self.loss_gap:.1e}"),
            ("Evenhand, upper layer by LoRA", f"{self.kept:,.0f} tokens/s"),
            ("  frozen layers, once before", f"{self.reading:,.0f} tokens/s"),
        ]


def measure_training(resumes: Sequence[ResumeInput], *, rounds: int = ROUNDS) -> TrainingSpeed:
    """Labels are by turns: what is learned does not matter here."""
    be_exact(0)
    rows = _prepare(resumes)
    batches = [[rows[place] for place in batch] for batch in mixed_batches(len(rows), size=BATCH, seed=0)]
    tokens = sum(len(ids) for row in rows for ids in row.cut.sequences)
    plain, ours, (kept, reading) = _Plain(), _Ours(None), _with_states(rows)
    seconds = {"plain": float("inf"), "ours": float("inf"), "kept": float("inf")}
    losses: dict[str, float] = {}
    for _ in range(rounds):
        for name, trainee in (("plain", plain), ("ours", ours), ("kept", kept)):
            found, spent = _train(trainee, batches)
            losses.setdefault(name, found)
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


def _prepare(resumes: Sequence[ResumeInput]) -> list[Prepared]:
    examples = [Example(resume, place % LABELS) for place, resume in enumerate(resumes)]
    return Preparation(DESIGN, load_readable().rules).prepare(examples)


def _with_states(rows: Sequence[Prepared]) -> tuple[_Ours, float]:
    """Ready to train as by default, and how long the frozen layers took."""
    readable = load_readable()
    tune(readable.encoder, Tuning())
    states = KeptStates(readable)
    start = process_time()
    states.fill(all_sequences(rows, ()))
    return _Ours(states), process_time() - start


def _train(trainee: _Plain | _Ours, batches: Sequence[Sequence[Prepared]]) -> tuple[float, float]:
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
    def __init__(self, states: KeptStates | None) -> None:
        self.states = states
        readable = load_readable()
        tune(readable.encoder, Tuning() if states else Tuning("full", None))
        self.network = Network(DESIGN, readable.encoder, LABELS)
        _draw(self.network.decoder)

    def logits(self, batch: Sequence[Prepared]) -> Tensor:
        found: Tensor = self.network(make_batch(batch, (), self.states))
        return found


class _Plain:
    """As anybody would write it."""

    def __init__(self) -> None:
        untyped: Any = BertModel
        folder = find_source(None).folder
        self.bert = untyped(BertConfig.from_pretrained(folder), add_pooling_layer=False).eval()
        weights = load_file(folder / "model.safetensors")
        self.bert.load_state_dict({name: weights[name] for name in self.bert.state_dict() if name in weights})
        self.decoder = nn.Linear(self.bert.config.hidden_size, LABELS)
        _draw(self.decoder)
        self.network = nn.ModuleList([self.bert, self.decoder])

    def logits(self, batch: Sequence[Prepared]) -> Tensor:
        sequences: list[Ids] = [ids for row in batch for ids in row.cut.sequences]
        owner = torch.tensor([place for place, row in enumerate(batch) for _ in row.cut.sequences])
        ids, mask = (torch.from_numpy(array).long() for array in padded(sequences))
        firsts = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state[:, 0]
        summed = torch.zeros(len(batch), firsts.shape[1]).index_add(0, owner, firsts)
        found: Tensor = self.decoder(summed)
        return found


def _draw(decoder: nn.Linear) -> None:
    """The same for both."""
    torch.manual_seed(1)
    nn.init.normal_(decoder.weight, std=0.02)
    nn.init.zeros_(decoder.bias)
