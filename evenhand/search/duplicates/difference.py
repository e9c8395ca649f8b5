"""Where two texts differ, word by word, as segments to be shown side by side or in colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from rapidfuzz.distance import Indel

Kind = Literal["same", "only_a", "only_b"]

WORD = re.compile(r"\s*\S+(?:\s+\Z)?|\s+\Z")
LINE = re.compile(r"\s*\S[^\n]*(?:\s+\Z)?|\s+\Z")
MOST_WORDS = (
    20_000  # the comparison grows with the product of the lengths; longer texts are compared line by line
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text, white space before its words included; what is the same is told in the words of a."""

    kind: Kind
    text: str

    def to_json(self) -> dict[str, str]:
        return {"kind": self.kind, "text": self.text}


def diff(a: str, b: str) -> tuple[Segment, ...]:
    """What a and b share in this order, and what only one of them has. White space does not count as a difference.

    The segments that are the same or only in a make up a, to the character.
    """
    words_a, words_b = WORD.findall(a), WORD.findall(b)
    if max(len(words_a), len(words_b)) > MOST_WORDS:
        words_a, words_b = LINE.findall(a), LINE.findall(b)
    steps = Indel.opcodes(_compared(words_a), _compared(words_b))
    found: list[Segment] = []
    for is_same, stretch in groupby(steps, key=lambda step: step.tag == "equal"):
        changes = list(stretch)
        left = "".join("".join(words_a[step.src_start : step.src_end]) for step in changes)
        right = "".join("".join(words_b[step.dest_start : step.dest_end]) for step in changes)
        found += [Segment("same", left)] if is_same else [Segment("only_a", left), Segment("only_b", right)]
    return tuple(segment for segment in found if segment.text)


def _compared(words: Sequence[str]) -> list[str]:
    return [" ".join(word.split()) for word in words]
