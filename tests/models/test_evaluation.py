"""Figures against the published confusion matrices, against scikit-learn, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_recall_fscore_support

from evenhand.models.evaluation import Evaluation, evaluate
from evenhand.models.manifest import write_card
from tests.models.manifests import make_manifest

LEVELS = ("NQ", "CRC1", "CRC2", "CRC3", "CRC4")
PUBLISHED_LEVELS = np.array(  # rows predicted, columns true
    [[37, 13, 1, 1, 0], [32, 271, 22, 11, 0], [1, 6, 17, 13, 0], [2, 12, 17, 54, 5], [0, 0, 1, 0, 0]]
)
PUBLISHED_FIT = np.array([[402, 91], [75, 238]])


def test_the_published_levels() -> None:
    found = Evaluation(LEVELS, PUBLISHED_LEVELS, ordered=True)
    assert found.total == 516
    assert found.confusion.sum(axis=0).tolist() == [72, 302, 58, 79, 5]
    assert f"{found.accuracy:.2%}" == "73.45%"
    assert (found.errors, found.adjacent_errors) == (137, 108)
    assert f"{found.adjacent_share:.1%}" == "78.8%"
    assert f"{found.within_one:.1%}" == "94.4%"
    assert f"{found.majority:.1%}" == "58.5%"
    assert [round(each.recall, 3) for each in found.classes] == [0.514, 0.897, 0.293, 0.684, 0.0]


def test_the_published_fit() -> None:
    accept = Evaluation(("reject", "accept"), PUBLISHED_FIT).classes[1]
    assert accept.f1 is not None
    assert [round(each, 3) for each in (accept.precision, accept.recall, accept.f1)] == [0.760, 0.723, 0.741]


def test_the_card_prints_the_published_figures() -> None:
    found = Evaluation(LEVELS, PUBLISHED_LEVELS, ordered=True)
    card = write_card(make_manifest(labels=LEVELS, metrics={"ece": 0.031, "test": found.to_json()}))
    assert "| calibration error (ECE) | 0.0310 |" in card
    assert "| accuracy | 0.7345 |" in card
    assert "| adjacent errors | 108 |" in card
    assert "| adjacent share | 0.7883 |" in card
    assert "| within one | 0.9438 |" in card
    assert "| CRC2 | 0.4595 | 0.2931 | 0.3579 | 58 |" in card
    assert "| CRC1 | 6.20 | 52.52 | 4.26 | 2.13 | 0.00 |" in card
    assert "never a decision about a person" in card
    assert "Four invented resumes." in card


def test_order_of_arguments_is_rows_then_columns() -> None:
    found = evaluate([1, 1, 0], [0, 1, 0], ("no", "yes"))
    assert found.confusion.tolist() == [[1, 0], [1, 1]]
    assert "within_one" not in found.to_json()


def test_one_label_each_as_scikit_learn_has_it() -> None:
    rng = np.random.default_rng(7)
    gold, predicted = rng.integers(0, 4, 200), rng.integers(0, 4, 200)
    found = evaluate(predicted, gold, ("a", "b", "c", "d"))
    precision, recall, f1, support = precision_recall_fscore_support(gold, predicted)
    np.testing.assert_allclose([each.precision for each in found.classes], precision)
    np.testing.assert_allclose([each.recall for each in found.classes], recall)
    assert [each.f1 for each in found.classes] == pytest.approx(f1.tolist())
    assert [each.support for each in found.classes] == support.tolist()
    assert found.macro_f1 == pytest.approx(f1_score(gold, predicted, average="macro"))
    assert found.micro_f1 == pytest.approx(f1_score(gold, predicted, average="micro"))


def test_a_label_that_nobody_has_or_gets_has_no_f1() -> None:
    found = evaluate([0, 0], [0, 1], ("a", "b", "c"))
    assert [each.f1 for each in found.classes] == [pytest.approx(2 / 3), 0.0, None]
    assert found.macro_f1 == pytest.approx(1 / 3)
    assert evaluate([], [], ("a", "b")).to_json()["accuracy"] == 0.0


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="as many predictions"):
        evaluate([0], [0, 1], ("a", "b"))
