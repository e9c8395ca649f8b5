"""Words of a resume with their places: "C++", ".NET", "node.js", "B.Tech", "R&D" and an e-mail address are one each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_EMAIL = r"[\w.+-]{1,100}+@[\w-]+(?:\.[\w-]+)+ |"
_WORD = r"""
    (?:https?://|www\.)[^\s,;()<>]+         # link
  | \.NET\b | \.Net\b | \.net\b
  | \d+(?:[.,]\d+)+                         # 3.5, 10,000
  | [^\W_]+(?:(?:['’&]|_(?=[^\W_])|\.(?=[^\W_]))[^\W_]+)*(?:\+\+|\#|\+(?!\w))?
  | _+
  | [^\w\s]
"""
_TOKEN = re.compile(_WORD, re.VERBOSE)
_TOKEN_OR_EMAIL = re.compile(_EMAIL + _WORD, re.VERBOSE)  # every word is first tried as an address: slower
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
    stop = len(text) if end is None else end
    pattern = _TOKEN if text.find("@", start, stop) < 0 else _TOKEN_OR_EMAIL
    words = pattern.findall(text, start, stop)
    if text.find(".", start, stop) >= 0:
        words = [part for word in words for part in (_unglued(word) if "." in word and "@" not in word else (word,))]
    starts: list[int] = []
    at = start
    for word in words:
        at = text.find(word, at)  # nothing but blanks lies between
        starts.append(at)
        at += len(word)
    return Tokens(words, starts, [at + len(word) for at, word in zip(starts, words, strict=True)])


def _unglued(word: str) -> list[str]:
    return [part for piece in _GLUED.split(word) for part in (".", piece)][1:]


@lru_cache(maxsize=200_000)
def words_of(phrase: str) -> tuple[str, ...]:
    """The words of a short phrase in lower case: the form in which lexicons are keyed."""
    return tuple(word.lower() for word in tokenise(phrase).words)
