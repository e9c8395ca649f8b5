"""Facets as they are ticked: the values with their counts, the first ones open, the others behind "more"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from evenhand.audit.facet_impact import FacetImpact, Impacts
from evenhand.screening.search_url import (
    BAND_LABELS,
    FACET_TITLES,
    ParsedSearch,
    condition_label,
    condition_text,
    instead_of,
    value_label,
    without_skill,
    without_value,
)
from evenhand.search.criteria import Criteria, SkillCondition
from evenhand.search.facets import Facet, FacetValue, SkillMonths
from evenhand.search.index.schema import BANDS
from evenhand.search.screener import SearchResults
from evenhand.web.rendering import with_query

OPEN = 7  # values of a facet that are seen at once
MAX_FACET_VALUES = 20  # with those behind "more": who looks for another one types it
CLOSED = ("total_years", "status")  # until somebody opens them; the counters above are statuses too
SUGGESTED = 50  # skills offered while one is typed


@dataclass(frozen=True, slots=True)
class ValueView:
    value: str
    label: str
    count: int
    chosen: bool
    share: float  # of those counted, 0 to 100
    stated: int = 0  # of those counted, by what their form states
    impact: FacetImpact | None = None  # what ticking it would do to groups; for auditors


@dataclass(frozen=True, slots=True)
class FacetView:
    name: str
    title: str
    first: tuple[ValueView, ...]
    more: tuple[ValueView, ...]
    others: int  # mentions of values that are not even behind "more"

    @property
    def chosen(self) -> int:
        return sum(value.chosen for value in (*self.first, *self.more))

    @property
    def open(self) -> bool:
        return self.name not in CLOSED or self.chosen > 0


@dataclass(frozen=True, slots=True)
class BandView:
    label: str
    count: int
    chosen: bool
    share: float
    address: str | None  # None where a range cannot be asked for


@dataclass(frozen=True, slots=True)
class SkillView:
    """A skill that has to be there, and how long the candidates used it."""

    text: str  # as it stands in the address
    name: str
    label: str
    remove: str
    bands: tuple[BandView, ...]


def facet_views(screen: SearchResults, impacts: Impacts | None = None) -> list[FacetView]:
    """Without those that would tell what is masked: they have been left out."""
    facets = {facet.name: facet for facet in screen.facets.facets}
    return [_facet(facets[name], impacts or {}) for name in FACET_TITLES if name in facets]


def skill_views(screen: SearchResults, search: ParsedSearch, address: str) -> list[SkillView]:
    months = {counts.skill: counts for counts in screen.facets.skill_months}
    return [_skill(condition, months.get(condition.name), search, address) for condition in search.criteria.skills]


def skill_suggestions(screen: SearchResults) -> list[tuple[str, int]]:
    [skills] = [facet for facet in screen.facets.facets if facet.name == "skill"]
    return [(value.value, value.count) for value in skills.values if value.count][:SUGGESTED]


def _facet(facet: Facet, impacts: Impacts) -> FacetView:
    values = [_value(facet, value, impacts) for value in facet.values if value.count or value.chosen]
    if facet.name in ("total_years", "relevant_years"):
        return FacetView(facet.name, FACET_TITLES[facet.name], tuple(values), (), facet.others)
    first = values[:OPEN] + [value for value in values[OPEN:] if value.chosen]
    more = [value for value in values[OPEN:MAX_FACET_VALUES] if not value.chosen]
    others = facet.others + sum(value.count for value in values[MAX_FACET_VALUES:] if not value.chosen)
    return FacetView(facet.name, FACET_TITLES[facet.name], tuple(first), tuple(more), others)


def _value(facet: Facet, value: FacetValue, impacts: Impacts) -> ValueView:
    label, share = value_label(facet.name, value.value), _share(value.count, facet.total)
    impact = impacts.get((facet.name, value.value))
    return ValueView(value.value, label, value.count, value.chosen, share, value.stated, impact)


def _skill(condition: SkillCondition, months: SkillMonths | None, search: ParsedSearch, address: str) -> SkillView:
    def link(criteria: Criteria) -> str:
        return f"{address}?{search.with_(criteria).query}"

    largest = max((band.count for band in months.bands), default=0) if months else 0
    ranges = {name: (first, last) for name, first, last in BANDS}
    bands = []
    for band in months.bands if months else ():
        bounds = ranges.get(band.value)
        other = SkillCondition(condition.name, *bounds) if bounds else None
        bands.append(
            BandView(
                BAND_LABELS.get(band.value, "Not dated"),
                band.count,
                band.chosen,
                _share(band.count, largest),
                link(instead_of(search.criteria, condition, other)) if other else None,
            )
        )
    remove = link(without_skill(search.criteria, condition))
    return SkillView(condition_text(condition), condition.name, condition_label(condition), remove, tuple(bands))


def _share(count: int, total: int) -> float:
    return round(100 * count / total, 1) if total else 0.0


# Every condition in force as a chip that takes it away again.


@dataclass(frozen=True, slots=True)
class Chip:
    kind: str
    label: str
    remove: str  # the address without it


def cleared(search: ParsedSearch, address: str) -> str:
    """The address without any condition; how the list is ranked, counted and cut stays."""
    unconditional = Criteria(
        job=search.criteria.job, ranker=search.criteria.ranker, strict_counts=search.criteria.strict_counts
    )
    return _address(search, unconditional, address)


def chips(search: ParsedSearch, address: str) -> Iterator[Chip]:
    criteria = search.criteria
    if criteria.text:
        yield Chip("Search", criteria.text, _address(search, replace(criteria, text=""), address))
    for condition in criteria.skills:
        words = " ".join(part for part in (condition.name, condition_label(condition)) if part)
        yield Chip("Skill", words, _address(search, without_skill(criteria, condition), address))
    for facet, title in FACET_TITLES.items():
        for value in criteria.facets.get(facet, ()):
            without = without_value(criteria, facet, value)
            yield Chip(title, value_label(facet, value), _address(search, without, address))


def _address(search: ParsedSearch, criteria: Criteria, address: str) -> str:
    return with_query(address, search.with_(criteria).query)
