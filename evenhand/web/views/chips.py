"""Every condition in force as a chip that takes it away again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from evenhand.search.criteria import Criteria
from evenhand.web.views.labels import FACET_TITLES, condition_label, value_label
from evenhand.workflows.desk_query import Search, without_skill, without_value


@dataclass(frozen=True, slots=True)
class Chip:
    kind: str
    label: str
    remove: str  # the address without it


def chips(search: Search, address: str) -> list[Chip]:
    return list(_chips(search, address))


def cleared(search: Search, address: str) -> str:
    """The address without any condition; how the list is ranked, counted and cut stays."""
    kept = Criteria(
        job=search.criteria.job, ranker=search.criteria.ranker, strict_counts=search.criteria.strict_counts
    )
    return _address(search, kept, address)


def _chips(search: Search, address: str) -> Iterator[Chip]:
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


def _address(search: Search, criteria: Criteria, address: str) -> str:
    query = search.with_(criteria).query
    return f"{address}?{query}" if query else address
