"""The order of removal, on the published importances."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.debias.weighing import angles, combine, most_removable, rank_concepts

GENDER = np.array(
    [
        *(0.0244, 0.0758, 0.0110, 0.0172, 0.0405, 0.0163, 0.0167, 0.0636, 0.0093, 0.0194),
        *(0.0409, 0.0452, 0.0592, 0.0465, 0.0453, 0.3217, 0.0878, 0.0684, 0.1595, 0.1180),
    ]
)
OCCUPATION = np.array(
    [
        *(0.0093, 0.0157, 0.0117, 0.0165, 0.0160, 0.0152, 0.0254, 0.0199, 0.0377, 0.0254),
        *(0.0495, 0.0294, 0.0447, 0.0479, 0.0436, 0.0511, 0.0750, 0.1012, 0.1231, 0.3326),
    ]
)
ORDER = [15, 1, 7, 0, 4, 11, 12, 18, 16, 5, 14, 3, 13, 2, 10, 9, 17, 6, 19, 8]
ANGLES = [9.0, 11.7, 17.3, 20.9, 21.5, 33.1, 37.0, 37.7, 40.5, 43.0]
ANGLES += [43.9, 43.9, 45.8, 46.8, 50.5, 52.6, 56.0, 56.7, 70.5, 76.1]


def test_the_published_importances_give_the_published_order() -> None:
    concepts = rank_concepts(GENDER, OCCUPATION)
    assert [concept.index for concept in concepts] == ORDER
    np.testing.assert_allclose([concept.angle for concept in concepts], ANGLES, atol=0.1)
    assert concepts[0].angle == pytest.approx(9.03, abs=0.005)
    assert concepts[-1].angle == pytest.approx(76.09, abs=0.06)  # of importances with four digits
    assert [concepts[order - 1].index for order in (1, 8, 19)] == [15, 18, 19]
    assert [concept.order for concept in concepts] == list(range(1, 21))
    assert concepts[0].colour == pytest.approx(80.97, abs=0.005)


def test_nothing_goes_past_a_concept_that_carries_much_of_the_task() -> None:
    concepts = rank_concepts(GENDER, OCCUPATION)
    carrying = [concept.index for concept in concepts if concept.carries]
    assert carrying == [19]  # .3326
    assert most_removable(concepts) == 18
    assert most_removable(rank_concepts(np.array([1.0, 0.1]), np.array([0.3, 0.1]))) == 0


def test_concepts_that_neither_head_uses_stand_in_the_middle() -> None:
    np.testing.assert_allclose(angles(np.array([0, 1, 0, 2]), np.array([0, 0, 1, 2])), [45, 0, 90, 45])


def test_of_several_variables_the_one_that_a_concept_tells_most_of_counts() -> None:
    gender, origin = np.array([6.0, 2.0, 2.0]), np.array([0.2, 0.2, 1.6])
    np.testing.assert_allclose(combine([gender, origin]), [3.6, 1.2, 4.8])  # sums of 10 and 2 become 6
    assert combine([gender]) is gender
