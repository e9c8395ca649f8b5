"""The screening page: everything its templates need, from what was shown and what else is known of the job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from urllib.parse import parse_qsl, urlencode

from evenhand.audit.facet_impact import Impacts
from evenhand.errors import QueryError
from evenhand.screening.candidate_list import ListPage
from evenhand.screening.decisions import REJECT, SHORTLIST, BulkPlan
from evenhand.screening.search_url import FARTHEST, RANKED_BY, SIZES, ParsedSearch, choosing
from evenhand.search.people import PersonHit
from evenhand.search.rankers.best import NAMES, Best
from evenhand.store.applications import OFFERED, REJECTED, SHORTLISTED, STATUS_NAMES
from evenhand.store.decisions import DecisionBatch
from evenhand.store.jobs import StoredSearch
from evenhand.text.wording import count, ranker_words
from evenhand.web.rendering import with_query
from evenhand.web.views.cards import CardView, cards
from evenhand.web.views.facets import (
    Chip,
    FacetView,
    SkillView,
    chips,
    cleared,
    facet_views,
    skill_suggestions,
    skill_views,
)

# Which candidates a page shows, and the pages before and after it.

NEAR = 2  # pages named on each side of the one that is open


@dataclass(frozen=True, slots=True)
class PageLink:
    """`address` is None for the open page, and for the gap between pages that are not named."""

    label: str
    address: str | None
    current: bool = False


@dataclass(frozen=True, slots=True)
class Paging:
    first: int  # rank of the first on the page, 1 for the best
    last: int
    total: int
    before: str | None
    after: str | None
    links: tuple[PageLink, ...]


def paging(search: ParsedSearch, total: int, on_page: int, address: str) -> Paging:
    """`on_page` is how many are on the page."""
    reachable = min(total, FARTHEST)
    pages = max(-(-reachable // search.size), 1)

    def link(page: int) -> str:
        return with_query(address, search.at(page).query)

    links = []
    named = sorted({1, pages, *range(search.page - NEAR, search.page + NEAR + 1)} & set(range(1, pages + 1)))
    reached = 0
    for page in named:
        if page > reached + 1:
            links.append(PageLink("…", None))
        is_open = page == search.page
        links.append(PageLink(f"{page:,}", None if is_open else link(page), is_open))
        reached = page
    return Paging(
        first=min(search.first + 1, total),
        last=search.first + on_page,
        total=total,
        before=link(min(search.page - 1, pages)) if search.page > 1 else None,
        after=link(search.page + 1) if search.page < pages else None,
        links=tuple(links) if pages > 1 else (),
    )


SHORTLISTED_FIRST = 10  # proposed, and typed over
DONE = {"reject": "rejected", "shortlist": "shortlisted", "offer": "marked as offered", "screen": "screened"}
SEARCH_TERMS = "search terms"


@dataclass(frozen=True, slots=True)
class StatusFilter:
    status: str
    label: str
    count: int
    chosen: bool
    address: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A search that cannot be understood; its text cut at the place of the mistake, if it is in the text."""

    message: str
    before: str = ""
    wrong: str = ""
    after: str = ""

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
    def of(cls, batch: DecisionBatch, names: Mapping[str, str]) -> Bulk:
        words = f"{count(batch.standing, 'candidate')} {DONE.get(batch.action, batch.action)} at once."
        return cls(batch.id, words, names.get(batch.actor, batch.actor), batch.time, batch.reason)


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
class ScreeningContext:
    """What is known besides the list itself."""

    statuses: Mapping[str, int]  # of all applications for the job
    saved: Sequence[tuple[StoredSearch, str]]  # each with the reason why it cannot be run, if it cannot
    reasons: Sequence[str]
    blind: Blind
    masked: str = ""  # what is hidden, in words
    bulk: Bulk | None = None
    impacts: Impacts = field(default_factory=dict)  # of facets on groups; for auditors


