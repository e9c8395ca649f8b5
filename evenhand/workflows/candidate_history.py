"""What happened to one application, the newest first: decisions with who, when and why, and who looked at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from evenhand.records.event import SYSTEM, Event
from evenhand.store import STATUS_NAMES, Decision, Store
from evenhand.store.statuses import UNDO
from evenhand.workflows.correctable import FIELDS

DECIDED = ("decision", UNDO)  # told by the decisions themselves, which know what was undone
TOLD_TOGETHER = ("ranking", "view")  # one line for those of one person on one day
WORDS = {
    "ingest": "Received",
    "genesis": "Was here before the ledger began",
    "mining": "Read anew",
    "view": "Opened",
    "ranking": "Shown in a ranking",
    "export": "Downloaded",
    "receipt": "Receipt made",
    "erasure": "Erasure",
}
REMARKS = {
    "added": "Note added",
    "removed": "Note removed",
    "tagged": "Tagged",
    "untagged": "Tag removed",
    "set aside": "Flag set aside",
    "brought back": "Flag brought back",
}


@dataclass(frozen=True, slots=True)
class Happening:
    time: datetime
    who: str  # a name; empty where nobody in particular acted
    what: str
    why: str = ""
    undone: bool = False
    times: int = 1  # on that day
    sequence: int | None = None  # in the ledger


def history_of(store: Store, application: str) -> tuple[Happening, ...]:
    decisions = store.decisions_on(application)
    events = [event for event in store.events_of(application) if event.kind not in DECIDED]
    keys = store.unsealed([event.actor for event in events])
    names = store.user_names([*(each.actor for each in decisions), *keys.values()])
    who = {seal: names.get(key, key) for seal, key in keys.items()} | {SYSTEM: ""}
    found = [*_decided(decisions, names), *_recorded(store, events, who)]
    return tuple(sorted(found, key=lambda each: (each.time, each.sequence or 0), reverse=True))


def _decided(decisions: Sequence[Decision], names: dict[str, str]) -> Iterator[Happening]:
    for _, batch in groupby(decisions, key=lambda decision: decision.batch):
        steps = list(batch)
        first, last = steps[0], steps[-1]
        before, after = STATUS_NAMES[first.from_status], STATUS_NAMES[last.to_status]
        what = (
            f"Decision undone: {after} again, was {before}" if last.action == UNDO else f"{before} → {after}"
        )
        many = " (one of many at once)" if last.bulk else ""
        yield Happening(
            last.time,
            names.get(last.actor, last.actor),
            what + many,
            last.reason,
            undone=last.undone_by is not None,
            sequence=last.sequence,
        )


def _recorded(store: Store, events: Iterable[Event], who: dict[str, str]) -> Iterator[Happening]:
    together: dict[tuple[str, str, str], list[Event]] = {}
    for event in events:
        if event.kind in TOLD_TOGETHER:
            together.setdefault((event.kind, event.actor, event.time[:10]), []).append(event)
        else:
            what, why = _words(event, store.opening(event.sequence))
            yield Happening(event.moment, who.get(event.actor, ""), what, why, sequence=event.sequence)
    for (kind, actor, _), same in together.items():
        newest = same[-1]
        yield Happening(
            newest.moment, who.get(actor, ""), WORDS[kind], times=len(same), sequence=newest.sequence
        )


def _words(event: Event, opened: dict[str, Any]) -> tuple[str, str]:
    """What happened, and the words that somebody wrote with it."""
    said = next((str(opened[name]) for name in ("reason", "text") if opened.get(name)), "")
    what = str(event.body.get("what", ""))
    if event.kind in ("note", "override"):
        flag = str(event.body.get("flag", "")).replace("_", " ")
        return REMARKS.get(what, what) + (f": {flag}" if flag else ""), said
    if event.kind == "correction":
        field = FIELDS.get(str(event.body.get("field", "")), "a field")
        done = "Put right" if event.body.get("action") == "correct" else "Correction taken back"
        return f"{done}: {field}", said
    words = WORDS.get(event.kind, event.kind.capitalize())
    return (f"{words}: {what}" if what else words), said
