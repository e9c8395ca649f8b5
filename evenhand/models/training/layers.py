"""An encoder of BERT's or RoBERTa's build as torch modules that work on packed rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

# Sequences of different lengths in one matrix, a row per token and no padding; only attention sees them apart. It pads,
# but only sequences of like length to each other.

MIN_SHARE = 2 / 3  # of the longest sequence it is padded to


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """Neighbouring sequences, padded to one width where they differ."""

    first: int  # sequence
    rows: slice
    lengths: tuple[int, ...]
    width: int
    index: Tensor | None  # (sequences, width): rows from the bucket's first; None if nothing needs padding
    mask: Tensor | None  # (sequences, width): which are real

    def padded(self, rows: Tensor) -> Tensor:
        """(sequences, width, ...) of the bucket's part of all rows."""
        own = rows[self.rows]
        if self.index is None:
            return own.reshape(len(self.lengths), self.width, *own.shape[1:])
        return own[self.index]


@dataclass(frozen=True)
class Packing:
    """Where each sequence's rows are; the longest come first, so that like lengths are neighbours."""

    lengths: tuple[int, ...]
    buckets: tuple[Bucket, ...]

    @cached_property
    def starts(self) -> Tensor:
        """(sequences): the row of each one's first token."""
        return torch.tensor([0, *accumulate(self.lengths)][:-1])

    @property
    def tokens(self) -> int:
        return sum(self.lengths)


def pack(lengths: Sequence[int]) -> Packing:
    if any(a < b for a, b in pairwise(lengths)):
        raise ValueError("sequences are packed longest first")
    buckets: list[Bucket] = []
    start = row = 0
    for position in range(1, len(lengths) + 1):
        if position < len(lengths) and lengths[position] >= MIN_SHARE * lengths[start]:
            continue
        buckets.append(_bucket(start, row, lengths[start:position]))
        row += sum(lengths[start:position])
        start = position
    return Packing(tuple(lengths), tuple(buckets))


def _bucket(first: int, row: int, lengths: Sequence[int]) -> Bucket:
    width = lengths[0]
    rows = slice(row, row + sum(lengths))
    if lengths[-1] == width:
        return Bucket(first, rows, tuple(lengths), width, None, None)
    sizes = torch.tensor(lengths).unsqueeze(1)
    places = torch.arange(width).unsqueeze(0)
    mask = places < sizes
    starts = (sizes.cumsum(0) - sizes).expand(-1, width)
    index = torch.where(mask, starts + places, starts)  # padding repeats a sequence's first token
    return Bucket(first, rows, tuple(lengths), width, index, mask)


# A linear map that is frozen, trained, or frozen with a small trained addition (LoRA).


class TunedLinear(nn.Module):
    """y = x (weight + up @ down)^T + bias; `down` and `up` are there once the map is adapted."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs, inputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.register_parameter("down", None)
        self.register_parameter("up", None)
        self.down: nn.Parameter | None
        self.up: nn.Parameter | None

    def adapt(self, rank: int) -> None:
        """Adds nothing yet: `up` begins with zeros. Chance is drawn from torch's own seed."""
        outputs, inputs = self.weight.shape
        self.down = nn.Parameter(torch.empty(rank, inputs).uniform_(-1, 1) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, rank))

    def merged(self) -> Tensor:
        """The plain matrix. To multiply few rows, or to use it sideways; many rows go through `forward`, whose
        way back does without a gradient as large as the matrix."""
        if self.down is None or self.up is None:
            return self.weight
        return self.weight + self.up @ self.down

    def forward(self, rows: Tensor) -> Tensor:
        found = functional.linear(rows, self.weight, self.bias)
        if self.down is None or self.up is None:
            return found
        return found + functional.linear(functional.linear(rows, self.down), self.up)


# Attention over packed rows: every token to every other of its sequence, or a few queries to all tokens of each.