@dataclass(frozen=True)
class ScreeningView:
    address: str
    search: ParsedSearch
    shown: ListPage
    around: ScreeningContext
    cards: list[CardView]
    facets: list[FacetView]
    skills: list[SkillView]
    suggestions: list[tuple[str, int]]
    chips: list[Chip]
    counters: list[StatusFilter]
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
        return self.link(self.search.query)

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
    def unmatched(self) -> str:
        """ "No resume of this job mentions “blockchain”." """
        words = self.shown.screen.unmatched
        if not words:
            return ""
        where = " outside what can be masked" if self.shown.screen.criteria.masked else ""
        return f"No resume of this job mentions {' or '.join(f'“{word}”' for word in words)}{where}."

    @property
    def lacks_requirements(self) -> bool:
        """Scores of such a list say little, and nothing else on it would say why."""
        job = self.shown.screen.job
        return not (job.demands or job.months or job.degree)

    @property
    def people(self) -> Sequence[PersonHit]:
        return self.shown.screen.people

    @property
    def hidden_facets(self) -> str:
        names = {facet.name for facet in self.facets}
        return "" if "city" in names else "Cities are masked, so they cannot be ticked."

    @property
    def example_skill(self) -> str:
        """One that the job asks for, or that many have."""
        required = [skill for demand in self.shown.screen.job.demands for skill in demand.skills]
        return next(iter([*required, *(name for name, _ in self.suggestions)]), "accounting")

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
        return self.link(self.search.at(1).query)

    @property
    def rankers(self) -> list[tuple[str, str]]:
        names = sorted(RANKED_BY, key=lambda name: name != Best.name)
        return [(name, ranker_words(name)) for name in names]

    @property
    def ticked(self) -> int:
        criteria = self.search.criteria
        return sum(len(values) for values in criteria.facets.values()) + len(criteria.skills)

    @cached_property
    def candidate_query(self) -> str:
        return with_query("", self.search.query)

    @cached_property
    def more_query(self) -> str:
        query = self.search.at(1).query
        return f"&{query}" if query else ""

    @cached_property
    def list_query(self) -> str:
        """After another part of an address: the list they come from, with its page."""
        return f"&{self.search.query}" if self.search.query else ""

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

    def link(self, query: str) -> str:
        return with_query(self.address, query)


def screening_view(listing: ListPage, search: ParsedSearch, around: ScreeningContext, address: str) -> ScreeningView:
    screen = listing.screen
    made = cards(listing.lines, screen.job, screen.criteria.ranker)
    chosen = search.criteria.facets.get("status", ())
    counters = []
    for status, name in STATUS_NAMES.items():
        is_chosen = status in chosen
        criteria = choosing(search.criteria, "status", () if is_chosen else (status,))
        link = with_query(address, search.with_(criteria).query)
        counters.append(StatusFilter(status, name.split()[0].lower(), around.statuses.get(status, 0), is_chosen, link))
    return ScreeningView(
        address=address,
        search=search,
        shown=listing,
        around=around,
        cards=made,
        facets=facet_views(screen, around.impacts),
        skills=skill_views(screen, search, address),
        suggestions=skill_suggestions(screen),
        chips=list(chips(search, address)),
        counters=counters,
        paging=paging(search, screen.total, len(made), address),
        legend=_legend(made, screen.criteria.ranker),
    )


def _legend(made: Sequence[CardView], ranker: str) -> list[tuple[str, int]]:
    """Only where a part has the same colour with everyone; term rankers have a part for every word."""
    if ranker != Best.name:
        return []
    drawn = [part for card in made for part in card.score.drawn]
    known = {part.name: part.colour for part in drawn if part.name in NAMES.values()}
    others = [part.colour for part in drawn if part.name not in known]
    legend = sorted(known.items(), key=lambda pair: pair[1])
    return [*legend, (SEARCH_TERMS, min(others))] if others else legend


# The preview of a decision on many at once, in sentences.

STAYING = {
    SHORTLISTED: "shortlisted",
    OFFERED: "with an offer",
    REJECTED: "rejected already",
    "new": "new",
    "screened": "screened",
}


@dataclass(frozen=True, slots=True)
class ManyView:
    plan: BulkPlan
    keep: int
    search: ParsedSearch
    back: str
    address: str
    sample: Sequence[str]  # names of some who are concerned, as the viewer may see them
    reasons: Sequence[str]
    seen: str
    reason: str = ""
    problem: str = ""

    @property
    def rejects(self) -> bool:
        return self.plan.action == REJECT

    @property
    def changed(self) -> int:
        return len(self.plan.changed)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return parse_qsl(self.search.query)

    @property
    def spared(self) -> list[str]:
        return list(self._spared())

    def _spared(self) -> Iterator[str]:
        """Who stays as they are, and why."""
        plan = self.plan
        if self.rejects and plan.first:
            yield f"Kept: the top {plan.first:,} of the list."
        for status, words in STAYING.items():
            if number := plan.left.get(status, 0):
                yield f"{_beginning(status, self.rejects)}{count(number, 'candidate')} {words}."
        if taken := plan.statuses.get("screened", 0):
            yield f"Included: {count(taken, 'candidate')} with status Screened."
        if plan.unordered and self.rejects:
            yield (
                f"{count(plan.unordered, 'candidate')} of this list have no rank, because it is so long; "
                "they would be rejected too, unless they are shortlisted or offered."
            )


def _beginning(status: str, rejects: bool) -> str:
    return "Kept: " if rejects and status in (SHORTLISTED, OFFERED) else "Unchanged: "
