"""Where an application stands in the ranked list of its job, and who stands before and behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evenhand.search.criteria import Criteria
from evenhand.workflows.screening import Listed, Screener


@dataclass(frozen=True, slots=True)
class Standing:
    """`listed` is None for who is not in the list; `total` counts everyone who is."""

    criteria: Criteria
    total: int
    listed: Listed | None = None
    best: float | None = None  # the highest score of the list
    before: str | None = None  # the application one better
    after: str | None = None

    @property
    def rank(self) -> int | None:
        return self.listed.result.rank if self.listed else None


def find_standings(
    screener: Screener, criteria: Criteria, applications: Sequence[str]
) -> Mapping[str, Standing]:
    """Of several at once, from one and the same order."""
    asked = screener.ask(criteria)
    ordered = screener.order(asked, depth=screener.depth)
    total = screener.snapshot.count(asked.filter.query())
    keys = [ordered.keys[row] for row in ordered.rows]
    best = ordered.table.score(ordered.rows[0]).value if keys else None
    places = {key: at for at, key in enumerate(keys)}
    found = {}
    for id in applications:
        at = places.get(id)
        if at is None:
            found[id] = Standing(criteria, total)
            continue
        [listed] = screener.page(asked, ordered, first=at, size=1)
        before = keys[at - 1] if at else None
        after = keys[at + 1] if at + 1 < len(keys) else None
        found[id] = Standing(criteria, total, listed, best, before, after)
    return found
