"""The resume itself, word by word, with how strongly each word spoke and for which side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenhand.records.explanation import Explanation

LEVELS = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the document's text. `level` is 0 to LEVELS; `sign` is "for", "against" or "" for what did nothing
    or was not read. `is_deciding`: on a line without which the model would have said something else."""

    text: str
    sign: str = ""
    level: int = 0
    score: str = ""
    is_deciding: bool = False


def pieces_of(explanation: Explanation, text: str) -> list[Piece]:
    """All of the text, in order."""
    return list(_pieces(explanation, text))


def _pieces(explanation: Explanation, text: str) -> Iterator[Piece]:
    largest = max((abs(word.score) for word in explanation.words), default=0.0)
    deciding = [(line.start, line.end) for line in explanation.change.lines] if explanation.change else []
    at = 0
    for word in explanation.words:
        if at < word.start:
            yield Piece(text[at : word.start])
        level = level_of(word.score, largest)
        sign = ("for" if word.score > 0 else "against") if level else ""
        is_deciding = any(start <= word.start < end for start, end in deciding)
        yield Piece(word.text, sign, level, f"{word.score:+.3f}", is_deciding)
        at = word.end
    if at < len(text):
        yield Piece(text[at:])


def level_of(score: float, largest: float) -> int:
    """The same scale for both signs. By the square root, so that what is a tenth as strong can still be seen."""
    if not largest:
        return 0
    share = (abs(score) / largest) ** 0.5
    return min(LEVELS, int(share * LEVELS + 0.5))
