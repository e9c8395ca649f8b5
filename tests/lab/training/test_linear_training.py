"""Held-out logits, temperature, and the border from which a label of several is said."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.models.calibration import to_probabilities
from evenhand_lab.training.linear import LinearTrainingData, borders, learn, prepare, rescaled
from tests.models.linear.made_resumes import LABELS, RECIPE, resumes


def lesson(*, several: bool) -> LinearTrainingData:
    made, gold = resumes()
    return LinearTrainingData(prepare(made, RECIPE, allowed=lambda term: True), gold, LABELS, RECIPE, several, 0)


@pytest.mark.parametrize("several", [False, True])
def test_learning_from_parts(several: bool) -> None:
    parts = [list(range(start, 20, 2)) for start in range(2)]
    mixed = [[*part[:5], *other[5:]] for part, other in (parts, parts[::-1])]  # both trades in both
    learned = learn(lesson(several=several), mixed)
    assert learned.agreement == 1.0
    assert learned.held_out.shape == (20, 2)
    gold = lesson(several=several).gold
    sure = to_probabilities(learned.held_out, temperature=learned.temperature, several=several)
    assert ((sure > 0.5) == gold).all()


def test_borders_move_the_best_cut_to_one_half() -> None:
    rng = np.random.default_rng(0)
    truth = rng.random((4000, 2)) < 0.2
    logits = np.where(truth, 1.0, -1.0) + rng.normal(size=truth.shape) * 1.5
    slopes, offsets = borders(logits, truth)
    moved = logits * slopes + offsets

    def micro_f1(cut: float) -> float:
        said = moved > cut
        return float(2 * (said & truth).sum() / (said.sum() + truth.sum()))

    assert micro_f1(0.0) >= max(micro_f1(cut) for cut in (-1.0, -0.5, 0.5, 1.0))
    # Of rare labels it pays to say some that are less likely than not: the log-odds were raised.
    assert (moved[:, 0] > 0).mean() > truth[:, 0].mean()


def test_rescaling_changes_logits_by_slope_and_offset() -> None:
    made, _ = resumes()
    model = learn(lesson(several=False), [list(range(10)), list(range(10, 20))]).model
    slopes, offsets = np.array([2.0, 0.5]), np.array([-1.0, 1.0])
    found = rescaled(model, slopes, offsets).logits(made[:3])
    assert np.abs(found - (model.logits(made[:3]) * slopes + offsets)).max() < 1e-5
