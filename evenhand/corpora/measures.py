"""Measures of texts: words, sentences, how a vocabulary grows, how far two distributions lie apart."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

WORD = re.compile(r"[a-z][a-z'&+#-]*(?:\.[a-z]+)*")
TOKEN = re.compile(r"\w+|[^\w\s]")
_STOP = re.compile(r"(?<=[\w)]{2}[.!?])\s+(?=[A-Z])")
LEAST_WORDS = 5
"""Lines with fewer words (skills, dates, names) are no sentences."""


def words_of(text: str) -> list[str]:
    return WORD.findall(text.lower())


def tokens_in(text: str) -> int:
    """Words, numbers and punctuation marks; word pieces of language models are a few more."""
    return len(TOKEN.findall(text))


def sentences_of(text: str) -> list[str]:
    """Sentences and list items of at least five words, without markers and final stops."""
    found = []
    for line in text.splitlines():
        for part in _STOP.split(line.strip().lstrip("-•* ")):
            sentence = part.strip().rstrip(".")
            if len(sentence.split()) >= LEAST_WORDS:
                found.append(sentence)
    return found


def digest(text: str) -> int:
    """Eight bytes in place of a sentence: memory stays small, and `hash` would differ from run to run."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


@dataclass
class Spread:
    """Mean, deviation and extremes of numbers that come one by one; and all of them, for quantiles."""

    values: list[float] = field(default_factory=list)

    def add(self, value: float) -> None:
        self.values.append(value)

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values) if self.values else 0.0

    @property
    def deviation(self) -> float:
        if len(self.values) < 2:
            return 0.0
        mean = self.mean
        return math.sqrt(sum((value - mean) ** 2 for value in self.values) / (len(self.values) - 1))

    def quantile(self, share: float) -> float:
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0

    def share_under(self, limit: float) -> float:
        return sum(value < limit for value in self.values) / len(self.values) if self.values else 0.0

    def to_dict(self) -> dict[str, float]:
        return {
            "n": len(self.values),
            "mean": round(self.mean, 2),
            "sd": round(self.deviation, 2),
            "min": min(self.values, default=0),
            "p10": self.quantile(0.1),
            "median": self.quantile(0.5),
            "p90": self.quantile(0.9),
            "max": max(self.values, default=0),
        }


def divergence(p: Mapping[int, float], q: Mapping[int, float]) -> float:
    """Kullback-Leibler divergence of p from q in bits; both are counts, smoothed by one half."""
    keys = sorted(p.keys() | q.keys())
    total_p = sum(p.values()) + 0.5 * len(keys)
    total_q = sum(q.values()) + 0.5 * len(keys)
    result = 0.0
    for key in keys:
        share = (p.get(key, 0) + 0.5) / total_p
        result += share * math.log2(share * total_q / (q.get(key, 0) + 0.5))
    return result


def growth(
    texts: Iterable[Sequence[str]], *, step: int = 10_000, most: int = 1_000_000
) -> list[tuple[int, int]]:
    """How many different words there are after so many words."""
    known: set[str] = set()
    read = 0
    points = [(0, 0)]
    for words in texts:
        for word in words:
            known.add(word)
            read += 1
            if read % step == 0:
                points.append((read, len(known)))
                if read >= most:
                    return points
    return points


def unknown_share(words: Counter[str], known: Counter[str]) -> tuple[float, float]:
    """Shares of running words and of different words that the other vocabulary lacks."""
    missing = [word for word in words if word not in known]
    running = sum(words[word] for word in missing) / max(1, words.total())
    return running, len(missing) / max(1, len(words))
