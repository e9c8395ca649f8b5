"""The preview of a decision on many at once, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from evenhand.store.statuses import OFFERED, REJECTED, SHORTLISTED
from evenhand.web.views.chips import chips
from evenhand.web.wording import count
from evenhand.workflows.desk_query import Search
from evenhand.workflows.desk_rest import REJECT, Plan

STAYING = {
    SHORTLISTED: "shortlisted",
    OFFERED: "with an offer",
    REJECTED: "rejected already",
    "new": "new",
    "screened": "screened",
}


@dataclass(frozen=True, slots=True)
class ManyView:
    plan: Plan
    keep: int
    search: Search
    back: str
    address: str
    sample: Sequence[str]  # names of some who are concerned, as the viewer may see them
    reasons: Sequence[str]
    seen: str
    reason: str = ""
    problem: str = ""

    @property
    def action(self) -> str:
        return self.plan.action

    @property
    def rejects(self) -> bool:
        return self.plan.action == REJECT

    @property
    def listed(self) -> int:
        return self.plan.listed

    @property
    def changed(self) -> int:
        return len(self.plan.changed)

    @property
    def version(self) -> str:
        return self.plan.version

    @property
    def query(self) -> str:
        return self.search.query

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return parse_qsl(self.query)

    @property
    def conditions(self) -> str:
        return "; ".join(f"{chip.kind}: {chip.label}" for chip in chips(self.search, self.back))

    @property
    def spared(self) -> list[str]:
        return list(self._spared())

    def _spared(self) -> Iterator[str]:
        """Who stays as they are, and why."""
        plan = self.plan
        if self.rejects and plan.first:
            yield f"Spared: the first {plan.first:,} of the list."
        for status, words in STAYING.items():
            if number := plan.left.get(status, 0):
                yield f"{_beginning(status, self.rejects)}{count(number, 'candidate')} {words}."
        if taken := plan.statuses.get("screened", 0):
            yield f"Among those concerned: {count(taken, 'candidate')} who had been screened."
        if plan.unordered and self.rejects:
            yield (
                f"{count(plan.unordered, 'candidate')} of this list have no rank, because it is so long; "
                "they are among those concerned unless they are shortlisted or have an offer."
            )


def _beginning(status: str, rejects: bool) -> str:
    return "Spared: " if rejects and status in (SHORTLISTED, OFFERED) else "Left as they are: "
