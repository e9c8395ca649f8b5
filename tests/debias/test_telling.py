"""Which concepts and texts are shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.interpretation import occlude_typical, telling_concepts
from evenhand.debias.weighing import rank_concepts
from tests.debias import taco_published


def test_the_published_concepts_are_found() -> None:
    """The authors show 1, 8 and 19, by turn of removal."""
    concepts = rank_concepts(np.array(taco_published.GENDER_IMPORTANCE), np.array(taco_published.OCCUPATION_IMPORTANCE))
    assert [(each.order, each.index) for each in telling_concepts(concepts)] == [(1, 15), (8, 18), (19, 19)]
    assert telling_concepts(concepts[:2]) == concepts[:2]


def test_texts_that_have_most_of_a_concept_are_occluded_once() -> None:
    concepts = rank_concepts(np.array([0.5, 0.3, 0.1]), np.array([0.1, 0.3, 0.5]))
    texts = ["a", "b b", "c"]

    def embed(asked: Sequence[str]) -> NDArray[np.floating]:
        return np.array([[text.count("a"), -float(text.count("b")), text.count("c")] for text in asked])

    found = occlude_typical(texts, embed(texts), embed, lambda rows: rows, concepts=concepts, count=1)
    assert [each.text for each in found] == ["a", "b b", "c"]
    assert found[1].concepts == (0, 1, 2)
    assert found[1].scores.tolist() == [[0, -1, 0], [0, -1, 0]]
    assert found[1].strongest() == (1, 1)  # on the negative side, and shown all the same
    twice = occlude_typical(texts, np.ones((3, 3)), embed, lambda rows: rows, concepts=concepts, count=2)
    assert [each.text for each in twice] == ["a", "b b"]
