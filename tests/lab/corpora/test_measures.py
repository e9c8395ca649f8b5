"""Measures of texts, worked out by hand."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from evenhand_lab.corpora.description import (
    Spread,
    digest,
    divergence,
    growth,
    sentences_of,
    tokens_in,
    unknown_share,
    words_of,
)


def test_words_and_tokens() -> None:
    assert words_of("C++ and C#, node.js; don't R&D 2014.") == ["c++", "and", "c#", "node.js", "don't", "r&d"]
    assert tokens_in("Jan'15 - till date.") == 7  # Jan ' 15 - till date .


def test_sentences_are_lines_and_parts_of_lines() -> None:
    text = "SKILLS\n- Wrote tests for the billing team.\nLed a team of four people. Kept all the records in order."
    assert sentences_of(text) == [
        "Wrote tests for the billing team",
        "Led a team of four people",
        "Kept all the records in order",
    ]


def test_spread() -> None:
    spread = Spread([1.0, 2.0, 3.0, 10.0])
    assert (spread.mean, spread.quantile(0.5), spread.share_under(3)) == (4.0, 3.0, 0.5)
    assert spread.deviation == pytest.approx(math.sqrt(50 / 3))
    assert (Spread().mean, Spread().deviation, Spread().quantile(0.5), Spread().share_under(1)) == (0, 0, 0, 0)
    assert spread.to_dict()["max"] == 10.0


def test_divergence_is_zero_for_equal_shares_and_counts_bits_otherwise() -> None:
    assert divergence({1: 10, 2: 10}, {1: 10, 2: 10}) == pytest.approx(0)
    # smoothed: p = (3.5/4, 0.5/4), q = (0.5/4, 3.5/4)
    assert divergence({1: 3}, {2: 3}) == pytest.approx(3 / 4 * math.log2(7))


def test_growth_of_a_vocabulary() -> None:
    assert growth([["a", "b", "a"], ["c", "a", "d"]], step=2) == [(0, 0), (2, 2), (4, 3), (6, 4)]
    assert growth([["a", "b", "a", "c"]], step=2, most=2) == [(0, 0), (2, 2)]


def test_unknown_words() -> None:
    assert unknown_share(Counter("aabb"), Counter("a")) == (0.5, 0.5)
    assert unknown_share(Counter(), Counter("a")) == (0, 0)


def test_digest_is_the_same_in_every_run() -> None:
    assert digest("Led a team") == 14984812175028143499
    assert digest("Led a team") != digest("Led a Team")
