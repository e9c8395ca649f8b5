"""Remembered sums against sums made anew, also after the memory was full."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.mining import crf
from evenhand.mining.crf import Crf

NAMES = ("a", "b", "c", "d")
PLACES: list[list[crf.Piece]] = [[("a", "b"), ("c",)], [("c",)], [("b", "never seen"), ("a", "b"), ()], [("d", "d")]]


def model() -> Crf:
    weights = np.arange(8, dtype=np.float32).reshape(4, 2)
    attributes = {name: row for row, name in enumerate(NAMES)}
    return Crf(("x", "y"), attributes, weights, np.zeros((2, 2), np.float32), {})


def test_scores_of_pieces_are_those_of_their_attributes() -> None:
    one = model()
    for _ in range(2):  # with new pieces, and with remembered ones
        assert one.piece_scores(PLACES).tolist() == [[6, 9], [4, 5], [4, 7], [12, 14]]
    assert one.piece_scores([]).shape == (0, 2)


def test_a_full_memory_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crf, "CACHE_SIZE", 2)
    one = model()
    for place in [*PLACES, *PLACES]:
        expected = one.scores([[name for piece in place for name in piece]])
        np.testing.assert_array_equal(one.piece_scores([place]), expected)


def test_a_key_may_have_several_pieces() -> None:
    words = crf.Memory(model().scores, lambda word: ((word,), (word, "a")), pieces=2, labels=2)
    assert words.sums(["c", "b", "c"]).tolist() == [[[4, 5], [4, 6]], [[2, 3], [2, 4]], [[4, 5], [4, 6]]]
