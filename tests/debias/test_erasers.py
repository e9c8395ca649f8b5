"""LEACE against concept-erasure, INLP and RLACE by what a linear classifier finds afterwards."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from evenhand.debias.erasers import fit_inlp, fit_leace, fit_rlace, to_fantope
from evenhand.debias.samples import Samples
from evenhand.models.concept_removal import LinearMap
from tests.debias.planted import coded, planted


@pytest.fixture(scope="module")
def samples() -> Samples:
    return planted(700, 12)


def linear(change: LinearMap, samples: Samples, codes: object) -> float:
    rows = change.apply(samples.rows)
    return float(LogisticRegression(max_iter=500).fit(rows[:500], codes[:500]).score(rows[500:], codes[500:]))  # type: ignore[index]


def test_leace_is_that_of_concept_erasure(samples: Samples) -> None:
    torch = pytest.importorskip("torch")
    fitter = pytest.importorskip("concept_erasure").LeaceFitter
    rows = torch.from_numpy(samples.rows)
    for variable in (samples.sensitive[0], samples.task):
        marks = torch.from_numpy(np.eye(len(variable.classes))[variable.codes])
        eraser = fitter.fit(rows, marks, shrinkage=False).eraser
        ours = fit_leace(samples.rows, [variable]).apply(samples.rows)
        np.testing.assert_allclose(ours, eraser(rows).numpy(), atol=1e-8)


def test_after_leace_all_groups_have_one_mean_even_where_columns_are_dead(samples: Samples) -> None:
    dead = np.hstack([samples.rows, np.zeros((700, 1)), 1e-9 * samples.rows[:, :1]])
    change = fit_leace(dead, [samples.sensitive[0], samples.task])
    rows = change.apply(dead)
    for variable in (samples.sensitive[0], samples.task):
        means = [rows[variable.codes == place].mean(axis=0) for place in range(len(variable.classes))]
        np.testing.assert_allclose(means, [rows.mean(axis=0)] * len(means), atol=1e-6)
    np.testing.assert_allclose(rows.mean(axis=0), dead.mean(axis=0), atol=1e-6)


def test_leace_takes_what_is_told_faintly_beside_what_is_told_loudly() -> None:
    loud = np.tile([0, 1], 500)
    column = np.repeat([-1.0, 1.0], 500)
    faint = (column > 0).astype(int)
    faint[[*range(248), *range(500, 748)]] ^= 1  # right for 504 of 1000: a hundredth of what the loud one tells
    rows = np.stack([2.0 * loud - 1, column], axis=1) + 0.01 * np.random.default_rng(0).normal(size=(1000, 2))
    variables = [coded("loud", loud), coded("faint", faint)]
    after = fit_leace(rows, variables).apply(rows)
    for each in variables:
        apart = after[each.codes == 1].mean(axis=0) - after[each.codes == 0].mean(axis=0)
        np.testing.assert_allclose(apart, 0, atol=1e-9)


def test_inlp_and_rlace_leave_nothing_to_a_line_and_the_task_alone(samples: Samples) -> None:
    gender = samples.sensitive[0].codes
    for change in (
        fit_inlp(samples.rows, samples.sensitive, rounds=4),
        fit_rlace(samples.rows, samples.sensitive, rank=1, rounds=60),
    ):
        assert linear(change, samples, gender) < 0.6
        assert linear(change, samples, samples.task.codes) > 0.95
        np.testing.assert_allclose(change.apply(change.apply(samples.rows)), change.apply(samples.rows), atol=1e-8)


def test_inlp_of_two_variables_takes_both(samples: Samples) -> None:
    side = coded("side", (samples.rows[:, 0] > 0).astype(int))
    change = fit_inlp(samples.rows, [samples.sensitive[0], side], rounds=6)
    assert linear(change, samples, samples.sensitive[0].codes) < 0.6
    assert linear(change, samples, side.codes) < 0.7


def test_inlp_takes_no_directions_of_a_variable_that_nobody_can_tell() -> None:
    samples = planted(3000, 6)
    coin = coded("coin", np.random.default_rng(5).integers(0, 2, 3000))
    alone = fit_inlp(samples.rows, samples.sensitive)
    both = fit_inlp(samples.rows, [*samples.sensitive, coin])
    assert both.rank == alone.rank >= 1
    np.testing.assert_allclose(both.apply(samples.rows), alone.apply(samples.rows), atol=1e-9)


def test_the_fantope_holds_eigenvalues_between_0_and_1_that_sum_to_the_rank() -> None:
    drawn = np.random.default_rng(0).normal(size=(6, 6))
    values = np.linalg.eigvalsh(to_fantope(drawn, 2))
    assert values.sum() == pytest.approx(2)
    assert values.min() > -1e-9
    assert values.max() < 1 + 1e-9
    inside = np.diag([1.0, 0.5, 0.5, 0, 0, 0])
    np.testing.assert_allclose(to_fantope(inside, 2), inside, atol=1e-9)
