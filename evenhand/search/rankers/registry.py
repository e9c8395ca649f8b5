"""Rankers by the names people choose them by."""

from __future__ import annotations

from evenhand.errors import UsageError
from evenhand.search.rankers.base import Ranker
from evenhand.search.rankers.best import Best, Weights
from evenhand.search.rankers.first_best import FirstBest, FirstWeights
from evenhand.search.rankers.semantic import Semantic, SemanticEncoder
from evenhand.search.rankers.word_rankers import Bm25, Kl, Tfidf, TfidfSkills

TERM_RANKERS: dict[str, type[Tfidf | Bm25 | Kl]] = {ranker.name: ranker for ranker in (Bm25, Tfidf, Kl, TfidfSkills)}
RANKERS = (*TERM_RANKERS, Semantic.name, Best.name)


def make_ranker(
    name: str, *, encoder: SemanticEncoder | None = None, weights: Weights | FirstWeights | None = None
) -> Ranker:
    """With default parameters, but for `weights` of best; `encoder` is needed by those that compare meaning."""
    if name in TERM_RANKERS:
        return TERM_RANKERS[name]()
    if name == Best.name:
        return FirstBest(weights) if isinstance(weights, FirstWeights) else Best(weights or Weights())
    if name == Semantic.name:
        if encoder is None:
            raise UsageError(f"the ranker {name} needs a sentence encoder, and none is installed")
        return Semantic(encoder)
    raise UsageError(f"there is no ranker {name!r}; there are {', '.join(RANKERS)}")
