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

# An ONNX model is a protocol buffer of few kinds of messages. They are written here, since the package `onnx` would
# bring 40 MB; field numbers are those of onnx.proto.

FLOAT, INT32 = 1, 6
ELEMENT_TYPES = {"float32": FLOAT, "uint8": 2, "int8": 3, "int32": INT32, "int64": 7, "float16": 10}
ATTRIBUTE_FLOAT, ATTRIBUTE_INT, ATTRIBUTE_INTS = 1, 2, 7
VARINT, LENGTH_DELIMITED, FIXED_32 = 0, 2, 5
Attribute = int | float | tuple[int, ...]


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


def _tensor(name: str, array: NDArray[np.generic]) -> bytes:
    sides = _fields(1, array.shape)
    element_type = _field(2, ELEMENT_TYPES[array.dtype.name])
    return b"".join((sides, element_type, _field(8, name), _field(9, array.tobytes())))


def _node(operator: str, inputs: Sequence[str], name: str, domain: str, attributes: Mapping[str, Attribute]) -> bytes:
    given = _fields(5, (_attribute(attribute, value) for attribute, value in sorted(attributes.items())))
    return _fields(1, inputs) + _field(2, name) + _field(3, name) + _field(4, operator) + given + _field(7, domain)


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, tuple):
        return _field(1, name) + _fields(8, value) + _field(20, ATTRIBUTE_INTS)
    if isinstance(value, float):
        return _field(1, name) + _field(2, value) + _field(20, ATTRIBUTE_FLOAT)
    return _field(1, name) + _field(3, value) + _field(20, ATTRIBUTE_INT)


def tensor_info(name: str, element_type: int, sides: Sequence[str | int]) -> bytes:
    """The description of an input or output; a side is its length, or a name where that may vary."""
    shape = _fields(1, (_field(1 if isinstance(side, int) else 2, side) for side in sides))
    return _field(1, name) + _field(2, _field(1, _field(1, element_type) + _field(2, shape)))


@dataclass(slots=True)
class GraphBuilder:
    """Every method returns the name of what it computes; the same computation asked for twice is made once."""

    nodes: dict[tuple[object, ...], tuple[str, bytes]] = field(default_factory=dict)
    constants: dict[str, bytes] = field(default_factory=dict)

    def constant(self, name: str, array: NDArray[np.generic]) -> str:
        if name not in self.constants:
            self.constants[name] = _tensor(name, np.atleast_1d(array))
        return name

    def scalar(self, name: str, value: np.generic) -> str:
        """A constant without sides, as scales and zero points of a whole matrix have to be."""
        if name not in self.constants:
            self.constants[name] = _tensor(name, np.array(value))
        return name

    def integers(self, *values: int) -> str:
        return self.constant(f"integers_{'_'.join(map(str, values))}", np.array(values, np.int64))

    def add(self, operator: str, *inputs: str, output: str = "", domain: str = "", **attributes: Attribute) -> str:
        key = (operator, *inputs, *sorted(attributes.items()))
        if key not in self.nodes:
            name = output or f"{operator}_{len(self.nodes)}"
            self.nodes[key] = name, _node(operator, inputs, name, domain, attributes)
        return self.nodes[key][0]

    def to_bytes(self, inputs: Sequence[bytes], outputs: Sequence[bytes]) -> bytes:
        nodes = _fields(1, (node for _, node in self.nodes.values()))
        constants = _fields(5, self.constants.values())
        graph = b"".join((nodes, _field(2, "encoder"), constants, _fields(11, inputs), _fields(12, outputs)))
        opsets = _fields(8, (_field(1, domain) + _field(2, version) for domain, version in (("", OPSET), (FUSED, 1))))
        return b"".join((_field(1, IR_VERSION), _field(7, graph), opsets))


# Rows times a weight matrix plus bias, and the table of word vectors, in full precision or in small integers.

ROW_STEPS = 127  # on each side of zero
# Processors without VNNI add two products of bytes in 16 bits: 255 x 63 x 2 fits there, 255 x 127 x 2 would
# be cut off. With seven bits all processors compute the same integers.
WEIGHT_STEPS = 63
MIN_SCALE = np.float32(1e-20)  # a row or column of zeros is divided by this instead of by zero


def add_words(graph: GraphBuilder, weights: BertWeights, *, compact: bool) -> str:
    """The word vectors of `ids`; the compact table is float16, from which they are widened."""
    words = weights["embeddings.word_embeddings.weight"]
    if not compact:
        return graph.add("Gather", graph.constant("words", words), "ids")
    found = graph.add("Gather", graph.constant("words", words.astype(np.float16)), "ids")
    return graph.add("Cast", found, to=FLOAT)


