"""A BERT encoder as an ONNX graph made from its weights: token ids and mask in, one unit vector per text out.

Hidden states run as a matrix of one row per token; only attention sees texts apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from onnx import TensorProto, helper

from evenhand.models.encoder.builder import FUSED, GraphBuilder
from evenhand.models.encoder.linear import add_linear, add_words
from evenhand.models.encoder.weights import BertWeights


def build_graph(weights: BertWeights, *, compact: bool = False) -> bytes:
    """Inputs `ids` and `mask`, both int32 (texts, tokens) with padding on the right; output `vectors`."""
    return _BertGraph(GraphBuilder(), weights, compact).build()


@dataclass(frozen=True, slots=True)
class _BertGraph:
    graph: GraphBuilder
    weights: BertWeights
    compact: bool

    def build(self) -> bytes:
        hidden = self._embed()
        for layer in range(self.weights.shape.layers):
            hidden = self._layer(f"encoder.layer.{layer}", hidden)
        self._pool(hidden)
        sides = ["texts", "tokens"]
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, sides) for name in ("ids", "mask")]
        sizes: list[str | int | None] = ["texts", self.weights.shape.hidden]
        output = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, sizes)
        return self.graph.to_bytes(inputs, [output])

    def _embed(self) -> str:
        graph = self.graph
        # Every text is one segment, so the vector of the first segment belongs to each position.
        segment = self.weights["embeddings.token_type_embeddings.weight"][0]
        table = self.weights["embeddings.position_embeddings.weight"] + segment
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
        return add_linear(self.graph, self.weights, name, rows, compact=self.compact)

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
