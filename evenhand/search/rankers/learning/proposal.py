"""What was learned from whom, and whether it may replace what it started from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from evenhand.search.rankers.best import Weights

LABELS_NEEDED = 20
"""Of either kind. With fewer there is too little to hold out, and luck could not be told from learning."""
MOST_CHANCE = 0.05


@dataclass(frozen=True, slots=True)
class Tally:
    """One user's labels: those that can be compared with another of the same user and job, and what became of them."""

    user: str
    given: int
    capped: int  # left out, as older than the latest that count
    learned: int
    held_out: int


@dataclass(frozen=True, slots=True)
class Proposal:
    weights: Weights
    start: Weights
    labels: str  # version of the feedback
    shortlisted: int  # labels that count, of each kind
    rejected: int
    users: tuple[Tally, ...]
    pairs: int  # learned from
    held_out: int  # pairs
    accuracy_before: float | None  # share of held-out pairs in the right order; None where none was held out
    accuracy_after: float | None
    chance: float | None  # how often the same labels, dealt out at random, gain as much

    @property
    def refusal(self) -> str | None:
        """Why nobody may adopt it, as a sentence."""
        if min(self.shortlisted, self.rejected) < LABELS_NEEDED:
            return (
                f"Too few decisions to learn from: {self.shortlisted} shortlisted or offered and {self.rejected} "
                f"rejected, by people who did both for the same job; {LABELS_NEEDED} of each are needed."
            )
        if self.accuracy_before is None or self.accuracy_after is None or self.chance is None:
            return "None of the decisions could be held out to judge by."
        if self.accuracy_after <= self.accuracy_before:
            return (
                f"No better on decisions held out: {self.accuracy_after:.1%} of the pairs in the right order, "
                f"{self.accuracy_before:.1%} with the weights in force."
            )
        if self.chance > MOST_CHANCE:
            return (
                f"Better on decisions held out, but luck would be in {self.chance:.1%} of cases; "
                f"at most {MOST_CHANCE:.0%} is allowed. More decisions would tell."
            )
        return None

    def to_json(self) -> dict[str, Any]:
        return {
            "weights": self.weights.to_json(),
            "start": self.start.to_json(),
            "labels": self.labels,
            "shortlisted": self.shortlisted,
            "rejected": self.rejected,
            "users": [asdict(tally) for tally in self.users],
            "pairs": self.pairs,
            "held_out": self.held_out,
            "accuracy_before": self.accuracy_before,
            "accuracy_after": self.accuracy_after,
            "chance": self.chance,
            "refusal": self.refusal,
        }
