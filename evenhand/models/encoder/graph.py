"""A BERT encoder as an ONNX graph made from its weights: token ids and mask in, vectors or states out.

Hidden states run as a matrix of one row per token; only attention sees texts apart.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evenhand.models.encoder.weights import Array, BertWeights

OPSET = 20  # the first with Gelu
IR_VERSION = 9
FUSED = "com.microsoft"  # ONNX Runtime's own operators
Output = Literal["vectors", "first", "states"]
LINEARS = (
    *(f"attention.self.{part}" for part in ("query", "key", "value")),
    *("attention.output.dense", "intermediate.dense", "output.dense"),
)
MASKED = np.float32(-1e30)  # added to the scores of padding
ROW_STEPS = 127  # on each side of zero
# Processors without VNNI add two products of bytes in 16 bits: 255 x 63 x 2 fits there, 255 x 127 x 2 would
# be cut off. With seven bits all processors compute the same integers.
WEIGHT_STEPS = 63
MIN_SCALE = np.float32(1e-20)  # a row or column of zeros is divided by this instead of by zero


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
        hidden = self._first(last, hidden) if output == "first" else self._layer(last, hidden)
        if output == "vectors":
            self._pool(hidden)
        else:
            self.graph.add("Identity", hidden if output == "first" else self._texts(hidden), output=output)
        sides = ["texts", "tokens"] if output == "states" else ["texts"]
        return self.graph.to_bytes(output, [*sides, self.weights.shape.hidden])

    def build_ranges(self) -> bytes:
        graph, hidden = self.graph, self._embed()
        for layer in range(self.weights.shape.layers):
            hidden = self._layer(f"encoder.layer.{layer}", hidden)
        names = linear_names(self.weights.shape.layers)
        sizes = [graph.add("Abs", self.given[name]) for name in names]
        highest = [graph.add("Reshape", graph.add("ReduceMax", size, keepdims=0), graph.integers(1)) for size in sizes]
        graph.add("Concat", *highest, output="ranges", axis=0)
        return graph.to_bytes("ranges", [len(names)])

    def _embed(self) -> str:
        graph = self.graph
        # Every text is one segment, so the vector of the first segment belongs to each position.
        segment = self.weights["embeddings.token_type_embeddings.weight"][0]
        places = self.weights["embeddings.position_embeddings.weight"]
        table = places[self.weights.shape.first_position :] + segment
        length = graph.add("Shape", "ids", start=1, end=2)
        positions = graph.add("Slice", graph.constant("positions", table), graph.integers(0), length)
        words = self.weights["embeddings.word_embeddings.weight"]
        vectors = graph.add(
            "Gather", graph.constant("words", words.astype(np.float16) if self.compact else words), "ids"
        )
        if self.compact:  # the table is float16, from which vectors are widened
            vectors = graph.add("Cast", vectors, to=FLOAT)
        return self._norm("embeddings.LayerNorm", self._rows(graph.add("Add", vectors, positions)))

    def _layer(self, name: str, hidden: str) -> str:
        names = (f"{name}.attention.self.{part}" for part in ("query", "key", "value"))
        parts = [self._texts(self._linear(linear, hidden)) for linear in names]
        heads, no_bias = self.weights.shape.heads, ""
        mixed = self.graph.add("MultiHeadAttention", *parts, no_bias, "mask", domain=FUSED, num_heads=heads)
        return self._finish(name, hidden, self._rows(mixed))

    def _first(self, name: str, hidden: str) -> str:
        """The layer for the first tokens alone, (texts, hidden): so few rows that they stay in full precision.

        Attention of one query per text does without keys or values of all its tokens: query . (K x) is (K^T query) . x,
        and a mixture of (V x) is V of the mixture of x, so the query is brought to the tokens instead. The key's bias
        adds the same to all scores of a query and drops out.
        """
        full, graph, shape = replace(self, compact=False), self.graph, self.weights.shape
        width = shape.hidden // shape.heads
        states = self._texts(hidden)
        first = self._rows(graph.add("Gather", states, graph.integers(0), axis=1))
        attention = f"{name}.attention.self"
        sides = graph.integers(0, shape.heads, width)
        query = graph.add("Reshape", full._linear(f"{attention}.query", first), sides)
        keys, values = (
            self.weights[f"{attention}.{part}.weight"].reshape(shape.heads, width, shape.hidden)
            for part in ("key", "value")
        )
        keys = (keys / np.float32(width) ** 0.5).astype(np.float32)
        brought = self._by_head(query, graph.constant(f"{attention}.key.heads", keys))
        scores = graph.add("MatMul", brought, graph.add("Transpose", states, perm=(0, 2, 1)))
        # (texts, 1, tokens): 0 for a text's own tokens.
        is_own = graph.add("Cast", graph.add("Unsqueeze", "mask", graph.integers(1)), to=FLOAT)
        missing = graph.add("Sub", graph.constant("one", np.array(1, np.float32)), is_own)
        padding = graph.add("Mul", missing, graph.constant("masked", np.array(MASKED)))
        weights = graph.add("Softmax", graph.add("Add", scores, padding), axis=-1)
        by_head = graph.constant(f"{attention}.value.heads", values.transpose(0, 2, 1))
        mixed = self._by_head(graph.add("MatMul", weights, states), by_head)
        bias = graph.constant(f"{attention}.value.bias", self.weights[f"{attention}.value.bias"])
        return full._finish(name, first, graph.add("Add", self._rows(mixed), bias))

    def _finish(self, name: str, hidden: str, mixed: str) -> str:
        """The layer from what attention mixed."""
        attended = self._linear(f"{name}.attention.output.dense", mixed)
        # ONNX Runtime's fused sum and norm takes several times as long as the two apart.
        hidden = self._norm(f"{name}.attention.output.LayerNorm", self.graph.add("Add", attended, hidden))
        wide = self.graph.add("Gelu", self._linear(f"{name}.intermediate.dense", hidden))
        narrow = self._linear(f"{name}.output.dense", wide)
        return self._norm(f"{name}.output.LayerNorm", self.graph.add("Add", narrow, hidden))

    def _by_head(self, vectors: str, factors: str) -> str:
        """(texts, heads, n) times (heads, n, m), each head by its own factors."""
        turned = self.graph.add("Transpose", vectors, perm=(1, 0, 2))
        return self.graph.add("Transpose", self.graph.add("MatMul", turned, factors), perm=(1, 0, 2))

    def _pool(self, hidden: str) -> None:
        """The mean over a text's own tokens, made one long; their sum points the same way and serves as well."""
        graph = self.graph
        between = graph.integers(1)
        chosen = graph.add("Unsqueeze", graph.add("Cast", "mask", to=FLOAT), between)
        summed = graph.add("Squeeze", graph.add("MatMul", chosen, self._texts(hidden)), between)
        graph.add("LpNormalization", summed, output="vectors", axis=-1, p=2)

    def _linear(self, name: str, rows: str) -> str:
        """Rows times a weight matrix plus bias, in full precision or in small integers."""
        self.given[name] = rows
        graph = self.graph
        factors = self.weights[f"{name}.weight"].T
        bias = graph.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        if not self.compact:
            return graph.add("Gemm", rows, graph.constant(f"{name}.weight", factors), bias)
        columns, column_scales = quantise_columns(factors)
        if (limit := self.limits.get(name)) is not None:
            # One scale for all rows: none has to be looked for, and the bias is added in the same step. What is beyond
            # the limit is cut off there.
            step = np.float32(limit / ROW_STEPS)
            scale = graph.scalar(f"scale_{step.tobytes().hex()}", step)
            middle = graph.scalar("fixed_middle", np.uint8(ROW_STEPS + 1))
            return graph.add(
                "MatMulIntegerToFloat",
                graph.add("QuantizeLinear", rows, scale, middle),
                graph.constant(f"{name}.steps", columns),
                scale,
                graph.constant(f"{name}.scales", column_scales),
                middle,
                "",
                bias,
                domain=FUSED,
            )
        # A scale per row, not one per batch as ONNX Runtime's dynamic quantisation has it: with that the vector
        # of one resume would depend on the resumes computed beside it.
        row_scales, steps = self._quantise_rows(rows)
        product = graph.add(
            "MatMulIntegerToFloat",
            steps,
            graph.constant(f"{name}.steps", columns),
            graph.constant("one", np.array(1, np.float32)),
            graph.constant(f"{name}.scales", column_scales),
            graph.constant("middle", np.array(ROW_STEPS + 1, np.uint8)),
            domain=FUSED,
        )
        return graph.add("Add", graph.add("Mul", product, row_scales), bias)

    def _quantise_rows(self, rows: str) -> tuple[str, str]:
        """Scales (rows, 1), and bytes around 128."""
        graph = self.graph
        across = graph.integers(1)
        highest = graph.add("ReduceMax", rows, across, keepdims=0)
        lowest = graph.add("Neg", graph.add("ReduceMin", rows, across, keepdims=0))
        smallest = graph.constant("smallest", np.array(MIN_SCALE * ROW_STEPS))
        step = graph.constant("step", np.array(1 / ROW_STEPS, np.float32))
        scales = graph.add("Mul", graph.add("Max", highest, lowest, smallest), step)
        middle = graph.constant("middles", np.array([ROW_STEPS + 1], np.uint8))
        middles = graph.add("Expand", middle, graph.add("Shape", scales))
        return graph.add("Unsqueeze", scales, across), graph.add("QuantizeLinear", rows, scales, middles, axis=0)

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


