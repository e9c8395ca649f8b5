"""Verification: goes through the chain and says, in sentences, where it is not what was written."""

from __future__ import annotations

import itertools
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Row

from evenhand.ledger.checkpoints import Checkpoint, public_key_of, read_checkpoints
from evenhand.ledger.state import RecordedState
from evenhand.progress import Progress, no_progress, with_progress
from evenhand.records import content_hash
from evenhand.records.conversion import JsonRecord, to_json
from evenhand.records.event import FIRST, SYSTEM, CommitmentOpening, DecisionRecord, Link
from evenhand.records.event import seal as seal_for
from evenhand.settings import Settings
from evenhand.store.ledger import LedgerStore
from evenhand.store.ledger_append import ACTOR, APPLICATION
from evenhand.store.store import Store
from evenhand.store.tables import clean


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
    """Every move, both ways; of the erased only whose it was is not asked. `reasons` are those not erased."""
    by_event: dict[int, list[DecisionRecord]] = defaultdict(list)
    for record in decided:
        by_event[record.sequence].append(record)
    events = {link.sequence: link for link in links if link.kind in KINDS}
    moves = {sequence: _moves(bodies[sequence]) for sequence in events}
    living = unsealed([seal for moved in moves.values() for seal in moved])
    for sequence in sorted(by_event.keys() | events.keys()):
        if sequence not in events:
            message = f"The table of decisions names event {sequence}, which is no decision."
            yield IntegrityFinding("unrecorded_decision", message, sequence)
            continue
        claim = _DecisionClaim(events[sequence], bodies[sequence], moves[sequence], reasons.get(sequence))
        if wrong := claim.count_differing(by_event[sequence], living):
            message = f"Event {sequence} and the table of decisions differ in {wrong:,} of its applications."
            yield IntegrityFinding("differing_decision", message, sequence)


@dataclass(frozen=True, slots=True)
class _DecisionClaim:
    """What one event says."""

    link: Link
    body: Mapping[str, Any]
    moves: Mapping[str, Move]
    reason: str | None  # None: none was given, or it was erased

    def count_differing(self, rows: Sequence[DecisionRecord], living: Mapping[str, str]) -> int:
        known = {row.seal: row for row in rows if row.seal is not None}
        missing = sum(1 for seal in self.moves if seal in living and seal not in known)
        differing = sum(
            not self._agrees(row)
            or (row.seal is not None and self.moves.get(row.seal) != (row.from_status, row.to_status))
            for row in rows
        )
        # Rows of the erased stay without a name: as many as there were, each with its move.
        left = Counter((row.from_status, row.to_status) for row in rows if row.seal is None)
        gone = Counter(move for seal, move in self.moves.items() if seal not in living)
        unnamed = max((left - gone).total(), (gone - left).total())
        return missing + differing + unnamed

    def _agrees(self, row: DecisionRecord) -> bool:
        named = {"batch": row.batch, "action": row.action, "bulk": row.bulk}
        if self.reason is not None:
            is_reason = row.reason == self.reason or (row.seal is None and not row.reason)
        else:
            is_reason = not row.reason or "reason" in self.body.get("sealed", {})
        return (
            row.is_one
            and all(self.body.get(name) == value for name, value in named.items())
            and row.time == self.link.time
            and row.actor == self.link.actor
            and is_reason
        )


def _moves(body: Mapping[str, Any]) -> dict[str, Move]:
    """Nothing where the body is not what was written: that is found by its hash."""
    try:
        return {str(seal): (before, after) for seal, before, after in body["moves"]}
    except (KeyError, TypeError, ValueError):
        return {}


SLICE = 1_000  # events held in memory at once
LAST = 2**63 - 1  # sequence that a table can hold


