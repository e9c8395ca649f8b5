"""The recogniser's output for one line to words: its characters, and the spaces it was too shy to say.

The model was trained on Chinese, where words are not parted, and leaves out spaces that it half sees. Its weak signal
for a space together with the white gap in the picture tells them as well as a reader could.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.documents.ocr.words import Grey

LINE_HEIGHT = 48  # pixels, of every picture the model is given
BLANK = 0  # the class that means "no new character here"

# A space is inserted where SIGNAL * log(probability of a space) + GAP * (white gap / line height) + BIAS > 0:
# fitted by logistic regression to 114,000 neighbouring letters of rendered resumes, clean and degraded.
SIGNAL, GAP, BIAS = 1.47, 34.0, 0.53
WIDEST = 0.6  # gaps beyond this say no more
NO_SIGNAL = 1e-5
CLOSING = frozenset(",.;:!?)]}%'’\"”/")  # no space is inserted before these
BAND = (0.12, 0.88)  # share of the line's height that is looked at: neighbours' ascenders lie outside

FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: 0x20,
    0x3002: 0x2E,
    0x3001: 0x2C,
}


@dataclass(frozen=True, slots=True)
class Letter:
    text: str
    step: int  # where in the output it is said first
    probability: float


@dataclass(frozen=True, slots=True)
class LineWord:
    """A word of a line; `start` and `end` are shares (0 to 1) of the line's width."""

    text: str
    start: float
    end: float
    confidence: float


def decode_line(output: NDArray[np.float32], classes: Sequence[str], picture: Grey) -> list[LineWord]:
    """Words of a line; `output` has a row of class probabilities for each step along `picture`."""
    letters = greedy_letters(output, classes)
    chinese = any(is_ideograph(letter.text) for letter in letters)
    spaces = output[:, len(classes) - 1]
    white = white_columns(picture)
    words: list[LineWord] = []
    for group in grouped(letters, spaces, white):
        text = "".join(letter.text for letter in group)
        words.append(
            LineWord(
                text if chinese else text.translate(FULL_WIDTH),
                *extent(group, white, len(output)),
                confidence=float(np.mean([letter.probability for letter in group])),
            )
        )
    return words


def greedy_letters(output: NDArray[np.float32], classes: Sequence[str]) -> list[Letter]:
    """The likeliest class of each step, repetitions and blanks left out."""
    best = output.argmax(axis=1)
    said = (best != BLANK) & (np.diff(best, prepend=BLANK) != 0)
    steps = np.flatnonzero(said)
    return [
        Letter(classes[number], step, probability)
        for number, step, probability in zip(
            best[steps].tolist(), steps.tolist(), output[steps, best[steps]].tolist(), strict=True
        )
    ]


def grouped(
    letters: list[Letter], spaces: NDArray[np.float32], white: NDArray[np.bool_]
) -> Iterator[list[Letter]]:
    """Letters of one word after another."""
    group: list[Letter] = []
    for letter in letters:
        said = letter.text.isspace()
        if group and (said or is_parted(group[-1], letter, spaces, white)):
            yield group
            group = []
        if not said:
            group.append(letter)
    if group:
        yield group


def is_parted(before: Letter, after: Letter, spaces: NDArray[np.float32], white: NDArray[np.bool_]) -> bool:
    """Whether a space lies between two letters that were said one after the other."""
    if after.text in CLOSING or is_ideograph(before.text) or is_ideograph(after.text):
        return False
    if (
        before.text.isdigit() and after.text.isdigit()
    ):  # figures are set equally wide: "11" has a gap like a space
        return False
    signal = max(float(spaces[before.step : after.step + 1].max()), NO_SIGNAL)
    scale = len(white) / len(spaces)
    between = white[int((before.step + 0.5) * scale) : int((after.step + 0.5) * scale)]
    gap = min(longest_run(between) / LINE_HEIGHT, WIDEST)
    return SIGNAL * math.log(signal) + GAP * gap + BIAS > 0


def longest_run(columns: NDArray[np.bool_]) -> int:
    edges = np.flatnonzero(np.diff(np.pad(columns, 1).astype(np.int8)))
    return int((edges[1::2] - edges[::2]).max()) if len(edges) else 0


def extent(group: list[Letter], white: NDArray[np.bool_], steps: int) -> tuple[float, float]:
    """Where a word begins and ends: from its outer letters on to the next white column."""
    scale = len(white) / steps
    first, last = int((group[0].step + 0.5) * scale), int((group[-1].step + 0.5) * scale)
    left = np.flatnonzero(white[: first + 1])
    right = np.flatnonzero(white[last:])
    start = int(left[-1]) + 1 if len(left) else 0
    end = last + int(right[0]) if len(right) else len(white)
    return start / len(white), max(end, start + 1) / len(white)


def white_columns(picture: Grey) -> NDArray[np.bool_]:
    """Columns of a line's picture without any ink, be it dark on light or light on dark."""
    low, high = (int(len(picture) * share) for share in BAND)
    dark = picture < ink_threshold(picture)
    ink = dark if dark.mean() < 0.5 else ~dark
    white: NDArray[np.bool_] = np.logical_not(ink[low:high].max(axis=0))
    return white


def ink_threshold(picture: Grey) -> int:
    """The grey that best parts ink from paper (Otsu: the largest variance between the two)."""
    counts = np.bincount(picture.ravel(), minlength=256).astype(np.float64)
    below = np.cumsum(counts)
    grey_below = np.cumsum(counts * np.arange(256))
    above = below[-1] - below
    with np.errstate(divide="ignore", invalid="ignore"):
        difference = grey_below / below - (grey_below[-1] - grey_below) / above
        variance = np.nan_to_num(below * above * difference**2)
    return int(variance.argmax()) + 1


def is_ideograph(character: str) -> bool:
    return unicodedata.category(character[0]) == "Lo"
