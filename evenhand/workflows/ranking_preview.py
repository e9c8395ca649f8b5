"""What a change of a job's requirements would do to the head of its list, before anybody saves it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evenhand.records import Job, content_hash
from evenhand.records.event import Draft
from evenhand.search.criteria import Criteria
from evenhand.search.rankers.best import Best
from evenhand.workflows.lens import Lens
from evenhand.workflows.screening import Ordered, Screener
from evenhand.workflows.service import Service

SHOWN = 10
NAMELESS = "without a name"


@dataclass(frozen=True, slots=True)
class Move:
    """One candidate among the first ten before or after. None: not among those that were put in order."""

    application: str
    name: str
    before: int | None
    after: int | None

    @property
    def change(self) -> int:
        """Ranks won; lost ones are negative."""
        return (self.before or 0) - (self.after or 0) if self.before and self.after else 0


@dataclass(frozen=True, slots=True)
class RankingChange:
    total: int
    moves: tuple[Move, ...]  # by the rank after, then those who drop out

    @property
    def moved(self) -> int:
        return sum(move.before != move.after for move in self.moves)


def preview_change(
    service: Service, job: str, changed: Job, *, lens: Lens, actor: str, shown: int = SHOWN
) -> RankingChange:
    """Nothing is changed, but that somebody has looked is on record."""
    with service.screener(job, ranker=Best.name) as before:
        after = replace(before, job=changed)
        old, new = _order(before, job), _order(after, job)
        names = _names(before, old, shown, lens) | _names(after, new, shown, lens)
    old_ranks, new_ranks = _ranks(old), _ranks(new)
    moves = [Move(id, name, old_ranks.get(id), new_ranks.get(id)) for id, name in names.items()]
    far = len(old_ranks) + len(new_ranks) + 1
    moves.sort(key=lambda move: (move.after or far, move.before or far))
    body = {"action": "preview", "requirements": content_hash(changed.to_json())}
    service.store.record([Draft("job", actor, job=job, body=body)])
    return RankingChange(len(old_ranks), tuple(moves))


def _order(screener: Screener, job: str) -> Ordered:
    return screener.order(screener.ask(Criteria(job=job)), depth=screener.depth)


def _ranks(ordered: Ordered) -> dict[str, int]:
    return {ordered.keys[row]: rank for rank, row in enumerate(ordered.rows, start=1)}


def _names(screener: Screener, ordered: Ordered, shown: int, lens: Lens) -> dict[str, str]:
    """Of the first ones, as this person may see them."""
    entries = [screener.snapshot.entry(ordered.addresses[row]) for row in ordered.rows[:shown]]
    return {
        entry.application: lens.name(entry.application, entry.card.get("name")) or NAMELESS
        for entry in entries
    }
