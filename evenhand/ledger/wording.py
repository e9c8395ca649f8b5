"""Events in words: one line for a list, and the whole event as a reviewer reads it.

Names appear where they are still known; contact data never do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evenhand.records.event import SYSTEM, LedgerEvent
from evenhand.search.visibility import CONTACT, Visibility
from evenhand.store.store import Store
from evenhand.text.wording import count

Body = Mapping[str, Any]


def describe(event: LedgerEvent, opened: Body | None = None) -> str:
    """Without names: those are sealed. `opened` are sealed values that may be told."""
    return _WORDS.get(event.kind, _other)({**event.body, **(opened or {})})


def _genesis(body: Body) -> str:
    if "counts" in body:
        return "kept before the ledger began: " + _listed(body["counts"])
    if "applications" in body:
        return f"{_applications(body)} kept before the ledger began"
    return "a job created before the ledger began"


def _ingest(body: Body) -> str:
    source = f" from {body['source']}" if body.get("source") else ""
    return f"{_applications(body)} imported{source}"


def _mining(body: Body) -> str:
    if body["action"] == "drop":
        return "all extracted facts were dropped"
    return f"{count(body['documents'], 'file')} reprocessed, {body['changed']:,} with a different result"


def _ranking(body: Body) -> str:
    if not body["total"]:
        return f"an empty list shown, ranked by {body['ranker']}"
    first, listed = body["first"] + 1, len(body["listed"])
    last = first + listed - 1
    ranks = "none" if not listed else f"rank {first:,}" if first == last else f"{first:,} to {last:,}"
    return f"{ranks} of {body['total']:,} shown, ranked by {body['ranker']}"


def _view(body: Body) -> str:
    what = "candidate page" if body["what"] == "candidate" else str(body["what"])
    several = f" of {_applications(body, 'subjects')}" if len(body["subjects"]) > 1 else ""
    return f"{what}{several} opened"


def _decision(body: Body) -> str:
    bulk = ", the rest of a list" if body["bulk"] else ""
    again = ", decided again after an undo" if "redoes" in body else ""
    unopened = f"; {body['unopened']:,} never opened" if body.get("unopened") else ""
    return f"{body['action']}: {_applications(body, 'moves')}{bulk}{again}{unopened}"


def _job(body: Body) -> str:
    if body.get("what") == "unblind_refused":
        return f"the request of event {body['request']:,} to show more was declined or withdrawn"
    if body.get("what") in ("shown", "unblind_request"):
        schools = ", schools hidden" if body.get("hide_schools") else ""
        requested = "request: " if body["what"] == "unblind_request" else ""
        agreed = f", as requested in event {body['request']:,}" if "request" in body else ""
        return f"{requested}to be screened {'blind' if body.get('blind') else 'openly'}{schools}{agreed}"
    return _JOB.get(body["action"], str(body["action"]))


def _account(body: Body) -> str:
    words = _ACCOUNT.get(body["change"], str(body["change"]))
    return words.format_map({name: value for name, value in body.items() if isinstance(value, str | float)})


def _weights(body: Body) -> str:
    done = "put in force" if body["action"] == "adopt" else "in force again"
    return f"version {body['version']} of the ranker's weights {done}"


def _groups(body: Body) -> str:
    if body["action"] == "remove":
        return f"group data of {count(body['count'], 'application')} removed"
    return f"group data stated by {count(body['count'], 'application')}: {_listed(body['variables'])}"


def _audit(body: Body) -> str:
    match body["action"]:
        case "schedule":
            return "scheduled audits ended" if body["every"] == "off" else f"to be audited {body['every']}"
        case "read":
            return f"report of a bias audit opened ({body['form']})"
        case "packed":
            return f"evidence pack made, {count(body['files'], 'file')}"
    return f"bias audit ({body['audited']}): {_listed(body['findings']) or 'no finding'}"


def _other(body: Body) -> str:
    words = [str(body[name]) for name in ("action", "change", "what") if name in body]
    if "subjects" in body:
        words.append(_applications(body, "subjects"))
    elif isinstance(body.get("count"), int):
        words.append(count(body["count"], "application"))
    return ", ".join(words)


def _applications(body: Body, name: str = "applications") -> str:
    return count(len(body[name]), "application")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.items() if number)


_WORDS: dict[str, Callable[[Body], str]] = {
    "genesis": _genesis,
    "ingest": _ingest,
    "refusal": lambda body: f"{count(body['count'], 'file')} could not be imported: {_listed(body['codes'])}",
    "mining": _mining,
    "ranking": _ranking,
    "decision": _decision,
    "undo": _decision,
    "watch": lambda body: f"{'put on' if body['action'] == 'add' else 'taken off'} {body['list']}",
    "erasure": lambda body: f"{count(len(body.get('subjects', ())), 'application')} erased",
    "job": _job,
    "weights": _weights,
    "account": _account,
    "view": _view,
    "export": lambda body: f"{count(body['count'], 'application')} exported as {body['what']}",
    "denial": lambda body: f"access denied ({body['status']}): {body['what']}",
    "import": lambda body: f"uploaded files: {_listed(body['files'])}",
    "note": lambda body: f"note {body['what']}" if body["what"] in ("added", "removed") else str(body["what"]),
    "override": lambda body: f"flag {body['flag']} {_FLAGS.get(body['what'], body['what'])}",
    "receipt": lambda body: f"{body['what']} made for the applicant",
    "correction": lambda body: f"{body['field']}: {body['action']}",
    "groups": _groups,
    "audit": _audit,
    "notice": lambda body: f"applicants were told about automated tools, by {body['channel']}",
}
_FLAGS: Mapping[str, str] = {"set aside": "dismissed", "brought back": "restored"}
_JOB = {
    "add": "job created",
    "change": "requirements changed",
    "close": "job closed",
    "reopen": "job reopened",
    "preview": "effect of changed requirements on the ranking previewed",
}
_ACCOUNT = {
    "created": "account created, as {role}",
    "renamed": "name changed",
    "role": "role changed from {from} to {role}",
    "disabled": "account disabled",
    "enabled": "account enabled",
    "password": "new password",
    "link": "one-time link created",
    "token_made": "API token created",
    "token_revoked": "API token revoked",
    "job_given": "added to a job",
    "job_taken": "removed from a job",
    "connected": "connected with the provider of single sign-on",
}


SHOWN = 12  # signs of a seal
SEAL_LENGTH = 64
CONTACT_FIELDS = ("email", "phone", "link", "address", "street")
KEPT_APART = frozenset({"told", "proposed"})
"""Figures that a ranking was made from: thousands of numbers, for replay and not for reading."""
HIDDEN = "not shown here"


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event for a list."""

    event: LedgerEvent
    words: str
    who: str
    job_title: str | None


