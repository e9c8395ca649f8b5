"""An encoder of BERT's or RoBERTa's build as torch modules that work on packed rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from evenhand.models.learning.attention import attend_all, attend_some
from evenhand.models.learning.lora import TunedLinear
from evenhand.models.learning.packing import Packing

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
        self.query, self.key, self.value, self.mix = (
            TunedLinear(shape.hidden, shape.hidden) for _ in range(4)
        )
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


class Encoder(nn.Module):
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
        modules: list[tuple[str, nn.Module]] = [
            (name, getattr(self, own)) for own, name in EMBEDDINGS.items()
        ]
        modules += self.named_linears()
        for number, layer in enumerate(self.layers):
            modules += [
                (f"encoder.layer.{number}.{name}", getattr(layer, own)) for own, name in NORMS.items()
            ]
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
