"""A text cut into words or clauses, each with its place; punctuation between them is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

UnitKind = Literal["word", "clause"]
UNIT_KINDS: tuple[UnitKind, ...] = get_args(UnitKind)

# A word with its inner apostrophes, hyphens and dots, or one mark of punctuation.
_TOKEN = re.compile(r"[^\W_]+(?:['’.&@-][^\W_]+)*|[^\w\s]|_+")
_STOPS = frozenset('.,;:!?()[]{}"“”„«»|•–—…\n')
_OPENERS = frozenset(
    (
        *(
            "and",
            "but",
            "or",
            "nor",
            "who",
            "whom",
            "whose",
            "which",
            "that",
            "where",
            "when",
            "while",
            "because",
        ),
        *(
            "although",
            "though",
            "since",
            "until",
            "if",
            "as",
            "after",
            "before",
            "with",
            "without",
            "in",
            "at",
        ),
        *("for", "from", "to", "by", "on", "into", "through", "during", "under", "over", "about", "between"),
        *("is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "may", "might"),
    )
)
"""A clause begins before one of these, unless it has nothing but such words so far."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Half-open code point offsets into the text. What is ignored is never taken away: its score is 0."""

    start: int
    end: int
    is_ignored: bool = False


def units_of(text: str, kind: UnitKind = "word") -> tuple[Unit, ...]:
    """In order and without overlaps, punctuation included."""
    if kind not in UNIT_KINDS:
        raise ValueError(f"A text is cut into {' or '.join(UNIT_KINDS)}, not {kind}.")
    tokens = _tokens(text)
    return tuple(tokens if kind == "word" else _clauses(text, list(tokens)))


def _tokens(text: str) -> Iterator[Unit]:
    for found in _TOKEN.finditer(text):
        yield Unit(found.start(), found.end(), is_ignored=not found[0][0].isalnum())


def _clauses(text: str, tokens: list[Unit]) -> Iterator[Unit]:
    """From stop to stop, and cut again where a small word opens the next part. No tagger is needed."""
    open_from, open_to, has_content = -1, -1, False
    for token in tokens:
        word = text[token.start : token.end].lower()
        is_new = word in _OPENERS and has_content
        if open_from >= 0 and (is_new or _is_stop(token, word) or "\n" in text[open_to : token.start]):
            yield Unit(open_from, open_to)
            open_from, has_content = -1, False
        if token.is_ignored:
            if open_from < 0 or _is_stop(token, word):
                yield token
            continue  # a mark within a clause, such as a slash, goes with it
        open_from = token.start if open_from < 0 else open_from
        open_to = token.end
        has_content = has_content or word not in _OPENERS
    if open_from >= 0:
        yield Unit(open_from, open_to)


def _is_stop(token: Unit, word: str) -> bool:
    return token.is_ignored and word in _STOPS


def without(text: str, unit: Unit) -> str:
    """All else stays as it is, blanks too: a text that was mended would differ in more than the unit."""
    return text[: unit.start] + text[unit.end :]
