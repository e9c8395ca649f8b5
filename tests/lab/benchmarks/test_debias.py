"""The bench of concept removal: its matrix, its arithmetic, and one small run."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand_lab.benchmarks import debias
from evenhand_lab.benchmarks.debias import Growth, draw, run


def test_growth_is_the_power_of_the_size() -> None:
    assert Growth("rows", (10, 20, 40), (1.0, 4.0, 16.0)).exponent == pytest.approx(2)
    assert Growth("rank", (10, 20, 40), (3.0, 3.0, 3.0)).exponent == pytest.approx(0)


def test_the_drawn_rows_are_unit_vectors_of_known_classes() -> None:
    samples = draw(300, 50, seed=2)
    np.testing.assert_allclose(np.linalg.norm(samples.rows, axis=1), 1)
    assert (len(samples.task.classes), len(samples.sensitive[0].classes)) == (6, 2)


@pytest.mark.long
def test_every_eraser_stands_beside_it_in_the_same_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debias, "GROWTH", {"rows": (5000, 10_000)})
    found = run(n=300, columns=16, rank=3)
    names = [rival.name for rival in found.rivals]
    assert names[:4] == ["nothing", "LEACE", "INLP", "RLACE"]
    assert found.rivals[1].linear < found.rivals[0].linear
    assert found.seconds == pytest.approx(sum(stage.seconds for stage in found.stages))
    assert found.growth[0].sizes == (200, 300)
    assert "at most 120" in dict(found.rows())["whole fit: SVD, heads, Sobol, sweep"]
