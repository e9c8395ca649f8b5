"""Whether the table of decisions says what the ledger says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.ledger.findings import Finding
from evenhand.records.event import SYSTEM, Decided, Link

KINDS = ("decision", "undo")
Move = tuple[str, str]
"""Status before and after."""
Bodies = Mapping[int, Mapping[str, Any]]


def check_decisions(
    links: Sequence[Link],
    bodies: Bodies,
    decided: Sequence[Decided],
    reasons: Mapping[int, str],
    unsealed: Callable[[Sequence[str]], Mapping[str, str]],
) -> Iterator[Finding]:
    """Every living application's move, both ways; of the erased nothing is asked. `reasons` are those not erased."""
    kept: dict[int, list[Decided]] = defaultdict(list)
    for each in decided:
        kept[each.sequence].append(each)
    events = {link.sequence: link for link in links if link.kind in KINDS}
    moves = {sequence: _moves(bodies[sequence]) for sequence in events}
    names = [seal for found in moves.values() for seal in found]
    living = unsealed([*names, *(link.actor for link in events.values())])
    for sequence in sorted(kept.keys() | events.keys()):
        if sequence not in events:
            message = f"The table of decisions names event {sequence}, which is no decision."
            yield Finding("unrecorded_decision", message, sequence)
            continue
        rows = {each.seal: each for each in kept[sequence] if each.seal is not None}
        wrong = sum(1 for seal in moves[sequence] if seal in living and seal not in rows)
        told = _Told(events[sequence], bodies[sequence], moves[sequence], reasons.get(sequence), living)
        if wrong := wrong + sum(not told.agrees(row) for row in rows.values()):
            message = f"Event {sequence} and the table of decisions differ in {wrong:,} of its applications."
            yield Finding("differing_decision", message, sequence)


@dataclass(frozen=True, slots=True)
class _Told:
    """What one event says."""

    link: Link
    body: Mapping[str, Any]
    moves: Mapping[str, Move]
    reason: str | None  # None: none was given, or it was erased
    living: Mapping[str, str]

    def agrees(self, row: Decided) -> bool:
        named = {"batch": row.batch, "action": row.action, "bulk": row.bulk}
        return (
            row.is_one
            and self.moves.get(row.seal or "") == (row.from_status, row.to_status)
            and all(self.body.get(name) == value for name, value in named.items())
            and row.time == self.link.time
            and (row.actor == self.link.actor or _is_gone(self.link.actor, self.living))
            and self._is_reason(row.reason)
        )

    def _is_reason(self, reason: str) -> bool:
        if self.reason is not None:
            return reason == self.reason
        return not reason or "reason" in self.body.get("sealed", {})


def _is_gone(actor: str, living: Mapping[str, str]) -> bool:
    """Whoever it was has been forgotten: nothing can be said against any name."""
    return actor != SYSTEM and actor not in living


def _moves(body: Mapping[str, Any]) -> dict[str, Move]:
    """Nothing where the body is not what was written: that is found by its hash."""
    try:
        return {str(seal): (before, after) for seal, before, after in body["moves"]}
    except (KeyError, TypeError, ValueError):
        return {}
