"""Gaps by group, by hand, against fairlearn, and under planted and absent bias."""

from __future__ import annotations

import numpy as np
import pytest
from fairlearn.metrics import MetricFrame, false_positive_rate, selection_rate, true_positive_rate
from sklearn.metrics import accuracy_score, recall_score

from evenhand.audit.models.gaps import LabelledPredictions, measure_gaps, measure_spread

LABELS = ("nurse", "surgeon")


def one_hot(places: np.ndarray, size: int) -> np.ndarray:
    return np.asarray(places[:, None] == np.arange(size))


def by_hand() -> tuple[LabelledPredictions, list[str]]:
    """Nurses: 18 of 20 women and 12 of 20 men are found; surgeons: 5 of 10 women and 15 of 20 men."""
    true, said, groups = [], [], []
    for label, group, members, hits in ((0, "f", 20, 18), (0, "m", 20, 12), (1, "f", 10, 5), (1, "m", 20, 15)):
        true += [label] * members
        said += [label] * hits + [1 - label] * (members - hits)
        groups += [group] * members
    return LabelledPredictions(LABELS, one_hot(np.array(true), 2), one_hot(np.array(said), 2)), groups


def test_gaps_by_hand() -> None:
    predictions, groups = by_hand()
    women, men = measure_gaps(predictions, groups)
    assert (women.group, women.resumes, women.others) == ("f", 30, 40)
    assert women.accuracy.value == pytest.approx(23 / 30)
    assert women.accuracy_gap.value == pytest.approx(23 / 30 - 27 / 40)
    nurse, surgeon = women.of("tpr")
    assert nurse.gap.value == pytest.approx(0.9 - 0.6)
    assert surgeon.gap.value == pytest.approx(0.5 - 0.75)
    assert women.rms == pytest.approx(np.sqrt((0.3**2 + 0.25**2) / 2))
    # Weights 20*20/40 = 10 and 10*20/30 = 20/3, that is 0.6 and 0.4.
    assert women.like_for_like.value == pytest.approx(0.6 * 0.3 - 0.4 * 0.25)
    assert men.like_for_like.value == pytest.approx(-(0.6 * 0.3 - 0.4 * 0.25))
    # False positives of nurse: surgeons said to be one, 5 of 10 and 5 of 20; precision 18 of 23 and 12 of 17.
    assert women.of("fpr")[0].gap.value == pytest.approx(0.5 - 0.25)
    assert women.of("precision")[0].gap.value == pytest.approx(18 / 23 - 12 / 17)
    assert women.of("selection")[0].gap.value == pytest.approx(23 / 30 - 17 / 40)
    assert women.is_enough


def test_rates_are_fairlearns() -> None:
    rng = np.random.default_rng(0)
    predictions = LabelledPredictions(
        ("a", "b", "c"), one_hot(rng.integers(0, 3, 200), 3), one_hot(rng.integers(0, 3, 200), 3)
    )
    groups = rng.choice(["x", "y", "z"], 200)
    found = {each.group: each for each in measure_gaps(predictions, groups.tolist(), draws=10)}
    frame = MetricFrame(
        metrics={"tpr": true_positive_rate, "fpr": false_positive_rate, "selection": selection_rate},
        y_true=predictions.true[:, 1],
        y_pred=predictions.predicted[:, 1],
        sensitive_features=groups,
    )
    for group in ("x", "y", "z"):
        for measure in ("tpr", "fpr", "selection"):
            ours = found[group].of(measure)[1].group.value
            assert ours == pytest.approx(frame.by_group[measure][group])


def planted(seed: int, penalty: float) -> float:
    """The p of women when their resumes are found less often by `penalty`, within labels of unequal difficulty and
    unequal shares of women."""
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 4, 600)
    woman = rng.random(600) < np.array([0.8, 0.6, 0.4, 0.2])[label]
    chance = np.array([0.9, 0.8, 0.7, 0.6])[label] - penalty * woman
    said = np.where(rng.random(600) < chance, label, (label + 1) % 4)
    predictions = LabelledPredictions(("a", "b", "c", "d"), one_hot(label, 4), one_hot(said, 4))
    women = measure_gaps(predictions, np.where(woman, "f", "m").tolist(), seed=seed, draws=400)[0]
    assert women.like_for_like_p is not None
    return women.like_for_like_p


def test_a_planted_gap_is_found_and_an_absent_one_is_not() -> None:
    """Labels are confounded with groups: a plain accuracy gap would be found where there is no bias at all."""
    assert max(planted(seed, 0.25) for seed in range(5)) < 0.01
    absent = [planted(seed, 0.0) for seed in range(25)]
    assert sum(p < 0.05 for p in absent) <= 4
    assert 0.3 < np.mean(absent) < 0.7


def test_too_few_are_unknown_and_nobody_is_left_out_without_a_word() -> None:
    predictions, groups = by_hand()
    groups = ["rare", "", *groups[2:]]
    rare = {each.group: each for each in measure_gaps(predictions, groups)}["rare"]
    assert (rare.resumes, rare.others) == (1, 68)
    assert not rare.is_enough
    assert rare.rms is None
    assert all(each.p is None for each in rare.labels)


def test_what_was_not_said_is_not_found() -> None:
    predictions, groups = by_hand()
    silent = LabelledPredictions(LABELS, predictions.true, np.zeros_like(predictions.predicted))
    women = measure_gaps(silent, groups)[0]
    assert women.accuracy.value == 0.0
    assert women.of("precision")[0].gap.value is None


def test_the_spread_between_groups() -> None:
    predictions, groups = by_hand()
    found = measure_spread(predictions.true.argmax(axis=1), predictions.predicted.argmax(axis=1), groups)
    accuracy = found[0]
    assert (accuracy.best, accuracy.worst) == ("f", "m")
    assert accuracy.difference == pytest.approx(23 / 30 - 27 / 40)
    assert accuracy.ratio == pytest.approx((27 / 40) / (23 / 30))
    assert found[1].difference == pytest.approx(abs(0.7 - 0.675))
    assert measure_spread(np.array([0]), np.array([0]), ["f"]) == ()


def test_the_spread_is_fairlearns() -> None:
    rng = np.random.default_rng(3)
    true, said, groups = rng.integers(0, 4, 400), rng.integers(-1, 4, 400), rng.choice(["x", "y", "z"], 400)

    def mean_recall(true: np.ndarray, said: np.ndarray) -> float:
        return float(recall_score(true, said, labels=np.unique(true), average="macro", zero_division=0.0))

    measures = {"accuracy": accuracy_score, "balanced accuracy": mean_recall}
    frame = MetricFrame(metrics=measures, y_true=true, y_pred=said, sensitive_features=groups)
    for spread in measure_spread(true, said, groups.tolist()):
        assert (spread.best, spread.worst) == (
            frame.by_group[spread.measure].idxmax(),
            frame.by_group[spread.measure].idxmin(),
        )
        assert spread.difference == pytest.approx(frame.difference()[spread.measure], rel=1e-12)
        assert spread.ratio == pytest.approx(frame.ratio()[spread.measure], rel=1e-12)
