"""Everyone who applied for a job in the order of the default ranker, however many they are, and where one stands."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evenhand.records import Score
from evenhand.search.criteria import Criteria
from evenhand.search.digest import Digest
from evenhand.workflows.screening import Asked, Listed, Ordered, Screener
from evenhand.workflows.service import Service


@dataclass(frozen=True, slots=True)
class Rank:
    """Where somebody stands in the list of a job: None where the application is not in the index."""

    rank: int | None
    total: int
    score: float | None

    def to_json(self) -> dict[str, Any]:
        return {"rank": self.rank, "total": self.total, "score": self.score}


@dataclass(frozen=True)
class WholeList:
    """One order of one state of the index."""

    screener: Screener
    asked: Asked
    ordered: Ordered

    @classmethod
    def take(cls, service: Service, job: str) -> WholeList:
        criteria = Criteria(job=job)
        with service.screener(job, ranker=criteria.ranker) as screener:
            asked = screener.ask(criteria)
            total = screener.snapshot.count(asked.filter.query())
            return cls(screener, asked, screener.order(asked, depth=max(screener.depth, total)))

    @property
    def total(self) -> int:
        return len(self.ordered.rows)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {self.ordered.keys[row]: at for at, row in enumerate(self.ordered.rows)}

    @cached_property
    def _falling(self) -> list[float]:
        """The scores as keys to look up in: the best first, and so negative."""
        totals = self.ordered.table.totals()
        return [-totals[row] for row in self.ordered.rows]

    def rank(self, application: str) -> Rank:
        at = self._places.get(application)
        if at is None:
            return Rank(None, self.total, None)
        return Rank(at + 1, self.total, self.ordered.table.score(self.ordered.rows[at]).value)

    def listed(self, application: str) -> Listed | None:
        at = self._places.get(application)
        if at is None:
            return None
        [found] = self.screener.page(self.asked, self.ordered, first=at, size=1)
        return found

    def score(self, digest: Digest) -> Score:
        """What another resume would score in this list."""
        return self.screener.ranker.rank(self.asked.query, [digest], self.screener.snapshot.statistics)[0]

    def rank_with(self, application: str, score: float) -> int:
        """Where the application would stand with this score; the score it has does not stand in its own way."""
        at = self._places.get(application)
        above = bisect_left(self._falling, -score)
        return above + (0 if at is not None and self._falling[at] < -score else 1)


def rank_of(service: Service, job: str, application: str) -> Rank:
    return WholeList.take(service, job).rank(application)
