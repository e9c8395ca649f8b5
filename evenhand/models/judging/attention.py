"""Attention of one query over the rows of a text, in numpy: keys and values of all rows are never made.

query . (K x) is (K^T query) . x, and a mixture of (V x) is V of the mixture of x, so the query is brought to the rows.
The key's bias adds the same to all scores of a query and drops out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.models.artefact import Artefact
from evenhand.models.encoder.weights import Array


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """Weights parted by head: (heads, width, hidden), but for the output's."""

    query: Array
    query_bias: Array
    key: Array
    value: Array
    value_bias: Array
    output: Array
    output_bias: Array

    def attend(self, queries: Array, states: Array, mask: NDArray[np.int32] | None = None) -> Array:
        """(n, hidden): queries (n or 1, hidden) over states (n or 1, rows, hidden), whose padding has mask 0."""
        heads, width, hidden = self.query.shape
        asked = queries @ self.query.reshape(hidden, hidden).T + self.query_bias
        brought = np.einsum("nhd,hdi->nhi", asked.reshape(-1, heads, width), self.key) / np.sqrt(
            np.float32(width)
        )
        scores = brought @ states.transpose(0, 2, 1)
        if mask is not None:
            scores = np.where(mask[:, None, :] > 0, scores, -np.inf)
        mixed = _softmax(scores) @ states
        values = np.einsum("nhi,hdi->nhd", mixed, self.value).reshape(-1, hidden) + self.value_bias
        found: Array = values @ self.output.T + self.output_bias
        return found


def read_attention(artefact: Artefact, block: str, heads: int) -> Attention:
    def part(name: str) -> tuple[Array, Array]:
        at = f"attention.{block}.{name}"
        weight = artefact.tensor(f"{at}.weight").astype(np.float32)
        if f"{at}.scale" in artefact.tensors:  # the weight is in small integers
            weight *= artefact.tensor(f"{at}.scale").astype(np.float32)[:, None]
        return weight, artefact.tensor(f"{at}.bias").astype(np.float32)

    def by_head(weight: Array) -> Array:
        return weight.reshape(heads, -1, weight.shape[1])

    (query, query_bias), (key, _), (value, value_bias), (output, output_bias) = map(
        part, ("query", "key", "value", "output")
    )
    return Attention(
        by_head(query), query_bias, by_head(key), by_head(value), value_bias, output, output_bias
    )


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    found: Array = powers / powers.sum(axis=-1, keepdims=True)
    return found
