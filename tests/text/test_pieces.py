"""Text cut at offsets: nothing lost, nothing twice."""

from __future__ import annotations

import pytest

from evenhand.text.wording import TextPiece, pieces


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([], [("abcdef", False)]),
        ([(0, 6)], [("abcdef", True)]),
        ([(1, 3)], [("a", False), ("bc", True), ("def", False)]),
        ([(4, 5), (0, 1)], [("a", True), ("bcd", False), ("e", True), ("f", False)]),
        ([(1, 3), (2, 5)], [("a", False), ("bcde", True), ("f", False)]),
        ([(1, 2), (2, 3)], [("a", False), ("bc", True), ("def", False)]),
        ([(-3, 1), (5, 99), (3, 3), (4, 2)], [("a", True), ("bcde", False), ("f", True)]),
    ],
)
def test_pieces(places: list[tuple[int, int]], expected: list[tuple[str, bool]]) -> None:
    assert pieces("abcdef", places) == [TextPiece(*each) for each in expected]


def test_no_text() -> None:
    assert pieces("", [(0, 3)]) == []
