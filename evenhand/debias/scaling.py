"""Rows brought to a size that training likes, before anything is trained on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evenhand.debias.samples import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """One factor for all columns: distances stay in proportion.

    A factor for each would blow up the columns that hardly vary, and with them noise, and the rounding errors where a
    direction was erased, which tell what was erased.
    """

    mean: Floats
    factor: float

    def apply(self, rows: Floats) -> Floats:
        return np.asarray((rows - self.mean) * self.factor, np.float64)


def fit_scaling(rows: Floats) -> Scaling:
    """The mean square of what comes out is 1."""
    mean = rows.mean(axis=0)
    size = float(np.sqrt(((rows - mean) ** 2).mean()))
    return Scaling(mean, 1 / size if size > 0 else 1.0)