def verify(
    links: Iterable[Link],
    *,
    checkpoints: Iterable[Checkpoint | int] = (),
    key: str | None = None,
    tables: LedgerStore | None = None,
) -> Iterator[IntegrityFinding]:
    """`key` is the public key that checkpoints have to be signed with, in hexadecimal.

    `tables` are the sealed values and whatever else events tell of. Sealed values that are missing are fine only where
    an event says that they, or the applicant whose they were, have been erased.
    """
    trusted = list(_check_signatures(checkpoints, key))
    yield from (finding for finding in trusted if isinstance(finding, IntegrityFinding))
    chain = _Chain(checkpoint for checkpoint in trusted if isinstance(checkpoint, Checkpoint))
    beside = _Tables(tables) if tables is not None else None
    rest = iter(links)
    while some := list(itertools.islice(rest, SLICE)):
        after = chain.sequence
        for link in some:
            yield from chain.take(link)
        if beside is not None:
            yield from _readable(beside.take(some, after=after))
    yield from chain.end()
    if beside is not None:
        yield from _readable(beside.end(chain))


def _readable(findings: Iterator[IntegrityFinding]) -> Iterator[IntegrityFinding]:
    """Rows in which somebody left what is no value at all are a finding, not the end of the search."""
    try:
        yield from findings
    except (ValueError, TypeError, KeyError, AttributeError, zlib.error) as error:
        yield IntegrityFinding("unreadable_rows", f"Something that is kept beside the events cannot be read: {error}")


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
        self._newest = ""  # time
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
        yield from self._check_time(link)
        if link.sequence == 1 and link.kind == "genesis":
            counts = link.read_body().get("counts")
            number = counts.get("decisions") if isinstance(counts, dict) else None
            self.unrecorded = number if isinstance(number, int) else 0
        self.sequence, self._hash = link.sequence, link.hash

    def _check_time(self, link: Link) -> Iterator[IntegrityFinding]:
        try:
            moment = datetime.fromisoformat(link.time)
            if self._newest and datetime.fromisoformat(self._newest) - moment > CLOCK_TOLERANCE:
                message = f"Event {link.sequence} is dated {link.time}, but an event before it {self._newest}."
                yield IntegrityFinding("time_backwards", message, link.sequence)
            self._newest = max(self._newest, link.time)
        except (ValueError, TypeError):  # no time at all
            message = f"The time of event {link.sequence} cannot be read."
            yield IntegrityFinding("time_backwards", message, link.sequence)

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


CLOCK_TOLERANCE = timedelta(minutes=10)  # clocks are set right now and then, and servers differ a little
SEAL = re.compile('"([0-9a-f]{64})"')
Missing = tuple[int, str, str | None]
"""Event, name, and the seal of whose it was."""


