"""Biographies are cleaned without loss and cut where a sentence ends."""

from __future__ import annotations

import pytest

from evenhand_lab.reproduce.cleaning import clean, cut_at_sentence


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to ann.lee@example.org now.", "Write to now."),
        ("See https://example.com/a?b=1. She works.", "See. She works."),
        ("Her site (www.example.com) is new, example.com/bio too.", "Her site is new, too."),
        ("Great!! Really??? Yes... No. . .", "Great! Really? Yes. No."),
        ("What?!?! Yes.", "What?! Yes."),
        ("Mr. Lee and Dr. J. B. Ray, Ph.D., of the U.S. Army", "Mr Lee and Dr J B Ray, PhD, of the US Army"),
        ("She holds an M.D. He has a Ph.D.", "She holds an MD. He has a PhD."),
        ("Booking.com and version 2.5 stay, as does e.g. this.", "Booking.com and version 2.5 stay, as does eg this."),
    ],
)
def test_clean(text: str, expected: str) -> None:
    assert clean(text) == expected
    assert clean(expected) == expected


def test_clean_text_stays_as_it_is() -> None:
    text = "One line.\nAnother  one, with two blanks.\tAnd a tab!"
    assert clean(text) == text


def test_the_cut_falls_on_the_last_sentence_end_that_fits() -> None:
    text = "One two three. Four five! Six seven eight nine."
    assert cut_at_sentence(text, words, limit_tokens=9) == text
    assert cut_at_sentence(text, words, limit_tokens=8) == "One two three. Four five!"
    assert cut_at_sentence(text, words, limit_tokens=5) == "One two three. Four five!"
    assert cut_at_sentence(text, words, limit_tokens=4) == "One two three."


def test_a_first_sentence_that_is_too_long_is_cut_between_words() -> None:
    assert cut_at_sentence("One two three. Four.", words, limit_tokens=2) == "One two"
    assert cut_at_sentence("Onetwothree", len, limit_tokens=2) == ""
    with pytest.raises(ValueError, match="1 or more"):
        cut_at_sentence("One.", words, limit_tokens=0)


def test_long_texts_have_at_most_512_tokens() -> None:
    text = " ".join(f"Sentence number {at} has six words." for at in range(200))
    cut = clean(text, count_tokens=words)
    assert cut == " ".join(f"Sentence number {at} has six words." for at in range(85))  # 85 * 6 = 510
