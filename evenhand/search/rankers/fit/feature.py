"""What every feature of a fit has in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Shares = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What is taken for granted where neither the job nor the resume says it."""

    half_life_years: float = 10.0
    """Time after which what was done last counts half as much more than what is only mentioned."""
    mentioned: float = 0.5
    """What a mention outside jobs and projects counts, one in the latest job counting 1."""
    time: float = 0.7
    """How much of a demand for months of a skill is about the months; the rest is for having it at all."""
    skilled: float = 0.5
    """What months with the must-haves count as related experience, those under a title like the job's counting 1."""
    unknown: float = 0.5
    """What a word counts that hardly any resume or ad has: mostly a name, unless a demand of the job has it."""
    undated_years: float = 5.0  # since a job or project without dates
    undated_months: int = 6  # that a job without dates lasted
    months: int = 36  # of experience, where a job does not say how much it asks for

    def recency(self, years: NDArray[np.float64]) -> NDArray[np.float64]:
        """1 for what is done at last, a half one half-life before."""
        found: NDArray[np.float64] = np.exp2(-np.maximum(years, 0.0) / self.half_life_years)
        return found

    def use(self, years: NDArray[np.float64]) -> NDArray[np.float64]:
        """What use in a job or project counts; never less than a bare mention, however long ago."""
        return self.mentioned + (1.0 - self.mentioned) * self.recency(years)


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """One number per resume. None in place of a feature means that the job asks for nothing of the kind."""

    shares: Shares  # 0 to 1
    reason: Callable[[int], str]  # of a resume, by its row
