"""Verification: goes through the chain and says, in sentences, where it is not what was written."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenhand.ledger.checkpoints import Checkpoint, public_key_of, read_checkpoints
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.conversion import JsonRecord, to_json
from evenhand.records.event import FIRST, SYSTEM, CommitmentOpening, DecisionRecord, Link
from evenhand.settings import Settings
from evenhand.store.ledger import LedgerStore
from evenhand.store.store import Store


@dataclass(frozen=True, slots=True)
class IntegrityFinding(JsonRecord):
    """What is wrong with a ledger, with a code that never changes and the event it is about."""

    code: str
    message: str
    sequence: int | None = None


KINDS = ("decision", "undo")
Move = tuple[str, str]
"""Status before and after."""
Bodies = Mapping[int, Mapping[str, Any]]


def check_decisions(
    links: Sequence[Link],
    bodies: Bodies,
    decided: Sequence[DecisionRecord],
    reasons: Mapping[int, str],
    unsealed: Callable[[Sequence[str]], Mapping[str, str]],
) -> Iterator[IntegrityFinding]:
    """Every living application's move, both ways; of the erased nothing is asked. `reasons` are those not erased."""
    by_event: dict[int, list[DecisionRecord]] = defaultdict(list)
    for record in decided:
        by_event[record.sequence].append(record)
    events = {link.sequence: link for link in links if link.kind in KINDS}
    moves = {sequence: _moves(bodies[sequence]) for sequence in events}
    names = [seal for moved in moves.values() for seal in moved]
    living = unsealed([*names, *(link.actor for link in events.values())])
    for sequence in sorted(by_event.keys() | events.keys()):
        if sequence not in events:
            message = f"The table of decisions names event {sequence}, which is no decision."
            yield IntegrityFinding("unrecorded_decision", message, sequence)
            continue
        rows = {record.seal: record for record in by_event[sequence] if record.seal is not None}
        wrong = sum(1 for seal in moves[sequence] if seal in living and seal not in rows)
        claim = _DecisionClaim(events[sequence], bodies[sequence], moves[sequence], reasons.get(sequence), living)
        if wrong := wrong + sum(not claim.agrees(row) for row in rows.values()):
            message = f"Event {sequence} and the table of decisions differ in {wrong:,} of its applications."
            yield IntegrityFinding("differing_decision", message, sequence)


@dataclass(frozen=True, slots=True)
class _DecisionClaim:
    """What one event says."""

    link: Link
    body: Mapping[str, Any]
    moves: Mapping[str, Move]
    reason: str | None  # None: none was given, or it was erased
    living: Mapping[str, str]

    def agrees(self, row: DecisionRecord) -> bool:
        named = {"batch": row.batch, "action": row.action, "bulk": row.bulk}
        # Whoever it was has been forgotten: nothing can be said against any name.
        is_gone = self.link.actor != SYSTEM and self.link.actor not in self.living
        if self.reason is not None:
            is_reason = row.reason == self.reason
        else:
            is_reason = not row.reason or "reason" in self.body.get("sealed", {})
        return (
            row.is_one
            and self.moves.get(row.seal or "") == (row.from_status, row.to_status)
            and all(self.body.get(name) == value for name, value in named.items())
            and row.time == self.link.time
            and (row.actor == self.link.actor or is_gone)
            and is_reason
        )


def _moves(body: Mapping[str, Any]) -> dict[str, Move]:
    """Nothing where the body is not what was written: that is found by its hash."""
    try:
        return {str(seal): (before, after) for seal, before, after in body["moves"]}
    except (KeyError, TypeError, ValueError):
        return {}


SLICE = 1_000  # events held in memory at once


