"""The model's output is written out by hand: ten pixels of picture for each step."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from evenhand.documents.ocr.geometry import Grey
from evenhand.documents.ocr.rapid import decode_line, greedy_letters, ink_threshold, white_columns

CLASSES = ["", *"abcd17,：中文", " "]
STEP = 10


def output(said: str, *, hints: dict[int, float] | None = None) -> NDArray[np.float32]:
    """One step for each sign; "-" is a blank; `hints` are probabilities of a space at blank steps."""
    rows = np.zeros((len(said), len(CLASSES)), np.float32)
    for step, sign in enumerate(said):
        rows[step, 0 if sign == "-" else CLASSES.index(sign)] = 0.9
    for step, probability in (hints or {}).items():
        rows[step, -1] = probability
    return rows


def picture(said: str, *, gaps: tuple[int, ...] = (), ink: int = 20, paper: int = 240) -> Grey:
    """A stroke through the middle but for one white column between steps, and none at the steps in `gaps`."""
    image = np.full((48, STEP * len(said)), paper, np.uint8)
    image[16:32] = ink
    image[:, ::STEP] = paper
    for step in gaps:
        image[:, STEP * step : STEP * (step + 1)] = paper
    return image


def texts(said: str, *, gaps: tuple[int, ...] = (), hints: dict[int, float] | None = None) -> list[str]:
    return [word.text for word in decode_line(output(said, hints=hints), CLASSES, picture(said, gaps=gaps))]


def test_repetitions_and_blanks_are_left_out() -> None:
    letters = greedy_letters(output("aab-bb-c"), CLASSES)
    assert [(letter.text, letter.step) for letter in letters] == [("a", 0), ("b", 2), ("b", 4), ("c", 7)]


@pytest.mark.parametrize(
    ("said", "gaps", "hints", "expected"),
    [
        ("ab-cd", (), {}, ["abcd"]),
        ("ab cd", (2,), {}, ["ab", "cd"]),
        ("ab-cd", (2,), {2: 0.1}, ["ab", "cd"]),  # a weak signal and a white gap
        ("ab-cd", (2,), {}, ["abcd"]),  # a gap alone is letter spacing
        ("ab-cd", (), {2: 0.1}, ["abcd"]),  # a weak signal alone is doubt
        ("ab-cd", (), {2: 0.6}, ["ab", "cd"]),
        ("ab---cd", (2, 3, 4), {}, ["ab", "cd"]),  # a gap as wide as that needs no signal
        ("ab-,-cd", (2, 4), {2: 0.1, 4: 0.1}, ["ab,", "cd"]),  # none before a comma
        ("1-7", (1,), {1: 0.3}, ["17"]),  # figures stand apart
        ("1 7", (1,), {}, ["1", "7"]),
        ("中-文", (1,), {1: 0.1}, ["中文"]),
        ("---", (0, 1, 2), {}, []),
    ],
)
def test_spaces(said: str, gaps: tuple[int, ...], hints: dict[int, float], expected: list[str]) -> None:
    assert texts(said, gaps=gaps, hints=hints) == expected


def test_words_end_where_their_ink_ends() -> None:
    said = "ab- cd"
    first, second = decode_line(output(said), CLASSES, picture(said, gaps=(2, 3)))
    assert (first.start, first.end) == (1 / 60, 20 / 60)
    assert (second.start, second.end) == (41 / 60, 1.0)
    assert first.confidence == pytest.approx(0.9)


def test_wide_signs_of_chinese_print_become_latin_ones_in_latin_lines() -> None:
    assert texts("ab：") == ["ab:"]
    assert texts("中：") == ["中："]


@pytest.mark.parametrize(("ink", "paper"), [(20, 240), (240, 20)])
def test_white_columns_of_dark_and_light_print(ink: int, paper: int) -> None:
    image = np.full((48, 30), paper, np.uint8)
    image[10:30, 5:10] = ink
    image[20:22, 20:22] = ink
    image[:3, 25:28] = ink  # the line above reaches in
    assert np.flatnonzero(~white_columns(image)).tolist() == [5, 6, 7, 8, 9, 20, 21]


def test_threshold_lies_between_two_greys() -> None:
    image = np.array([[30, 30, 30, 200, 210, 205]], np.uint8)
    assert 30 < ink_threshold(image) <= 200
