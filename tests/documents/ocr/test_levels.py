from __future__ import annotations

import math

import pytest

from evenhand.documents.ocr.geometry import OcrWord, level_lines

CENTRE = (500.0, 500.0)


def slanting(degrees: float, line: int, middle: float) -> list[OcrWord]:
    """Nine words of one line, 60 wide and 20 high, on a page turned around its centre."""
    words = []
    for number in range(9):
        right, down = 100.0 * number - 400, middle - CENTRE[1]
        angle = math.radians(degrees)
        x = CENTRE[0] + right * math.cos(angle) - down * math.sin(angle)
        y = CENTRE[1] + right * math.sin(angle) + down * math.cos(angle)
        words.append(OcrWord(f"w{number}", (x - 30, y - 10, x + 30, y + 10), 0.9, line))
    return words


@pytest.mark.parametrize("degrees", [0.0, 1.0, -3.0])
def test_lines_of_a_crooked_page_become_level(degrees: float) -> None:
    words = [*slanting(degrees, 0, 300), *slanting(degrees, 1, 340)]
    level = level_lines(words, centre=CENTRE, size_per_height=1.0)
    for place, word in enumerate(level):
        x, y = 100 + 100 * (place % 9), 300 + 40 * (place // 9)
        assert word.box == pytest.approx((x - 30, y - 10, x + 30, y + 10), abs=0.01)


def test_words_of_a_line_share_top_and_bottom() -> None:
    words = [OcrWord("on", (0, 12, 30, 20), 1, 0), OcrWord("duty", (40, 10, 90, 24), 1, 0)]
    level = level_lines(words, centre=CENTRE, size_per_height=1.0)
    assert [word.box for word in level] == [(0, 10, 30, 24), (40, 10, 90, 24)]


def test_boxes_are_as_high_as_the_size_of_print() -> None:
    [word] = level_lines([OcrWord("a", (0, 10, 5, 20), 1, 0)], centre=CENTRE, size_per_height=1.2)
    assert word.box == (0, 9, 5, 21)


def test_short_lines_do_not_tell_the_slant() -> None:
    words = [OcrWord("a", (0, 0, 20, 20), 1, 0), OcrWord("b", (40, 6, 60, 26), 1, 0)]
    level = level_lines(words, centre=CENTRE, size_per_height=1.0)
    assert [word.box for word in level] == [(0, 0, 20, 26), (40, 0, 60, 26)]


def test_no_words() -> None:
    assert level_lines([], centre=CENTRE, size_per_height=1.0) == []
