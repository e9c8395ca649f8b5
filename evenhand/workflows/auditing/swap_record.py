"""What a swap audit was asked and what it found, before it is put into words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evenhand.audit.swaps.comparison import Comparison
from evenhand.audit.swaps.stability import RankBand
from evenhand.audit.swaps.trials import Trials
from evenhand.errors import UsageError
from evenhand.records.ranking import Unread
from evenhand.search.rankers.registry import RANKERS
from evenhand.workflows.auditing.swap_pool import MOST
from evenhand.workflows.auditing.swap_trying import Planned


@dataclass(frozen=True, slots=True)
class SwapRequest:
    """What is to be audited, and how. Without rankers and models it is the ranker best."""

    rankers: tuple[str, ...] = ("best",)
    models: tuple[str, ...] = ()  # tasks: occupation, level, fit
    families: tuple[str, ...] | None = None  # all
    most: int | None = MOST  # resumes that are edited
    shortlist: int | None = None
    seed: int = 0
    values: Path | None = None

    def __post_init__(self) -> None:
        unknown = [ranker for ranker in self.rankers if ranker not in RANKERS]
        if unknown:
            raise UsageError(f"There is no ranker {unknown[0]!r}; there are {', '.join(RANKERS)}.")
        if not self.rankers and not self.models:
            raise UsageError("Name a ranker or a model to audit.")
        for name, number in (("resumes", self.most), ("places on the shortlist", self.shortlist)):
            if number is not None and number < 1:
                raise UsageError(f"The number of {name} must be at least 1.")


@dataclass(frozen=True, slots=True, eq=False)
class SwapAudit:
    """All that was tried and found. `planned` holds the resumes, to show pairs with their texts."""

    subject: str
    request: SwapRequest
    planned: tuple[Planned, ...]
    trials: Trials
    comparisons: tuple[Comparison, ...]
    bands: dict[str, list[RankBand]]  # by ranker
    pool: int  # who is ranked
    shortlist: int
    seconds: float
    errors: tuple[Unread, ...] = ()
