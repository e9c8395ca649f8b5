"""Probes and figures on rows whose answer is known: what is erased is gone, what is crossed needs a curve to see."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evenhand.debias.erasers import RemovalRecipe, fit_recipe
from evenhand.debias.importance import ImportanceSettings
from evenhand.debias.probes import Leakage, ProbeSettings, class_gaps, floor_accuracy, majority_accuracy, tpr_gap
from evenhand.debias.samples import Samples, divide, split_parts
from evenhand.debias.scoring import RemovalScore, choosing_bench, final_bench, measure
from evenhand.debias.weighing import fit_heads, weigh
from evenhand.models.concept_removal import identity
from tests.debias.planted import QUICK, coded, crossed, planted

PROBING = ProbeSettings(seeds=(0, 1), protocol=QUICK, rbf_rows=600, rbf_costs=(1.0,))


def before(samples: Samples) -> RemovalScore:
    bench = final_bench(divide(samples, split_parts(samples)))
    return measure("A", identity(samples.rows.shape[1]), bench, PROBING)[0]


def test_one_concept_removed_and_the_gender_is_gone_but_not_the_trade() -> None:
    samples = planted(4000)
    parts = divide(samples, split_parts(samples))
    heads = fit_heads(parts.train, parts.validation, protocol=QUICK)
    weighed = weigh(parts.train, heads, rank=8, weighing=ImportanceSettings(points=64, texts=50))
    change = fit_recipe(RemovalRecipe("svd", 8, 1), weighed, parts.train)
    start, after = (measure("", each, final_bench(parts), PROBING)[0] for each in (identity(24), change))
    assert start.worst_leak > 0.99
    assert after.leaks[0].linear[0] <= 0.54
    assert np.mean(after.leaks[0].mlp) <= 0.52
    assert np.mean(after.leaks[0].rbf) <= 0.54
    assert abs(start.accuracy - after.accuracy) <= 0.005
    assert start.accuracy > 0.99


def test_gender_that_is_crossed_is_seen_by_curves_only() -> None:
    found = before(crossed()).leaks[0]
    assert found.linear[0] == pytest.approx(0.5, abs=0.07)
    assert min(found.mlp) > 0.95
    assert min(found.rbf) > 0.95
    assert before(crossed()).to_json()["sensitive"]["gender"].keys() >= {"linear", "mlp", "rbf", "worse"}


def test_the_worse_probe_is_the_one_with_the_larger_mean() -> None:
    mixed = Leakage("gender", (0.5, 0.5), (0.6, 0.8), (0.75, 0.71))
    assert mixed.worse == pytest.approx(0.73)  # means .70 and .73; the larger of each seed would make .775
    other = Leakage("origin", (0.5, 0.5), (0.82, 0.82), (0.8, 0.8))
    score = RemovalScore("", (0.9, 0.8), ((0.1, 0.2), ()), (mixed, other), (0.5, 0.8))
    assert score.worst_leak == pytest.approx(0.82)
    assert score.excesses == pytest.approx((0.23, 0.02))
    assert score.gap(0) == pytest.approx(0.15)
    assert score.gap(1) is None
    assert score.to_json()["sensitive"]["gender"]["worse"] == pytest.approx(0.73)


def test_rows_nobody_knows_the_label_of_teach_and_judge_nothing() -> None:
    samples = planted(600)
    lost = samples.sensitive[0].codes.copy()
    lost[::3] = -1
    found = before(replace(samples, sensitive=(replace(samples.sensitive[0], codes=lost),)))
    assert found.worst_leak > 0.99


def test_a_choice_is_judged_on_rows_that_nothing_learned_from() -> None:
    samples = planted(500)
    parts = divide(samples, split_parts(samples))
    bench = choosing_bench(parts)
    sets = [bench.train, bench.validation, *bench.evaluated]
    keys = [set(map(bytes, each.rows)) for each in sets]
    assert sum(map(len, keys)) == len(set().union(*keys)) == 500
    assert bench.evaluated == (parts.validation, parts.test)


def test_the_floor_is_the_larger_group_of_each_class() -> None:
    task = coded("trade", [0] * 10 + [1] * 10)
    sensitive = coded("gender", [0] * 9 + [1] + [0] * 4 + [1] * 6)
    assert floor_accuracy(task, sensitive) == pytest.approx(0.75)  # 9 of 10 and 6 of 10
    assert majority_accuracy(sensitive) == pytest.approx(13 / 20)
    unknown = replace(sensitive, codes=np.where(np.arange(20) == 9, -1, sensitive.codes))
    assert floor_accuracy(task, unknown) == pytest.approx(15 / 19)


def test_the_gap_is_that_of_true_positive_rates() -> None:
    task = coded("trade", [0] * 20 + [1] * 20)
    gender = coded("gender", ([0] * 10 + [1] * 10) * 2)
    guesses = task.codes.copy()
    guesses[:5] = 1  # half of the first group of the first trade is missed
    guesses[30:31] = 0  # and one of ten of the second group of the second
    assert class_gaps(guesses, task, gender) == {"trade 0": pytest.approx(0.5), "trade 1": pytest.approx(0.1)}
    assert tpr_gap(guesses, task, gender) == pytest.approx(np.sqrt((0.25 + 0.01) / 2))
    few = coded("gender", [0] * 38 + [1] * 2)
    assert tpr_gap(guesses, task, few) is None  # two rows are no rate
