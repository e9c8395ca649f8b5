"""Small pools of resumes for ranker tests, and an encoder whose vectors are known by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from evenhand.search.features import ResumeFeatures, Vectors
from evenhand.search.rankers.base import Ranker, SkillDictionary
from evenhand.search.rankers.best import Best
from evenhand.search.rankers.semantic import Semantic
from evenhand.search.rankers.word_rankers import Bm25, Kl, Tfidf, TfidfSkills
from tests.search.rankers.resumes import digest

WORDS = ("java", "sql", "cobol", "team", "garden", "c++", "machin", "learn")
DICTIONARY = SkillDictionary(["java", "sql", "machin learn"])


class DirectionEncoder:
    """A text that speaks of Java points east, any other north."""

    def encode(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        return np.array([[1, 0] if "java" in text.lower() else [0, 1] for text in texts], np.float32)


RANKERS: tuple[Ranker, ...] = (Tfidf(), TfidfSkills(), Bm25(), Kl(), Semantic(DirectionEncoder()), Best())

texts = st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join)
pools = st.lists(texts, min_size=1, max_size=8)


def make_pool(written: Sequence[str]) -> list[ResumeFeatures]:
    """Each with a vector of its whole text, so that the ranker of meaning has something to compare."""
    return [
        digest(text, vectors=Vectors(("experience",), DirectionEncoder().encode([text]).astype(np.float16)))
        for text in written
    ]
