"""Why one candidate of a list stands above another: the difference of their scores, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evenhand.errors import NotFound, UsageError
from evenhand.records import Score
from evenhand.search.criteria import Criteria
from evenhand.search.index import Entry
from evenhand.search.rankers.why import Comparison, compare
from evenhand.workflows.lens import Lens, Profiles
from evenhand.workflows.screening import Screener
from evenhand.workflows.service import Service


@dataclass(frozen=True, slots=True)
class Placed:
    """One of the two, with the score it has for these criteria."""

    entry: Entry
    score: Score


@dataclass(frozen=True, slots=True)
class Why:
    """`above` is the one with the higher score, whichever was named first; equal scores go by id."""

    above: Placed
    below: Placed
    comparison: Comparison


def why(service: Service, criteria: Criteria, one: str, other: str | None = None) -> Why:
    """Without `other`, against whoever stands next below in the list."""
    with service.screener(criteria.job or "", ranker=criteria.ranker) as screener:
        other = _next(screener, criteria, one) if other is None else other
        if one == other:
            raise UsageError("These are one and the same candidate.")
        above, below = _placed(screener, criteria, [one, other])
    return Why(above, below, compare(above.score, below.score))


def seen_through(lens: Lens, profiles: Profiles, found: Why) -> Why:
    """Reasons quote titles and fields of study, which may tell who somebody is."""
    if lens.is_open:
        return found
    above, below = (_cleaned(lens, profiles, each) for each in (found.above, found.below))
    return Why(above, below, compare(above.score, below.score))


def _cleaned(lens: Lens, profiles: Profiles, placed: Placed) -> Placed:
    entry, card = placed.entry, placed.entry.card
    profile = profiles(card["document"]) if card.get("document") else None
    clean = lens.masker(entry.text, profile, form=card.get("form"), file=card.get("file")).clean
    parts = (replace(part, reason=clean(part.reason or "")) for part in placed.score.parts)
    return Placed(entry, Score(tuple(parts)))


def _placed(screener: Screener, criteria: Criteria, ids: Sequence[str]) -> list[Placed]:
    """The better first. Only these are scored: a score does not depend on who else is on the list."""
    asked = screener.ask(criteria)
    addresses = [address for id in ids if (address := screener.snapshot.find(id))]
    entries = [screener.snapshot.entry(address) for address in addresses]
    if len(entries) < len(ids) or any(entry.job != criteria.job for entry in entries):
        raise NotFound("There is no such application for this job.")
    _, digests = screener.snapshot.table(addresses)
    table = screener.ranker.contributions(asked.query, digests, screener.snapshot.statistics)
    placed = [Placed(entry, table.score(row)) for row, entry in enumerate(entries)]
    return sorted(placed, key=lambda each: (-each.score.value, each.entry.application))


def _next(screener: Screener, criteria: Criteria, one: str) -> str:
    ordered = screener.order(screener.ask(criteria), depth=screener.depth)
    keys = [ordered.keys[row] for row in ordered.rows]
    if one not in keys:
        raise NotFound("This candidate is not on the list any more.")
    at = keys.index(one)
    if at + 1 == len(keys):
        raise UsageError("Nobody stands below the last one of the list.")
    return keys[at + 1]
