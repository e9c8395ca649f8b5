"""Words of a resume with their places: "C++", ".NET", "node.js", "B.Tech", "R&D" and an e-mail address are one each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(
    r"""
    [\w.+-]+@[\w-]+(?:\.[\w-]+)+            # e-mail
  | (?:https?://|www\.)[^\s,;()<>]+         # link
  | \.NET\b | \.Net\b | \.net\b
  | \d+(?:[.,]\d+)+                         # 3.5, 10,000
  | [^\W_]+(?:(?:['’&]|_(?=[^\W_])|\.(?=[^\W_]))[^\W_]+)*(?:\+\+|\#|\+(?!\w))?
  | _+
  | [^\w\s]
    """,
    re.VERBOSE,
)
# "management.Problem" is a full stop without its blank; "B.Tech", "node.js", "ASP.NET", "Ph.D" are words.
_GLUED = re.compile(r"(?<=[^\W\d_]{4})\.(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Tokens:
    """Parallel lists: the words, and half-open places of each."""

    words: list[str]
    starts: list[int]
    ends: list[int]

    def __len__(self) -> int:
        return len(self.words)


def tokenise(text: str, start: int = 0, end: int | None = None) -> Tokens:
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        word = match.group()
        at = match.start()
        if "." in word and "@" not in word and (glued := _GLUED.search(word)):
            for piece, offset in _unglued(word, glued):
                words.append(piece)
                starts.append(at + offset)
                ends.append(at + offset + len(piece))
            continue
        words.append(word)
        starts.append(at)
        ends.append(match.end())
    return Tokens(words, starts, ends)


def _unglued(word: str, glued: re.Match[str]) -> list[tuple[str, int]]:
    pieces = []
    at = 0
    found: re.Match[str] | None = glued
    while found:
        pieces += [(word[at : found.start()], at), (".", found.start())]
        at = found.end()
        found = _GLUED.search(word, at)
    return [*pieces, (word[at:], at)]


@lru_cache(maxsize=200_000)
def words_of(phrase: str) -> tuple[str, ...]:
    """The words of a short phrase in lower case: the form in which lexicons are keyed."""
    return tuple(word.lower() for word in tokenise(phrase).words)