@dataclass(frozen=True, slots=True)
class EventApplicant:
    """Somebody an event is about: `application` is None for who has been erased."""

    seal: str
    application: str | None


@dataclass(frozen=True, slots=True)
class EventView:
    line: EventLine
    applicants: tuple[EventApplicant, ...]
    opened: Mapping[str, Any]  # sealed values that still exist, without contact data
    erased: tuple[str, ...]  # names of those that do not

    @property
    def erased_applicants(self) -> int:
        return sum(applicant.application is None for applicant in self.applicants)


def lines(store: Store, events: Sequence[LedgerEvent]) -> list[EventLine]:
    seals = [event.actor for event in events] + [about for event in events if (about := _about(event))]
    keys = store.ledger.unsealed([seal for seal in seals if seal != SYSTEM])
    names = store.accounts.names(keys.values())
    known = {seal: names[key] for seal, key in keys.items()}
    titles = {job.id: job.title for job in store.jobs.all(closed=True)}
    # The applications of one event have one source.
    arrivals = store.ledger.opened("0", [event.sequence for event in events if event.kind == "ingest"])
    sources = {sequence: {"source": told["source"]} for sequence, told in arrivals.items() if "source" in told}
    return [_line(event, known, titles, sources.get(event.sequence)) for event in events]


def view_event(store: Store, event: LedgerEvent, visibility: Visibility) -> EventView:
    """As the viewer may see it, and never with contact data."""
    seals = list(dict.fromkeys(_seals(event.body)))
    keys = store.ledger.unsealed(seals)
    [line] = lines(store, [event])
    opened = store.ledger.opening(event.sequence)
    committed = event.body.get("sealed", {})
    return EventView(
        line=line,
        applicants=tuple(EventApplicant(seal, keys.get(seal)) for seal in seals),
        opened=_readable(event, opened, Visibility(visibility.kinds | CONTACT)),
        erased=tuple(sorted(set(committed) - opened.keys())),
    )


def _line(
    event: LedgerEvent, known: Mapping[str, str], titles: Mapping[str, str | None], opened: Body | None
) -> EventLine:
    about = _about(event)
    try:
        words = describe(event, opened)
    except (KeyError, TypeError, ValueError, AttributeError):
        # An event that somebody has altered need not make sense, and the page has to show the others all the same.
        words = "an event that cannot be read: verify the chain"
    if about and about in known and about != event.actor:
        words += f", of {known[about]}"
    who = "the system" if event.actor == SYSTEM else known.get(event.actor, f"seal {event.actor[:SHOWN]}")
    return EventLine(event, words, who, titles.get(event.job or ""))


def _about(event: LedgerEvent) -> str | None:
    """Whose account it is about."""
    about = event.body.get("user") if event.kind == "account" else None
    return about if isinstance(about, str) else None


def _seals(body: Mapping[str, Any]) -> Iterator[str]:
    """Of applicants, wherever they stand in the body."""
    for name in ("subjects", "applications", "moves", "listed"):
        for item in body.get(name) or ():
            seal = item[0] if isinstance(item, list) and item else item
            if isinstance(seal, str) and len(seal) == SEAL_LENGTH:
                yield seal


def _readable(event: LedgerEvent, opened: Mapping[str, Any], visibility: Visibility) -> dict[str, Any]:
    field = str(event.body.get("field", ""))
    is_contact = event.kind == "correction" and any(word in field for word in CONTACT_FIELDS)
    # A refusal has no applicant to seal, but the names of its files are often names of people.
    is_personal = event.kind == "refusal" or (event.kind != "ranking" and any(_seals(event.body)))
    # What somebody typed who saw names, and whom it lifted, tells whose name it is.
    criteria = opened.get("criteria") or {}
    is_personal = is_personal or ("name" not in criteria.get("masked", ()) and bool(criteria.get("text")))
    about_people = visibility.is_blind and is_personal
    return {
        name: HIDDEN if is_contact or about_people else _cleaned(value, visibility)
        for name, value in opened.items()
        if name not in KEPT_APART
    }


def _cleaned(value: Any, visibility: Visibility) -> Any:
    if isinstance(value, str):
        return visibility.clean(value)
    if isinstance(value, Mapping):
        return {key: _cleaned(item, visibility) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item, visibility) for item in value]
    return value
