"""The invisible text layer that scanners lay over a picture, compared with what can be seen on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

SUPPORTED = 0.5  # share of a line's words that must be seen
ALIKE = 0.75  # similarity of a word of the layer and one seen: engines misread a letter or two


def unsupported_lines(layer: Sequence[str], seen: str) -> list[str]:
    """The lines of the layer of which less than half of the words are seen on the picture."""
    words = set(re.findall(r"\w+", seen.casefold()))
    return [line for line in layer if seen_share(line, words) < SUPPORTED]


def seen_share(line: str, words: set[str]) -> float:
    tokens = re.findall(r"\w+", line.casefold())
    if not tokens:
        return 1.0
    found = sum(token in words or bool(get_close_matches(token, words, 1, ALIKE)) for token in tokens)
    return found / len(tokens)
