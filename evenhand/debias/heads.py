"""A head: rows to logits through one hidden layer of 128 rectified units, as it was learned and frozen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
HIDDEN = 128


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """`rate` is the learning rate that validation chose; `seed` began the weights and ordered the batches."""

    first: Singles  # d x 128
    first_bias: Singles
    second: Singles  # 128 x C
    second_bias: Singles
    rate: float
    seed: int

    def logits(self, rows: NDArray[np.floating]) -> Singles:
        hidden = np.asarray(rows, np.float32) @ self.first + self.first_bias
        found: Singles = np.maximum(hidden, np.zeros_like(hidden)) @ self.second + self.second_bias
        return found

    def predict(self, rows: NDArray[np.floating]) -> NDArray[np.int64]:
        return np.asarray(self.logits(rows).argmax(axis=1), np.int64)
