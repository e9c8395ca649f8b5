"""The screening page: everything its templates need, from what was shown and what else is known of the job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from urllib.parse import urlencode

from evenhand.errors import QueryError
from evenhand.search.rankers.best import NAMES, Best
from evenhand.store import STATUS_NAMES
from evenhand.store.batches import Batch
from evenhand.store.statuses import SHORTLISTED
from evenhand.store.workspace_rows import SavedSearch
from evenhand.web.views.cards import CardView, cards
from evenhand.web.views.chips import Chip, chips, cleared
from evenhand.web.views.facets import FacetView, SkillView, facet_views, skill_suggestions, skill_views
from evenhand.web.views.paging import Paging, paging
from evenhand.web.wording import count
from evenhand.workflows.auditing.facet_impact import Impacts
from evenhand.workflows.desk import Shown
from evenhand.workflows.desk_query import RANKED_BY, SIZES, Search, only_value, without_facet
from evenhand.workflows.desk_rest import REJECT, SHORTLIST
from evenhand.workflows.wording import ranker_words

SHORTLISTED_FIRST = 10  # proposed, and typed over
DONE = {"reject": "rejected", "shortlist": "shortlisted", "offer": "marked as offered", "screen": "screened"}
SEARCH_TERMS = "search terms"


@dataclass(frozen=True, slots=True)
class Counter:
    status: str
    label: str
    count: int
    chosen: bool
    address: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A search text that cannot be understood, cut at the place of the mistake."""

    message: str
    before: str
    wrong: str
    after: str

    @classmethod
    def of(cls, typed: str, error: QueryError) -> Mistake:
        return cls(str(error), typed[: error.start], typed[error.start : error.end], typed[error.end :])


@dataclass(frozen=True, slots=True)
class Bulk:
    """The newest decision on many at once, while it stands."""

    id: str
    words: str
    who: str
    time: datetime
    reason: str

    @classmethod
    def of(cls, batch: Batch, names: Mapping[str, str]) -> Bulk:
        words = f"{count(batch.standing, 'candidate')} {DONE.get(batch.action, batch.action)} at once."
        return cls(batch.id, words, names.get(batch.actor, batch.actor), batch.time, batch.reason)


@dataclass(frozen=True, slots=True)
class Saved:
    id: str
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Blind:
    own: bool
    job: bool
    schools: bool

    @property
    def on(self) -> bool:
        return self.own or self.job

    @property
    def words(self) -> str:
        return "on for this job" if self.job else "on for you" if self.own else "off"


@dataclass(frozen=True, slots=True)
class Around:
    """What is known besides the list itself."""

    statuses: Mapping[str, int]  # of all applications for the job
    saved: Sequence[SavedSearch]
    reasons: Sequence[str]
    blind: Blind
    masked: str = ""  # what the lens hides, in words
    bulk: Bulk | None = None
    mistake: Mistake | None = None
    typed: str = ""  # in the search box
    impacts: Impacts = field(default_factory=dict)  # of facets on groups; for auditors