class _Tables:
    """What lies beside the chain, compared with it slice by slice, and at its end."""

    def __init__(self, tables: LedgerStore) -> None:
        self._tables = tables
        self._state = RecordedState()
        self._actors: dict[str, int] = {}  # by seal, the first event in which they are
        self._came = 0  # applicants, by the events of their arrival
        self._lost: dict[str, int] = {}  # those without a seal, by the event of their arrival
        self._missing: list[Missing] = []  # sealed values
        self._searches: set[int] = set()  # events with a sealed search, of those
        self._mined: dict[str, int] = {}  # applications of which the last event says otherwise
        self._read: dict[str, int] = {}  # the same of what their corrections are applied to
        self._decision = 0
        self._unfounded: dict[int, set[str]] = defaultdict(set)  # reasons whose sealed value is gone: for whom

    def take(self, links: Sequence[Link], *, after: int) -> Iterator[IntegrityFinding]:
        until = links[-1].sequence
        bodies = {link.sequence: link.read_body() for link in links}
        events = {link.sequence: (link, bodies[link.sequence]) for link in links}
        opened: dict[int, dict[str, Any]] = defaultdict(dict)
        for opening in self._tables.openings(after=after, until=until):
            yield from _check_opening(opening, events.get(opening.sequence))
            opened[opening.sequence][opening.name] = opening.value()
        reasons = {sequence: values["reason"] for sequence, values in opened.items() if "reason" in values}
        decided = self._tables.decisions(after=after, until=until)
        yield from check_decisions(links, bodies, decided, reasons, self._tables.unsealed)
        yield from self._check_order(decided)
        for record in decided:
            if record.seal is None and record.reason and record.sequence not in reasons:
                self._unfounded[record.sequence].update(_moves(bodies.get(record.sequence, {})))
        for link in links:
            body, values = bodies[link.sequence], opened[link.sequence]
            self._state.take(link, body, values)
            for actor in (link.actor, body.get("user") if link.kind == "account" else SYSTEM):
                if isinstance(actor, str) and actor != SYSTEM:
                    self._actors.setdefault(actor, link.sequence)
            sealed = body.get("sealed")
            unkept = body.get("unkept") or ()
            lacking = sealed.keys() - values.keys() - set(unkept) if isinstance(sealed, dict) else ()
            self._missing += [(link.sequence, name, _owner(link, body, name)) for name in sorted(lacking)]
            if "criteria" in lacking:
                self._searches.add(link.sequence)
        yield from self._check_applicants(links, bodies, opened)
        yield from self._check_mentions(links, after=after, until=until)

    def _check_order(self, decided: Sequence[DecisionRecord]) -> Iterator[IntegrityFinding]:
        for record in decided:
            if record.id <= self._decision:
                message = f"The table of decisions has those of event {record.sequence} in another order."
                yield IntegrityFinding("differing_decision", message, record.sequence)
            self._decision = max(self._decision, record.id)

    def _check_applicants(
        self, links: Sequence[Link], bodies: Bodies, opened: Mapping[int, Mapping[str, Any]]
    ) -> Iterator[IntegrityFinding]:
        """Whoever came is there as they came, or was erased; what was mined is what the newest event says."""
        listed = {link.sequence: _listed(link, bodies[link.sequence]) for link in links}
        ids = self._tables.unsealed([seal for seals in listed.values() for seal in seals])
        rows = self._tables.application_rows(list(ids.values()))
        current, read = self._tables.mined_hashes(list(rows))
        for link in links:
            body, values, wrong = bodies[link.sequence], opened[link.sequence], 0
            if link.kind == "mining" and body.get("action") == "drop":
                self._mined.clear()
                self._read.clear()
            for place, seal in enumerate(listed[link.sequence]):
                row = rows.get(ids.get(seal, ""))
                own = values.get(str(place)) if link.kind != "correction" else values
                told = own if isinstance(own, dict) else {}
                if link.kind in ARRIVALS:
                    self._came += 1
                    if seal not in ids:
                        self._lost[seal] = link.sequence
                    elif row is None or (link.kind == "ingest" and not _came_so(row, link, body, told)):
                        wrong += 1
                if row is not None and "mined" in told:
                    if current.get(row.id) == told["mined"]:
                        self._mined.pop(row.id, None)
                        self._mined.pop(row.document, None)
                    else:
                        # A file of which nothing had been read may have been read for another application since.
                        self._mined[row.id if told["mined"] else row.document] = link.sequence
                    # What its corrections are applied to comes back when they are taken back.
                    self._read.pop(row.id, None)
                    if told.get("read", read.get(row.id)) != read.get(row.id):
                        self._read[row.id] = link.sequence
            if wrong:
                message = f"{wrong:,} applications are not kept as event {link.sequence} says that they came."
                yield IntegrityFinding("differing_application", message, link.sequence)

    def _check_mentions(self, links: Sequence[Link], *, after: int, until: int) -> Iterator[IntegrityFinding]:
        """Or somebody's history would lack an event, or have a strange one."""
        mentioned = self._tables.mentioned(after=after, until=until)
        written = {(link.sequence, seal) for link in links for seal in SEAL.findall(link.body)}
        living = self._tables.unsealed([seal for _, seal in written - mentioned])
        staff = self._actors
        wrong = {sequence for sequence, seal in written - mentioned if seal in living and seal not in staff}
        wrong |= {sequence for sequence, _ in mentioned - written}
        for sequence in sorted(wrong):
            message = f"The list of whom event {sequence} is about is not what the event says."
            yield IntegrityFinding("differing_mention", message, sequence)

    def end(self, chain: _Chain) -> Iterator[IntegrityFinding]:
        """What belongs to events beyond the last one, or to none, and what the events in all come to."""
        for opening in self._tables.openings(after=chain.sequence):
            yield from _check_opening(opening, None)
        for after, until in ((chain.sequence, LAST), (-LAST, 0)):
            for sequence, _ in sorted(self._tables.mentioned(after=after, until=until), key=lambda pair: pair[0]):
                message = f"Somebody is noted to be in event {sequence}, which is not there."
                yield IntegrityFinding("differing_mention", message, sequence)
        lost = self._tables.decisions(after=chain.sequence)
        yield from check_decisions((), {}, lost, {}, self._tables.unsealed)
        surplus = self._tables.count_unrecorded_decisions() - chain.unrecorded
        if surplus > 0:
            yield IntegrityFinding("unrecorded_decision", f"{surplus:,} decisions have no event.")
        if differing := self._tables.count_differing_statuses():
            message = f"{differing:,} applications have another status than the last decision on them gave."
            yield IntegrityFinding("differing_status", message)
        for sequence, concerned in self._unfounded.items():
            if concerned & self._state.certified:
                message = f"A reason is kept for the decision of event {sequence}, though it was erased."
                yield IntegrityFinding("differing_decision", message, sequence)
        yield from self._check_seals()
        yield from self._check_missing()
        for sequence in sorted([*self._mined.values(), *self._read.values()]):
            message = f"What is kept of a resume is not what was read or corrected in event {sequence}."
            yield IntegrityFinding("differing_profile", message, sequence)
        if wrong := self._tables.count_stray_rows():
            message = f"{wrong:,} documents, candidates or applications do not belong together."
            yield IntegrityFinding("differing_rows", message)
        for table, wrong in self._state.differing(self._tables):
            rows = "1 row" if wrong == 1 else f"{wrong:,} rows"
            message = f"The table {table} differs from what the events say in {rows}."
            yield IntegrityFinding("differing_rows", message)

    def _check_seals(self) -> Iterator[IntegrityFinding]:
        """Nobody who acts is ever forgotten, and an applicant only by an event that names that very seal."""
        erased, applicants, actors = self._state.erased, 0, set()
        for row in self._tables.seal_rows():
            if seal_for(row.salt, row.key) != row.seal:
                yield IntegrityFinding("altered_seal", f"The seal {row.seal[:12]} is not that of whom it is kept for.")
            if row.kind == APPLICATION:
                applicants += 1
            elif row.kind != ACTOR or row.seal not in self._actors:
                yield IntegrityFinding("unknown_seal", f"The seal {row.seal[:12]} is in no event.")
            else:
                actors.add(row.seal)
            if row.seal in erased:
                message = f"The seal {row.seal[:12]} is kept, though an event says that it was erased."
                yield IntegrityFinding("unknown_seal", message)
        for name, sequence in sorted(self._actors.items(), key=lambda item: item[1]):
            if name not in actors:
                message = f"Who acted or is meant in event {sequence} cannot be named: the seal is missing."
                yield IntegrityFinding("missing_seal", message, sequence)
        for name, sequence in self._lost.items():
            if name not in erased:
                message = f"An applicant of event {sequence} is missing, and no event says that they were erased."
                yield IntegrityFinding("missing_seal", message, sequence)
        expected = self._came - len(self._lost)
        if applicants != expected or self._tables.count_unsealed_applications():
            message = f"The events tell of {expected:,} applications that are not erased; others are kept."
            yield IntegrityFinding("unrecorded_application", message)

    def _check_missing(self) -> Iterator[IntegrityFinding]:
        living = self._tables.unsealed([owner for *_, owner in self._missing if owner is not None])
        untold: set[int] = set()
        for sequence, name, owner in self._missing:
            # Who has no seal was erased, is a finding above, or was gone when the event was written.
            if owner is not None and owner not in living:
                continue
            if owner is None and (sequence, name) in self._state.forgotten:
                continue
            if owner is None and sequence in self._searches:
                untold.add(sequence)
                continue
            message = f"The sealed value {name!r} of event {sequence} is missing, and no event says that it was erased."
            yield IntegrityFinding("missing_opening", message, sequence)
        # Erasures of version 0.1.0 say how many searches they forgot, not which.
        for sequence in sorted(untold, reverse=True):
            place = next((at for at, (by, left) in enumerate(self._state.untold) if by > sequence and left > 0), None)
            if place is None:
                message = f"The search of event {sequence} is missing, and no event says that it was erased."
                yield IntegrityFinding("missing_opening", message, sequence)
            else:
                by, left = self._state.untold[place]
                self._state.untold[place] = by, left - 1


