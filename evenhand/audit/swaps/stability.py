"""How firmly a rank stands: between which ranks a candidate would be after edits that change nothing that matters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evenhand.audit.swaps.trials import Outcome, Trials


@dataclass(frozen=True, slots=True)
class RankBand:
    """3rd, 2nd to 9th under four harmless edits."""

    resume: int
    rank: int
    best: int
    worst: int
    edits: int

    def to_json(self) -> dict[str, Any]:
        return {
            "resume": self.resume,
            "rank": self.rank,
            "best": self.best,
            "worst": self.worst,
            "edits": self.edits,
        }


def rank_bands(trials: Trials, outcome: Outcome) -> list[RankBand]:
    """In the order of the ranks; one per resume, also for those in which nothing could be reworded."""
    if outcome.rank is None or outcome.base_rank is None:
        return []
    seen: dict[int, list[int]] = {number: [] for number in range(len(outcome.base_rank))}
    rows = trials.rewordings()
    for row in rows[np.isfinite(outcome.score[rows])]:
        seen[int(trials.resume[row])].append(int(outcome.rank[row]))
    bands = [
        RankBand(number, rank, min([rank, *seen[number]]), max([rank, *seen[number]]), len(seen[number]))
        for number, rank in enumerate(outcome.base_rank.tolist())
    ]
    return sorted(bands, key=lambda band: band.rank)
