"""Scores as people see them: a length beside the best one, and a number of a readable width."""

from __future__ import annotations

from evenhand.records.ranking import Ranking

FULL = {"best": 100.0}
"""What a perfect fit scores, where a ranker has such a number; bars are drawn beside it."""


class ScoreScale:
    """Scores of one ranking. Below zero (log-likelihoods) the worst one shown is the empty bar, else zero is."""

    def __init__(self, ranking: Ranking) -> None:
        values = [result.score.value for result in ranking.results]
        self.full = FULL.get(ranking.ranker)
        self.best = self.full or max(values, default=0.0)
        self.zero = min(0.0, *values) if values else 0.0
        largest = max(map(abs, (*values, self.best)))
        self._decimals = 1 if largest >= 100 else 2 if largest >= 10 else 3

    def share(self, value: float) -> float:
        """0 to 1: of a perfect fit, or else of the best one."""
        span = self.best - self.zero
        return min((value - self.zero) / span, 1.0) if span > 0 else 0.0

    def share_words(self, value: float) -> str:
        return f"of {self.full:g}" if self.full else f"{self.share(value):.0%} of the best"

    def text(self, value: float) -> str:
        """Never "-0.00"."""
        return f"{value:z.{self._decimals}f}"
