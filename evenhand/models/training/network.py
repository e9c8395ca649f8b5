"""The twelve networks, made from an architecture: encoder, parts, decoder."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from evenhand.errors import UsageError
from evenhand.models.architectures import Architecture
from evenhand.models.inputs import KINDS
from evenhand.models.training.examples import Sequences, TrainingBatch
from evenhand.models.training.layers import Packing, TrainableEncoder, TunedLinear, attend, attend_some

# What stands on the encoder: a vector per kind of section, attention between resume and job, mined features.

SECTION_SPREAD = 0.1


class TrainableSectionEncoder(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.vectors = nn.Embedding(len(KINDS), hidden)
        nn.init.normal_(self.vectors.weight, std=SECTION_SPREAD)

    def forward(self, kinds: Tensor) -> Tensor:
        found: Tensor = self.vectors(kinds)
        return found


class CrossAttention(nn.Module):
    """Multi-head attention with an output projection; keys and values are the same states."""

    def __init__(self, hidden: int, heads: int) -> None:
        super().__init__()
        if hidden % heads:
            raise UsageError(f"{heads} heads do not divide vectors of {hidden} numbers.")
        self.heads = heads
        self.query, self.key, self.value, self.output = (TunedLinear(hidden, hidden) for _ in range(4))
        for linear in (self.query, self.key, self.value, self.output):
            nn.init.xavier_uniform_(linear.weight)

    def first(self, queries: Tensor, rows: Tensor, packing: Packing) -> Tensor:
        """(sequences, q, H): every query (q, H) over the states of every sequence."""
        mixed = attend_some(self.query(queries).unsqueeze(0), rows, packing, self.key, self.value, self.heads)
        found: Tensor = self.output(mixed)
        return found

    def over_each(self, queries: Tensor, rows: Tensor, packing: Packing) -> Tensor:
        """(sequences, q, H): as `first`, for many queries over few sequences, whose keys and values then pay."""
        vectors = self.query(queries).unsqueeze(0)
        pairs = zip(*(part.split(packing.lengths) for part in (self.key(rows), self.value(rows))), strict=True)
        mixed = [attend(vectors, key.unsqueeze(0), value.unsqueeze(0), self.heads, None) for key, value in pairs]
        found: Tensor = self.output(torch.cat(mixed))
        return found


class FeatureJoiner(nn.Module):
    """Mined numbers, standardised as on the training resumes, through one hidden layer.

    Months count only together with a degree, and a level only against the job's, which a linear decoder cannot say.
    """

    def __init__(self, features: int, units: int, *, job: int = 0) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("scale", torch.ones(features))
        self.mean: Tensor
        self.scale: Tensor
        self.hidden = nn.Linear(features + job, units)

    def standardise(self, values: Tensor) -> None:
        """From training resumes (n, F); NaN is a value that a resume lacks. What never varies is scaled by 1."""
        known = ~values.isnan()
        count = known.sum(0).clamp(min=1)
        mean = values.nan_to_num().sum(0) / count
        spread = (((values - mean) ** 2).nan_to_num().sum(0) / count).sqrt()
        self.mean.copy_(mean)
        self.scale.copy_(torch.where(spread > 0, spread, torch.ones_like(spread)))

    def forward(self, values: Tensor, job: Tensor | None = None) -> Tensor:
        given = ((values - self.mean) / self.scale).nan_to_num()
        return torch.relu(self.hidden(given if job is None else torch.cat([given, job], dim=1)))


FEATURE_UNITS = 32


class Network(nn.Module):
    """Batches in, logits out. The formulas are in the docstring of export.py, where others rebuild them."""

    def __init__(
        self,
        architecture: Architecture,
        encoder: TrainableEncoder,
        labels: int,
        *,
        features: int = 0,
        dropout: float = 0.0,
        blind: float = 0.0,
    ) -> None:
        """`blind` is the share of resumes that, while training, are judged by their features alone."""
        super().__init__()
        hidden = encoder.shape.hidden
        self.architecture = architecture
        self.encoder = encoder
        self.sections = TrainableSectionEncoder(hidden) if architecture.sections else None
        self.attention = nn.ModuleDict()
        if architecture.job == "attention":
            blocks = ("shared",) if architecture.shared_attention else ("r2b", "b2r")
            self.attention.update({name: CrossAttention(hidden, architecture.heads) for name in blocks})
        self.has_own_job = architecture.job in {"concat", "attention"}
        self.joins_job = architecture.job == "concat" or architecture.concat_job
        self.features = FeatureJoiner(features, FEATURE_UNITS, job=hidden * self.has_own_job) if features else None
        width = hidden * (1 + self.joins_job) + FEATURE_UNITS * bool(features)
        self.dropout = nn.Dropout(dropout)
        self.blind = blind if features else 0.0
        self.decoder = nn.Linear(width, labels)
        nn.init.zeros_(self.decoder.weight)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, batch: TrainingBatch) -> Tensor:
        seen = self.represent(batch)
        if self.training and self.blind:
            # Text learns its resumes by heart before features have learned anything; who gets no text cannot do so.
            texts = seen[:, :-FEATURE_UNITS] * (torch.rand(len(seen), 1) >= self.blind)
            seen = torch.cat([texts, seen[:, -FEATURE_UNITS:]], dim=1)
        found: Tensor = self.decoder(self.dropout(seen))
        return found

    def represent(self, batch: TrainingBatch) -> Tensor:
        """(resumes, D): what the decoder sees."""
        vectors, states = self._encode(batch.resumes)
        job_vectors, job_states = self._encode(batch.jobs) if batch.jobs and self.has_own_job else (None, None)
        parts = [vectors[batch.sequence]] if self.architecture.embeddings else []
        if self.sections is not None:
            parts.append(self.sections(batch.kind))
        if states is not None and job_states is not None and job_vectors is not None:
            parts += self._attended(batch, vectors, states, job_vectors, job_states)
        found = [self._pool(batch, torch.stack(parts).sum(0))]
        own_job = None if job_vectors is None else job_vectors[batch.job]
        if self.joins_job and own_job is not None:
            found.append(own_job)
        if self.features is not None:
            found.append(self.features(batch.features, own_job))
        return torch.cat(found, dim=1)

    def _encode(self, sequences: Sequences) -> tuple[Tensor, Tensor | None]:
        """First tokens' vectors, and all tokens' where attention needs them."""
        rows, packing = sequences.states, sequences.packing
        if rows is None:
            rows = self.encoder.lower(sequences.ids, sequences.places, packing)
        if self.architecture.job != "attention":
            return self.encoder.upper_first(rows, packing), None
        states = self.encoder.upper(rows, packing)
        return states[packing.starts], states

    def _attended(
        self, batch: TrainingBatch, vectors: Tensor, states: Tensor, job_vectors: Tensor, job_states: Tensor
    ) -> list[Tensor]:
        """For every use of a sequence: the resume's c over the job's tokens, and the job's c over the resume's."""
        if batch.jobs is None:
            raise ValueError("attention needs jobs")
        job = batch.job[batch.owner]
        to_job = self._block("r2b").over_each(vectors, job_states, batch.jobs.packing)
        to_resume = self._block("b2r").first(job_vectors, states, batch.resumes.packing)
        return [to_job[job, batch.sequence], to_resume[batch.sequence, job]]

    def _block(self, direction: str) -> CrossAttention:
        block = self.attention["shared" if self.architecture.shared_attention else direction]
        if not isinstance(block, CrossAttention):  # ModuleDict does not know what it holds
            raise TypeError(type(block))
        return block

    def _pool(self, batch: TrainingBatch, vectors: Tensor) -> Tensor:
        if self.architecture.sections and self.architecture.binding == "gelu":
            vectors = functional.gelu(vectors)
        count = len(batch.labels)
        pooled = torch.zeros(count, vectors.shape[1], device=vectors.device).index_add(0, batch.owner, vectors)
        if self.architecture.pooling == "sum":
            return pooled
        return pooled / torch.bincount(batch.owner, minlength=count).unsqueeze(1)