def attend_all(query: Tensor, key: Tensor, value: Tensor, packing: Packing, heads: int) -> Tensor:
    """Rows in, rows out: each token's mixture of the values of its own sequence."""
    mixed = []
    for bucket in packing.buckets:
        states = attend(bucket.padded(query), bucket.padded(key), bucket.padded(value), heads, bucket.mask)
        mixed.append(states.flatten(0, 1) if bucket.mask is None else states[bucket.mask])  # back to rows
    return torch.cat(mixed)


def attend(query: Tensor, key: Tensor, value: Tensor, heads: int, mask: Tensor | None) -> Tensor:
    """(g, q, H) from (g, q, H) over (g, k, H); `mask` (g, k) says which of the latter are real."""
    q, k, v = (by_head(states, heads).transpose(1, 2) for states in (query, key, value))
    real = None if mask is None else mask[:, None, None, :]
    return functional.scaled_dot_product_attention(q, k, v, attn_mask=real).transpose(1, 2).flatten(2)


def by_head(states: Tensor, heads: int) -> Tensor:
    return states.reshape(*states.shape[:-1], heads, states.shape[-1] // heads)


def attend_some(
    queries: Tensor, rows: Tensor, packing: Packing, key: TunedLinear, value: TunedLinear, heads: int
) -> Tensor:
    """(sequences, q, H): mixtures of values for q queries (sequences or 1, q, H) per sequence, without keys or values.

    query . (K x) is (K^T query) . x, and a mixture of (V x) is V of the mixture of x: with a few queries it is far
    cheaper to bring them to the tokens than to make a key and a value of every token. It is the same sum in another
    order. The key's bias adds the same to all scores of a query and so drops out.
    """
    width = queries.shape[-1] // heads
    to_keys, to_values = (linear.merged().reshape(heads, width, -1) for linear in (key, value))
    brought = torch.einsum("sqhd,hdi->sqhi", by_head(queries, heads), to_keys) / width**0.5
    brought = brought.flatten(1, 2)
    parts = []
    for bucket in packing.buckets:
        states = bucket.padded(rows)
        own = brought if len(brought) == 1 else brought[bucket.first : bucket.first + len(states)]
        scores = own @ states.transpose(1, 2)
        if bucket.mask is not None:
            scores = scores.masked_fill(~bucket.mask.unsqueeze(1), float("-inf"))
        parts.append(torch.bmm(scores.softmax(-1), states))  # (sequences, q x heads, H)
    mixed = torch.cat(parts)
    mixed = mixed.reshape(len(mixed), -1, heads, mixed.shape[-1])
    return torch.einsum("sqhi,hdi->sqhd", mixed, to_values).flatten(2) + value.bias


# A part of a layer here, and what the published files call it.
LINEARS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
NORMS = {"mix_norm": "attention.output.LayerNorm", "narrow_norm": "output.LayerNorm"}
EMBEDDINGS = {
    "words": "embeddings.word_embeddings",
    "positions": "embeddings.position_embeddings",
    "types": "embeddings.token_type_embeddings",
    "norm": "embeddings.LayerNorm",
}


@dataclass(frozen=True, slots=True)
class EncoderShape:
    """The numbers of a config.json that decide what is computed."""

    vocabulary: int
    hidden: int
    heads: int
    layers: int
    inner: int
    positions: int
    types: int
    epsilon: float
    first_position: int = 0  # RoBERTa leaves out the first ones
    has_pooler: bool = True

    @property
    def tokens(self) -> int:
        """The longest sequence that can be read."""
        return self.positions - self.first_position


class Layer(nn.Module):
    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.query, self.key, self.value, self.mix = (TunedLinear(shape.hidden, shape.hidden) for _ in range(4))
        self.wide = TunedLinear(shape.hidden, shape.inner)
        self.narrow = TunedLinear(shape.inner, shape.hidden)
        self.mix_norm = nn.LayerNorm(shape.hidden, shape.epsilon)
        self.narrow_norm = nn.LayerNorm(shape.hidden, shape.epsilon)

    def forward(self, rows: Tensor, packing: Packing) -> Tensor:
        mixed = attend_all(self.query(rows), self.key(rows), self.value(rows), packing, self.heads)
        return self._finish(rows, mixed)

    def first(self, rows: Tensor, packing: Packing) -> Tensor:
        """(sequences, H): what `forward` gives at each sequence's first token, and nothing else is computed."""
        firsts = rows[packing.starts]
        queries = self.query(firsts).unsqueeze(1)
        mixed = attend_some(queries, rows, packing, self.key, self.value, self.heads)
        return self._finish(firsts, mixed.squeeze(1))

    def _finish(self, rows: Tensor, mixed: Tensor) -> Tensor:
        rows = self.mix_norm(self.mix(mixed) + rows)
        found: Tensor = self.narrow_norm(self.narrow(functional.gelu(self.wide(rows))) + rows)
        return found


class TrainableEncoder(nn.Module):
    """`frozen` layers from below never change, and what they give can be kept; the embeddings belong to them."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.frozen = 0
        self.words = nn.Embedding(shape.vocabulary, shape.hidden)
        self.positions = nn.Embedding(shape.positions, shape.hidden)
        self.types = nn.Embedding(shape.types, shape.hidden)
        self.norm = nn.LayerNorm(shape.hidden, shape.epsilon)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        # BERT comes with it and its published size counts it, but the networks take c as the last layer gives it.
        self.pooler = TunedLinear(shape.hidden, shape.hidden) if shape.has_pooler else None

    def embed(self, ids: Tensor, places: Tensor) -> Tensor:
        """Rows of tokens; `places` count from 0 in each sequence."""
        where = self.positions(places + self.shape.first_position)
        found: Tensor = self.norm(self.words(ids) + where + self.types.weight[0])
        return found

    def lower(self, ids: Tensor, places: Tensor, packing: Packing) -> Tensor:
        """What the frozen layers give, embeddings alone if there are none."""
        rows = self.embed(ids, places)
        for layer in self.layers[: self.frozen]:
            rows = layer(rows, packing)
        return rows

    def upper(self, rows: Tensor, packing: Packing) -> Tensor:
        """The last hidden states of all tokens, from what `lower` gave."""
        for layer in self.layers[self.frozen :]:
            rows = layer(rows, packing)
        return rows

    def upper_first(self, rows: Tensor, packing: Packing) -> Tensor:
        """(sequences, H): the last hidden states of first tokens alone."""
        if self.frozen == len(self.layers):
            return rows[packing.starts]
        for layer in self.layers[self.frozen : -1]:
            rows = layer(rows, packing)
        last = self.layers[-1]
        if not isinstance(last, Layer):  # ModuleList does not know what it holds
            raise TypeError(type(last))
        return last.first(rows, packing)

    def named_linears(self) -> Iterator[tuple[str, TunedLinear]]:
        """Every map that can be adapted, by its published name, the lowest layer first."""
        for number, layer in enumerate(self.layers):
            for part, name in LINEARS.items():
                linear = getattr(layer, part)
                if not isinstance(linear, TunedLinear):
                    raise TypeError(type(linear))
                yield f"encoder.layer.{number}.{name}", linear

    def named_arrays(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Every array of the encoder itself, by its published name."""
        modules: list[tuple[str, nn.Module]] = [(name, getattr(self, own)) for own, name in EMBEDDINGS.items()]
        modules += self.named_linears()
        for number, layer in enumerate(self.layers):
            modules += [(f"encoder.layer.{number}.{name}", getattr(layer, own)) for own, name in NORMS.items()]
        if self.pooler is not None:
            modules.append(("pooler.dense", self.pooler))
        for name, module in modules:
            for part, parameter in module.named_parameters(recurse=False):
                if part in {"weight", "bias"}:
                    yield f"{name}.{part}", parameter

    @torch.no_grad()
    def load(self, arrays: Mapping[str, Tensor]) -> list[str]:
        """Names that are missing, in which case nothing can be computed."""
        missing = []
        for name, parameter in self.named_arrays():
            if name in arrays and arrays[name].shape == parameter.shape:
                parameter.copy_(arrays[name])
            else:
                missing.append(name)
        return missing