def verify(
    links: Iterable[Link],
    *,
    checkpoints: Iterable[Checkpoint | int] = (),
    key: str | None = None,
    tables: LedgerStore | None = None,
) -> Iterator[IntegrityFinding]:
    """`key` is the public key that checkpoints have to be signed with, in hexadecimal.

    `tables` are the sealed values and decisions kept beside the chain. Sealed values that are missing are fine: they
    were erased. Altered ones are not.
    """
    trusted = list(_check_signatures(checkpoints, key))
    yield from (finding for finding in trusted if isinstance(finding, IntegrityFinding))
    chain = _Chain(checkpoint for checkpoint in trusted if isinstance(checkpoint, Checkpoint))
    rest = iter(links)
    while some := list(itertools.islice(rest, SLICE)):
        after = chain.sequence
        for link in some:
            yield from chain.take(link)
        if tables is not None:
            yield from _check_tables(some, tables, after=after)
    yield from chain.end()
    if tables is not None:
        yield from _check_end(tables, chain)


def _check_signatures(
    checkpoints: Iterable[Checkpoint | int], key: str | None
) -> Iterator[Checkpoint | IntegrityFinding]:
    """Those that are signed with the key, and what is wrong with the others."""
    for point in checkpoints:
        if isinstance(point, int):
            yield IntegrityFinding("unreadable_checkpoint", f"Line {point} of the checkpoints cannot be read.")
        elif not point.is_signed:
            message = f"The checkpoint of event {point.sequence} at {point.time} has a wrong signature."
            yield IntegrityFinding("wrong_signature", message, point.sequence)
        elif key is not None and point.key != key:
            message = f"The checkpoint of event {point.sequence} at {point.time} was signed with another key."
            yield IntegrityFinding("other_key", message, point.sequence)
        else:
            yield point


class _Chain:
    """What has been seen of it so far."""

    def __init__(self, checkpoints: Iterable[Checkpoint]) -> None:
        self.sequence = 0
        self.unrecorded = 0  # decisions from before the ledger, as its first event says
        self._hash = FIRST
        self._checkpoints: dict[int, list[Checkpoint]] = defaultdict(list)
        for checkpoint in checkpoints:
            self._checkpoints[checkpoint.sequence].append(checkpoint)

    def take(self, link: Link) -> Iterator[IntegrityFinding]:
        expected = self.sequence + 1
        if link.sequence != expected:
            yield _gap(expected, link.sequence)
        if link.computed_hash() != link.hash:
            message = f"Event {link.sequence} has been altered: its hash is not that of what it says."
            yield IntegrityFinding("altered_event", message, link.sequence)
        if link.previous != self._hash:
            message = f"Event {link.sequence} does not follow the one before it: an event was altered, "
            yield IntegrityFinding("broken_link", message + "put in, taken out or moved there.", link.sequence)
        for checkpoint in self._checkpoints.pop(link.sequence, ()):
            if checkpoint.hash != link.hash:
                yield _unlike(checkpoint)
        if link.sequence == 1 and link.kind == "genesis":
            counts = link.read_body().get("counts")
            number = counts.get("decisions") if isinstance(counts, dict) else None
            self.unrecorded = number if isinstance(number, int) else 0
        self.sequence, self._hash = link.sequence, link.hash

    def end(self) -> Iterator[IntegrityFinding]:
        """Checkpoints of events that are not there."""
        for sequence, points in sorted(self._checkpoints.items()):
            if sequence > self.sequence:
                message = (
                    f"The ledger ends with event {self.sequence}, but at {points[0].time} it had {sequence}: "
                    "it has been shortened."
                )
                yield IntegrityFinding("shortened", message, sequence)
            elif sequence > 0 or points[0].hash != FIRST:
                yield _unlike(points[0])


def _gap(expected: int, found: int) -> IntegrityFinding:
    if found <= expected:
        return IntegrityFinding("misplaced_event", f"Event {found} stands where {expected} should.", found)
    missing = f"Event {expected} is" if found == expected + 1 else f"Events {expected} to {found - 1} are"
    return IntegrityFinding("missing_event", f"{missing} missing.", expected)


def _unlike(checkpoint: Checkpoint) -> IntegrityFinding:
    message = (
        f"Event {checkpoint.sequence} is not the one that was signed at {checkpoint.time}: "
        "the ledger has been rewritten."
    )
    return IntegrityFinding("rewritten", message, checkpoint.sequence)


