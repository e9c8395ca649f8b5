"""Flags of one application, those set aside apart, and other applications of the same person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from evenhand.errors import NotFound
from evenhand.records import Flag
from evenhand.store import STATUS_NAMES, Alert, Related, Store
from evenhand.store.remarks import flag_key

TITLES = {
    "rejected_before": "Rejected before",
    "offered_elsewhere": "Offered a position",
    "other_applications": "Other applications",
    "no_hire": "On the no-hire list",
    "not_accredited": "University not accredited",
    "duplicate": "Nearly the same as another",
    "copied_job": "Copies the job's text",
    "hidden_text": "Hidden text",
    "invisible_characters": "Invisible characters",
    "mixed_script": "Letters that look alike",
    "active_content": "Active content",
    "badly_read": "Read only in part",
    "recognised_text": "Text recognised from a picture",
    "mined_in_part": "Facts found only in part",
    "mining_failed": "Facts could not be found",
}
HIDDEN = {
    "invisible": "drawn without ink, or in letters that have no shape",
    "background_color": "in the colour of its background",
    "tiny": "too small to be read",
    "off_page": "outside the page",
    "clipped": "cut off at an edge",
    "transparent": "transparent",
    "hidden_style": "formatted as hidden",
    "covered": "covered by something else",
    "replaced": "something else is shown in its place",
}
"""Why a reader does not see a piece of text."""

LINKS = {
    "same_candidate": "the same candidate",
    "same_document": "the same file under another name",
    "near_duplicate": "nearly the same text",
}

MaySee = Callable[[str], bool]
"""Whether the viewer may see a job, by its id."""


@dataclass(frozen=True, slots=True)
class FlagRow:
    """`key` names the finding itself; `set_aside` is the reason somebody gave for looking past it."""

    key: str
    code: str
    title: str
    message: str
    set_aside: str | None = None


@dataclass(frozen=True, slots=True)
class Kin:
    """Other applications of the same person: those the viewer may see, and how many there are besides."""

    seen: tuple[Related, ...] = ()
    unseen: int = 0


@dataclass(frozen=True, slots=True)
class Findings:
    flags: tuple[FlagRow, ...]
    kin: Kin


def findings_of(store: Store, application: str, flags: Iterable[Flag], *, may_see: MaySee) -> Findings:
    """`flags` are those of the resume itself; what other applications tell is added."""
    alerts = store.alerts([application])[application]
    set_aside = store.flags_set_aside([application]).get(application, {})
    return Findings(flag_rows(alerts, flags, set_aside, may_see=may_see), _kin(alerts, may_see))


def flag_rows(
    alerts: Iterable[Alert], flags: Iterable[Flag], set_aside: dict[str, str], *, may_see: MaySee
) -> tuple[FlagRow, ...]:
    """Each finding once, what other applications tell first. `set_aside` has reasons by key."""
    rows = [
        _row(Flag(alert.code, alert.message), set_aside, _seen(alert, may_see)) for alert in _telling(alerts)
    ]
    rows += [_row(flag, set_aside, flag.message) for flag in flags]
    return tuple({row.key: row for row in rows}.values())


def flag_named(store: Store, application: str, flags: Iterable[Flag], key: str) -> Flag:
    """The finding itself, with its own words, whoever may see which of them."""
    alerts = store.alerts([application])[application]
    for flag in (*(Flag(alert.code, alert.message) for alert in alerts), *flags):
        if flag_key(flag.code, flag.message) == key:
            return flag
    raise NotFound("There is no such flag any more; look at the page again.")


def _row(flag: Flag, set_aside: dict[str, str], message: str) -> FlagRow:
    key = flag_key(flag.code, flag.message)
    title = TITLES.get(flag.code, flag.code.replace("_", " ").capitalize())
    return FlagRow(key, flag.code, title, message, set_aside.get(key))


def _telling(alerts: Iterable[Alert]) -> Iterator[Alert]:
    """Without those that only repeat what a more pressing one has said."""
    told: set[str] = set()
    for alert in alerts:
        meant = {related.application for related in alert.related}
        if not meant <= told:
            yield alert
        told |= meant


def _seen(alert: Alert, may_see: MaySee) -> str:
    """The alert's own sentence names jobs; who may not see one of them is told how many there are."""
    hidden = sum(not may_see(related.job) for related in alert.related)
    if not hidden:
        return alert.message
    named = "; ".join(_words(related) for related in alert.related if may_see(related.job))
    others = "1 application for a job" if hidden == 1 else f"{hidden:,} applications for jobs"
    return "; ".join(part for part in (named, f"{others} that you do not see") if part) + "."


def _words(related: Related) -> str:
    status, link = STATUS_NAMES[related.status], LINKS[related.link]
    return f"{related.job_title or 'another job'}, {status}, {link}"


def _kin(alerts: Iterable[Alert], may_see: MaySee) -> Kin:
    everyone = {related.application: related for alert in alerts for related in alert.related}
    seen = tuple(related for related in everyone.values() if may_see(related.job))
    return Kin(seen, len(everyone) - len(seen))
