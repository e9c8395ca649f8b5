"""Where an application stands in the ranked list of its job, and who stands before and behind it, on record."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from evenhand.errors import QueryError
from evenhand.ledger.recording import RecordedScreener, Recorder
from evenhand.records import Part, Score
from evenhand.records.ranking import FULL
from evenhand.search.criteria import Criteria
from evenhand.search.facets import Facets
from evenhand.search.rankers.base import SEARCH_TERM
from evenhand.search.rankers.best import NAMES
from evenhand.search.screener import OrderedCandidates, Screener, SearchHit, SearchResults
from evenhand.search.service import Service


@dataclass(frozen=True, slots=True)
class CandidateRank:
    """`listed` is None for who is not in the list; `total` counts everyone who is, `ordered` those who have a rank."""

    criteria: Criteria
    total: int
    ordered: int
    listed: SearchHit | None = None
    best: float | None = None  # the highest score of the list
    before: str | None = None  # the application one better
    after: str | None = None
    sequence: int | None = None  # the event that says this was shown; goes with decisions made from it

    @property
    def rank(self) -> int | None:
        """None too for who stands behind all that were ordered: there is a score, and nobody knows the rank."""
        return self.listed.result.rank or None if self.listed else None


CandidateRanks = Mapping[str, CandidateRank]
"""By application."""


def find_ranks(
    service: Service, recorder: Recorder, criteria: Criteria, applications: Sequence[str], *, actor: str, depth: int = 0
) -> tuple[CandidateRanks, CandidateRanks]:
    """In the list asked for, and in one that all of them are in: the same, or the job's whole list.

    The second is what is shown as score and rank, and is recorded. A search that cannot be understood is none.
    `depth` is how far down the page reached from which somebody came.
    """
    everyone = Criteria(job=criteria.job, ranker=criteria.ranker, masked=criteria.masked)
    with service.screener(criteria.job or "", ranker=criteria.ranker) as opened:
        try:
            searched = _RankedList.take(opened, criteria, depth)
        except QueryError:
            searched = _RankedList.take(opened, everyone, depth)
        ranks = searched.standings(applications)
        look, shown_ranks = searched, ranks
        if any(rank.listed is None for rank in ranks.values()) and searched.criteria != everyone:
            look = _RankedList.take(opened, everyone, depth)
            shown_ranks = look.standings(applications)
        recorded = look.record(recorder, service, look.scored(shown_ranks), actor=actor)
    return (recorded if look is searched else ranks), recorded


@dataclass(frozen=True)
class _RankedList:
    """One order of one list, and the screener that made it and noted what it was told."""

    recorded: RecordedScreener
    criteria: Criteria
    ordered: OrderedCandidates
    total: int
    places: Mapping[str, int]  # in the order, the best is 0

    @classmethod
    def take(cls, opened: Screener, criteria: Criteria, depth: int) -> _RankedList:
        recorded = RecordedScreener.of(opened)
        screener = recorded.screener
        request = screener.ask(criteria)
        ordered = screener.order(request, depth=max(screener.depth, depth))
        places = {ordered.keys[row]: at for at, row in enumerate(ordered.rows)}
        return cls(recorded, criteria, ordered, screener.snapshot.count(request.filter.query()), places)

    def standings(self, applications: Sequence[str]) -> dict[str, CandidateRank]:
        screener = self.recorded.screener
        request = screener.ask(self.criteria)
        keys = list(self.places)
        best = self.ordered.table.score(self.ordered.rows[0]).value if keys else None
        ranks = {}
        for id in applications:
            at = self.places.get(id)
            if at is None:
                ranks[id] = CandidateRank(self.criteria, self.total, len(keys))
                continue
            [listed] = screener.page(request, self.ordered, first=at, size=1)
            before = keys[at - 1] if at else None
            after = keys[at + 1] if at + 1 < len(keys) else None
            ranks[id] = CandidateRank(self.criteria, self.total, len(keys), listed, best, before, after)
        return ranks

    def scored(self, standings: CandidateRanks) -> dict[str, CandidateRank]:
        """With a score, but no rank, for those of the list who stand behind all that were ordered."""
        return {id: rank if rank.listed else replace(rank, listed=self._behind(id)) for id, rank in standings.items()}

    def _behind(self, application: str) -> SearchHit | None:
        screener = self.recorded.screener
        address = screener.snapshot.find(application)
        if address is None or self.criteria.job is None:
            return None
        request = screener.ask(self.criteria)
        [listed] = screener.page(request, screener.rank(request, [address]), size=1)
        is_of_job = listed.entry.job == self.criteria.job
        return replace(listed, result=replace(listed.result, rank=0)) if is_of_job else None

    def record(
        self, recorder: Recorder, service: Service, ranks: CandidateRanks, *, actor: str
    ) -> dict[str, CandidateRank]:
        """Each as a page of the list with one candidate on it."""
        ranked = {id: rank.listed for id, rank in ranks.items() if rank.listed and rank.rank}
        drafts = [
            self.recorded.draft(
                self._screen(listed), service.settings, actor=actor, first=listed.result.rank - 1, size=1
            )
            for listed in ranked.values()
        ]
        events = dict(zip(ranked, recorder.record(drafts), strict=True))
        return {id: replace(rank, sequence=events[id].sequence) if id in events else rank for id, rank in ranks.items()}

    def _screen(self, listed: SearchHit) -> SearchResults:
        screener = self.recorded.screener
        keys = self.ordered.keys
        return SearchResults(
            screener.job,
            self.criteria,
            self.total,
            len(self.ordered.rows),
            (listed,),
            Facets(self.total, ()),
            screener.weights,
            tuple(sorted(keys)) if self.total > len(keys) else (),
        )


# A score as people see it: its parts along one bar, each with its reason, the largest first where there are many.

COLOURS = 7
OTHER = 7  # the colour of all further parts together
SHOWN = 9  # parts that are listed without being asked for


@dataclass(frozen=True, slots=True)
class ScorePartRow:
    """`x` and `width` are percents of the bar, None where no bar can be drawn."""

    name: str
    value: float
    reason: str
    colour: int
    x: float | None
    width: float | None


@dataclass(frozen=True, slots=True)
class ScoreView:
    value: float
    full: float | None  # of a perfect fit
    share: float  # of the whole bar, 0 to 100
    parts: tuple[ScorePartRow, ...]
    rest: tuple[ScorePartRow, ...] = ()  # too many to be listed at once
    decimals: int = 1

    @property
    def searched(self) -> float | None:
        """What search terms add to the points for the job; None where nothing was searched for."""
        terms = [part.value for part in self.all_parts if part.name.startswith(SEARCH_TERM)]
        return math.fsum(terms) if terms else None

    @property
    def out_of(self) -> str:
        """What stands behind the number: " of 100", or how much of it a search added."""
        if self.searched is not None:
            return f" including {self.searched:.{self.decimals}f} for search terms"
        return f" of {self.full:g}" if self.full else ""

    @property
    def all_parts(self) -> tuple[ScorePartRow, ...]:
        return (*self.parts, *self.rest)

    @property
    def drawn(self) -> tuple[ScorePartRow, ...]:
        return tuple(part for part in self.all_parts if part.width)

    @property
    def rest_value(self) -> float:
        return math.fsum(part.value for part in self.rest)


def view_score(score: Score, ranker: str, *, best: float | None = None, clean: Callable[[str], str] = str) -> ScoreView:
    """`best` is the highest score of the list, for rankers without a full score.

    `clean` masks the reasons, which quote titles and fields of study.
    """
    full = FULL.get(ranker)
    length = full or best or max(score.value, 0.0)
    parts = _ordered(score.parts)
    can_draw = length > 0 and all(part.value >= 0 for part in score.parts)
    rows, start = [], 0.0
    for at, part in enumerate(parts):
        width = 100 * part.value / length if can_draw else 0.0
        bar = (round(start, 2), round(width, 2)) if can_draw else (None, None)
        rows.append(ScorePartRow(part.name, part.value, clean(part.reason or ""), min(at, OTHER), *bar))
        start += width
    cut = len(rows) if len(rows) <= SHOWN else COLOURS
    share = min(max(100 * score.value / length, 0.0), 100.0) if length > 0 else 0.0
    return ScoreView(score.value, full, share, tuple(rows[:cut]), tuple(rows[cut:]), decimals(length, score.value))


def decimals(*values: float) -> int:
    """So many that a number has about three telling digits."""
    largest = max(map(abs, values), default=0.0)
    return 1 if largest >= 100 else 2 if largest >= 10 else 3


def _ordered(parts: Sequence[Part]) -> list[Part]:
    """Those of the default ranker always in the same order and colours; of the others the largest first."""
    names = list(NAMES.values())
    if any(part.name in names for part in parts):
        return sorted(parts, key=lambda part: names.index(part.name) if part.name in names else len(names))
    return sorted(parts, key=lambda part: (-abs(part.value), part.name))
