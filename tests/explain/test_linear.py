"""Exact scores of a joined model: worked out by hand, and against the model's own sums."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.errors import UnknownBaseline, UsageError
from evenhand.explain.baselines import Reference
from evenhand.explain.linear import LinearPoints, attribute_linear, make_baseline, trace, traced_texts
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.models.linear.model import SOURCES, LinearModel, TermReading, VectorPart, VectorReading, texts_of
from evenhand.models.linear.storing import LinearClassifier
from tests.explain.small_joined import LABELS, MODEL, place, placed_words, scoring_model

TEXT = "Cook\nFresh bread, bread and ward"
# Without the stop word: cook, fresh, bread, bread, ward. Known: bread twice, "fresh bread", ward.
BREAD, FRESH, WARD = 1 + log(2), 1.0, 2.0
LENGTH = sqrt(BREAD**2 + FRESH**2 + WARD**2)
REFERENCE = Reference(
    tuple(
        ResumeInput((SectionText("Work Experience", text),), titles)
        for text, titles in (("bread", ("Cook",)), ("ward patients", ("Nurse",)), ("ward", ()))
    ),
    "3 invented resumes",
)


def find() -> Reference:
    return REFERENCE


def scores_of(text: str, *titles: str, target: int = 0) -> dict[str, float]:
    placed, words = placed_words(text, *titles)
    found, left = words.gather(attribute_linear(MODEL, placed, target))
    assert left == 0
    return {f"{word.text} {word.start}": word.score for word in words.scored(found)}


def test_a_term_is_shared_by_its_occurrences_and_each_by_its_words() -> None:
    cook = 0.5 * 2  # the title alone: its row has length 0.5
    expected = {
        "Cook 0": cook,
        "Fresh 5": 0.5 * FRESH / LENGTH / 2,
        "bread, 11": BREAD / LENGTH / 2 + 0.5 * FRESH / LENGTH / 2,
        "bread 18": BREAD / LENGTH / 2,
        "and 24": 0.0,
        "ward 28": -WARD / LENGTH,
    }
    assert scores_of(TEXT, "Cook") == pytest.approx(expected, abs=1e-7)


def test_another_target_gets_other_scores() -> None:
    assert scores_of(TEXT, "Cook", target=1)["ward 28"] == pytest.approx(WARD / LENGTH, abs=1e-7)
    assert scores_of(TEXT, "Cook", target=1)["Cook 0"] == pytest.approx(-0.5)


def test_the_baseline_is_the_empty_resume_and_scores_complete() -> None:
    placed = place(TEXT, "Cook")
    for target, bias in enumerate([0.5, -0.25]):
        found = attribute_linear(MODEL, placed, target)
        assert found.baseline_output == pytest.approx(bias)
        assert found.output == pytest.approx(MODEL.logits([placed.resume])[0, target])
        assert found.total == pytest.approx(found.output - found.baseline_output, abs=1e-12)
        assert abs(found.delta) < 1e-12
        assert (found.converged, found.steps, found.special) == (True, 0, 0.0)


def test_a_title_that_stands_nowhere_is_special() -> None:
    found = attribute_linear(MODEL, place("bread", "Cook"), 0)
    assert found.special == pytest.approx(1.0)
    assert [(each.start, each.end) for each in found.scores] == [(0, 5)]


PIECES = st.lists(
    st.sampled_from(
        ["bread", "Fresh", "ward", "Patients", "Cook", "May 2014 to Present", "İstanbul", "\n", ",", "and"]
    ),
    max_size=14,
)


@given(PIECES, st.lists(st.sampled_from(["Cook", "Ward Nurse", "Chef"]), max_size=3))
def test_occurrences_are_those_that_the_model_counts(pieces: list[str], titles: list[str]) -> None:
    text = " ".join(pieces)
    placed = place(text, *titles)
    for source in SOURCES:
        assert tuple(each.text for each in traced_texts(placed, source)) == texts_of(placed.resume, source)
        reading = TermReading("any", source, longest=3, weight=1.0, most=9, stops=False)
        counts = {term: len(found) for term, found in trace(placed, reading.counted).items()}
        assert counts == dict(reading.count(placed.resume))


@given(PIECES)
def test_words_of_an_occurrence_stand_where_it_says(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for term, occurrences in trace(place(text), ("stated", 2, True)).items():
        for occurrence in occurrences:
            found = [text[slice(*part)].lower() for part in occurrence if part is not None]
            assert " ".join(found) == term


def test_against_an_average_what_the_resume_lacks_is_special() -> None:
    placed = place("bread", "Cook")
    baseline = make_baseline("average", scoring_model().classifier, placed.resume, 0, find=find)  # type: ignore[arg-type]
    found = attribute_linear(MODEL, placed, 0, baselines=baseline.points, baseline="average")
    # Mean rows: bread 1/3, ward (2 / sqrt 5 + 1) / 3, patients 1 / sqrt 5 / 3; cook 0.5 / 3, nurse 0.5 / 3.
    mean_ward, mean_patients = (2 / sqrt(5) + 1) / 3, 1 / sqrt(5) / 3
    assert found.scores[0].score == pytest.approx(1 - 1 / 3)
    lacking = -(-1.0 * mean_ward - 0.5 * mean_patients) - (-1.0 * 0.5 / 3)
    cook_nowhere = 2 * (0.5 - 0.5 / 3)
    assert found.special == pytest.approx(lacking + cook_nowhere)
    assert found.baseline_output == pytest.approx(MODEL.logits(REFERENCE.inputs)[:, 0].mean())
    assert found.converged
    assert "3 invented resumes" in baseline.warnings[0]


def test_negatives_are_those_that_the_model_does_not_give_the_label() -> None:
    classifier = scoring_model().classifier
    given = MODEL.logits(REFERENCE.inputs)
    assert given.argmax(axis=1).tolist() == [0, 1, 1]
    baseline = make_baseline("negatives", classifier, place("bread").resume, 0, find=find)  # type: ignore[arg-type]
    found = attribute_linear(MODEL, place("bread"), 0, baselines=baseline.points)
    assert found.baseline_output == pytest.approx(given[1:, 0].mean())
    assert found.converged
    assert baseline.warnings[0].startswith("The baseline is the mean of 2 resumes without the label COOK")
    assert any("few" in warning for warning in baseline.warnings)
    assert not any("leans" in warning for warning in baseline.warnings)


def test_a_baseline_that_leans_to_the_label_is_warned_of() -> None:
    """Of the label NURSE the reference has one resume without it, to which the model still gives 0.75 logits less."""
    cooks = Reference((REFERENCE.inputs[0],), "one cook")
    lifted = LinearModel(LABELS, np.array([4, 3], np.float32), MODEL.terms)
    classifier = LinearClassifier(scoring_model().manifest, lifted, None)
    baseline = make_baseline("negatives", classifier, place("ward").resume, 1, find=lambda: cooks)
    assert any(warning.startswith("The model leans towards NURSE") for warning in baseline.warnings)
    with pytest.raises(UnknownBaseline, match="there are no negative ones"):
        make_baseline("negatives", classifier, place("ward").resume, 0, find=lambda: cooks)


def test_random_texts_are_as_long_and_their_mean_is_the_score() -> None:
    placed, words = placed_words("bread bread and ward", "Cook")
    classifier = scoring_model().classifier
    baseline = make_baseline("random", classifier, placed.resume, 0, find=find, draws=5, seed=1)  # type: ignore[arg-type]
    again = make_baseline("random", classifier, placed.resume, 0, find=find, draws=5, seed=1)  # type: ignore[arg-type]
    assert [point.tolist() for point in baseline.points] == [point.tolist() for point in again.points]
    found = attribute_linear(MODEL, placed, 0, baselines=baseline.points, baseline="random")
    weights = LinearPoints(MODEL, 0).coefficients()
    outputs = [0.5 + point @ weights for point in baseline.points]
    assert found.baseline_output == pytest.approx(np.mean(outputs))
    assert found.draws is not None
    assert found.draws.mean(axis=0).tolist() == pytest.approx([each.score for each in found.scores])
    assert len(words.spread(found)) == 4
    assert words.spread(found)[2] == 0.0  # "and" is no term whatever is drawn
    assert max(words.spread(found)) > 0
    assert abs(found.delta) < 1e-9


def test_an_unknown_baseline_names_those_there_are() -> None:
    with pytest.raises(UnknownBaseline, match="pad, average, negatives, random"):
        make_baseline("zero", scoring_model().classifier, place("").resume, 0, find=find)  # type: ignore[arg-type]


def test_a_part_that_reads_with_an_encoder_has_no_exact_scores() -> None:
    part = VectorPart(VectorReading("meaning", "body", 1.0), np.zeros(3, np.float32), np.zeros((3, 2), np.float32))
    with pytest.raises(UsageError, match="explain it by occlusion"):
        attribute_linear(LinearModel(LABELS, MODEL.bias, MODEL.terms, (part,)), place("bread"), 0)
