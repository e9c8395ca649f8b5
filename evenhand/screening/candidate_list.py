"""One list of candidates as one person may see it, on record that it was shown."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evenhand.errors import NotFound, UsageError
from evenhand.ledger.recording import RecordedScreener, Recorder
from evenhand.records import Flag, Score
from evenhand.screening.candidate_history import FlagRow, flag_rows
from evenhand.screening.redaction import Clean
from evenhand.search.criteria import Criteria
from evenhand.search.index.reader import Snapshot
from evenhand.search.index.schema import IndexEntry
from evenhand.search.masks import MasksOf
from evenhand.search.rankers.base import ScoreComparison, compare
from evenhand.search.screener import PAGE, Screener, SearchHit, SearchResults
from evenhand.search.service import Service
from evenhand.search.visibility import Visibility, pseudonym
from evenhand.store.duplicates import MaySee


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks, what they may see, and which other jobs they may hear of."""

    user: str
    visibility: Visibility
    may_see: MaySee


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One candidate of the list, as the viewer may see it. Flags that somebody set aside have the reason with them."""

    listed: SearchHit
    flags: tuple[FlagRow, ...]
    tags: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.listed.result.candidate or pseudonym(self.listed.entry.application)


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of the list; `sequence` is the event that says so, and goes with every decision made from it."""

    screen: SearchResults
    lines: tuple[CandidateRow, ...]
    sequence: int


def screen(
    service: Service, recorder: Recorder, viewer: Viewer, criteria: Criteria, *, first: int = 0, size: int = PAGE
) -> ListPage:
    """QueryError for a text that is not understood or asks for what is hidden: nothing is shown or recorded."""
    criteria = viewer.visibility.criteria(criteria)
    with service.turns, service.screener(criteria.job or "", ranker=criteria.ranker) as opened:
        recorded = RecordedScreener.of(opened)
        results = recorded.screener.screen(criteria, first=first, size=size, find_by=viewer.visibility.find_by)
        draft = recorded.draft(results, service.settings, actor=viewer.user, first=first, size=size)
    [event] = recorder.record([draft])
    store = service.store
    ids = [listed.entry.application for listed in results.listed]
    alerts = store.duplicates.alerts(ids, may_see=viewer.may_see)
    tags, set_aside = store.notes.tags(ids), store.notes.dismissed_flags(ids)
    lines = []
    for listed in results.listed:
        id = listed.entry.application
        flags = flag_rows(alerts[id], listed.result.flags, set_aside.get(id, {}))
        row = CandidateRow(listed, flags, tags.get(id, ()))
        lines.append(_redacted(viewer.visibility, service, opened.snapshot, row))
    listed_seen = tuple(line.listed for line in lines)
    seen = replace(results, listed=listed_seen, facets=viewer.visibility.facets(results.facets))
    return ListPage(seen, tuple(lines), event.sequence)


def _redacted(visibility: Visibility, service: Service, snapshot: Snapshot, line: CandidateRow) -> CandidateRow:
    """What people wrote may name the candidate as well as the resume does. A flag's key stays that of the finding."""
    if visibility.is_open:
        return line
    entry = line.listed.entry
    masker = snapshot.remember(
        ("masker", entry.application, visibility.kinds), lambda: visibility.masker_of(entry, service.masks.of)
    )
    messages = visibility.flags([Flag(row.code, row.message) for row in line.flags], masker)
    flags = tuple(
        replace(row, message=flag.message, set_aside=row.set_aside and masker.clean(row.set_aside))
        for row, flag in zip(line.flags, messages, strict=True)
    )
    return CandidateRow(visibility.seen(line.listed, masker), flags, tuple(masker.clean_all(line.tags)))


# Why one candidate of a list stands above another: the difference of their scores, part by part.


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """One of the two, with the score it has for these criteria."""

    entry: IndexEntry
    score: Score


@dataclass(frozen=True, slots=True)
class RankDifference:
    """`above` is the one with the higher score, whichever was named first; equal scores go by id."""

    above: ScoredCandidate
    below: ScoredCandidate

    @property
    def comparison(self) -> ScoreComparison:
        return compare(self.above.score, self.below.score)


def explain_order(service: Service, criteria: Criteria, one: str, other: str | None = None) -> RankDifference:
    """Without `other`, against whoever stands next below in the list."""
    with service.screener(criteria.job or "", ranker=criteria.ranker) as screener:
        other = _next(screener, criteria, one) if other is None else other
        if one == other:
            raise UsageError("These are one and the same candidate.")
        # The better first. Only these are scored: a score does not depend on who else is on the list.
        ids = [one, other]
        request = screener.ask(criteria)
        addresses = [address for id in ids if (address := screener.snapshot.find(id))]
        entries = [screener.snapshot.entry(address) for address in addresses]
        if len(entries) < len(ids) or any(entry.job != criteria.job for entry in entries):
            raise NotFound("There is no such application for this job.")
        table = screener.rank(request, addresses).table
        placed = [ScoredCandidate(entry, table.score(row)) for row, entry in enumerate(entries)]
        return RankDifference(
            *sorted(placed, key=lambda candidate: (-candidate.score.value, candidate.entry.application))
        )


def redact_difference(visibility: Visibility, masks: MasksOf, difference: RankDifference) -> RankDifference:
    """Reasons quote titles and fields of study, which may tell who somebody is."""
    if visibility.is_open:
        return difference
    sides = []
    for side in (difference.above, difference.below):
        clean = visibility.masker_of(side.entry, masks).clean
        sides.append(ScoredCandidate(side.entry, redact_score(side.score, clean)))
    return RankDifference(*sides)


def redact_score(score: Score, clean: Clean) -> Score:
    return Score(tuple(replace(part, reason=clean(part.reason or "")) for part in score.parts))


def _next(screener: Screener, criteria: Criteria, one: str) -> str:
    ordered = screener.order(screener.ask(criteria), depth=screener.depth)
    keys = [ordered.keys[row] for row in ordered.rows]
    if one not in keys:
        raise NotFound("This candidate is not on the list any more.")
    at = keys.index(one)
    if at + 1 == len(keys):
        raise UsageError("There is no candidate below the last one on the list.")
    return keys[at + 1]