def _check_tables(links: Sequence[Link], tables: LedgerStore, *, after: int) -> Iterator[IntegrityFinding]:
    until = links[-1].sequence
    bodies = {link.sequence: link.read_body() for link in links}
    reasons = {}
    for opening in tables.openings(after=after, until=until):
        yield from _check_opening(opening, bodies.get(opening.sequence, {}))
        if opening.name == "reason":
            reasons[opening.sequence] = opening.value()
    decided = tables.decisions(after=after, until=until)
    yield from check_decisions(links, bodies, decided, reasons, tables.unsealed)


def _check_opening(opening: CommitmentOpening, body: dict[str, Any]) -> Iterator[IntegrityFinding]:
    sealed = body.get("sealed")
    committed = sealed.get(opening.name) if isinstance(sealed, dict) else None
    if committed is None:
        message = f"A sealed value {opening.name!r} is kept for event {opening.sequence}, which has none."
        yield IntegrityFinding("unknown_opening", message, opening.sequence)
    elif opening.computed_commitment() != committed:
        message = f"The sealed value {opening.name!r} of event {opening.sequence} has been altered."
        yield IntegrityFinding("altered_opening", message, opening.sequence)


def _check_end(tables: LedgerStore, chain: _Chain) -> Iterator[IntegrityFinding]:
    """What belongs to events beyond the last one, or to none."""
    openings, decided = tables.openings(after=chain.sequence), tables.decisions(after=chain.sequence)
    # Asked after them: whatever was written while the chain was gone through has its event by now.
    last = max(chain.sequence, tables.head()[0])
    for opening in openings:
        if opening.sequence > last:
            yield from _check_opening(opening, {})
    lost = [row for row in decided if row.sequence > last]
    yield from check_decisions((), {}, lost, {}, tables.unsealed)
    surplus = tables.count_unrecorded_decisions() - chain.unrecorded
    if surplus > 0:
        yield IntegrityFinding("unrecorded_decision", f"{surplus:,} decisions are kept that no event tells of.")
    if differing := tables.count_differing_statuses():
        message = f"{differing:,} applications have another status than the last decision on them gave."
        yield IntegrityFinding("differing_status", message)


MAX_FINDINGS = 1_000  # one wrong event can make everything after it wrong; nobody reads more


@dataclass(frozen=True, slots=True)
class LedgerVerification(JsonRecord):
    """What was checked, and what is wrong with it."""

    events: int
    checkpoints: int
    signed_until: int  # the newest event that a believed checkpoint vouches for; those after it only for each other
    key: str | None
    findings: tuple[IntegrityFinding, ...]

    @property
    def sound(self) -> bool:
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        return {"sound": self.sound, **to_json(self)}


def verify_ledger(
    store: Store,
    settings: Settings,
    *,
    checkpoints: Path | None = None,
    key: str | None = None,
    progress: Progress = no_progress,
) -> LedgerVerification:
    """Against the checkpoints and the key that the settings name, unless an auditor brings copies of their own."""
    path = checkpoints or settings.checkpoint_path
    trusted = key or public_key_of(settings.signing_key_path)
    points = list(read_checkpoints(path))
    events = store.ledger.count()
    links = with_progress(store.ledger.chain(), progress, "Verifying", events)
    findings = list(itertools.islice(verify(links, checkpoints=points, key=trusted, tables=store.ledger), MAX_FINDINGS))
    # The key is made with the first checkpoint: where there is one and not the other, somebody took it away.
    if trusted is not None and not points:
        absent = IntegrityFinding("no_checkpoints", f"There is a key, but not one checkpoint in {path}.")
        findings = [absent, *findings][:MAX_FINDINGS]
    signed = [
        point.sequence
        for point in points
        if isinstance(point, Checkpoint) and point.is_signed and trusted in (None, point.key)
    ]
    return LedgerVerification(events, len(points), max(signed, default=0), trusted, tuple(findings))