def quantise_columns(factors: Array) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int8]], Array]:
    """Whole steps of at most `WEIGHT_STEPS`, and what one step of each column is worth."""
    scales = np.maximum(np.abs(factors).max(axis=0) / np.float32(WEIGHT_STEPS), MIN_SCALE)
    return np.rint(factors / scales).astype(np.int8), scales


# An ONNX model is a protocol buffer of few kinds of messages. They are written here, since the package `onnx` would
# bring 40 MB; field numbers are those of onnx.proto.

FLOAT, INT32 = 1, 6
ELEMENT_TYPES = {"float32": FLOAT, "uint8": 2, "int8": 3, "int32": INT32, "int64": 7, "float16": 10}
ATTRIBUTE_FLOAT, ATTRIBUTE_INT, ATTRIBUTE_INTS = 1, 2, 7
VARINT, LENGTH_DELIMITED, FIXED_32 = 0, 2, 5
Attribute = int | float | tuple[int, ...]


@dataclass(slots=True)
class GraphBuilder:
    """Every method returns the name of what it computes; the same computation asked for twice is made once."""

    nodes: dict[tuple[object, ...], tuple[str, bytes]] = field(default_factory=dict)
    constants: dict[str, bytes] = field(default_factory=dict)

    def constant(self, name: str, array: NDArray[np.generic]) -> str:
        return self.scalar(name, np.atleast_1d(array))

    def scalar(self, name: str, value: np.generic | NDArray[np.generic]) -> str:
        """A constant without sides, as scales and zero points of a whole matrix have to be."""
        if name not in self.constants:
            array = np.array(value)
            kind = _field(2, ELEMENT_TYPES[array.dtype.name])
            self.constants[name] = _fields(1, array.shape) + kind + _field(8, name) + _field(9, array.tobytes())
        return name

    def integers(self, *values: int) -> str:
        return self.constant(f"integers_{'_'.join(map(str, values))}", np.array(values, np.int64))

    def add(self, operator: str, *inputs: str, output: str = "", domain: str = "", **attributes: Attribute) -> str:
        key = (operator, *inputs, *sorted(attributes.items()))
        if key not in self.nodes:
            name = output or f"{operator}_{len(self.nodes)}"
            given = _fields(5, (_attribute(attribute, value) for attribute, value in sorted(attributes.items())))
            names = _fields(1, inputs) + _field(2, name) + _field(3, name)
            self.nodes[key] = name, names + _field(4, operator) + given + _field(7, domain)
        return self.nodes[key][0]

    def to_bytes(self, output: str, sides: Sequence[str | int]) -> bytes:
        """The whole model; `sides` are those of its output."""
        inputs = [_tensor_info(name, INT32, ["texts", "tokens"]) for name in ("ids", "mask")]
        outputs = [_tensor_info(output, FLOAT, sides)]
        nodes = _fields(1, (node for _, node in self.nodes.values()))
        constants = _fields(5, self.constants.values())
        graph = b"".join((nodes, _field(2, "encoder"), constants, _fields(11, inputs), _fields(12, outputs)))
        opsets = _fields(8, (_field(1, domain) + _field(2, version) for domain, version in (("", OPSET), (FUSED, 1))))
        return b"".join((_field(1, IR_VERSION), _field(7, graph), opsets))


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers as 64 bits of two's complement
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    parts.append(value)
    return bytes(parts)


