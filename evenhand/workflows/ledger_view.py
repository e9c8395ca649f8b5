"""The ledger as a reviewer reads it: events in words, with names where they are still known, contact data never."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.records.event import SYSTEM, Event
from evenhand.store import Store
from evenhand.workflows.ledger_words import describe
from evenhand.workflows.lens import CONTACT, Lens

SHOWN = 12  # signs of a seal
SEAL_LENGTH = 64
CONTACT_FIELDS = ("email", "phone", "link", "address", "street")
KEPT_APART = frozenset({"told", "proposed"})
"""Figures that a ranking was made from: thousands of numbers, for replay and not for reading."""
HIDDEN = "not shown here"


@dataclass(frozen=True, slots=True)
class Line:
    """One event for a list."""

    event: Event
    words: str
    who: str
    job_title: str | None


@dataclass(frozen=True, slots=True)
class Applicant:
    """Somebody an event is about: `application` is None for who has been erased."""

    seal: str
    application: str | None


@dataclass(frozen=True, slots=True)
class EventView:
    line: Line
    applicants: tuple[Applicant, ...]
    opened: Mapping[str, Any]  # sealed values that still exist, without contact data
    erased: tuple[str, ...]  # names of those that do not

    @property
    def erased_applicants(self) -> int:
        return sum(each.application is None for each in self.applicants)


def lines(store: Store, events: Sequence[Event]) -> list[Line]:
    seals = [event.actor for event in events] + [about for event in events if (about := _about(event))]
    keys = store.unsealed([seal for seal in seals if seal != SYSTEM])
    names = store.user_names(keys.values())
    known = {seal: names[key] for seal, key in keys.items()}
    titles = {job.id: job.title for job in store.jobs(closed=True)}
    return [_line(event, known, titles) for event in events]


def view_event(store: Store, event: Event, lens: Lens) -> EventView:
    """Through the lens of who looks, and never with contact data."""
    seals = list(dict.fromkeys(_seals(event.body)))
    keys = store.unsealed(seals)
    [line] = lines(store, [event])
    opened = store.opening(event.sequence)
    committed = event.body.get("sealed", {})
    return EventView(
        line=line,
        applicants=tuple(Applicant(seal, keys.get(seal)) for seal in seals),
        opened=_readable(event, opened, Lens(lens.kinds | CONTACT)),
        erased=tuple(sorted(set(committed) - opened.keys())),
    )


def _line(event: Event, known: Mapping[str, str], titles: Mapping[str, str | None]) -> Line:
    about = _about(event)
    words = _described(event)
    if about and about in known and about != event.actor:
        words += f", of {known[about]}"
    who = "the system" if event.actor == SYSTEM else known.get(event.actor, f"seal {event.actor[:SHOWN]}")
    return Line(event, words, who, titles.get(event.job or ""))


def _described(event: Event) -> str:
    """An event that somebody has altered need not make sense, and the page has to show the others all the same."""
    try:
        return describe(event)
    except (KeyError, TypeError, ValueError, AttributeError):
        return "an event that cannot be read: verify the chain"


def _about(event: Event) -> str | None:
    """Whose account it is about."""
    about = event.body.get("user") if event.kind == "account" else None
    return about if isinstance(about, str) else None


def _seals(body: Mapping[str, Any]) -> Iterator[str]:
    """Of applicants, wherever they stand in the body."""
    for name in ("subjects", "applications", "moves", "listed"):
        for each in body.get(name) or ():
            found = each[0] if isinstance(each, list) and each else each
            if isinstance(found, str) and len(found) == SEAL_LENGTH:
                yield found


def _readable(event: Event, opened: Mapping[str, Any], lens: Lens) -> dict[str, Any]:
    field = str(event.body.get("field", ""))
    is_contact = event.kind == "correction" and any(word in field for word in CONTACT_FIELDS)
    about_people = lens.is_blind and event.kind != "ranking" and any(_seals(event.body))
    return {
        name: HIDDEN if is_contact or about_people else _cleaned(value, lens)
        for name, value in opened.items()
        if name not in KEPT_APART
    }


def _cleaned(value: Any, lens: Lens) -> Any:
    if isinstance(value, str):
        return lens.clean(value)
    if isinstance(value, Mapping):
        return {key: _cleaned(each, lens) for key, each in value.items()}
    if isinstance(value, list):
        return [_cleaned(each, lens) for each in value]
    return value
