"""A17: the same resume under another identity is found, other applicants of the job are not."""

from __future__ import annotations

import re
from random import Random

import pytest

from evenhand.search.duplicates.index import DuplicatePair, check_pairs, find_duplicates
from evenhand.search.duplicates.sketch import BRODER
from tests.search.duplicates.resumes import SENT_AGAIN, compare, one_of_each_kind, pile

WORDS = " ".join(f"word{number}" for number in range(40))  # 39 pairs of words


def test_a17_finds_each_repeated_application_and_nothing_else() -> None:
    found = {(pair.a, pair.b) for pair in find_duplicates(pile())}
    assert found == {(f"{number}", f"{number} again") for number in range(SENT_AGAIN)}


def test_the_textbook_parameters_miss_edited_resumes() -> None:
    """Why pairs of words are compared: with w = 4 and 0.6 even 5 of 100 words edited hide some."""
    found = {(pair.a, pair.b) for pair in find_duplicates(pile(), method=BRODER)}
    wanted = {(f"{number}", f"{number} again") for number in range(SENT_AGAIN)}
    assert found < wanted


@pytest.mark.parametrize("text", one_of_each_kind())
def test_fifteen_of_a_hundred_words_edited(text: str) -> None:
    rng = Random(7)
    words = re.split(r"(\s+)", text)
    for place in range(0, len(words), 2):
        if rng.random() < 0.15:
            words[place] = f"new{place}"
    assert len(find_duplicates({"a": text, "b": "".join(words)})) == 1


def test_resemblance_by_hand() -> None:
    # The tenth of 40 words replaced: 2 of the 39 pairs of words differ on each side, 37 / (39 + 2) are shared.
    edited = WORDS.replace("word10", "other")
    assert compare(WORDS, edited) == 37 / 41
    # At w = 4 the same word stands in 4 of the 37 shingles.
    assert compare(WORDS, edited, method=BRODER) == 33 / 41
    assert compare(WORDS, WORDS) == 1.0
    assert compare(WORDS, "nothing of it") == 0.0
    assert compare("", "") == 0.0


def test_known_places_of_contact_data_do_not_count() -> None:
    a = f"Objective and summary of it all here\n{WORDS}\nAsha Rao of Pune\n"
    b = f"Objective and summary of it all here\n{WORDS}\nBela Sen of Agra\n"
    assert compare(a, b) < 1.0
    spans = [(a.index("Asha"), a.index("Asha") + len("Asha Rao"))]
    assert compare(a, b, spans_a=spans, spans_b=spans) == 1.0


def test_only_pairs_above_the_threshold_pass_the_check() -> None:
    texts = {"a": WORDS, "b": WORDS.replace("word10", "other"), "c": WORDS[: len(WORDS) // 3]}
    candidates = [("a", "b", 0.5), ("a", "c", 0.9)]  # estimates are not believed
    assert list(check_pairs(candidates, texts.__getitem__)) == [DuplicatePair("a", "b", 37 / 41)]
