"""What happened to one application, the newest first: decisions with who, when and why, and who looked at it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from evenhand.errors import NotFound
from evenhand.mining.corrections import FIELDS
from evenhand.records import Flag
from evenhand.records.event import SYSTEM, LedgerEvent
from evenhand.store.applications import STATUS_NAMES, UNDO
from evenhand.store.corrections import CARRY
from evenhand.store.decisions import Decision
from evenhand.store.duplicates import Alert, MaySee, RelatedApplication
from evenhand.store.notes import flag_key
from evenhand.store.store import Store

DECIDED = ("decision", UNDO)  # told by the decisions themselves, which know what was undone
GROUPED_KINDS = ("ranking", "view")  # one line for those of one person on one day
WORDS = {
    "ingest": "Received",
    "genesis": "Imported before the ledger began",
    "mining": "Reprocessed",
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
    "set aside": "Flag dismissed",
    "brought back": "Flag restored",
}


CORRECTED = {
    "correct": "Corrected",
    "undo": "Correction undone",
    "accept": "Proposed correction accepted",
    "decline": "Proposed correction declined",
}


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    time: datetime
    who: str  # a name; empty where nobody in particular acted
    what: str
    why: str = ""
    undone: bool = False
    times: int = 1  # on that day
    sequence: int | None = None  # in the ledger


def history_of(store: Store, application: str) -> tuple[HistoryEntry, ...]:
    decisions = store.decisions.of_application(application)
    events = [event for event in store.ledger.of_application(application) if event.kind not in DECIDED]
    keys = store.ledger.unsealed([event.actor for event in events])
    names = store.accounts.names([*(decision.actor for decision in decisions), *keys.values()])
    who = {seal: names.get(key, key) for seal, key in keys.items()} | {SYSTEM: ""}
    entries = [*_decided(decisions, names), *_recorded(store, events, who, _elsewhere(store, application, events))]
    return tuple(sorted(entries, key=lambda entry: (entry.time, entry.sequence or 0), reverse=True))


def _elsewhere(store: Store, application: str, events: Sequence[LedgerEvent]) -> set[int]:
    """Corrections of another application with the same file, from when they were for everyone with it: who made them,
    and why, is told to who may see that one."""
    carried = {one.id for one in store.corrections.of_application(application) if one.action == CARRY}
    corrections = [event for event in events if event.kind == "correction" and "scope" not in event.body]
    return {event.sequence for event in corrections if event.body.get("correction") in carried}


def _decided(decisions: Sequence[Decision], names: dict[str, str]) -> Iterator[HistoryEntry]:
    for _, batch in groupby(decisions, key=lambda decision: decision.batch):
        steps = list(batch)
        first, last = steps[0], steps[-1]
        before, after = STATUS_NAMES[first.from_status], STATUS_NAMES[last.to_status]
        what = f"Decision undone: {after} again, was {before}" if last.action == UNDO else f"{before} → {after}"
        many = " (one of several at once)" if last.bulk else ""
        yield HistoryEntry(
            last.time,
            names.get(last.actor, last.actor),
            what + many,
            last.reason,
            undone=last.undone_by is not None,
            sequence=last.sequence,
        )


def _recorded(
    store: Store, events: Iterable[LedgerEvent], who: dict[str, str], elsewhere: set[int]
) -> Iterator[HistoryEntry]:
    together: dict[tuple[str, str, str], list[LedgerEvent]] = {}
    for event in events:
        if event.kind in GROUPED_KINDS:
            together.setdefault((event.kind, event.actor, event.time[:10]), []).append(event)
        else:
            is_elsewhere = event.sequence in elsewhere
            what, why = _words(event, {} if is_elsewhere else store.ledger.opening(event.sequence))
            if is_elsewhere:
                yield HistoryEntry(event.moment, "", f"{what} (for another application of this file)")
                continue
            yield HistoryEntry(event.moment, who.get(event.actor, ""), what, why, sequence=event.sequence)
    for (kind, actor, _), same in together.items():
        newest = same[-1]
        yield HistoryEntry(newest.moment, who.get(actor, ""), WORDS[kind], times=len(same), sequence=newest.sequence)


def _words(event: LedgerEvent, opened: dict[str, Any]) -> tuple[str, str]:
    """What happened, and the words that somebody wrote with it."""
    reason = next((str(opened[name]) for name in ("reason", "text") if opened.get(name)), "")
    what = str(event.body.get("what", ""))
    if event.kind in ("note", "override"):
        flag = str(event.body.get("flag", "")).replace("_", " ")
        return REMARKS.get(what, what) + (f": {flag}" if flag else ""), reason
    if event.kind == "correction":
        field = FIELDS.get(str(event.body.get("field", "")), "a field")
        return f"{CORRECTED.get(str(event.body.get('action')), 'Correction')}: {field}", reason
    words = WORDS.get(event.kind, event.kind.capitalize())
    return (f"{words}: {what}" if what else words), reason


# Flags of one application, those set aside apart, and other applications of the same person.

TITLES = {
    "rejected_before": "Rejected before",
    "offered_elsewhere": "Offered a position",
    "other_applications": "Other applications",
    "no_hire": "On the no-hire list",
    "not_accredited": "University not accredited",
    "duplicate": "Nearly the same as another",
    "missing_licence": "Licence not named",
    "copied_job": "Copies the job's text",
    "repeated_words": "Repeats words over and over",
    "hidden_text": "Hidden text",
    "invisible_characters": "Invisible characters",
    "mixed_script": "Letters that look alike",
    "active_content": "Active content",
    "badly_read": "Read only in part",
    "recognised_text": "Text recognised from a picture",
    "mined_in_part": "Facts found only in part",
    "mining_failed": "Facts could not be found",
}
LINKS = {
    "same_candidate": "the same candidate",
    "same_document": "the same file under another name",
    "near_duplicate": "nearly the same text",
}


@dataclass(frozen=True, slots=True)
class FlagRow:
    """`key` names the finding itself; `set_aside` is the reason somebody gave for looking past it."""

    key: str
    code: str
    title: str
    message: str
    set_aside: str | None = None


@dataclass(frozen=True, slots=True)
class RelatedApplications:
    """Other applications of the same person, for jobs that the viewer may see. The others do not exist for them."""

    seen: tuple[RelatedApplication, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    flags: tuple[FlagRow, ...]
    kin: RelatedApplications


def findings_of(store: Store, application: str, flags: Iterable[Flag], *, may_see: MaySee) -> Findings:
    """`flags` are those of the resume itself; what other applications tell is added."""
    alerts = store.duplicates.alerts([application], may_see=may_see)[application]
    set_aside = store.notes.dismissed_flags([application]).get(application, {})
    related = {related.application: related for alert in alerts for related in alert.related}
    return Findings(flag_rows(alerts, flags, set_aside), RelatedApplications(tuple(related.values())))


def flag_rows(alerts: Iterable[Alert], flags: Iterable[Flag], set_aside: dict[str, str]) -> tuple[FlagRow, ...]:
    """Each finding once, what other applications tell first. `set_aside` has reasons by key."""
    told = [*(Flag(alert.code, alert.message) for alert in _telling(alerts)), *flags]
    return tuple({row.key: row for row in (_row(flag, set_aside) for flag in told)}.values())


def flag_named(store: Store, application: str, flags: Iterable[Flag], key: str, *, may_see: MaySee) -> Flag:
    """The finding, as it is told to who may see these jobs."""
    alerts = store.duplicates.alerts([application], may_see=may_see)[application]
    for flag in (*(Flag(alert.code, alert.message) for alert in alerts), *flags):
        if flag_key(flag.code, flag.message) == key:
            return flag
    raise NotFound("There is no such flag any more; look at the page again.")


def _row(flag: Flag, set_aside: dict[str, str]) -> FlagRow:
    key = flag_key(flag.code, flag.message)
    title = TITLES.get(flag.code, flag.code.replace("_", " ").capitalize())
    return FlagRow(key, flag.code, title, flag.message, set_aside.get(key))


def _telling(alerts: Iterable[Alert]) -> Iterator[Alert]:
    """Without those that only repeat what a more pressing one has said."""
    named: set[str] = set()
    for alert in alerts:
        meant = {related.application for related in alert.related}
        if not meant <= named:
            yield alert
        named |= meant
