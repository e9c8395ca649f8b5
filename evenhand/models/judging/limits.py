"""How large the numbers inside an encoder get: then small integers can have one scale instead of one for each row."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from evenhand.models.encoder.encoder import open_session
from evenhand.models.encoder.graph import build_ranges, linear_names
from evenhand.models.encoder.tokens import Ids
from evenhand.models.encoder.weights import BertWeights


def measure_limits(weights: BertWeights, sequences: Sequence[Ids], *, threads: int = 1) -> dict[str, float]:
    """The largest number that each linear map is given over the sequences, by its name."""
    session = open_session(build_ranges(weights), threads)
    names = linear_names(weights.shape.layers)
    highest = np.zeros(len(names))
    for sequence in sequences:
        ids = sequence[None]
        (found,) = session.run(["ranges"], {"ids": ids, "mask": np.ones_like(ids)})
        highest = np.maximum(highest, found)
    return {name: round_up(float(value)) for name, value in zip(names, highest, strict=True)}


def round_up(value: float) -> float:
    """To two digits: processors differ in the last ones, and a scale must not."""
    if value <= 0:
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(value)) - 1)
    return round(math.ceil(value / unit - 1e-6) * unit, 12)
