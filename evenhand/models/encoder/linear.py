"""Rows times a weight matrix plus bias, and the table of word vectors, in full precision or in small integers."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from evenhand.models.encoder.builder import FUSED, GraphBuilder
from evenhand.models.encoder.weights import Array, BertWeights

ROW_STEPS = 127  # on each side of zero
# Processors without VNNI add two products of bytes in 16 bits: 255 x 63 x 2 fits there, 255 x 127 x 2 would
# be cut off. With seven bits all processors compute the same integers.
WEIGHT_STEPS = 63
SMALLEST_SCALE = np.float32(1e-20)  # a row or column of zeros is divided by this instead of by zero


def add_words(graph: GraphBuilder, weights: BertWeights, *, compact: bool) -> str:
    """The word vectors of `ids`; the compact table is float16, from which they are widened."""
    words = weights["embeddings.word_embeddings.weight"]
    if not compact:
        return graph.add("Gather", graph.constant("words", words), "ids")
    found = graph.add("Gather", graph.constant("words", words.astype(np.float16)), "ids")
    return graph.add("Cast", found, to=TensorProto.FLOAT)


def add_linear(
    graph: GraphBuilder,
    weights: BertWeights,
    name: str,
    rows: str,
    *,
    compact: bool,
    limit: float | None = None,
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
    scales = np.maximum(np.abs(factors).max(axis=0) / np.float32(WEIGHT_STEPS), SMALLEST_SCALE)
    return np.rint(factors / scales).astype(np.int8), scales


def _quantise_rows(graph: GraphBuilder, rows: str) -> tuple[str, str]:
    """Scales (rows, 1), and bytes around 128."""
    across = graph.integers(1)
    highest = graph.add("ReduceMax", rows, across, keepdims=0)
    lowest = graph.add("Neg", graph.add("ReduceMin", rows, across, keepdims=0))
    smallest = graph.constant("smallest", np.array(SMALLEST_SCALE * ROW_STEPS))
    step = graph.constant("step", np.array(1 / ROW_STEPS, np.float32))
    scales = graph.add("Mul", graph.add("Max", highest, lowest, smallest), step)
    middle = graph.constant("middles", np.array([ROW_STEPS + 1], np.uint8))
    middles = graph.add("Expand", middle, graph.add("Shape", scales))
    return graph.add("Unsqueeze", scales, across), graph.add("QuantizeLinear", rows, scales, middles, axis=0)
