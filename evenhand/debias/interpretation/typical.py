"""The texts that have most of a concept, on either side: its sign is arbitrary."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Typical:
    row: int
    value: float  # u_i, with its sign


def most_typical(u: NDArray[np.floating], concept: int, *, count: int = 5) -> tuple[Typical, ...]:
    """The rows with the largest |u_i|, the strongest first; equal ones in their order."""
    values = np.asarray(u, dtype=np.float64)[:, concept]
    rows = np.argsort(-np.abs(values), kind="stable")[:count]
    return tuple(Typical(int(row), float(values[row])) for row in rows)
