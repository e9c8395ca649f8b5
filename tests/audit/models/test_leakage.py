"""Planted leakage is found, absent leakage is not, and what the label gives away is not counted as leakage."""

from __future__ import annotations

import numpy as np

from evenhand.audit.models.leakage import balanced, probe_leakage

LABELS = ["a", "b"] * 150


def noise(seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(300, 8)), rng.choice(["f", "m"], 300), rng


def test_a_planted_direction_is_read_by_the_linear_reader() -> None:
    vectors, groups, _ = noise()
    vectors[:, 3] += np.where(groups == "f", 1.5, -1.5)
    (found,) = probe_leakage(vectors, groups.tolist(), LABELS, readers=["linear"])
    assert found.balanced.value is not None
    assert 0.85 < found.balanced.value < 0.98
    assert found.beyond_floor.low is not None
    assert found.beyond_floor.low > 0.3
    assert found.p < 0.01
    assert 0.4 < found.shuffled < 0.6
    assert found.chance == 0.5


def test_what_only_a_curve_can_read_is_read_by_the_others() -> None:
    """Women are far from the middle or near it, in two columns together: no line tells them apart."""
    vectors, groups, rng = noise(1)
    vectors = rng.normal(size=(300, 2))
    sign = np.sign(vectors[:, 0])
    vectors[:, 1] = np.where(groups == "f", sign, -sign) * np.abs(vectors[:, 1])
    found = {each.reader: each for each in probe_leakage(vectors, groups.tolist(), LABELS)}
    assert found["linear"].balanced.high is not None
    assert found["linear"].balanced.high < 0.65
    for reader in ("network", "kernel"):
        low = found[reader].balanced.low
        assert low is not None
        assert low > 0.75


def test_noise_tells_nothing() -> None:
    vectors, groups, _ = noise(2)
    (found,) = probe_leakage(vectors, groups.tolist(), LABELS, readers=["linear"])
    assert found.p > 0.05
    assert found.balanced.low is not None
    assert found.balanced.low < 0.5


def test_a_label_that_tells_the_group_is_the_floor() -> None:
    """Nine in ten nurses are women and nine in ten surgeons men; the vectors tell the label and no more."""
    rng = np.random.default_rng(5)
    label = rng.integers(0, 2, 300)
    groups = np.where(rng.random(300) < np.where(label == 1, 0.9, 0.1), "f", "m")
    vectors = np.stack([label + 0.01 * rng.normal(size=300), rng.normal(size=300)], axis=1)
    (found,) = probe_leakage(vectors, groups.tolist(), label.astype(str).tolist(), readers=["linear"])
    assert found.balanced.value is not None
    assert found.balanced.value > 0.85
    assert abs(found.label_floor - found.balanced.value) < 0.03
    assert found.p > 0.05


def test_one_group_alone_cannot_be_told_from_anybody() -> None:
    assert probe_leakage(np.zeros((50, 2)), ["f"] * 49 + ["m"], ["a"] * 50) == ()


def test_balanced_accuracy_by_hand() -> None:
    """3 of 4 and 1 of 2: (0.75 + 0.5) / 2."""
    assert balanced([1, 1, 1, 0, 1, 0], np.array([0, 0, 0, 0, 1, 1])) == 0.625


def test_a_label_that_misleads_makes_nobody_look_good() -> None:
    """With few rows the label alone falls below chance now and then; noise must not be found against that."""
    falsely = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        labels = rng.choice(list("abcdefghijkl"), 80).tolist()
        groups = rng.choice(["f", "m"], 80).tolist()
        for found in probe_leakage(rng.normal(size=(80, 5)), groups, labels, seed=seed, readers=["linear"]):
            falsely += found.p < 0.05
    assert falsely <= 2
