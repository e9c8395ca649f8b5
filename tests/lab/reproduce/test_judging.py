"""The measures against values worked out by hand and against ir_measures."""

from __future__ import annotations

import random

import ir_measures
import pytest
from ir_measures import P, nDCG

from evenhand_lab.reproduce.ranking import GainKind, ndcg_at, precision_at, relevant_in_bottom


def test_by_hand() -> None:
    grades = [3, 0, 2, 1]
    assert precision_at(grades, 2) == 0.5
    assert precision_at(grades, 5) == 0.4
    assert precision_at(grades, 4, relevant=1) == 0.75
    # (3 + 2 / 2) / (3 + 2 / log2(3) + 1 / 2)
    assert ndcg_at(grades, 3) == pytest.approx(0.840008, abs=1e-6)
    # (7 + 3 / 2) / (7 + 3 / log2(3) + 1 / 2)
    assert ndcg_at(grades, 3, gain="exponential") == pytest.approx(0.904950, abs=1e-6)
    assert ndcg_at([0, 0], 5) == 0.0
    assert ndcg_at([2], 1, pool=[3, 2]) == pytest.approx(2 / 3)
    assert relevant_in_bottom([3, 0, 2, 1], 2) == 1


@pytest.mark.parametrize("k", [1, 5, 10, 20])
@pytest.mark.parametrize(("gain", "gains"), [("linear", (0, 1, 2, 3)), ("exponential", (0, 1, 3, 7))])
def test_as_ir_measures(k: int, gain: GainKind, gains: tuple[int, ...]) -> None:
    rng = random.Random(k)
    grades = [rng.choice((0, 0, 0, 1, 2, 3)) for _ in range(30)]
    judged = [ir_measures.Qrel("job", f"r{at:02d}", gains[grade]) for at, grade in enumerate(grades)]
    run = [ir_measures.ScoredDoc("job", f"r{at:02d}", 100.0 - at) for at in range(30)]
    precision, ndcg = P(rel=gains[2]) @ k, nDCG @ k
    wanted = ir_measures.calc_aggregate([ndcg, precision], judged, run)
    assert ndcg_at(grades, k, gain=gain) == pytest.approx(wanted[ndcg], abs=1e-9)
    assert precision_at(grades, k) == pytest.approx(wanted[precision], abs=1e-9)
