"""Which concepts and texts are shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.erasers import RemovalRecipe
from evenhand.debias.fitting import Choice
from evenhand.debias.interpretation import occlude_typical, telling_concepts
from evenhand.debias.probes import Leakage
from evenhand.debias.report import findings_of
from evenhand.debias.scoring import RemovalScore
from evenhand.debias.weighing import rank_concepts
from evenhand.records.report import Finding
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


def score(name: str, accuracy: float, leak: float) -> RemovalScore:
    told = Leakage("gender", (leak,), (leak,), (leak,))
    return RemovalScore(name, (accuracy,), ((0.02,),), (told,), (0.55,))


def test_what_the_table_shows_to_be_best_is_recommended() -> None:
    """LEACE keeps 80.1% where the map keeps 78.6%, and leaks 56% where that leaks 63%; RLACE only keeps more."""
    original, ours = score("A", 0.81, 0.9), score("svd 20, k 8", 0.786, 0.63)
    choice = Choice(RemovalRecipe("svd", 20, 8), "It leaks least within two points.", 0.62, 0.01, meets=True)

    def recommended(*others: RemovalScore) -> Finding:
        scores = [original, *others, ours]
        return findings_of(original, ours, floors={"gender": 0.55}, choice=choice, others=scores)[-1]

    finding = recommended(score("LEACE", 0.801, 0.56), score("RLACE", 0.80, 0.7))
    assert (finding.severity, finding.figures["recommended"]) == ("watch", "LEACE")
    assert finding.sentence.startswith(
        "LEACE is recommended: on the test rows it is better than the map that was fitted (svd 20, k 8). The task is "
        "predicted correctly for 80.1% of people instead of 78.6%, and gender for 56.0% instead of 63.0%."
    )
    assert finding.action
    assert finding.action.startswith("Use LEACE in place of the map")
    alone = recommended(score("RLACE", 0.80, 0.7))
    assert (alone.severity, alone.sentence, alone.figures["recommended"]) == ("clear", choice.reason, "svd 20, k 8")
