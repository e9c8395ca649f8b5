"""What an audit is asked to measure, in one form for the command line, pages, schedules and the record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.errors import UsageError
from evenhand.search.rankers import RANKERS
from evenhand.search.rankers.semantic import Semantic

KINDS = ("swaps", "outcomes")
KIND_WORDS = {
    "swaps": "Changed resumes: does a name, a place, a school or a gap move the ranking",
    "outcomes": "Outcomes: do groups fare differently, by what applicants said of themselves",
}
KEPT_RANKERS = tuple(name for name in RANKERS if name != Semantic.name)  # semantic ranks folders only
MOST_RESUMES = 100_000


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """`families` None: all; `most` None: as many resumes as the audit takes by itself."""

    job: str
    kinds: tuple[str, ...] = KINDS
    ranker: str = "best"
    families: tuple[str, ...] | None = None
    most: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_names("kind", self.kinds, KINDS)
        check_names("ranker", (self.ranker,), KEPT_RANKERS)
        if not self.kinds:
            raise UsageError("Say what is to be audited: swaps, outcomes or both.")
        if self.most is not None and not 1 <= self.most <= MOST_RESUMES:
            raise UsageError(f"An audit takes 1 to {MOST_RESUMES:,} resumes.")

    @property
    def kind(self) -> str:
        """Audits of the same kind and job can be compared."""
        return "+".join(name for name in KINDS if name in self.kinds)

    def to_json(self) -> dict[str, Any]:
        return {
            "job": self.job,
            "kinds": list(self.kinds),
            "ranker": self.ranker,
            "families": list(self.families) if self.families else None,
            "most": self.most,
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> AuditRequest:
        families = value.get("families")
        return cls(
            job=str(value["job"]),
            kinds=tuple(value["kinds"]),
            ranker=str(value.get("ranker") or "best"),
            families=tuple(families) if families else None,
            most=value.get("most"),
            seed=int(value.get("seed") or 0),
        )


def check_names(what: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"There is no {what} {name!r} here; there are {', '.join(known)}.")
