"""Scores as people see them: a length beside the best one, and a number of a readable width."""

from __future__ import annotations

from collections.abc import Sequence

from evenhand.records.ranking import Result


class ScoreScale:
    """Scores of one ranking. Below zero (log-likelihoods) the worst one shown is the empty bar, else zero is."""

    def __init__(self, results: Sequence[Result]) -> None:
        values = [result.score.value for result in results]
        self.best = max(values, default=0.0)
        self.zero = min(0.0, *values) if values else 0.0
        largest = max(map(abs, values), default=0.0)
        self._decimals = 1 if largest >= 100 else 2 if largest >= 10 else 3

    def share(self, value: float) -> float:
        """0 to 1, of the best one."""
        span = self.best - self.zero
        return (value - self.zero) / span if span > 0 else 0.0

    def text(self, value: float) -> str:
        """Never "-0.00"."""
        return f"{value:z.{self._decimals}f}"
