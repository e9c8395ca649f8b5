"""Occlusion of an encoder whose answer is known: a sum of one vector per word."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evenhand.debias.interpretation import TypicalText, most_typical, occlude

WORDS = ("she", "nursed", "he", "welded", "steel", "quickly")
VECTORS = np.random.default_rng(7).normal(size=(len(WORDS), 5))
W = np.random.default_rng(8).normal(size=(3, 5))
INVERSE = np.linalg.pinv(W)


class SumOfWords:
    """Embeds a text as the sum of its words' vectors, and counts how often and with how many texts it is asked."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.floating]:
        self.calls.append(len(texts))
        rows = [sum((VECTORS[WORDS.index(word)] for word in re.findall("[a-z]+", text)), np.zeros(5)) for text in texts]
        return np.array(rows)


def project(rows: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.asarray(rows @ INVERSE)


def test_scores_are_what_each_word_adds() -> None:
    text = "she, nursed; he welded steel..."
    (found,) = occlude([text], SumOfWords(), project, concepts=(2, 0))
    assert [text[unit.start : unit.end] for unit in found.units] == [
        *("she", ",", "nursed", ";", "he", "welded", "steel", ".", ".", ".")
    ]
    for unit, scores in zip(found.units, found.scores, strict=True):
        word = text[unit.start : unit.end]
        expected = (VECTORS[WORDS.index(word)] @ INVERSE)[[2, 0]] if word.isalpha() else [0.0, 0.0]
        np.testing.assert_allclose(scores, expected, atol=1e-6)
        assert word.isalpha() or scores.tolist() == [0.0, 0.0]  # not nearly: exactly
    np.testing.assert_allclose(found.scores.sum(axis=0), found.values, atol=1e-6)


def test_clauses_add_up_too() -> None:
    (found,) = occlude(["she nursed, he welded steel"], SumOfWords(), project, concepts=(0, 1, 2), kind="clause")
    vectors = [VECTORS[0] + VECTORS[1], np.zeros(5), VECTORS[2] + VECTORS[3] + VECTORS[4]]
    np.testing.assert_allclose(found.scores, np.array(vectors) @ INVERSE, atol=1e-6)


def test_texts_are_asked_in_batches() -> None:
    embed = SumOfWords()
    found = occlude(["she nursed", "", "he! welded quickly"], embed, project, concepts=(0,), batch_texts=4)
    assert embed.calls == [4, 4]  # 1 + 2, 1 + 0 and 1 + 3 texts
    assert [each.scores.shape for each in found] == [(2, 1), (0, 1), (4, 1)]
    alone = [occlude([each.text], SumOfWords(), project, concepts=(0,))[0] for each in found]
    for one, other in zip(found, alone, strict=True):
        np.testing.assert_allclose(one.scores, other.scores, atol=1e-12)


def test_colours_go_to_the_strongest_concept_and_do_not_shift() -> None:
    """Concept 0 of the first text is negative (-4 - 1 + 0.5), so that what counts as its own is negative too."""
    table = {"she": (-4.0, 0.0), "nursed": (-1.0, 0.0), "he": (3.0, 0.0), "welded": (0.5, 2.0)}

    def embed(texts: Sequence[str]) -> NDArray[np.floating]:
        found = [[table.get(word, (0.0, 0.0)) for word in re.findall("[a-z]+", text)] for text in texts]
        return np.array([np.sum(rows, axis=0) if rows else np.zeros(2) for rows in found])

    one, two = occlude(["!! she , nursed ; welded", "he welded steel"], embed, lambda rows: rows, concepts=(0, 1))
    assert one.values == (-4.5, 2.0)
    np.testing.assert_allclose(one.normalised[2], [-4.0 / 4.00001, 0.0])
    # marks, she, comma, nursed (a quarter of she), semicolon, welded (half for welding)
    assert one.strongest() == (None, None, 0, None, 0, None, 1)
    assert one.strongest(least=0.3) == (None, None, 0, None, None, None, 1)
    assert two.strongest() == (0, 1, None)


def test_most_typical_texts_are_on_either_side() -> None:
    u = np.array([[0.1, 9.0], [-0.7, 0.0], [0.7, 0.0], [0.2, 0.0]])
    assert most_typical(u, 0, count=3) == (TypicalText(1, -0.7), TypicalText(2, 0.7), TypicalText(3, 0.2))
    assert most_typical(u, 1, count=1) == (TypicalText(0, 9.0),)
