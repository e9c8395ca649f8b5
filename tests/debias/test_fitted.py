"""A fit's points become the lines that figures show."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from evenhand.debias.fitting import FittedRemoval, FittingPlan, fit_removal
from evenhand.debias.importance import ImportanceSettings
from evenhand.debias.probes import ProbeSettings
from evenhand.debias.report import charts_of, standing, sweep_of
from evenhand.debias.scoring import RecipeGrid
from tests.debias.planted import QUICK, planted


@pytest.fixture(scope="module")
def fitted() -> FittedRemoval:
    plan = FittingPlan(
        grid=RecipeGrid(ranks=(4,), joined=(False, True), most=2),
        weighing=ImportanceSettings(points=32, texts=50),
        probing=ProbeSettings(seeds=(0,), protocol=QUICK),
    )
    return fit_removal(planted(400), plan)


def test_a_sweep_has_the_plain_points_in_order(fitted: FittedRemoval) -> None:
    sweep = sweep_of(fitted)
    plain = {point.name: point.scores[1] for point in fitted.points if "LEACE" not in point.name}
    assert list(plain) == ["A", "rank-4 UW", "SVD r=4, k=1", "SVD r=4, k=2"]
    assert sweep.ks == (0, 1, 2)
    assert sweep.task == pytest.approx([100 * float(np.mean(plain[name].task)) for name in list(plain)[1:]])
    leaks = [plain[name].leaks[0] for name in list(plain)[1:]]
    assert sweep.sensitive == pytest.approx([100 * max(leak.mlp[0], leak.rbf[0]) for leak in leaks])
    ((name, linear),) = sweep.probes
    assert name == "linear"
    assert linear == pytest.approx([100 * leak.linear[0] for leak in leaks])
    assert sweep.original == standing(plain["A"], "original")
    assert (sweep.task_name, sweep.sensitive_name) == ("trade", "gender")


def test_both_ways_to_the_floor_agree(fitted: FittedRemoval) -> None:
    test = fitted.divided.test
    pairs = Counter(zip(test.task.codes.tolist(), test.sensitive[0].codes.tolist(), strict=True))
    best = {label: max(n for (of, _), n in pairs.items() if of == label) for label, _ in pairs}
    assert sweep_of(fitted).floor == pytest.approx(100 * sum(best.values()) / sum(pairs.values()))


def test_three_charts(fitted: FittedRemoval) -> None:
    titles = [chart.title for chart in charts_of(fitted)]
    assert titles == [
        "Concepts by information about gender and of trade",
        "Accuracy after removing k concepts: trade and gender",
        "What less gender costs in trade",
    ]
