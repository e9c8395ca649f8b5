"""Scores that were worked out before: refining a list asks for the same resumes again, in ever new selections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from evenhand.search.digest import DigestTable
from evenhand.search.rankers.contributions import Contributions
from evenhand.search.rankers.query import Query
from evenhand.search.rankers.ranker import Ranker
from evenhand.search.statistics import Statistics


@dataclass
class KnownScores:
    """For one query, one ranker and one state of the index. Only for a ranker whose `base` finds the same of a resume,
    to the bit, whoever else is looked at."""

    places: dict[str, int] = field(default_factory=dict)  # of a resume's key among the rows
    rows: list[NDArray[np.float64]] = field(default_factory=list)  # one table, or none yet
    names: tuple[str, ...] = ()  # of the columns
    always: int = 0
    lock: Lock = field(default_factory=Lock)

    def base(
        self, ranker: Ranker, query: Query, keys: Sequence[str], digests: DigestTable, statistics: Statistics
    ) -> Contributions:
        """As the ranker's own, reasons too; those are worked out anew for each resume, so ask for few."""
        with self.lock:
            missing = [at for at, key in enumerate(keys) if key not in self.places]
            if missing or not self.rows:
                found = ranker.base(query, digests.only(missing), statistics)
                self._learn(found, [keys[at] for at in missing])
            values = self.rows[0][[self.places[key] for key in keys]]
        told: dict[int, Contributions] = {}

        def reason(row: int, column: int) -> str | None:
            if row not in told:
                told[row] = ranker.base(query, digests.only([row]), statistics)
            return told[row].reason(0, column)

        return Contributions(self.names, values, reason, self.always)

    def _learn(self, found: Contributions, keys: Sequence[str]) -> None:
        first = len(self.places)
        self.names, self.always = found.names, found.always
        self.rows = [np.vstack([*self.rows, found.values])]
        self.places |= {key: first + at for at, key in enumerate(keys)}
