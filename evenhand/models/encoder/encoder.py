"""Texts to unit vectors: the encoder that ranks and, later, the ground on which classifiers stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from onnxruntime import ExecutionMode, GraphOptimizationLevel, InferenceSession, SessionOptions
from tokenizers import Tokenizer

from evenhand.models.encoder.tokens import SPECIAL_TOKENS, batches, padded, token_ids, windows
from evenhand.models.encoder.weights import Array

BATCH_TOKENS = 2048


@dataclass(frozen=True, slots=True, eq=False)
class Encoder:
    """A sentence encoder ready to run; `version` changes with anything that changes its vectors."""

    name: str
    version: str
    dimension: int
    tokens: int
    precision: str
    note: str  # why the precision is not the one asked for; empty when it is
    tokenizer: Tokenizer
    session: InferenceSession

    def encode(self, texts: Sequence[str], *, batch_tokens: int = BATCH_TOKENS) -> Array:
        """One row of length 1 per text, in order; a text without words gets zeros. Only `tokens` tokens are read.

        A text's row does not depend on the texts beside it beyond rounding (1e-5): who wants the same bytes
        again, as a digest does, encodes the same texts together again.
        """
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        rows = token_ids(self.tokenizer, texts, self.tokens)
        spoken = [place for place, row in enumerate(rows) if len(row) > SPECIAL_TOKENS]
        for batch in batches([len(rows[place]) for place in spoken], batch_tokens):
            places = [spoken[position] for position in batch]
            ids, mask = padded([rows[place] for place in places])
            vectors[places] = self.session.run(["vectors"], {"ids": ids, "mask": mask})[0]
        return vectors

    def windows(self, text: str, tokens: int = 0) -> list[tuple[int, int]]:
        """Character spans of a long text to encode one by one; by default as long as the encoder can read."""
        longest = self.tokens - SPECIAL_TOKENS
        return windows(self.tokenizer, text, min(tokens, longest) if tokens else longest)


def open_session(model: bytes, threads: int) -> InferenceSession:
    """Shapes change from batch to batch, so plans of memory for one shape would only pile up."""
    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = ExecutionMode.ORT_SEQUENTIAL
    options.enable_mem_pattern = False
    # The graph names the operators it wants; fusing sums with norms, as more optimising does, makes them slower.
    options.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return InferenceSession(model, options, providers=["CPUExecutionProvider"])
