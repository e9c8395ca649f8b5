"""The largest numbers inside an encoder, against those met when it is worked out by hand."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from evenhand.models.encoder.weights import read_shape, read_weights
from evenhand.models.inference.loading import measure_limits, round_up
from tests.models.encoder.tiny_bert import Array, NumpyBert, write_tiny_bert

IDS = ([2, 4, 7, 8, 3], [2, 9, 6, 10, 4, 11, 7, 8, 4, 5, 3])


class Watched(NumpyBert):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.highest: defaultdict[str, float] = defaultdict(float)

    def _linear(self, name: str, rows: Array) -> Array:
        self.highest[name] = max(self.highest[name], float(np.abs(rows).max()))
        return super()._linear(name, rows)


def test_limits_are_the_largest_numbers_rounded_up(tmp_path: Path) -> None:
    folder = write_tiny_bert(tmp_path)
    bert = Watched(folder)
    for ids in IDS:
        bert.states(ids)
    weights = read_weights(folder, read_shape(folder))
    found = measure_limits(weights, [np.array(ids, np.int32) for ids in IDS])
    assert len(found) == 12  # two layers of six
    assert found == {name: round_up(value) for name, value in bert.highest.items()}


@pytest.mark.parametrize(
    ("value", "expected"), [(28.51, 29.0), (28.0, 28.0), (0.1234, 0.13), (7.0, 7.0), (101.0, 110.0), (0.0, 1.0)]
)
def test_rounding_up_to_two_digits(value: float, expected: float) -> None:
    assert round_up(value) == pytest.approx(expected)
