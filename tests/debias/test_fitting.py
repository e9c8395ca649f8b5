"""The whole fit on planted rows: what it chooses, what it may not see, and what is kept on disk."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evenhand.debias import fitting
from evenhand.debias.erasers import RemovalRecipe
from evenhand.debias.fitting import Choice, FittedRemoval, FittingPlan, RecipeCandidate, choose, fit_removal
from evenhand.debias.heads import Protocol
from evenhand.debias.importance import ImportanceSettings
from evenhand.debias.learned_removal import load_removal, save_removal
from evenhand.debias.probes import Leakage, ProbeSettings
from evenhand.debias.samples import DataSplit, Samples, make_samples, rotate, split_parts, variable
from evenhand.debias.scoring import RecipeGrid, RemovalScore
from evenhand.errors import ModelAltered, ModelError, UsageError
from tests.debias.planted import coded, planted

PROTOCOL = Protocol(rates=(1e-2,), epochs=12)
PLAN = FittingPlan(
    grid=RecipeGrid(ranks=(6,), most=2),
    weighing=ImportanceSettings(points=32, texts=30),
    probing=ProbeSettings(seeds=(0,), protocol=PROTOCOL, rbf_rows=300),
)


@pytest.fixture(scope="module")
def samples() -> Samples:
    return planted(600)


@pytest.fixture(scope="module")
def fitted(samples: Samples) -> FittedRemoval:
    return fit_removal(samples, PLAN, source="planted rows")


def test_the_gender_goes_and_the_reason_says_why(fitted: FittedRemoval) -> None:
    assert fitted.choice.meets
    assert fitted.choice.leak < 0.6
    assert abs(fitted.choice.lost) <= 0.02
    assert fitted.choice.reason.startswith(fitted.choice.recipe.name)
    assert "worse of the MLP and RBF probes" in fitted.choice.reason
    first = fitted.weighed.concepts[0]
    assert first.sensitive > 0.5  # of all that the gender's head looks at
    assert not first.carries
    assert fitted.weighed.limit >= 1


def test_both_beginnings_are_in_the_sweep(fitted: FittedRemoval) -> None:
    names = [point.name for point in fitted.points]
    assert names[:2] == ["A", "rank-6 UW"]
    assert "SVD r=6, k=1" in names
    assert all(len(point.scores) == 2 for point in fitted.points)  # validation and test


def test_nothing_fitted_or_chosen_depends_on_test_rows(samples: Samples, fitted: FittedRemoval) -> None:
    rows = samples.rows.copy()
    rows[fitted.parts.test] = np.random.default_rng(9).normal(size=(len(fitted.parts.test), rows.shape[1])) * 50
    labels = samples.task.codes.copy()
    labels[fitted.parts.test] = 0
    changed = replace(samples, rows=rows, task=replace(samples.task, codes=labels))
    other = fit_removal(changed, PLAN, source="planted rows", parts=fitted.parts)
    assert other.choice == fitted.choice
    for ours, theirs in (
        (fitted.removal.change.left, other.removal.change.left),
        (fitted.removal.change.shift, other.removal.change.shift),
        (fitted.weighed.decomposition.basis, other.weighed.decomposition.basis),
        (fitted.heads.task.first, other.heads.task.first),
        (fitted.heads.sensitive[0].first, other.heads.sensitive[0].first),
    ):
        np.testing.assert_array_equal(ours, theirs)
    assert fitted.points[0].scores[1].task != other.points[0].scores[1].task  # they were measured


def test_several_turns_choose_by_their_mean_and_without_test_rows(samples: Samples) -> None:
    grid = RecipeGrid(("svd", "pca"), (4, 6), joined=(False,), most=1)
    parts = split_parts(samples)
    found = fit_removal(samples, replace(PLAN, grid=grid, turns=2), parts=parts)
    assert found.choice.recipe.k == 1
    assert {found.choice.recipe.rank, found.weighed.decomposition.rank} <= {4, 6}
    turns = rotate(parts, 2)
    assert all(not set(turn.test) & {*turn.train, *turn.validation} for turn in turns)
    assert not set(turns[0].validation) & set(turns[1].validation)


def test_what_turns_chose_is_cut_where_the_training_rows_allow_less(
    samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = replace(PLAN, grid=RecipeGrid(ranks=(6,), joined=(False,), most=2), turns=2)
    wanted = Choice(RemovalRecipe("svd", 6, 5), "as the turns have it", 0.5, 0.0, True)
    monkeypatch.setattr(fitting, "_search", lambda *_: wanted)  # the chance that turns allow too much, taken
    found = fit_removal(samples, plan)
    limit = found.weighed.limit
    assert limit < 5
    assert found.choice.recipe == found.removal.recipe == replace(wanted.recipe, k=limit)
    assert found.removal.change.rank == 6 - limit
    assert found.choice.reason.startswith(f"SVD r=6, k={limit}: on validation rows")
    assert found.choice.reason.endswith(f"of the task, so k is cut to {limit}.")
    score = next(point.scores[0] for point in found.points if point.recipe == found.choice.recipe)
    assert found.choice.leak == score.worst_leak


def test_two_variables_go_together() -> None:
    samples = planted(600)
    side = (samples.rows @ np.linalg.svd(samples.rows, full_matrices=False)[2][3] > 0).astype(int)
    both = make_samples(samples.rows, samples.task, [*samples.sensitive, coded("side", side)])
    found = fit_removal(both, replace(PLAN, grid=RecipeGrid(ranks=(6,), joined=(True,), most=2)))
    assert found.removal.sensitive == ("gender", "side")
    last = found.points[-1].scores[1]
    assert [leak.variable for leak in last.leaks] == ["gender", "side"]
    assert max(leak.linear[0] for leak in last.leaks) < 0.65
    assert len(found.weighed.sensitive) == 2


def test_what_is_saved_comes_back_and_the_same_fit_gives_the_same_bytes(
    fitted: FittedRemoval, samples: Samples, tmp_path: Path
) -> None:
    first = save_removal(tmp_path / "a", fitted.removal)
    again = load_removal(tmp_path / "a")
    np.testing.assert_array_equal(again.apply(samples.rows), fitted.removal.apply(samples.rows))
    assert again.concepts == fitted.removal.concepts
    assert (again.recipe, again.reason, again.source) == (fitted.removal.recipe, fitted.removal.reason, "planted rows")
    assert save_removal(tmp_path / "b", again) == first
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["manifest.json", "weights.safetensors"]


def test_a_folder_that_was_changed_is_refused(fitted: FittedRemoval, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no removal"):
        load_removal(tmp_path)
    save_removal(tmp_path, fitted.removal)
    weights = tmp_path / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    with pytest.raises(ModelAltered):
        load_removal(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**manifest, "format": 99}))
    with pytest.raises(ModelError, match="version"):
        load_removal(tmp_path)


def score(task: float, mlp: float, rbf: float = 0.5) -> RemovalScore:
    return RemovalScore("", (task,), ((0.0,),), (Leakage("gender", (0.5,), (mlp,), (rbf,)),), (0.5,))


def candidate(k: int, task: float, mlp: float, rbf: float = 0.5, *, allowed: bool = True) -> RecipeCandidate:
    return RecipeCandidate(RemovalRecipe("svd", 20, k), (score(task, mlp, rbf),), allowed)


def test_the_choice_is_the_lowest_worse_leak_that_costs_little_and_is_allowed() -> None:
    found = choose(
        [
            candidate(1, 0.86, 0.80),
            candidate(2, 0.845, 0.70, 0.74),  # the RBF probe is the worse one
            candidate(3, 0.842, 0.73, 0.60),
            candidate(4, 0.83, 0.60),  # costs three points
            candidate(5, 0.85, 0.55, allowed=False),
        ],
        [score(0.86, 0.97)],
        rows=4000,
    )
    assert found.recipe.k == 3
    assert found.meets
    assert found.leak == pytest.approx(0.73)
    assert found.lost == pytest.approx(0.018)
    assert "falls from 0.970 to 0.730, and the task loses 1.8 points" in found.reason
    assert "Of 5 tried none that costs at most 2 points leaks less" in found.reason


def test_of_leaks_that_are_as_good_the_one_that_removes_least_is_taken() -> None:
    tried = [candidate(1, 0.86, 0.74), candidate(2, 0.86, 0.71), candidate(7, 0.86, 0.70)]
    original = [score(0.86, 0.97)]
    assert choose(tried, original, rows=400).recipe.k == 2  # a standard error is .023
    assert choose(tried, original, rows=40_000).recipe.k == 7
    assert choose(tried, original, rows=100).recipe.k == 1


def test_a_price_that_turns_disagree_on_counts_as_more() -> None:
    """1.5 points on average, of 0 and 3: one standard error more is 3, and that is too much."""
    original = [score(0.86, 0.97)] * 2
    lucky = RecipeCandidate(RemovalRecipe("svd", 20, 1), (score(0.86, 0.6), score(0.83, 0.6)), True)
    steady = RecipeCandidate(RemovalRecipe("svd", 20, 2), (score(0.845, 0.7), score(0.845, 0.7)), True)
    assert lucky.most_lost(original) == pytest.approx(0.03)
    assert choose([lucky, steady], original, rows=400).recipe.k == 2


def test_where_nothing_is_cheap_the_choice_says_so() -> None:
    found = choose([candidate(1, 0.80, 0.80), candidate(2, 0.82, 0.9)], [score(0.86, 0.97)], rows=100)
    assert (found.recipe.k, found.meets) == (2, False)
    assert "none of 2 tried surely kept the loss within 2 points; this one loses least" in found.reason


@pytest.mark.parametrize("floor", [0.0, 0.5, 0.8])
def test_of_one_variable_the_floor_changes_no_choice(floor: float) -> None:
    tried = [candidate(1, 0.86, 0.74), candidate(2, 0.86, 0.71), candidate(7, 0.86, 0.70)]
    moved = [replace(each, scores=tuple(replace(score, floors=(floor,)) for score in each.scores)) for each in tried]
    for rows, k in ((100, 1), (400, 2), (40_000, 7)):
        found = choose(moved, [replace(score(0.86, 0.97), floors=(floor,))], rows=rows)
        assert (found.recipe.k, found.reason) == (k, choose(tried, [score(0.86, 0.97)], rows=rows).reason)


def test_of_two_variables_the_one_that_leaks_most_over_its_floor_decides() -> None:
    """Eight in ten are of one origin: .81 there is nearly nothing, and .75 of the gender is much."""

    def both(k: int, gender: float, origin: float) -> RecipeCandidate:
        leaks = (Leakage("gender", (0.5,), (gender,), (0.5,)), Leakage("origin", (0.8,), (origin,), (0.8,)))
        return RecipeCandidate(
            RemovalRecipe("svd", 20, k), (RemovalScore("", (0.86,), ((), ()), leaks, (0.5, 0.8)),), True
        )

    tried = [both(1, 0.75, 0.80), both(2, 0.60, 0.81)]
    assert [each.scores[0].worst_leak for each in tried] == [0.80, 0.81]  # plain accuracies say the contrary
    found = choose(tried, both(0, 0.97, 0.9).scores, rows=40_000)
    assert found.recipe.k == 2
    assert found.leak == pytest.approx(0.60)
    assert "probes of gender falls from 0.970 to 0.600" in found.reason


def test_labels_and_matrices_that_do_not_fit_are_refused() -> None:
    task, gender = coded("trade", [0, 1, 0]), coded("gender", [0, 1, 1])
    with pytest.raises(UsageError, match="3 dimensions"):
        make_samples(np.zeros((3, 2, 2)), task, [gender])
    with pytest.raises(UsageError, match="no numbers"):
        make_samples(np.array([[np.nan]] * 3), task, [gender])
    with pytest.raises(UsageError, match="2 rows, and trade has 3"):
        make_samples(np.zeros((2, 4)), task, [gender])
    with pytest.raises(UsageError, match="sensitive"):
        make_samples(np.zeros((3, 4)), task, [])
    with pytest.raises(UsageError, match="fewer than two"):
        variable("gender", ["female", None, "female"])


def test_parts_are_disjoint_and_every_kind_is_in_each() -> None:
    samples = planted(300)
    parts: DataSplit = split_parts(samples, seed=4)
    every = np.concatenate([parts.train, parts.validation, parts.test])
    assert sorted(every) == list(range(300))
    assert [len(parts.train), len(parts.validation), len(parts.test)] == [
        pytest.approx(180, abs=2),
        pytest.approx(60, abs=2),
        pytest.approx(60, abs=2),
    ]
    for part in (parts.train, parts.validation, parts.test):
        kinds = samples.task.codes[part] * 2 + samples.sensitive[0].codes[part]
        counts = np.bincount(kinds, minlength=6)
        assert counts.max() - counts.min() <= 3
