"""A BERT encoder as an ONNX graph made from its weights: token ids and mask in, vectors or states out.

Hidden states run as a matrix of one row per token; only attention sees texts apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from onnx import TensorProto, helper

from evenhand.models.encoder.builder import FUSED, GraphBuilder
from evenhand.models.encoder.linear import add_linear, add_words
from evenhand.models.encoder.weights import BertWeights

Output = Literal["vectors", "first", "states"]
LINEARS = (
    *(f"attention.self.{part}" for part in ("query", "key", "value")),
    *("attention.output.dense", "intermediate.dense", "output.dense"),
)
MASKED = np.float32(-1e30)  # added to the scores of padding


def build_graph(
    weights: BertWeights,
    *,
    compact: bool = False,
    output: Output = "vectors",
    limits: Mapping[str, float] | None = None,
) -> bytes:
    """Inputs `ids` and `mask`, both int32 (texts, tokens) with padding on the right; one output of the name asked for.

    `vectors` are means of length 1 per text, `first` the last states of the first tokens, `states` those of all.
    `limits` are the largest numbers that linear maps of a compact graph are given, by their names.
    """
    return _BertGraph(GraphBuilder(), weights, compact, limits or {}).build(output)


def build_ranges(weights: BertWeights) -> bytes:
    """Inputs as above, without padding; output `ranges`: the largest number that each of `linear_names` was given."""
    return _BertGraph(GraphBuilder(), weights, False).build_ranges()


def linear_names(layers: int) -> list[str]:
    return [f"encoder.layer.{layer}.{linear}" for layer in range(layers) for linear in LINEARS]


@dataclass(frozen=True, slots=True)
class _BertGraph:
    graph: GraphBuilder
    weights: BertWeights
    compact: bool
    limits: Mapping[str, float] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)  # to each linear map

    def build(self, output: Output) -> bytes:
        hidden = self._embed()
        *lower, last = (f"encoder.layer.{layer}" for layer in range(self.weights.shape.layers))
        for layer in lower:
            hidden = self._layer(layer, hidden)
        found = self._first(last, hidden) if output == "first" else self._layer(last, hidden)
        if output == "vectors":
            self._pool(found)
        else:
            self.graph.add("Identity", found if output == "first" else self._texts(found), output=output)
        sides: list[str | int | None] = ["texts", "tokens"] if output == "states" else ["texts"]
        sides.append(self.weights.shape.hidden)
        return self._to_bytes(output, sides)

    def build_ranges(self) -> bytes:
        hidden = self._embed()
        for layer in range(self.weights.shape.layers):
            hidden = self._layer(f"encoder.layer.{layer}", hidden)
        names = linear_names(self.weights.shape.layers)
        sizes = [self.graph.add("Abs", self.given[name]) for name in names]
        highest = [
            self.graph.add("Reshape", self.graph.add("ReduceMax", size, keepdims=0), self.graph.integers(1))
            for size in sizes
        ]
        self.graph.add("Concat", *highest, output="ranges", axis=0)
        return self._to_bytes("ranges", [len(names)])

    def _to_bytes(self, output: str, sides: list[str | int | None]) -> bytes:
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT32, ["texts", "tokens"])
            for name in ("ids", "mask")
        ]
        return self.graph.to_bytes(inputs, [helper.make_tensor_value_info(output, TensorProto.FLOAT, sides)])

    def _embed(self) -> str:
        graph = self.graph
        # Every text is one segment, so the vector of the first segment belongs to each position.
        segment = self.weights["embeddings.token_type_embeddings.weight"][0]
        places = self.weights["embeddings.position_embeddings.weight"]
        table = places[self.weights.shape.first_position :] + segment
        length = graph.add("Shape", "ids", start=1, end=2)
        positions = graph.add("Slice", graph.constant("positions", table), graph.integers(0), length)
        words = add_words(graph, self.weights, compact=self.compact)
        return self._norm("embeddings.LayerNorm", self._rows(graph.add("Add", words, positions)))

    def _layer(self, name: str, hidden: str) -> str:
        attended = self._linear(
            f"{name}.attention.output.dense", self._attend(f"{name}.attention.self", hidden)
        )
        # ONNX Runtime's fused sum and norm takes several times as long as the two apart.
        hidden = self._norm(f"{name}.attention.output.LayerNorm", self.graph.add("Add", attended, hidden))
        wide = self.graph.add("Gelu", self._linear(f"{name}.intermediate.dense", hidden))
        narrow = self._linear(f"{name}.output.dense", wide)
        return self._norm(f"{name}.output.LayerNorm", self.graph.add("Add", narrow, hidden))

    def _first(self, name: str, hidden: str) -> str:
        """The layer for the first tokens alone, (texts, hidden): so few rows that they stay in full precision."""
        full = replace(self, compact=False)
        states = self._texts(hidden)
        first = self._rows(self.graph.add("Gather", states, self.graph.integers(0), axis=1))
        attended = full._linear(
            f"{name}.attention.output.dense", full._attend_first(f"{name}.attention.self", first, states)
        )
        first = self._norm(f"{name}.attention.output.LayerNorm", self.graph.add("Add", attended, first))
        wide = self.graph.add("Gelu", full._linear(f"{name}.intermediate.dense", first))
        narrow = full._linear(f"{name}.output.dense", wide)
        return self._norm(f"{name}.output.LayerNorm", self.graph.add("Add", narrow, first))

    def _attend_first(self, name: str, first: str, states: str) -> str:
        """Attention of one query per text, without keys or values of all its tokens.

        query . (K x) is (K^T query) . x, and a mixture of (V x) is V of the mixture of x: the query is brought to the
        tokens instead. The key's bias adds the same to all scores of a query and drops out.
        """
        graph, shape = self.graph, self.weights.shape
        width = shape.hidden // shape.heads
        sides = graph.integers(0, shape.heads, width)
        query = graph.add("Reshape", self._linear(f"{name}.query", first), sides)
        keys = (
            self.weights[f"{name}.key.weight"].reshape(shape.heads, width, shape.hidden)
            / np.float32(width) ** 0.5
        )
        values = (
            self.weights[f"{name}.value.weight"].reshape(shape.heads, width, shape.hidden).transpose(0, 2, 1)
        )
        brought = self._by_head(query, graph.constant(f"{name}.key.heads", keys.astype(np.float32)))
        scores = graph.add("MatMul", brought, graph.add("Transpose", states, perm=(0, 2, 1)))
        weights = graph.add("Softmax", graph.add("Add", scores, self._padding()), axis=-1)
        mixed = self._by_head(
            graph.add("MatMul", weights, states), graph.constant(f"{name}.value.heads", values)
        )
        bias = graph.constant(f"{name}.value.bias", self.weights[f"{name}.value.bias"])
        return graph.add("Add", self._rows(mixed), bias)

    def _by_head(self, vectors: str, factors: str) -> str:
        """(texts, heads, n) times (heads, n, m), each head by its own factors."""
        turned = self.graph.add("Transpose", vectors, perm=(1, 0, 2))
        return self.graph.add("Transpose", self.graph.add("MatMul", turned, factors), perm=(1, 0, 2))

    def _padding(self) -> str:
        """(texts, 1, tokens): 0 for a text's own tokens."""
        graph = self.graph
        is_own = graph.add("Cast", graph.add("Unsqueeze", "mask", graph.integers(1)), to=TensorProto.FLOAT)
        missing = graph.add("Sub", graph.constant("one", np.array(1, np.float32)), is_own)
        return graph.add("Mul", missing, graph.constant("masked", np.array(MASKED)))

    def _attend(self, name: str, hidden: str) -> str:
        parts = [self._texts(self._linear(f"{name}.{part}", hidden)) for part in ("query", "key", "value")]
        heads = self.weights.shape.heads
        no_bias = ""
        mixed = self.graph.add("MultiHeadAttention", *parts, no_bias, "mask", domain=FUSED, num_heads=heads)
        return self._rows(mixed)

    def _pool(self, hidden: str) -> None:
        """The mean over a text's own tokens, made one long; their sum points the same way and serves as well."""
        graph = self.graph
        between = graph.integers(1)
        chosen = graph.add("Unsqueeze", graph.add("Cast", "mask", to=TensorProto.FLOAT), between)
        summed = graph.add("Squeeze", graph.add("MatMul", chosen, self._texts(hidden)), between)
        graph.add("LpNormalization", summed, output="vectors", axis=-1, p=2)

    def _linear(self, name: str, rows: str) -> str:
        self.given[name] = rows
        limit = self.limits.get(name)
        return add_linear(self.graph, self.weights, name, rows, compact=self.compact, limit=limit)

    def _norm(self, name: str, rows: str) -> str:
        scale = self.graph.constant(f"{name}.weight", self.weights[f"{name}.weight"])
        shift = self.graph.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        return self.graph.add("LayerNormalization", rows, scale, shift, epsilon=self.weights.shape.epsilon)

    def _rows(self, states: str) -> str:
        return self.graph.add("Reshape", states, self.graph.integers(-1, self.weights.shape.hidden))

    def _texts(self, rows: str) -> str:
        """Rows parted into (texts, tokens, hidden)."""
        sizes = self.graph.add("Concat", self.graph.add("Shape", "ids"), self.graph.integers(-1), axis=0)
        return self.graph.add("Reshape", rows, sizes)
