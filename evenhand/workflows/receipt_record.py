"""What the ledger and the decisions tell an applicant: who decided what, who looked, and where she stood in lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from evenhand.records.event import SYSTEM, Event
from evenhand.store import STATUS_NAMES, Decision, Store
from evenhand.store.sealing import APPLICATION
from evenhand.store.statuses import UNDO

ROLES = {
    "recruiter": "a recruiter",
    "auditor": "an auditor",
    "admin": "an administrator",
    SYSTEM: "the program",
}
COMMAND_LINE = "somebody at the command line"
SEEN = ("ranking", "view", "export", "receipt")


@dataclass(frozen=True, slots=True)
class Decided:
    time: datetime
    who: str  # a role, never a name
    before: str
    after: str
    reason: str
    many: bool  # with others at once
    undone: bool
    undoes: bool


@dataclass(frozen=True, slots=True)
class SeenBy:
    """How often somebody of a role was shown the application, opened it or took it away."""

    kind: str  # one of SEEN
    who: str
    times: int
    people: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class Shown:
    """The application in a list that somebody looked at."""

    time: datetime
    rank: int
    total: int
    score: float
    filtered: bool  # a search or a choice made the list shorter
    sequence: int


@dataclass(frozen=True, slots=True)
class Record:
    decided: tuple[Decided, ...]
    seen: tuple[SeenBy, ...]
    shown: tuple[Shown, ...]  # the oldest first
    seal: str | None  # the name that the ledger has for the application
    events: tuple[Event, ...]


class Roles:
    """By key or seal, what somebody is here; names of staff are theirs and stay out of what applicants get."""

    def __init__(self, store: Store) -> None:
        self._roles = {user.id: ROLES.get(user.role, user.role) for user in store.users()}

    def of(self, key: str | None) -> str:
        if key == SYSTEM:
            return ROLES[SYSTEM]
        return self._roles.get(key or "", COMMAND_LINE)


def read_record(store: Store, application: str) -> Record:
    events = store.events_of(application)
    roles = Roles(store)
    keys = store.unsealed([event.actor for event in events]) | {SYSTEM: SYSTEM}
    seal = store.seal_of(APPLICATION, application)
    return Record(
        tuple(_decided(store.decisions_on(application), roles)),
        tuple(_seen(events, keys, roles)),
        tuple(_shown(store, events, seal)) if seal else (),
        seal,
        tuple(events),
    )


def _decided(decisions: Sequence[Decision], roles: Roles) -> Iterator[Decided]:
    for _, batch in groupby(decisions, key=lambda decision: decision.batch):
        steps = list(batch)
        first, last = steps[0], steps[-1]
        yield Decided(
            last.time,
            roles.of(last.actor),
            STATUS_NAMES[first.from_status],
            STATUS_NAMES[last.to_status],
            last.reason,
            last.bulk,
            last.undone_by is not None,
            last.action == UNDO,
        )


def _seen(events: Sequence[Event], keys: dict[str, str], roles: Roles) -> Iterator[SeenBy]:
    times: Counter[tuple[str, str]] = Counter()
    people: dict[tuple[str, str], set[str]] = {}
    moments: dict[tuple[str, str], list[datetime]] = {}
    for event in events:
        if event.kind in SEEN:
            key = (event.kind, roles.of(keys.get(event.actor)))
            times[key] += 1
            people.setdefault(key, set()).add(event.actor)
            moments.setdefault(key, []).append(event.moment)
    for kind in SEEN:
        for key in sorted(key for key in times if key[0] == kind):
            first, last = min(moments[key]), max(moments[key])
            yield SeenBy(kind, key[1], times[key], len(people[key]), first, last)


def _shown(store: Store, events: Sequence[Event], seal: str) -> Iterator[Shown]:
    for event in events:
        if event.kind != "ranking":
            continue
        for place, (who, parts) in enumerate(event.body.get("listed", ())):
            if who == seal:
                yield Shown(
                    event.moment,
                    int(event.body["first"]) + place + 1,
                    int(event.body["total"]),
                    sum(value for _, value in parts),
                    _is_filtered(store.opening(event.sequence).get("criteria")),
                    event.sequence,
                )


def _is_filtered(criteria: Any) -> bool:
    """Also where nobody can tell any more."""
    if not isinstance(criteria, dict):
        return True
    return bool(criteria.get("text") or any(criteria.get("facets", {}).values()) or criteria.get("skills"))