def _field(number: int, value: int | float | str | bytes) -> bytes:
    """A field of a message: a whole number, a 32-bit float, a text, or bytes such as another message."""
    if isinstance(value, int):
        return _varint(number << 3 | VARINT) + _varint(value)
    if isinstance(value, float):
        return _varint(number << 3 | FIXED_32) + struct.pack("<f", value)
    content = value.encode() if isinstance(value, str) else value
    return b"".join((_varint(number << 3 | LENGTH_DELIMITED), _varint(len(content)), content))


def _fields(number: int, values: Iterable[int | str | bytes]) -> bytes:
    return b"".join(_field(number, value) for value in values)


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, tuple):
        return _field(1, name) + _fields(8, value) + _field(20, ATTRIBUTE_INTS)
    if isinstance(value, float):
        return _field(1, name) + _field(2, value) + _field(20, ATTRIBUTE_FLOAT)
    return _field(1, name) + _field(3, value) + _field(20, ATTRIBUTE_INT)


def _tensor_info(name: str, element_type: int, sides: Sequence[str | int]) -> bytes:
    """The description of an input or output; a side is its length, or a name where that may vary."""
    shape = _fields(1, (_field(1 if isinstance(side, int) else 2, side) for side in sides))
    return _field(1, name) + _field(2, _field(1, _field(1, element_type) + _field(2, shape)))
