"""Where an application stands in the ranked list of its job, and who stands before and behind it, on record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evenhand.errors import QueryError
from evenhand.search.criteria import Criteria
from evenhand.search.facets import Facets
from evenhand.workflows.ranking_record import RecordedScreener
from evenhand.workflows.recording import Recorder
from evenhand.workflows.screening import Listed, Ordered, Screen, Screener
from evenhand.workflows.service import Service


@dataclass(frozen=True, slots=True)
class Standing:
    """`listed` is None for who is not in the list; `total` counts everyone who is, `ordered` those who have a rank."""

    criteria: Criteria
    total: int
    ordered: int
    listed: Listed | None = None
    best: float | None = None  # the highest score of the list
    before: str | None = None  # the application one better
    after: str | None = None
    sequence: int | None = None  # the event that says this was shown; goes with decisions made from it

    @property
    def rank(self) -> int | None:
        """None too for who stands behind all that were ordered: there is a score, and nobody knows the rank."""
        return self.listed.result.rank or None if self.listed else None


Standings = Mapping[str, Standing]
"""By application."""


def stand(
    service: Service,
    recorder: Recorder,
    criteria: Criteria,
    applications: Sequence[str],
    *,
    actor: str,
    depth: int = 0,
) -> tuple[Standings, Standings]:
    """In the list asked for, and in one that all of them are in: the same, or the job's whole list.

    The second is what is shown as score and rank, and is recorded. A search that cannot be understood is none.
    `depth` is how far down the page reached from which somebody came.
    """
    everyone = Criteria(job=criteria.job, ranker=criteria.ranker)
    with service.screener(criteria.job or "", ranker=criteria.ranker) as opened:
        try:
            asked = _Look.take(opened, criteria, depth)
        except QueryError:
            asked = _Look.take(opened, everyone, depth)
        found = asked.standings(applications)
        look, shown = asked, found
        if any(standing.listed is None for standing in found.values()) and asked.criteria != everyone:
            look = _Look.take(opened, everyone, depth)
            shown = look.standings(applications)
        recorded = look.record(recorder, service, look.scored(shown), actor=actor)
    return (recorded if look is asked else found), recorded


@dataclass(frozen=True)
class _Look:
    """One order of one list, and the screener that made it and noted what it was told."""

    recorded: RecordedScreener
    criteria: Criteria
    ordered: Ordered
    total: int
    places: Mapping[str, int]  # in the order, the best is 0

    @classmethod
    def take(cls, opened: Screener, criteria: Criteria, depth: int) -> _Look:
        recorded = RecordedScreener.of(opened)
        screener = recorded.screener
        asked = screener.ask(criteria)
        ordered = screener.order(asked, depth=max(screener.depth, depth))
        places = {ordered.keys[row]: at for at, row in enumerate(ordered.rows)}
        return cls(recorded, criteria, ordered, screener.snapshot.count(asked.filter.query()), places)

    def standings(self, applications: Sequence[str]) -> dict[str, Standing]:
        screener = self.recorded.screener
        asked = screener.ask(self.criteria)
        keys = list(self.places)
        best = self.ordered.table.score(self.ordered.rows[0]).value if keys else None
        found = {}
        for id in applications:
            at = self.places.get(id)
            if at is None:
                found[id] = Standing(self.criteria, self.total, len(keys))
                continue
            [listed] = screener.page(asked, self.ordered, first=at, size=1)
            before = keys[at - 1] if at else None
            after = keys[at + 1] if at + 1 < len(keys) else None
            found[id] = Standing(self.criteria, self.total, len(keys), listed, best, before, after)
        return found

    def scored(self, standings: Standings) -> dict[str, Standing]:
        """With a score, but no rank, for those of the list who stand behind all that were ordered."""
        return {
            id: standing if standing.listed else replace(standing, listed=self._behind(id))
            for id, standing in standings.items()
        }

    def _behind(self, application: str) -> Listed | None:
        screener = self.recorded.screener
        address = screener.snapshot.find(application)
        if address is None or self.criteria.job is None:
            return None
        asked = screener.ask(self.criteria)
        [listed] = screener.page(asked, screener.rank(asked, [address]), size=1)
        is_of_job = listed.entry.job == self.criteria.job
        return replace(listed, result=replace(listed.result, rank=0)) if is_of_job else None

    def record(
        self, recorder: Recorder, service: Service, shown: Standings, *, actor: str
    ) -> dict[str, Standing]:
        """Each as a page of the list with one candidate on it."""
        ranked = {id: standing.listed for id, standing in shown.items() if standing.listed and standing.rank}
        drafts = [
            self.recorded.draft(
                self._screen(listed), service.settings, actor=actor, first=listed.result.rank - 1, size=1
            )
            for listed in ranked.values()
        ]
        events = dict(zip(ranked, recorder.record(drafts), strict=True))
        return {
            id: replace(standing, sequence=events[id].sequence) if id in events else standing
            for id, standing in shown.items()
        }

    def _screen(self, listed: Listed) -> Screen:
        screener = self.recorded.screener
        keys = self.ordered.keys
        return Screen(
            screener.job,
            self.criteria,
            self.total,
            len(self.ordered.rows),
            (listed,),
            Facets(self.total, ()),
            screener.weights,
            tuple(sorted(keys)) if self.total > len(keys) else (),
        )
