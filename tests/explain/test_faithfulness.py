"""What is lost without the words that an explanation names, beside random words, by hand and on real models."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.explain.linear import attribute_linear
from evenhand.explain.occlusion import faithfulness_warnings, measure_faithfulness
from tests.explain.small_joined import MODEL, placed_words, scoring_model

TEXT = "bread " + "and so on with it " * 4 + "ward"


def test_comprehensiveness_and_sufficiency_by_hand() -> None:
    placed, words = placed_words("bread and so ward")
    scores = np.array([1.0, 0.0, 0.0, -1.0])
    found = measure_faithfulness(scoring_model(), placed, words, scores, 0, fractions=(0.25, 0.5), seeds=200)
    assert found is not None
    whole = (1 - 2) / np.sqrt(5)
    first, second = found.removals
    assert first.comprehensiveness == pytest.approx(whole - -1, abs=1e-6)  # ward is left
    assert first.sufficiency == pytest.approx(whole - 1, abs=1e-6)  # bread is left
    assert second.comprehensiveness == pytest.approx(whole - -1, abs=1e-6)
    # One of four words at random: bread, ward or one of two that change nothing.
    assert first.random == pytest.approx(((whole + 1) + (whole - 1)) / 4, abs=0.12)
    assert found.comprehensiveness == pytest.approx(whole + 1, abs=1e-6)


def test_exact_scores_beat_random_ones_and_reversed_ones_do_not() -> None:
    placed, words = placed_words(TEXT)
    scores, _ = words.gather(attribute_linear(MODEL, placed, 1))
    good = measure_faithfulness(scoring_model(), placed, words, scores, 1)
    bad = measure_faithfulness(scoring_model(), placed, words, -scores, 1)
    assert good is not None
    assert bad is not None
    assert (good.beats_random, faithfulness_warnings(good)) == (True, ())
    assert not bad.beats_random
    assert "do not rely on them" in faithfulness_warnings(bad)[0]
    assert len(good.removals) == 5


def test_a_resume_without_words_has_no_measure() -> None:
    placed, words = placed_words("")
    assert measure_faithfulness(scoring_model(), placed, words, np.zeros(0), 0) is None
    assert faithfulness_warnings(None) == ()
