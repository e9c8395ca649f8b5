"""Section pruning: words go, the emptiest first, until a section fits the encoder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from evenhand.models.competence.stop_words import STOP_WORDS

FREQUENT_SHARE = 0.05
COMMON_SHARE = 0.30
_EDGES = re.compile(r"^\W+|\W+$")
Tokenise = Callable[[str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class PruningWords:
    """What goes after the stop words: the 5 % of word types that most training resumes have, then the 30 %."""

    frequent: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, list[str]]:
        return {"frequent": sorted(self.frequent), "common": sorted(self.common)}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> PruningWords:
        return cls(frozenset(content["frequent"]), frozenset(content["common"]))


@dataclass(frozen=True, slots=True)
class Pruned:
    tokens: Sequence[int]
    length: int  # before its end was cut off, if it was
    steps: int  # 0: it fitted as it was; 1: without stop words; 2: without frequent words; 3: without common ones

    @property
    def is_truncated(self) -> bool:
        """Even without common words it did not fit, and its end was cut off."""
        return self.length > len(self.tokens)


def count_words(texts: Iterable[str], *, least_documents: int = 1) -> PruningWords:
    """From training resumes only, one text each. Types in fewer documents count, but are never taken for frequent.

    A word that few people wrote may be about one of them, so what ships is counted with `least_documents` of five.
    """
    documents = Counter(word for text in texts for word in {bare_word(word) for word in text.split()} if word)
    ranked = sorted(documents, key=lambda word: (-documents[word], word))

    def top(share: float) -> frozenset[str]:
        return frozenset(
            word for word in ranked[: ceil(share * len(ranked))] if documents[word] >= least_documents
        )

    return PruningWords(top(FREQUENT_SHARE), top(COMMON_SHARE))


def bare_word(word: str) -> str:
    """As it is counted and looked up; empty for what is only punctuation, which is no word and stays."""
    return _EDGES.sub("", word).casefold()


def prune(text: str, words: PruningWords, tokenise: Tokenise, limit: int) -> Pruned:
    """Whole words are taken out and the rest is tokenised anew, since `limit` counts word pieces."""
    tokens = tokenise(text)
    removed: frozenset[str] = frozenset()
    for steps, more in enumerate((STOP_WORDS, words.frequent, words.common)):
        if len(tokens) <= limit:
            return Pruned(tokens, len(tokens), steps)
        removed |= more
        tokens = tokenise(" ".join(word for word in text.split() if bare_word(word) not in removed))
    return Pruned(tokens[:limit], len(tokens), 3)
