"""The worst slices: one that was planted is found, and the correction keeps chance out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact  # type: ignore[import-untyped]

from evenhand.audit.models.calibration import find_slices


def features(seed: int) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    return {
        "gender": rng.choice(["f", "m"], 400).tolist(),
        "label": rng.choice(["nurse", "chef", "clerk"], 400).tolist(),
        "length": rng.choice(["short", "long"], 400).tolist(),
    }


def test_the_planted_slice_is_the_worst() -> None:
    columns = features(0)
    rows = (np.array(columns["gender"]) == "f") & (np.array(columns["label"]) == "chef")
    wrong = np.random.default_rng(1).random(400) < np.where(rows, 0.7, 0.1)
    found = find_slices(wrong, columns, groups=["gender"])
    worst = found.worst[0]
    assert worst.conditions == (("gender", "f"), ("label", "chef"))
    assert (worst.errors.part, worst.errors.whole) == (int((wrong & rows).sum()), int(rows.sum()))
    men = (np.array(columns["gender"]) == "m") & (np.array(columns["label"]) == "chef")
    assert (worst.others.part, worst.others.whole) == (int((wrong & men).sum()), int(men.sum()))
    assert worst.p < 1e-6
    table = [
        [worst.errors.part, worst.errors.whole - worst.errors.part],
        [worst.others.part, worst.others.whole - worst.others.part],
    ]
    assert worst.raw_p == pytest.approx(fisher_exact(table, alternative="greater")[1])
    assert worst.gap.low is not None
    assert worst.gap.low > 0.4


def test_every_slice_of_enough_resumes_was_looked_at() -> None:
    """2 + 3 + 2 values; 6 + 4 + 6 pairs; 12 triples: 35 of all, 2 + 10 + 12 = 24 with a gender."""
    columns = features(3)
    wrong = np.zeros(400, dtype=bool)
    assert find_slices(wrong, columns, least=1).searched == 35
    assert find_slices(wrong, columns, least=1, groups=["gender"]).searched == 24
    assert find_slices(wrong, columns, least=401).worst == ()


def test_chance_alone_is_corrected_for() -> None:
    falsely = 0
    for seed in range(40):
        wrong = np.random.default_rng(100 + seed).random(400) < 0.2
        falsely += find_slices(wrong, features(seed)).worst[0].p < 0.05
    assert falsely <= 4


def test_a_label_that_is_hard_for_everybody_is_no_group_s() -> None:
    columns = features(5)
    wrong = np.random.default_rng(6).random(400) < np.where(np.array(columns["label"]) == "chef", 0.8, 0.05)
    assert find_slices(wrong, columns).worst[0].conditions == (("label", "chef"),)
    assert find_slices(wrong, columns, groups=["gender"]).worst[0].p > 0.05
