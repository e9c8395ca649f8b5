"""What the ledger says of decisions: who was moved from which status to which, in events of bearable size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.records.event import Draft, Owned, Subject
from evenhand.store.appending import SUBJECTS
from evenhand.store.statuses import UNDO

Step = tuple[str, str, str]
"""Action, status before, status after."""
Moves = dict[str, tuple[Step, ...]]
"""By application, what happens to it, in order."""


@dataclass(frozen=True, slots=True)
class Made:
    """A decision, whoever it is about."""

    action: str
    actor: str
    reason: str
    seen: int | None  # event of the ranking that was looked at
    bulk: bool = False
    undoes: str | None = None


def decision_drafts(
    by_job: Mapping[str, Sequence[str]], moves: Moves, made: Made, *, batch: str, first_revision: int
) -> list[Draft]:
    """`first_revision` is that of the first application; the others have the next ones, in the order given."""
    drafts = []
    reached = first_revision - 1
    for job, ids in by_job.items():
        for some in _chunks(ids):
            reached += len(some)
            drafts.append(_draft(job, some, moves, made, {"batch": batch, "revision": reached}))
    return drafts


def moved_by(draft: Draft) -> Iterator[str]:
    yield from (move[0].application for move in draft.body["moves"])


def _draft(job: str, ids: Sequence[str], moves: Moves, made: Made, body: Mapping[str, Any]) -> Draft:
    undoes = {"undoes": made.undoes} if made.undoes else {}
    return Draft(
        UNDO if made.action == UNDO else "decision",
        made.actor,
        job,
        body={
            **body,
            **undoes,
            "action": made.action,
            "bulk": made.bulk,
            "seen": made.seen,
            "moves": [(Subject(id), moves[id][0][1], moves[id][-1][2]) for id in ids],
        },
        sealed={"reason": _reason(made.reason, ids)} if made.reason else {},
    )


def _reason(reason: str, ids: Sequence[str]) -> Any:
    """What was said of one person goes with that person; what was said of many is about nobody in particular."""
    return Owned(ids[0], reason) if len(ids) == 1 else reason


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), SUBJECTS):
        yield ids[start : start + SUBJECTS]
