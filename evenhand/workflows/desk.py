"""The screening desk: one list of candidates as one person may see it, on record that it was shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from evenhand.records import Flag
from evenhand.search.criteria import Criteria
from evenhand.search.index import Snapshot
from evenhand.workflows.candidate_flags import FlagRow, MaySee, flag_rows
from evenhand.workflows.desk_decisions import Decider, decide, standing_bulk, undo, used_reasons
from evenhand.workflows.desk_rest import PLANS, Plan, carry_out, plan_first, plan_rest
from evenhand.workflows.desk_why import Why, why
from evenhand.workflows.lens import Lens, pseudonym
from evenhand.workflows.ranking_record import RecordedScreener
from evenhand.workflows.recording import Recorder
from evenhand.workflows.screening import PAGE, Listed, Screen
from evenhand.workflows.service import Service

__all__ = [
    "PLANS",
    "Decider",
    "Line",
    "Plan",
    "Shown",
    "Viewer",
    "Why",
    "carry_out",
    "decide",
    "plan_first",
    "plan_rest",
    "screen",
    "standing_bulk",
    "undo",
    "used_reasons",
    "why",
]


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks, through which lens, and which other jobs she may hear of."""

    user: str
    lens: Lens
    may_see: MaySee


@dataclass(frozen=True, slots=True)
class Line:
    """One candidate of the list, as the viewer may see it. Flags that somebody set aside have the reason with them."""

    listed: Listed
    flags: tuple[FlagRow, ...]
    tags: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.listed.result.candidate or pseudonym(self.listed.entry.application)


@dataclass(frozen=True, slots=True)
class Shown:
    """A page of the list; `sequence` is the event that says so, and goes with every decision made from it."""

    screen: Screen
    lines: tuple[Line, ...]
    sequence: int


def screen(
    service: Service,
    recorder: Recorder,
    viewer: Viewer,
    criteria: Criteria,
    *,
    first: int = 0,
    size: int = PAGE,
) -> Shown:
    """Raises QueryError for a search text that cannot be understood or asks for what the lens hides; then nothing
    was shown, nor recorded."""
    viewer.lens.check(criteria)
    with service.turns, service.screener(criteria.job or "", ranker=criteria.ranker) as opened:
        recorded = RecordedScreener.of(opened)
        found = recorded.screener.screen(criteria, first=first, size=size)
        draft = recorded.draft(found, service.settings, actor=viewer.user, first=first, size=size)
    [event] = recorder.record([draft])
    lines = tuple(
        _through(viewer.lens, service, opened.snapshot, line) for line in _lines(service, viewer, found)
    )
    listed = tuple(line.listed for line in lines)
    seen = replace(found, listed=listed, facets=viewer.lens.facets(found.facets))
    return Shown(seen, lines, event.sequence)


def _lines(service: Service, viewer: Viewer, found: Screen) -> Iterator[Line]:
    store = service.store
    ids = [listed.entry.application for listed in found.listed]
    alerts, tags, set_aside = store.alerts(ids), store.tags(ids), store.flags_set_aside(ids)
    for listed in found.listed:
        id = listed.entry.application
        flags = flag_rows(alerts[id], listed.result.flags, set_aside.get(id, {}), may_see=viewer.may_see)
        yield Line(listed, flags, tags.get(id, ()))


def _through(lens: Lens, service: Service, snapshot: Snapshot, line: Line) -> Line:
    """What people wrote may name the candidate as well as the resume does. A flag's key stays that of the finding."""
    if lens.is_open:
        return line
    entry = line.listed.entry
    masker = snapshot.remember(
        ("masker", entry.application, lens.kinds),
        lambda: lens.masker_of(entry, service.store.profile(entry.card["document"])),
    )
    messages = lens.flags([Flag(row.code, row.message) for row in line.flags], masker)
    flags = tuple(
        replace(row, message=flag.message, set_aside=row.set_aside and masker.clean(row.set_aside))
        for row, flag in zip(line.flags, messages, strict=True)
    )
    return Line(lens.seen(line.listed, masker), flags, tuple(masker.clean_all(line.tags)))
