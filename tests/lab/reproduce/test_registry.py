"""The six sets of published features hold exactly the published numbers, and each feature is computed."""

from __future__ import annotations

from evenhand_lab.reproduce.published_features import COMMON, HEADERS, OF_LINE, OF_WORD, SETS

VISUAL = {11, 12, 13, 14, 15, 16, 17, 18, 20}
PUBLISHED = {
    "RS-1": VISUAL | {37},
    "RS-2": VISUAL | set(range(27, 33)) | {37},
    "RS-3": VISUAL | set(range(27, 37)) | {37},
    "CR-1": set(range(1, 10)) | {37},
    "CR-2": set(range(1, 11)) | {13, 15, 16, 17, 18, 19, 20, 21, 37},
    "CR-3": set(range(1, 11)) | {13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 37},
}


def test_the_sets_are_as_published() -> None:
    assert {name: set(numbers) for name, numbers in SETS.items()} == PUBLISHED
    assert frozenset().union(*SETS.values()) == set(range(1, 38))
    counts = {name: len(numbers) for name, numbers in SETS.items()}
    assert counts == {"RS-1": 10, "RS-2": 16, "RS-3": 20, "CR-1": 10, "CR-2": 19, "CR-3": 24}


def test_every_feature_is_computed_somewhere() -> None:
    lexicons = set(range(22, 27))  # given to the page by whoever has the lexicons
    assert set(OF_WORD) | set(OF_LINE) | lexicons | {37} == set(range(1, 38))
    assert set(COMMON) | set(HEADERS) == set(range(27, 33))
