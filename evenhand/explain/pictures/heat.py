"""The resume itself, word by word, with how strongly each word spoke and for which side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from evenhand.records.explanation import Explanation

LEVELS = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the document's text. `level` is 0 to LEVELS; `sign` is "for", "against" or "" for what did
    nothing. `is_unread`: that the model was not given, a name or an address for instance."""

    text: str
    start: int
    sign: str = ""
    level: int = 0
    score: str = ""
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class Stretch:
    """`is_deciding`: one of the lines without which the model would have said something else."""

    pieces: tuple[Piece, ...]
    is_deciding: bool


def stretches_of(explanation: Explanation, text: str) -> list[Stretch]:
    """All of the text, in order."""
    deciding = [(line.start, line.end) for line in explanation.change.lines] if explanation.change else []

    def line_of(piece: Piece) -> int | None:
        return next((at for at, (start, end) in enumerate(deciding) if start <= piece.start < end), None)

    groups = groupby(pieces_of(explanation, text), line_of)
    return [Stretch(tuple(pieces), line is not None) for line, pieces in groups]


def pieces_of(explanation: Explanation, text: str) -> list[Piece]:
    return list(_pieces(explanation, text))


def _pieces(explanation: Explanation, text: str) -> Iterator[Piece]:
    largest = max((abs(word.score) for word in explanation.words), default=0.0)
    at = 0
    for word in explanation.words:
        yield from _between(text, at, word.start)
        level = level_of(word.score, largest)
        sign = ("for" if word.score > 0 else "against") if level else ""
        yield Piece(word.text, word.start, sign, level, f"{word.score:+.3f}")
        at = word.end
    yield from _between(text, at, len(text))


def _between(text: str, start: int, end: int) -> Iterator[Piece]:
    if start < end:
        yield Piece(text[start:end], start, is_unread=not text[start:end].isspace())


def level_of(score: float, largest: float) -> int:
    """The same scale for both signs. By the square root, so that what is a tenth as strong can still be seen."""
    if not largest:
        return 0
    share = (abs(score) / largest) ** 0.5
    return min(LEVELS, int(share * LEVELS + 0.5))


def whole_text(stretches: Sequence[Stretch]) -> str:
    return "".join(piece.text for stretch in stretches for piece in stretch.pieces)
