"""Goes through the chain and says, in sentences, everything in which it is not what was written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from evenhand.ledger.checkpoints import (
    Checkpoint,
    SigningKey,
    append_checkpoint,
    last_checkpoint,
    public_key_of,
    read_checkpoints,
    send_checkpoint,
)
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records.event import FIRST, SYSTEM, CommitmentOpening, DecisionRecord, Link
from evenhand.settings import Settings
from evenhand.store.ledger import LedgerStore
from evenhand.store.store import Store

# What is wrong with a ledger, in words, with a code that never changes and the event it is about.


@dataclass(frozen=True, slots=True)
class IntegrityFinding:
    code: str
    message: str
    sequence: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "message": self.message, "sequence": self.sequence}


# Whether the table of decisions says what the ledger says.

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
    kept: dict[int, list[DecisionRecord]] = defaultdict(list)
    for each in decided:
        kept[each.sequence].append(each)
    events = {link.sequence: link for link in links if link.kind in KINDS}
    moves = {sequence: _moves(bodies[sequence]) for sequence in events}
    names = [seal for found in moves.values() for seal in found]
    living = unsealed([*names, *(link.actor for link in events.values())])
    for sequence in sorted(kept.keys() | events.keys()):
        if sequence not in events:
            message = f"The table of decisions names event {sequence}, which is no decision."
            yield IntegrityFinding("unrecorded_decision", message, sequence)
            continue
        rows = {each.seal: each for each in kept[sequence] if each.seal is not None}
        wrong = sum(1 for seal in moves[sequence] if seal in living and seal not in rows)
        told = _DecisionClaim(events[sequence], bodies[sequence], moves[sequence], reasons.get(sequence), living)
        if wrong := wrong + sum(not told.agrees(row) for row in rows.values()):
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


SLICE = 1_000  # events held in memory at once


def verify(
    links: Iterable[Link],
    *,
    checkpoints: Iterable[Checkpoint | int] = (),
    key: str | None = None,
    beside: LedgerStore | None = None,
) -> Iterator[IntegrityFinding]:
    """`key` is the public key that checkpoints have to be signed with, in hexadecimal.

    Sealed values that are missing are fine: they were erased. Altered ones are not.
    """
    trusted = list(_believed(checkpoints, key))
    yield from (each for each in trusted if isinstance(each, IntegrityFinding))
    chain = _Chain(each for each in trusted if isinstance(each, Checkpoint))
    rest = iter(links)
    while some := list(islice(rest, SLICE)):
        after = chain.sequence
        for link in some:
            yield from chain.take(link)
        if beside is not None:
            yield from _check_beside(some, beside, after=after)
    yield from chain.end()
    if beside is not None:
        yield from _check_end(beside, chain)


def _believed(checkpoints: Iterable[Checkpoint | int], key: str | None) -> Iterator[Checkpoint | IntegrityFinding]:
    """Those that are signed with the key, and what is wrong with the others."""
    for each in checkpoints:
        if isinstance(each, int):
            yield IntegrityFinding("unreadable_checkpoint", f"Line {each} of the checkpoints cannot be read.")
        elif not each.is_signed:
            message = f"The checkpoint of event {each.sequence} at {each.time} has a wrong signature."
            yield IntegrityFinding("wrong_signature", message, each.sequence)
        elif key is not None and each.key != key:
            message = f"The checkpoint of event {each.sequence} at {each.time} was signed with another key."
            yield IntegrityFinding("other_key", message, each.sequence)
        else:
            yield each


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
            self.unrecorded = _decisions_before(link)
        self.sequence, self._hash = link.sequence, link.hash

    def end(self) -> Iterator[IntegrityFinding]:
        """Checkpoints of events that are not there."""
        for sequence, found in sorted(self._checkpoints.items()):
            if sequence > self.sequence:
                message = (
                    f"The ledger ends with event {self.sequence}, but at {found[0].time} it had {sequence}: "
                    "it has been shortened."
                )
                yield IntegrityFinding("shortened", message, sequence)
            elif sequence > 0 or found[0].hash != FIRST:
                yield _unlike(found[0])


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


def _decisions_before(link: Link) -> int:
    counts = link.read_body().get("counts")
    found = counts.get("decisions") if isinstance(counts, dict) else None
    return found if isinstance(found, int) else 0


def _check_beside(links: Sequence[Link], beside: LedgerStore, *, after: int) -> Iterator[IntegrityFinding]:
    until = links[-1].sequence
    bodies = {link.sequence: link.read_body() for link in links}
    reasons = {}
    for opening in beside.openings(after=after, until=until):
        yield from _check_opening(opening, bodies.get(opening.sequence, {}))
        if opening.name == "reason":
            reasons[opening.sequence] = opening.value()
    decided = beside.decisions(after=after, until=until)
    yield from check_decisions(links, bodies, decided, reasons, beside.unsealed)


def _check_opening(opening: CommitmentOpening, body: dict[str, Any]) -> Iterator[IntegrityFinding]:
    sealed = body.get("sealed")
    committed = sealed.get(opening.name) if isinstance(sealed, dict) else None
    if committed is None:
        message = f"A sealed value {opening.name!r} is kept for event {opening.sequence}, which has none."
        yield IntegrityFinding("unknown_opening", message, opening.sequence)
    elif opening.computed_commitment() != committed:
        message = f"The sealed value {opening.name!r} of event {opening.sequence} has been altered."
        yield IntegrityFinding("altered_opening", message, opening.sequence)


def _check_end(beside: LedgerStore, chain: _Chain) -> Iterator[IntegrityFinding]:
    """What belongs to events beyond the last one, or to none."""
    openings, decided = beside.openings(after=chain.sequence), beside.decisions(after=chain.sequence)
    # Asked after them: whatever was written while the chain was gone through has its event by now.
    last = max(chain.sequence, beside.head()[0])
    for opening in openings:
        if opening.sequence > last:
            yield from _check_opening(opening, {})
    lost = [row for row in decided if row.sequence > last]
    yield from check_decisions((), {}, lost, {}, beside.unsealed)
    surplus = beside.count_unrecorded_decisions() - chain.unrecorded
    if surplus > 0:
        yield IntegrityFinding("unrecorded_decision", f"{surplus:,} decisions are kept that no event tells of.")
    if differing := beside.count_differing_statuses():
        message = f"{differing:,} applications have another status than the last decision on them gave."
        yield IntegrityFinding("differing_status", message)


# The ledger of a service: signing where it stands, and checking all of it against what was signed.

MAX_FINDINGS = 1_000  # one wrong event can make everything after it wrong; nobody reads more


@dataclass(frozen=True, slots=True)
class LedgerVerification:
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
        return {
            "sound": self.sound,
            "events": self.events,
            "checkpoints": self.checkpoints,
            "signed_until": self.signed_until,
            "key": self.key,
            "findings": [finding.to_json() for finding in self.findings],
        }


def verify_ledger(
    store: Store,
    settings: Settings,
    *,
    checkpoints: Path | None = None,
    key: str | None = None,
    progress: Progress = no_progress,
) -> LedgerVerification:
    """Against the checkpoints and the key that the settings name, unless an auditor brings her own copies."""
    path = checkpoints or settings.checkpoint_path
    trusted = key or public_key_of(settings.signing_key_path)
    points = list(read_checkpoints(path))
    events = store.ledger.count()
    links = with_progress(store.ledger.chain(), progress, "Verifying", events)
    found: list[IntegrityFinding] = list(_absent(points, trusted, path))
    for finding in verify(links, checkpoints=points, key=trusted, beside=store.ledger):
        found.append(finding)
        if len(found) >= MAX_FINDINGS:
            break
    believed = [
        point.sequence
        for point in points
        if isinstance(point, Checkpoint) and point.is_signed and trusted in (None, point.key)
    ]
    return LedgerVerification(events, len(points), max(believed, default=0), trusted, tuple(found))


def make_checkpoint(store: Store, settings: Settings, *, time: datetime | None = None) -> Checkpoint | None:
    """Signs where the ledger stands and hands it out; None where that has been signed already."""
    sequence, hash = store.ledger.head()
    path = settings.checkpoint_path
    newest = last_checkpoint(path)
    if sequence == 0 or (newest and (newest.sequence, newest.hash) == (sequence, hash)):
        return None
    key = SigningKey.load_or_make(settings.signing_key_path)
    made = Checkpoint.make(sequence, hash, time=time or datetime.now(UTC), key=key)
    append_checkpoint(path, made)
    if settings.checkpoint_command:
        send_checkpoint(settings.checkpoint_command, made)
    return made


def _absent(points: list[Checkpoint | int], trusted: str | None, path: Path) -> Iterator[IntegrityFinding]:
    """The key is made with the first checkpoint: where there is one and not the other, somebody took it away."""
    if trusted is not None and not points:
        yield IntegrityFinding("no_checkpoints", f"There is a key, but not one checkpoint in {path}.")
