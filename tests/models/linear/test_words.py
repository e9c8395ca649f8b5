"""What counts as a word, and which runs of words are terms."""

from __future__ import annotations

from evenhand.models.linear.model import count_terms, find_words, list_words


def test_words_begin_with_a_letter_and_keep_signs_of_languages() -> None:
    text = "C++ and C# since 2014, R&D in J2EE; call 555-0100, don't!"
    assert list_words(text) == ["c++", "and", "c#", "since", "r&d", "in", "j2ee", "call", "don"]


def test_words_are_where_they_stand() -> None:
    text = "Über 10 Köche"
    assert [(word.text, text[word.start : word.end]) for word in find_words(text)] == [
        ("über", "Über"),
        ("köche", "Köche"),
    ]


def test_both_ways_of_reading_find_the_same_words() -> None:
    text = "Senior .NET/C# developer: built R&D tools, HTML5 pages and the company's wiki\nin 2019"
    assert list_words(text, stops=False) == [word.text for word in find_words(text, stops=False)]


def test_terms_are_runs_that_end_with_their_text() -> None:
    counts = count_terms(["head chef", "chef"], longest=2, stops=True)
    assert counts == {"head": 1, "chef": 2, "head chef": 1}


def test_without_stop_words_neighbours_move_together() -> None:
    assert set(count_terms(["director of nursing"], longest=2, stops=False)) == {
        "director",
        "nursing",
        "director nursing",
    }
