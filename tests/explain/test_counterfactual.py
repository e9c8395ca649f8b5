"""The fewest lines without which the model says something else, checked by judging."""

from __future__ import annotations

import numpy as np
import pytest

from evenhand.explain.attribution import Floats, ModelWords
from evenhand.explain.linear import attribute_linear
from evenhand.explain.occlusion import CounterfactualQuery, _pruned, _shortest_prefix, find_change
from evenhand.models.manifest import Outcome
from evenhand.records.explanation import Counterfactual
from tests.explain.small_joined import LABELS, MODEL, place, placed_words, scoring_model

TEXT = "Cook\nfresh bread\nward and patients\nand more"


def scores_of(words: ModelWords, target: int) -> Floats:
    return words.gather(attribute_linear(MODEL, words.placed, target))[0]


def change_of(text: str, *titles: str, target: int = 0, outcome: Outcome = "single") -> Counterfactual | None:
    placed, words = placed_words(text, *titles)
    found = find_change(scoring_model(outcome), placed, words, scores_of(words, target), target)
    if found is not None:  # verified by judging the resume without the lines, read anew
        left = placed.without([(line.start, line.end) for line in found.lines])
        (row,) = MODEL.logits([left.resume])
        assert (row.argmax() if outcome == "single" else row[target] >= 0) != target
    return found


def test_the_line_that_decides() -> None:
    found = change_of(TEXT, "Cook")
    assert found is not None
    assert [line.text for line in found.lines] == ["Cook"]
    assert found.labels == ("NURSE",)


def test_lines_that_decide_only_together() -> None:
    """Either line keeps the label alone: patients 1.75 to 0.0, ward 0.75 to -0.5."""
    found = change_of("patients\nand more\nward", target=1)
    assert found is not None
    assert [line.text for line in found.lines] == ["patients", "ward"]
    assert found.labels == ("COOK",)


def test_no_change_where_the_label_is_the_models_default_or_is_not_said() -> None:
    assert change_of("bread", "Cook") is None  # without any word the model still says COOK
    assert change_of("bread", "Cook", target=1) is None
    placed, words = placed_words("")
    assert find_change(scoring_model(), placed, words, np.zeros(0), 0) is None


def test_a_label_of_several_goes_when_it_is_no_longer_probable() -> None:
    found = change_of("ward\npatients", "Cook", target=1, outcome="several")
    assert found is not None
    assert LABELS[1] not in found.labels


def test_by_scores_alone_as_for_networks() -> None:
    placed, words = placed_words("Cook\nand more\nward", "Cook")
    query = CounterfactualQuery(scoring_model(), placed, words, 0)
    assert _shortest_prefix(query, [1, 0]) == [1, 0]
    assert _pruned(query, [1, 0]) == [0]
    assert (
        _shortest_prefix(CounterfactualQuery(scoring_model(), place("bread"), placed_words("bread")[1], 0), [0]) is None
    )


@pytest.mark.parametrize("count", [1, 7])
def test_removed_lines_are_lines_of_the_document(count: int) -> None:
    text = "\n".join(["Cook", *["and more"] * count, "ward"])
    found = change_of(text, "Cook")
    assert found is not None
    for line in found.lines:
        assert text[line.start : line.end] == line.text
