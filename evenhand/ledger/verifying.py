"""Goes through the chain and says, in sentences, everything in which it is not what was written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

from evenhand.ledger.checkpoints import Checkpoint
from evenhand.ledger.deciding import check_decisions
from evenhand.ledger.findings import Finding
from evenhand.records.event import FIRST, Decided, Link, Opening

SLICE = 1_000  # events held in memory at once


class Table(Protocol):
    """What lies beside the chain and is tied to it: the sealed values, and the decisions."""

    def openings(self, *, after: int, until: int | None = None) -> list[Opening]: ...

    def decided(self, *, after: int, until: int | None = None) -> list[Decided]: ...

    def unsealed(self, names: Sequence[str]) -> dict[str, str]: ...

    def count_unrecorded_decisions(self) -> int: ...

    def count_differing_statuses(self) -> int: ...

    def ledger_head(self) -> tuple[int, str]: ...


def verify(
    links: Iterable[Link],
    *,
    checkpoints: Iterable[Checkpoint | int] = (),
    key: str | None = None,
    beside: Table | None = None,
) -> Iterator[Finding]:
    """`key` is the public key that checkpoints have to be signed with, in hexadecimal.

    Sealed values that are missing are fine: they were erased. Altered ones are not.
    """
    trusted = list(_believed(checkpoints, key))
    yield from (each for each in trusted if isinstance(each, Finding))
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


def _believed(checkpoints: Iterable[Checkpoint | int], key: str | None) -> Iterator[Checkpoint | Finding]:
    """Those that are signed with the key, and what is wrong with the others."""
    for each in checkpoints:
        if isinstance(each, int):
            yield Finding("unreadable_checkpoint", f"Line {each} of the checkpoints cannot be read.")
        elif not each.is_signed:
            message = f"The checkpoint of event {each.sequence} at {each.time} has a wrong signature."
            yield Finding("wrong_signature", message, each.sequence)
        elif key is not None and each.key != key:
            message = f"The checkpoint of event {each.sequence} at {each.time} was signed with another key."
            yield Finding("other_key", message, each.sequence)
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

    def take(self, link: Link) -> Iterator[Finding]:
        expected = self.sequence + 1
        if link.sequence != expected:
            yield _gap(expected, link.sequence)
        if link.computed_hash() != link.hash:
            message = f"Event {link.sequence} has been altered: its hash is not that of what it says."
            yield Finding("altered_event", message, link.sequence)
        if link.previous != self._hash:
            message = f"Event {link.sequence} does not follow the one before it: an event was altered, "
            yield Finding("broken_link", message + "put in, taken out or moved there.", link.sequence)
        for checkpoint in self._checkpoints.pop(link.sequence, ()):
            if checkpoint.hash != link.hash:
                yield _unlike(checkpoint)
        if link.sequence == 1 and link.kind == "genesis":
            self.unrecorded = _decisions_before(link)
        self.sequence, self._hash = link.sequence, link.hash

    def end(self) -> Iterator[Finding]:
        """Checkpoints of events that are not there."""
        for sequence, found in sorted(self._checkpoints.items()):
            if sequence > self.sequence:
                message = (
                    f"The ledger ends with event {self.sequence}, but at {found[0].time} it had {sequence}: "
                    "it has been shortened."
                )
                yield Finding("shortened", message, sequence)
            elif sequence > 0 or found[0].hash != FIRST:
                yield _unlike(found[0])


def _gap(expected: int, found: int) -> Finding:
    if found <= expected:
        return Finding("misplaced_event", f"Event {found} stands where {expected} should.", found)
    missing = f"Event {expected} is" if found == expected + 1 else f"Events {expected} to {found - 1} are"
    return Finding("missing_event", f"{missing} missing.", expected)


def _unlike(checkpoint: Checkpoint) -> Finding:
    message = (
        f"Event {checkpoint.sequence} is not the one that was signed at {checkpoint.time}: "
        "the ledger has been rewritten."
    )
    return Finding("rewritten", message, checkpoint.sequence)


def _decisions_before(link: Link) -> int:
    counts = link.read_body().get("counts")
    found = counts.get("decisions") if isinstance(counts, dict) else None
    return found if isinstance(found, int) else 0


def _check_beside(links: Sequence[Link], beside: Table, *, after: int) -> Iterator[Finding]:
    until = links[-1].sequence
    bodies = {link.sequence: link.read_body() for link in links}
    reasons = {}
    for opening in beside.openings(after=after, until=until):
        yield from _check_opening(opening, bodies.get(opening.sequence, {}))
        if opening.name == "reason":
            reasons[opening.sequence] = opening.value()
    decided = beside.decided(after=after, until=until)
    yield from check_decisions(links, bodies, decided, reasons, beside.unsealed)


def _check_opening(opening: Opening, body: dict[str, Any]) -> Iterator[Finding]:
    sealed = body.get("sealed")
    committed = sealed.get(opening.name) if isinstance(sealed, dict) else None
    if committed is None:
        message = f"A sealed value {opening.name!r} is kept for event {opening.sequence}, which has none."
        yield Finding("unknown_opening", message, opening.sequence)
    elif opening.computed_commitment() != committed:
        message = f"The sealed value {opening.name!r} of event {opening.sequence} has been altered."
        yield Finding("altered_opening", message, opening.sequence)


def _check_end(beside: Table, chain: _Chain) -> Iterator[Finding]:
    """What belongs to events beyond the last one, or to none."""
    openings, decided = beside.openings(after=chain.sequence), beside.decided(after=chain.sequence)
    # Asked after them: whatever was written while the chain was gone through has its event by now.
    last = max(chain.sequence, beside.ledger_head()[0])
    for opening in openings:
        if opening.sequence > last:
            yield from _check_opening(opening, {})
    lost = [row for row in decided if row.sequence > last]
    yield from check_decisions((), {}, lost, {}, beside.unsealed)
    surplus = beside.count_unrecorded_decisions() - chain.unrecorded
    if surplus > 0:
        yield Finding("unrecorded_decision", f"{surplus:,} decisions are kept that no event tells of.")
    if differing := beside.count_differing_statuses():
        message = f"{differing:,} applications have another status than the last decision on them gave."
        yield Finding("differing_status", message)