def add_linear(
    graph: GraphBuilder, weights: BertWeights, name: str, rows: str, *, compact: bool, limit: float | None = None
) -> str:
    """`limit` is the largest number that rows are expected to have, where that is known beforehand."""
    factors = weights[f"{name}.weight"].T
    bias = graph.constant(f"{name}.bias", weights[f"{name}.bias"])
    if not compact:
        return graph.add("Gemm", rows, graph.constant(f"{name}.weight", factors), bias)
    if limit is not None:
        return _add_limited(graph, name, rows, factors, bias, limit)
    # A scale per row, not one per batch as ONNX Runtime's dynamic quantisation has it: with that the vector
    # of one resume would depend on the resumes computed beside it.
    row_scales, steps = _quantise_rows(graph, rows)
    columns, column_scales = quantise_columns(factors)
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


def _add_limited(graph: GraphBuilder, name: str, rows: str, factors: Array, bias: str, limit: float) -> str:
    """One scale for all rows: none has to be looked for, and the bias is added in the same step. What is beyond the
    limit is cut off there."""
    step = np.float32(limit / ROW_STEPS)
    scale = graph.scalar(f"scale_{step.tobytes().hex()}", step)
    middle = graph.scalar("fixed_middle", np.uint8(ROW_STEPS + 1))
    columns, column_scales = quantise_columns(factors)
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


def quantise_columns(factors: Array) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int8]], Array]:
    """Whole steps of at most `WEIGHT_STEPS`, and what one step of each column is worth."""
    scales = np.maximum(np.abs(factors).max(axis=0) / np.float32(WEIGHT_STEPS), MIN_SCALE)
    return np.rint(factors / scales).astype(np.int8), scales


def _quantise_rows(graph: GraphBuilder, rows: str) -> tuple[str, str]:
    """Scales (rows, 1), and bytes around 128."""
    across = graph.integers(1)
    highest = graph.add("ReduceMax", rows, across, keepdims=0)
    lowest = graph.add("Neg", graph.add("ReduceMin", rows, across, keepdims=0))
    smallest = graph.constant("smallest", np.array(MIN_SCALE * ROW_STEPS))
    step = graph.constant("step", np.array(1 / ROW_STEPS, np.float32))
    scales = graph.add("Mul", graph.add("Max", highest, lowest, smallest), step)
    middle = graph.constant("middles", np.array([ROW_STEPS + 1], np.uint8))
    middles = graph.add("Expand", middle, graph.add("Shape", scales))
    return graph.add("Unsqueeze", scales, across), graph.add("QuantizeLinear", rows, scales, middles, axis=0)


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
        sides: list[str | int] = ["texts", "tokens"] if output == "states" else ["texts"]
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

    def _to_bytes(self, output: str, sides: list[str | int]) -> bytes:
        inputs = [tensor_info(name, INT32, ["texts", "tokens"]) for name in ("ids", "mask")]
        return self.graph.to_bytes(inputs, [tensor_info(output, FLOAT, sides)])

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
        attended = self._linear(f"{name}.attention.output.dense", self._attend(f"{name}.attention.self", hidden))
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
        keys = self.weights[f"{name}.key.weight"].reshape(shape.heads, width, shape.hidden) / np.float32(width) ** 0.5
        values = self.weights[f"{name}.value.weight"].reshape(shape.heads, width, shape.hidden).transpose(0, 2, 1)
        brought = self._by_head(query, graph.constant(f"{name}.key.heads", keys.astype(np.float32)))
        scores = graph.add("MatMul", brought, graph.add("Transpose", states, perm=(0, 2, 1)))
        weights = graph.add("Softmax", graph.add("Add", scores, self._padding()), axis=-1)
        mixed = self._by_head(graph.add("MatMul", weights, states), graph.constant(f"{name}.value.heads", values))
        bias = graph.constant(f"{name}.value.bias", self.weights[f"{name}.value.bias"])
        return graph.add("Add", self._rows(mixed), bias)

    def _by_head(self, vectors: str, factors: str) -> str:
        """(texts, heads, n) times (heads, n, m), each head by its own factors."""
        turned = self.graph.add("Transpose", vectors, perm=(1, 0, 2))
        return self.graph.add("Transpose", self.graph.add("MatMul", turned, factors), perm=(1, 0, 2))

    def _padding(self) -> str:
        """(texts, 1, tokens): 0 for a text's own tokens."""
        graph = self.graph
        is_own = graph.add("Cast", graph.add("Unsqueeze", "mask", graph.integers(1)), to=FLOAT)
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
        chosen = graph.add("Unsqueeze", graph.add("Cast", "mask", to=FLOAT), between)
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
