"""A BERT encoder as an ONNX graph made from its weights: token ids and mask in, one unit vector per text out.

Hidden states run as a matrix of one row per token; only attention sees texts apart. ONNX Runtime's own fused
operators are named where it has them, so that nothing depends on its optimiser finding them again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnx.onnx_ml_pb2 import NodeProto

from evenhand.models.encoder.weights import BertWeights

OPSET = 20  # the first with Gelu
IR_VERSION = 9
FUSED = "com.microsoft"


@dataclass(slots=True)
class GraphBuilder:
    """Nodes and constants as they are added; every method returns the name of what it computes."""

    nodes: list[NodeProto] = field(default_factory=list)
    constants: dict[str, TensorProto] = field(default_factory=dict)

    def constant(self, name: str, array: NDArray[np.generic]) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        output = f"{operator}_{len(self.nodes)}"
        self.add_to([output], operator, *inputs, domain=domain, **attributes)
        return output

    def add_to(
        self, outputs: list[str], operator: str, *inputs: str, domain: str = "", **attributes: Any
    ) -> None:
        self.nodes.append(
            helper.make_node(operator, inputs, outputs, outputs[0], domain=domain, **attributes)
        )


def build_graph(weights: BertWeights) -> bytes:
    """Inputs `ids` and `mask`, both int32 (texts, tokens) with padding on the right; output `vectors`."""
    graph = GraphBuilder()
    hidden = _embed(graph, weights)
    lengths = _lengths(graph)
    for layer in range(weights.shape.layers):
        hidden = _layer(graph, weights, f"encoder.layer.{layer}", hidden, lengths)
    _pool(graph, hidden, lengths)
    sides = ["texts", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT32, sides) for name in ("ids", "mask")]
    output = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", weights.shape.hidden])
    made = helper.make_graph(graph.nodes, "encoder", inputs, [output], list(graph.constants.values()))
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(FUSED, 1)]
    return bytes(helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION).SerializeToString())


def _embed(graph: GraphBuilder, weights: BertWeights) -> str:
    words = graph.constant("words", weights["embeddings.word_embeddings.weight"])
    # Every text is one segment, so the vector of the first segment belongs to each position.
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    positions = graph.constant("positions", weights["embeddings.position_embeddings.weight"] + segment)
    start = graph.constant("start", np.array([0], np.int64))
    length = graph.add("Shape", "ids", start=1, end=2)
    placed = graph.add("Add", graph.add("Gather", words, "ids"), graph.add("Slice", positions, start, length))
    rows = graph.constant("rows", np.array([-1, weights.shape.hidden], np.int64))
    scale, shift = _norm(graph, weights, "embeddings.LayerNorm")
    flat = graph.add("Reshape", placed, rows)
    return graph.add("LayerNormalization", flat, scale, shift, epsilon=weights.shape.epsilon)


def _lengths(graph: GraphBuilder) -> str:
    """The shape (texts, tokens, hidden) that parts the rows into texts."""
    last = graph.constant("last", np.array([-1], np.int64))
    return graph.add("Concat", graph.add("Shape", "ids"), last, axis=0)


def _layer(graph: GraphBuilder, weights: BertWeights, name: str, hidden: str, lengths: str) -> str:
    attended = _attend(graph, weights, f"{name}.attention", hidden, lengths)
    hidden = _add_norm(graph, weights, f"{name}.attention.output.LayerNorm", attended, hidden)
    wide = graph.add("Gelu", _linear(graph, weights, f"{name}.intermediate.dense", hidden))
    narrow = _linear(graph, weights, f"{name}.output.dense", wide)
    return _add_norm(graph, weights, f"{name}.output.LayerNorm", narrow, hidden)


def _attend(graph: GraphBuilder, weights: BertWeights, name: str, hidden: str, lengths: str) -> str:
    sources = [
        graph.add("Reshape", _linear(graph, weights, f"{name}.self.{part}", hidden), lengths)
        for part in ("query", "key", "value")
    ]
    inputs = [*sources, "", "mask"]
    mixed = graph.add("MultiHeadAttention", *inputs, domain=FUSED, num_heads=weights.shape.heads)
    return _linear(graph, weights, f"{name}.output.dense", graph.add("Reshape", mixed, "rows"))


def _linear(graph: GraphBuilder, weights: BertWeights, name: str, rows: str) -> str:
    factors = graph.constant(f"{name}.weight", weights[f"{name}.weight"].T)
    return graph.add("Gemm", rows, factors, graph.constant(f"{name}.bias", weights[f"{name}.bias"]))


def _add_norm(graph: GraphBuilder, weights: BertWeights, name: str, rows: str, skipped: str) -> str:
    inputs = [rows, skipped, *_norm(graph, weights, name)]
    return graph.add("SkipLayerNormalization", *inputs, domain=FUSED, epsilon=weights.shape.epsilon)


def _norm(graph: GraphBuilder, weights: BertWeights, name: str) -> tuple[str, str]:
    scale = graph.constant(f"{name}.weight", weights[f"{name}.weight"])
    return scale, graph.constant(f"{name}.bias", weights[f"{name}.bias"])


def _pool(graph: GraphBuilder, hidden: str, lengths: str) -> None:
    """The mean over a text's own tokens, made one long; its sum points the same way, so nothing is divided."""
    middle = graph.constant("middle", np.array([1], np.int64))
    chosen = graph.add("Unsqueeze", graph.add("Cast", "mask", to=TensorProto.FLOAT), middle)
    summed = graph.add("MatMul", chosen, graph.add("Reshape", hidden, lengths))
    graph.add_to(["vectors"], "LpNormalization", graph.add("Squeeze", summed, middle), axis=-1, p=2)
