"""How much a resume speaks of what the job speaks of: its telling words, those used in jobs and lately above all."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evenhand.search.analysis import spans, terms
from evenhand.search.digest import NOT_IN_USE, UNDATED_USE, Digest
from evenhand.search.rankers.fit.background import Background
from evenhand.search.rankers.fit.feature import Assumptions, Feature
from evenhand.search.rankers.frequencies import lengths, mentions
from evenhand.search.rankers.query import Query

FULL = 0.64
"""The sum below that counts as a full fit; resumes written for a job like this one reach two thirds of it."""

_WORD = re.compile(r"\S+")
_SEAM = re.compile(r"(?<=[a-z0-9)])(?=[A-Z])|(?<=[.!?:;,])(?=[A-Z])")
"""Ads that lost their line breaks: "5 years of experienceMonth end close"."""
_ADDRESS = re.compile(r"@|://|^www\.", re.IGNORECASE)  # says where to apply
_LETTER = re.compile(r"[^\W\d_]")  # a number of years or ports is no word of the trade
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Telling:
    """A term of the job, how it is written there, and what it weighs."""

    term: str
    written: str
    count: int
    weight: float  # of one mention

    @property
    def asked(self) -> float:
        """More for what the job repeats, but less than in proportion."""
        return (1.0 + math.log(self.count)) * self.weight


def telling_words(
    text: str, background: Background, assumptions: Assumptions, skills: AbstractSet[str] = frozenset()
) -> tuple[Telling, ...]:
    """`skills` are terms of the job's demands: unknown words among them are new techniques, others are names."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for match in _WORD.finditer(text):
        if _ADDRESS.search(match[0]):
            continue
        word = _taken_apart(match[0], background)
        for span in spans(word):
            if _LETTER.search(span.term):
                counts[span.term] += 1
                written.setdefault(span.term, word[span.start : span.end].lower())
    found = (
        Telling(
            term,
            written[term],
            count,
            background.word_weight(term)
            * (1.0 if background.knows(term) or term in skills else assumptions.unknown),
        )
        for term, count in counts.items()
    )
    return tuple(telling for telling in found if telling.weight > 0)


def _taken_apart(word: str, background: Background) -> str:
    """Words run together, if nobody knows the whole; "JavaScript" is known and stays."""
    if all(map(background.knows, terms(word))):
        return word
    return _SEAM.sub(" ", word)


def measure_words(
    query: Query, digests: Sequence[Digest], *, background: Background, assumptions: Assumptions
) -> Feature | None:
    """sum over terms of asked * weight * ln(1 + mentions) / (|asked| * sqrt(length)), a mention counting by its use.

    The length is that of the resume, as in Lucene's classic similarity: a long one has more of every word.
    """
    skills = {term for demand in query.job.demands for name in demand.skills for term in terms(name)}
    words = telling_words(query.text, background, assumptions, skills)
    if not words:
        return None
    found = mentions([word.term for word in words], digests)
    used = _worth_of_uses(assumptions)[found.uses]
    asked = np.array([word.asked for word in words])
    weights = asked * np.array([word.weight for word in words]) / (FULL * float(np.linalg.norm(asked)))
    values = weights * np.log1p(found.counts * used) / np.sqrt(np.maximum(lengths(digests), 1.0))[:, None]

    def reason(row: int) -> str:
        return _reason(words, values[row])

    return Feature(np.minimum(values.sum(axis=1), 1.0), reason)


def _worth_of_uses(assumptions: Assumptions) -> NDArray[np.float64]:
    """By the codes of a Digest's `uses`."""
    years = np.arange(256, dtype=np.float64)
    years[UNDATED_USE] = assumptions.undated_years
    worth = assumptions.use(years)
    worth[NOT_IN_USE] = assumptions.mentioned
    return worth


def _reason(words: Sequence[Telling], values: NDArray[np.float64]) -> str:
    mentioned = np.flatnonzero(values).tolist()
    best = sorted(mentioned, key=lambda at: (-values[at], words[at].term))[:_SHOWN]
    most = ", ".join(words[at].written for at in best)
    return f"{len(mentioned)} of the job's {len(words)} telling words" + (
        f", most of all {most}" if most else ""
    )
