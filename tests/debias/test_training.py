"""Heads: their shape, what validation chooses, and seeds that really differ."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.debias.heads import RATES, Head, HeadTrainingData, Protocol, train_head, train_heads
from evenhand.debias.samples import divide, split_parts
from tests.debias.planted import QUICK, planted


@pytest.fixture(scope="module")
def lesson() -> HeadTrainingData:
    parts = divide(planted(600), split_parts(planted(600)))
    return HeadTrainingData(
        parts.train.rows, parts.train.task.codes, parts.validation.rows, parts.validation.task.codes, 3
    )


def accuracy(head: Head, lesson: HeadTrainingData) -> float:
    return float((head.predict(lesson.validation) == lesson.validation_codes).mean())


def test_one_hidden_layer_of_128_rectified_units() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 768))
    codes = rng.integers(0, 5, 40)
    head = train_head(HeadTrainingData(rows, codes, rows, codes, 5), protocol=Protocol(rates=(1e-3,), epochs=1))
    assert (head.first.shape, head.second.shape) == ((768, 128), (128, 5))
    hidden = np.clip(rows[:3] @ head.first.astype(np.float64) + head.first_bias, 0, None)
    np.testing.assert_allclose(head.logits(rows[:3]), hidden @ head.second + head.second_bias, atol=1e-4)


def test_validation_chooses_the_rate_of_the_published_range(lesson: HeadTrainingData) -> None:
    assert (min(RATES), max(RATES)) == (1e-5, 1e-1)
    head = train_head(lesson, protocol=Protocol(epochs=12))
    assert head.rate in RATES
    assert accuracy(head, lesson) > 0.99
    alone = [train_head(lesson, protocol=Protocol(rates=(rate,), epochs=4)) for rate in (1e-5, 1e-2)]
    assert accuracy(alone[0], lesson) < 0.9 < accuracy(alone[1], lesson)  # so that there is something to choose
    both = train_head(lesson, protocol=Protocol(rates=(1e-5, 1e-2), epochs=4))
    assert both.rate == 1e-2


def test_seeds_differ_and_the_same_seed_does_not(lesson: HeadTrainingData) -> None:
    (heads,) = train_heads(lesson, (0, 1, 2), QUICK)
    assert [head.seed for head in heads] == [0, 1, 2]
    for place, head in enumerate(heads):
        for other in heads[place + 1 :]:
            assert np.abs(head.logits(lesson.validation) - other.logits(lesson.validation)).max() > 1e-2
            assert abs(np.corrcoef(head.first.ravel(), other.first.ravel())[0, 1]) < 0.9
    again = train_head(lesson, seed=1, protocol=QUICK)  # alone, not among others
    np.testing.assert_allclose(again.logits(lesson.validation), heads[1].logits(lesson.validation), atol=1e-3)


def test_the_scale_of_the_rows_does_not_matter(lesson: HeadTrainingData) -> None:
    rows = lesson.rows * 1000 + 7
    far = HeadTrainingData(rows, lesson.codes, lesson.validation * 1000 + 7, lesson.validation_codes, 3)
    assert (train_head(far, protocol=QUICK).predict(far.validation) == far.validation_codes).mean() > 0.99


def test_masked_columns_are_not_seen(lesson: HeadTrainingData) -> None:
    width = lesson.rows.shape[1]
    masks = np.ones((2, width))
    masks[1, 5:] = 0
    found = train_heads(
        HeadTrainingData(lesson.rows, lesson.codes, lesson.validation, lesson.validation_codes, 3, masks), (0,), QUICK
    )
    assert found[0][0].first[5:].any()
    assert not found[1][0].first[5:].any()
    assert found[1][0].first[:5].any()


def test_learning_agrees_with_another_library(lesson: HeadTrainingData) -> None:
    from sklearn.neural_network import MLPClassifier

    parts = divide(planted(600, seed=5), split_parts(planted(600, seed=5)))
    gender = parts.train.sensitive[0].codes ^ (parts.train.rows[:, 0] > 0)  # a hard mixture
    judged = parts.test.sensitive[0].codes ^ (parts.test.rows[:, 0] > 0)
    stop = parts.validation.sensitive[0].codes ^ (parts.validation.rows[:, 0] > 0)
    head = train_head(HeadTrainingData(parts.train.rows, gender, parts.validation.rows, stop, 2))
    theirs = MLPClassifier((128,), max_iter=300, random_state=0).fit(parts.train.rows, gender)
    ours = float((head.predict(parts.test.rows) == judged).mean())
    assert ours == pytest.approx(theirs.score(parts.test.rows, judged), abs=0.06)