ARRIVALS = ("ingest", "genesis")


def _listed(link: Link, body: Mapping[str, Any]) -> list[str]:
    """The seals of who came, or whose resume was read anew or corrected, in that event."""
    name = "subjects" if link.kind == "correction" else "applications"
    if link.kind not in (*ARRIVALS, "mining", "correction") or not isinstance(body.get(name), list):
        return []
    return [str(item[0]) if isinstance(item, list) and item else str(item) for item in body[name]]


def _owner(link: Link, body: Mapping[str, Any], name: str) -> str | None:
    """Whose a sealed value is, with whom it may be erased; None: nobody's in particular."""
    try:
        if link.kind in ("ingest", "mining"):
            return str(body["applications"][int(name)])
        moves, subjects = body.get("moves", ()), body.get("subjects", ())
        if link.kind in KINDS:
            return str(moves[0][0]) if len(moves) == 1 else None
        return str(subjects[0]) if len(subjects) == 1 else None
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def _came_so(row: Row[Any], link: Link, body: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    """`told` is what was sealed of it: where that is missing, it is a finding of its own."""
    file = told.get("file", row.file)
    source = told.get("source", body.get("source", row.source))  # older events have it in the open
    return (
        row.job == link.job
        and row.received.isoformat() == link.time
        and row.source == (None if source is None else clean(str(source)))
        and row.document == told.get("sha256", row.document)
        and row.file == (None if file is None else clean(str(file)))
        and row.candidate == told.get("candidate", row.candidate)
        and (not told or row.external_id == told.get("external_id"))
        and ("form" not in told or content_hash(row.form) == told["form"])
    )


def _check_opening(
    opening: CommitmentOpening, event: tuple[Link, Mapping[str, Any]] | None
) -> Iterator[IntegrityFinding]:
    sealed = event[1].get("sealed") if event else None
    committed = sealed.get(opening.name) if isinstance(sealed, dict) else None
    if committed is None:
        message = f"A sealed value {opening.name!r} is kept for event {opening.sequence}, which has none."
        yield IntegrityFinding("unknown_opening", message, opening.sequence)
    elif opening.computed_commitment() != committed:
        message = f"The sealed value {opening.name!r} of event {opening.sequence} has been altered."
        yield IntegrityFinding("altered_opening", message, opening.sequence)
    elif event and opening.owner != _owner(*event, opening.name):
        message = f"The sealed value {opening.name!r} of event {opening.sequence} is kept as another applicant's."
        yield IntegrityFinding("altered_opening", message, opening.sequence)


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
    if checkpoints is None and settings.checkpoint_copy_path:
        points += read_checkpoints(settings.checkpoint_copy_path)
    with store.at_one_moment() as now:  # or what others write meanwhile would differ from the events read before
        events = now.ledger.count()
        links = with_progress(now.ledger.chain(), progress, "Verifying", events)
        found = verify(links, checkpoints=points, key=trusted, tables=now.ledger)
        findings = list(itertools.islice(found, MAX_FINDINGS))
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
