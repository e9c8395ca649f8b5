"""What ticking a facet would do to groups: the impact ratio of who is left, before anybody ticks. For auditors only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tantivy import Query

from evenhand.audit.outcomes.counting import MINIMUM
from evenhand.audit.outcomes.ll144 import RACE, SEX
from evenhand.audit.outcomes.rates import FOUR_FIFTHS
from evenhand.audit.statistics import katz
from evenhand.search.criteria import Criteria
from evenhand.search.facets import Facets, count_facets
from evenhand.search.index.schema import Filter, conjunction, facet_value
from evenhand.search.screener import Screener
from evenhand.search.service import Service
from evenhand.store.self_identifications import SelfIdentificationStore
from evenhand.text.wording import join_and

VARIABLES = (SEX, RACE)
TOO_FEW = "too few"
MIN_COUNT = 5
"""People of a group, left or left out: below it a figure would be about persons."""
STEP = 0.05
"""Figures are rounded to it: two searches that differ by one person must not tell what that person said."""

Impacts = Mapping[tuple[str, str], "FacetImpact"]
"""By facet and value."""


@dataclass(frozen=True, slots=True)
class FacetImpact:
    """`ratio` is the lowest of the variables that are surely below four fifths, else of all that can be told; None
    where none can."""

    ratio: float | None
    words: str  # all of it, with its numbers
    is_sure: bool = False  # below four fifths before rounding, and even the upper end of its interval below one

    @property
    def label(self) -> str:
        """ "impact .74", as it stands beside the count."""
        if self.ratio is None:
            return f"impact: {TOO_FEW}"
        return f"impact {self.ratio:.2f}".replace(" 0.", " .")

    @property
    def is_low(self) -> bool:
        """Worth a mark: below four fifths, and not by chance alone."""
        return self.ratio is not None and self.ratio <= FOUR_FIFTHS and self.is_sure


def facet_impacts(service: Service, criteria: Criteria, facets: Facets) -> Impacts:
    """For every value of `facets`; nothing where nobody said which group is theirs. Worked out once for each state
    of the index and of the answers."""
    job = criteria.job or ""
    answers = SelfIdentificationStore(service.store.context)
    state = answers.state(job)
    # With typed words anybody could be singled out: whoever has a word that nobody else has.
    if not state[0] or criteria.text.strip():
        return {}
    with service.screener(job, ranker=criteria.ranker) as screener:
        query = screener.ask(criteria)
        values = tuple((facet.name, value.value) for facet in facets.facets for value in facet.values)
        key = ("facet impacts", query.filter.key, criteria.strict_counts, state, values)
        return screener.snapshot.remember(
            key, lambda: _Impacts(screener, criteria, query.filter, _members(answers, job), state).of(facets)
        )


def _members(answers: SelfIdentificationStore, job: str) -> dict[str, dict[str, list[str]]]:
    """By variable and group, the applications."""
    members: dict[str, dict[str, list[str]]] = {name: defaultdict(list) for name in VARIABLES}
    for id, answer in answers.read(job).items():
        for name in VARIABLES:
            if group := answer.groups.get(name):
                members[name][group].append(id)
    return members


@dataclass(frozen=True)
class _Impacts:
    screener: Screener
    criteria: Criteria
    filter: Filter
    members: Mapping[str, Mapping[str, list[str]]]
    state: object

    def of(self, facets: Facets) -> Impacts:
        counted = {name: self._groups(name) for name in VARIABLES if self.members[name]}
        return {
            (facet.name, value.value): _impact(
                [_left(name, groups, facet.name, value.value) for name, groups in counted.items()]
            )
            for facet in facets.facets
            for value in facet.values
        }

    def _groups(self, variable: str) -> dict[str, _Group]:
        """Of groups that are large enough to say anything."""
        groups = {}
        for group, ids in sorted(self.members[variable].items()):
            counted = self._group(variable, group, ids)
            if counted.pool >= MINIMUM:
                groups[group] = counted
        return groups

    def _group(self, variable: str, group: str, ids: list[str]) -> _Group:
        """All facets are counted at once, as for everybody, on the members alone."""
        snapshot = self.screener.snapshot
        own = Query.term_set_query(snapshot.schema, "application", ids)
        pool = snapshot.count(conjunction([own, Query.term_query(snapshot.schema, "job", self.criteria.job or "")]))
        among = replace(
            self.filter,
            always=(*self.filter.always, own),
            key=(self.filter.key, "members", variable, group, self.state),
        )
        facets = count_facets(snapshot, self.criteria, among)
        known = {(facet.name, value.value): value.count for facet in facets.facets for value in facet.values}

        def count(facet: str, value: str) -> int:
            """Rare values are not among those counted at once."""
            if (facet, value) in known:
                return known[facet, value]
            query = among.query() if self.criteria.strict_counts else among.query(without=facet)
            term = Query.term_query(snapshot.schema, facet, facet_value(value))
            return snapshot.count(conjunction([query, term]))

        return _Group(pool, count)


@dataclass(frozen=True, slots=True)
class _Group:
    pool: int
    count: Callable[[str, str], int]  # with a value of a facet


def _left(variable: str, groups: Mapping[str, _Group], facet: str, value: str) -> FacetImpact:
    """The lowest ratio, and in words; only where it is not about a handful of people, and no sharper than needed."""
    left = {name: group.count(facet, value) for name, group in groups.items()}
    counts = [count for name, group in groups.items() for count in (left[name], group.pool - left[name])]
    if len(groups) < 2 or sum(left.values()) < MINIMUM or any(0 < count < MIN_COUNT for count in counts):
        return FacetImpact(None, f"{variable}: {TOO_FEW} to tell")
    rates = {name: left[name] / group.pool for name, group in groups.items()}
    shares = [f"about {_rounded(rates[name]):.0%} of {name}" for name in groups]
    lowest, highest = min(rates, key=rates.__getitem__), max(rates, key=rates.__getitem__)
    ratio = rates[lowest] / rates[highest]
    interval = katz((left[lowest], groups[lowest].pool), (left[highest], groups[highest].pool))
    words = f"{variable}: {join_and(shares)}, impact ratio about {_rounded(ratio):.2f}"
    return FacetImpact(_rounded(ratio), words, interval.high < 1 and ratio < FOUR_FIFTHS)


def _rounded(value: float) -> float:
    return round(round(value / STEP) * STEP, 2)


def _impact(by_variable: list[FacetImpact]) -> FacetImpact:
    words = "Who would be left of all who applied. " + "; ".join(impact.words for impact in by_variable) + "."
    known = [replace(impact, words=words) for impact in by_variable if impact.ratio is not None]
    # What is sure comes first: a lower ratio that may be chance would hide it, and there would be no mark.
    return min(
        known,
        key=lambda impact: (not impact.is_low, impact.ratio, not impact.is_sure),
        default=FacetImpact(None, words),
    )
