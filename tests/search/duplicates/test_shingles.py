"""Shingles against sets of Python tuples."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evenhand.search.duplicates.sketch import resemblance, shingle_many, shingle_set

ASCII_TEXTS = st.text(st.characters(max_codepoint=127), max_size=200)
FEW_WORDS = st.lists(st.sampled_from(["java", "Java", "c", "a1", "development", "telecommunications"])).map(" ".join)


def expected(text: str, width: int) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[place : place + width]) for place in range(len(words) - width + 1)}


@given(st.lists(ASCII_TEXTS | FEW_WORDS, min_size=1, max_size=4), st.integers(1, 4))
def test_as_many_as_there_are_tuples_of_words(texts: list[str], width: int) -> None:
    hashes, offsets = shingle_many(texts, width=width)
    assert len(offsets) == len(texts) + 1
    parts = [set(hashes[int(start) : int(end)].tolist()) for start, end in pairwise(offsets)]
    assert [len(part) for part in parts] == [len(expected(text, width)) for text in texts]
    everything: set[tuple[str, ...]] = set().union(*(expected(text, width) for text in texts))
    assert len(set(hashes.tolist())) == len(everything)  # equal where the words are, different where not


@given(FEW_WORDS, FEW_WORDS, st.integers(1, 3))
def test_resemblance_is_that_of_the_sets(a: str, b: str, width: int) -> None:
    shared, either = expected(a, width) & expected(b, width), expected(a, width) | expected(b, width)
    wanted = len(shared) / len(either) if either else 0.0
    assert resemblance(shingle_set(a, width=width), shingle_set(b, width=width)) == wanted


@given(st.text(max_size=100))
def test_any_text_alone_and_among_others(text: str) -> None:
    alone, _ = shingle_many([text])
    among, offsets = shingle_many(["before it", text, "after it"])
    assert alone.tolist() == among[int(offsets[1]) : int(offsets[2])].tolist()


def test_accents_capitals_and_ligatures_do_not_count() -> None:
    assert shingle_set("Résumé of José, ﬁnance").tolist() == shingle_set("RESUME OF JOSE - finance").tolist()


def test_lone_surrogates_and_zero_bytes_separate_words() -> None:
    wanted = shingle_set("one two three").tolist()
    assert shingle_set("one\x00two three").tolist() == wanted
    assert shingle_set("one \ud800 two three").tolist() == wanted


def test_long_words_are_told_apart_by_their_ends_and_length() -> None:
    words = ["a" * 20, "a" * 21, "b" + "a" * 19, "a" * 19 + "b"]
    assert len(np.unique(shingle_many(words, width=1)[0])) == 4