@dataclass(frozen=True)
class ScreeningView:
    address: str
    search: Search
    shown: Shown
    around: Around
    cards: list[CardView]
    facets: list[FacetView]
    skills: list[SkillView]
    suggestions: list[tuple[str, int]]
    chips: list[Chip]
    counters: list[Counter]
    paging: Paging
    legend: list[tuple[str, int]]

    sizes = SIZES

    @property
    def total(self) -> int:
        return self.shown.screen.total

    @property
    def seen(self) -> int:
        return self.shown.sequence

    @cached_property
    def here(self) -> str:
        return self._with(self.search.query)

    @property
    def headline(self) -> str:
        everyone = sum(self.around.statuses.values())
        if self.total == everyone:
            return count(self.total, "candidate")
        return f"{self.total:,} of {count(everyone, 'candidate')}"

    @property
    def unordered(self) -> str:
        """An honest word where the ranker has not looked at everybody."""
        screen = self.shown.screen
        if screen.ordered >= screen.total:
            return ""
        return (
            f"{screen.total:,} candidates fit. The {screen.ordered:,} that the index proposes as the best of them "
            "are ranked; the others are counted and can be decided on, but have no rank. Narrow the search to "
            "rank them all."
        )

    @property
    def hidden_facets(self) -> str:
        shown = {facet.name for facet in self.facets}
        return "" if "city" in shown else "Cities are masked, so they cannot be ticked."

    @property
    def example_skill(self) -> str:
        """One that the job asks for, or that many have."""
        asked = [skill for demand in self.shown.screen.job.demands for skill in demand.skills]
        return next(iter([*asked, *(name for name, _ in self.suggestions)]), "accounting")

    @property
    def example_search(self) -> str:
        skill = self.example_skill
        named = skill if skill.isalnum() else f'"{skill}"'
        return f'{named}>=24 "team lead" -intern'

    @property
    def cleared(self) -> str:
        return cleared(self.search, self.address)

    @property
    def first_page(self) -> str:
        return self._with(self.search.at(1).query)

    @property
    def rankers(self) -> list[tuple[str, str]]:
        names = sorted(RANKED_BY, key=lambda name: name != Best.name)
        return [(name, ranker_words(name)) for name in names]

    @property
    def saved(self) -> list[Saved]:
        return [Saved(each.id, each.name, self._with(each.query)) for each in self.around.saved]

    @property
    def ticked(self) -> int:
        criteria = self.search.criteria
        return sum(len(values) for values in criteria.facets.values()) + len(criteria.skills)

    @cached_property
    def candidate_query(self) -> str:
        query = self.search.query
        return f"?{query}" if query else ""

    @cached_property
    def more_query(self) -> str:
        query = self.search.at(1).query
        return f"&{query}" if query else ""

    @property
    def many_reject(self) -> str:
        """With a shortlist, everyone who is not on it; without one, everyone below this page."""
        has_shortlist = self.around.statuses.get(SHORTLISTED, 0) > 0
        return self._many(REJECT, 0 if has_shortlist else self.paging.last)

    @property
    def many_shortlist(self) -> str:
        return self._many(SHORTLIST, min(SHORTLISTED_FIRST, self.total))

    def _many(self, action: str, keep: int) -> str:
        query = self.search.at(1).query
        start = urlencode({"action": action, "keep": keep, "seen": self.seen})
        return f"{start}&{query}" if query else start

    def _with(self, query: str) -> str:
        return f"{self.address}?{query}" if query else self.address


def screening_view(shown: Shown, search: Search, around: Around, address: str) -> ScreeningView:
    screen = shown.screen
    made = cards(shown.lines, screen.job, screen.criteria.ranker)
    return ScreeningView(
        address=address,
        search=search,
        shown=shown,
        around=around,
        cards=made,
        facets=facet_views(screen, around.impacts),
        skills=skill_views(screen, search, address),
        suggestions=skill_suggestions(screen),
        chips=chips(search, address),
        counters=_counters(search, around.statuses, address),
        paging=paging(search, screen.total, len(made), address),
        legend=_legend(made, screen.criteria.ranker),
    )


def _counters(search: Search, statuses: Mapping[str, int], address: str) -> list[Counter]:
    chosen = search.criteria.facets.get("status", ())
    found = []
    for status, name in STATUS_NAMES.items():
        is_chosen = status in chosen
        criteria = (
            without_facet(search.criteria, "status")
            if is_chosen
            else only_value(search.criteria, "status", status)
        )
        query = search.with_(criteria).query
        label = name.split()[0].lower()
        found.append(
            Counter(
                status, label, statuses.get(status, 0), is_chosen, f"{address}?{query}" if query else address
            )
        )
    return found


def _legend(made: Sequence[CardView], ranker: str) -> list[tuple[str, int]]:
    """Only where a part has the same colour with everyone; term rankers have a part for every word."""
    if ranker != Best.name:
        return []
    drawn = [part for card in made for part in card.score.drawn]
    known = {part.name: part.colour for part in drawn if part.name in NAMES.values()}
    others = [part.colour for part in drawn if part.name not in known]
    legend = sorted(known.items(), key=lambda pair: pair[1])
    return [*legend, (SEARCH_TERMS, min(others))] if others else legend
