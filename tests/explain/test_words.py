"""Words as people see them, and scores gathered by word, line and section."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenhand.explain.attribution import Attribution, PlaceScore, find_spans, top_words, words_of
from evenhand.explain.places import AlignedSegment, PlacedResume, PlacedText
from evenhand.models.inputs import ResumeInput, SectionText
from evenhand.records.explanation import SectionScore, WordScore
from tests.explain.small_joined import place, placed_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++, C# and R&D.", ["C++,", "C#", "and", "R&D."]),
        ("node.js (Express)", ["node.js", "(Express)"]),
        ("co-ordinator", ["co-ordinator"]),
        ("Java/Kotlin/", ["Java/", "Kotlin/"]),
        ("10+ years", ["10+", "years"]),
        ("- led • team", ["-", "led", "•", "team"]),
        ("“Nurse”", ["“Nurse”"]),
        ("東京 office", ["東", "京", "office"]),
        ("東京で", ["東", "京", "で"]),
        ("re\u0301sume\u0301", ["re\u0301sume\u0301"]),
        ("विकास प्रबंधक", ["विकास", "प्रबंधक"]),
        ("25°C", ["25°", "C"]),
        (" \n\t", []),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert [text[span.start : span.end] for span in find_spans(text)] == words


@given(st.text(max_size=50))
def test_every_character_that_is_not_blank_is_in_exactly_one_word(text: str) -> None:
    covered = [at for span in find_spans(text) for at in range(span.start, span.end)]
    assert covered == [at for at, character in enumerate(text) if not character.isspace()]


def test_what_the_model_was_not_given_is_no_word() -> None:
    text = "Ada Brent\nNurse"
    section = PlacedText("         \nNurse", (AlignedSegment(0, 15, 0),))
    placed = PlacedResume(ResumeInput((SectionText("Profile", section.text),)), (section,), (), 15)
    assert [word.text for word in words_of(text, placed).scored(np.zeros(1))] == ["Nurse"]


def attribution(*scores: PlaceScore, draws: list[list[float]] | None = None) -> Attribution:
    rows = np.array(draws) if draws else None
    return Attribution("ig", "pad", 0, 0, scores, special=0, delta=0, converged=True, draws=rows)


def test_pieces_are_gathered_and_what_spans_two_words_is_shared_by_characters() -> None:
    _, words = placed_words("backend dev")
    found = attribution(
        PlaceScore(0, 4, 1.0),  # back
        PlaceScore(4, 7, 0.5),  # end
        PlaceScore(5, 9, 4.0),  # nd, a blank, d: three characters that are not blank
        PlaceScore(7, 8, 9.0),  # the blank itself
    )
    scores, left = words.gather(found)
    assert scores.tolist() == pytest.approx([1.5 + 8 / 3, 4 / 3])
    assert left == 9.0


def test_the_spread_of_a_word_is_that_of_its_sums() -> None:
    _, words = placed_words("backend dev")
    pieces = [PlaceScore(0, 4, 0.5), PlaceScore(4, 7, 0.5), PlaceScore(8, 11, 2.0)]
    found = attribution(*pieces, draws=[[0.0, 1.0, 1.0], [1.0, 0.0, 3.0]])
    assert words.spread(found) == pytest.approx((0.0, 2**0.5))
    assert words.spread(attribution(*pieces)) == ()


def test_lines_and_sections() -> None:
    text = "School\nRiga\n\nWork\nNurse on\nduty"
    school, work = (
        PlacedText(text[:11], (AlignedSegment(0, 11, 0),)),
        PlacedText(text[13:], (AlignedSegment(0, 18, 13),)),
    )
    resume = ResumeInput((SectionText("Education", school.text), SectionText("Work Experience", work.text)))
    words = words_of(text, PlacedResume(resume, (school, work), (), len(text)))
    scores = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    assert words.sections(scores) == (SectionScore("Education", 3.0), SectionScore("Work Experience", 60.0))
    assert words.lines(scores) == (
        WordScore("School", 0, 6, 1.0),
        WordScore("Riga", 7, 11, 2.0),
        WordScore("Work", 13, 17, 4.0),
        WordScore("Nurse on", 18, 26, 24.0),
        WordScore("duty", 27, 31, 32.0),
    )


def test_the_strongest_are_chosen_by_size_and_equal_words_stay_apart() -> None:
    words = [WordScore("a", 0, 1, 0.5), WordScore("b", 2, 3, -2.0), WordScore("a", 4, 5, 0.5)]
    assert [(word.text, word.start) for word in top_words(words, 2)] == [("b", 2), ("a", 0)]


def test_a_resume_without_words() -> None:
    words = words_of("", place(""))
    assert (words.spans, words.line_words, words.sections(np.zeros(0)), words.lines(np.zeros(0))) == ((), (), (), ())
