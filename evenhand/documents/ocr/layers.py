"""The invisible text layer that scanners lay over a picture, compared with what can be seen on it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher

TOKEN = re.compile(r"[^\W_]+")
SUPPORTED = 0.5  # share of a line's letters that must be seen
ALIKE = 0.7  # similarity from which two words may be the same one: engines misread a letter or two
SHORT = 3  # letters; such words must be equal, too many are alike by chance
MOST_COMPARED = 40_000  # pairs of words, about two seconds: a hostile layer may hold a million words


def unsupported_lines(layer: Sequence[str], seen: str) -> list[str]:
    """The lines of the layer of which less than half is seen on the picture."""
    words = SeenText(seen)
    return [line for line in layer if seen_share(line, words) < SUPPORTED]


def seen_share(line: str, seen: SeenText) -> float:
    """Share of the line's letters that are in words seen: a stray "of the" must not carry a line."""
    words = tokens(line)
    letters = sum(map(len, words))
    return sum(len(word) for word in words if word in seen) / letters if letters else 1.0


class SeenText:
    """A text whose words are found although a letter is misread or a space is missing."""

    def __init__(self, text: str) -> None:
        words = tokens(text)
        self._known = dict.fromkeys(words, True)
        self._run_together = "".join(words)
        self.compared = 0  # pairs so far
        self._by_edge: dict[tuple[int, str, int], list[str]] = defaultdict(list)
        for word in self._known:
            for edge in (0, -1):  # a misread word keeps its length, nearly, and its first or last letter
                self._by_edge[edge, word[edge], len(word)].append(word)

    def __contains__(self, word: str) -> bool:
        if word not in self._known:
            self._known[word] = len(word) > SHORT and (
                word in self._run_together or any(self._is_alike(word, other) for other in self._near(word))
            )
        return self._known[word]

    def _is_alike(self, word: str, other: str) -> bool:
        if self.compared >= MOST_COMPARED:
            return False
        self.compared += 1
        return alike(word, other)

    def _near(self, word: str) -> list[str]:
        if self.compared >= MOST_COMPARED:
            return []
        slack = max(1, len(word) // 4)
        lengths = range(len(word) - slack, len(word) + slack + 1)
        return [
            other
            for edge in (0, -1)
            for length in lengths
            for other in self._by_edge.get((edge, word[edge], length), ())
        ]


def alike(word: str, other: str) -> bool:
    matcher = SequenceMatcher(None, word, other, autojunk=False)
    return matcher.quick_ratio() > ALIKE and matcher.ratio() > ALIKE


def tokens(text: str) -> list[str]:
    return TOKEN.findall(text.casefold())
