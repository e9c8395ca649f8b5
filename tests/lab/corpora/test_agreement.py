"""Fleiss' kappa against values worked out elsewhere: the classic example of Fleiss (1971) and single votes."""

from __future__ import annotations

import pytest

from evenhand_lab.corpora.annotation import count_ratings, fleiss_kappa

FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_the_classic_example() -> None:
    agreement = fleiss_kappa(FLEISS, "abcde")
    assert agreement.kappa == pytest.approx(0.2099, abs=5e-5)
    assert [round(part.kappa or 0, 3) for part in agreement.categories] == [0.201, 0.080, 0.172, 0.030, 0.508]
    assert [part.support for part in agreement.categories] == [20, 28, 39, 21, 32]
    assert (agreement.items, agreement.raters) == (10, 14)


def test_overall_is_the_weighted_mean_of_the_categories() -> None:
    agreement = fleiss_kappa(FLEISS, "abcde")
    weights = [part.share * (1 - part.share) for part in agreement.categories]
    mean = sum(w * (p.kappa or 0) for w, p in zip(weights, agreement.categories, strict=True)) / sum(weights)
    assert mean == pytest.approx(agreement.kappa, abs=1e-12)


def test_one_lone_vote_among_150() -> None:
    counts = [[3, 0]] * 49 + [[2, 1]]
    lone = fleiss_kappa(counts, ("other", "CRC4")).categories[1]
    assert lone.kappa == pytest.approx(-0.0067, abs=5e-5)
    assert lone.kappa == pytest.approx(-1 / 149, abs=1e-12)
    assert lone.support == 1


def test_a_category_nobody_chose_has_no_kappa_but_its_support() -> None:
    agreement = fleiss_kappa([[2, 1, 0], [0, 3, 0]], ("NQ", "CRC1", "CRC4"))
    assert agreement.categories[2].kappa is None
    assert agreement.categories[2].support == 0
    assert agreement.kappa == pytest.approx(0.25)  # P = (1/3 + 1) / 2, chance = (1/3)^2 + (2/3)^2


def test_full_agreement_is_one_and_only_one_category_is_undefined() -> None:
    assert fleiss_kappa([[3, 0], [0, 3]], "ab").kappa == 1
    alone = fleiss_kappa([[3, 0], [3, 0]], "ab")
    assert alone.kappa is None
    assert [part.kappa for part in alone.categories] == [None, None]


def test_ratings_are_counted_and_strange_labels_refused() -> None:
    assert count_ratings([("b", "a", "b"), ("a", "a", "a")], "ab") == [[1, 2], [3, 0]]
    with pytest.raises(ValueError, match="outside the categories"):
        count_ratings([("c", "a")], "ab")


@pytest.mark.parametrize("counts", [[], [[1, 0]], [[2, 1], [1, 1]], [[1, 2, 0]]])
def test_unusable_counts_are_refused(counts: list[list[int]]) -> None:
    with pytest.raises(ValueError, match=r"item|rater"):
        fleiss_kappa(counts, "ab")
