"""What is measured: people with what became of them, and what they said of themselves. No names, no ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from evenhand.audit.outcomes.counting import Flags


@dataclass(frozen=True, slots=True)
class Sample:
    """One place per person in everything. `chosen` says in words what being selected means here: "were shortlisted"."""

    groups: Mapping[str, Sequence[str | None]]
    selected: Flags | None = None
    chosen: str = "were selected"
    scores: NDArray[np.float64] | None = None  # nan for who has none
    bands: Sequence[str | None] | None = None
    band_name: str = "experience"
    band_order: Sequence[str] = ()  # the alphabet's if not given
    days: Sequence[date | None] | None = None

    @property
    def size(self) -> int:
        return len(next(iter(self.groups.values()), ()))
