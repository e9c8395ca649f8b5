"""Counts for every facet: one pass over the index for all that are not in use, one more for each that is."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from tantivy import Query

from evenhand.search.criteria import FACETS, NOT_STATED, Criteria
from evenhand.search.facets.skill_months import count_skill_months
from evenhand.search.facets.values import Facet, Facets, FacetValue
from evenhand.search.index.conditions import Filter, conjunction
from evenhand.search.index.reader import Snapshot
from evenhand.search.index.schema import BANDS, facet_value

MOST_VALUES = 50
_ALL_VALUES = 65_000  # of a segment; if it kept fewer, counts over several segments would not be exact
_YEARS = ("total_years", "relevant_years")
_BANDS = (*(name for name, _, _ in BANDS), NOT_STATED)


def count_facets(
    snapshot: Snapshot, criteria: Criteria, filter: Filter, *, executor: Executor | None = None
) -> Facets:
    """A facet's own choice does not limit its counts, unless the criteria ask for strict ones.

    Skill conditions with months limit all counts: they are joined by "and", so that the number beside another
    skill says how many would remain. tantivy counts without Python's lock: with an executor passes run side by side.
    """
    key = ("facets", filter.key, criteria.strict_counts)
    return snapshot.remember(key, lambda: _count(snapshot, criteria, filter, executor))


def _count(snapshot: Snapshot, criteria: Criteria, filter: Filter, executor: Executor | None) -> Facets:
    passes = _passes(snapshot, criteria, filter)
    counted = list((executor.map if executor else map)(_Pass.count, passes))
    total = _total(passes, counted)
    total = snapshot.count(filter.query()) if total is None else total
    facets: dict[str, Facet] = {}
    for each, found in zip(passes, counted, strict=True):
        for name in each.names:
            facets[name] = _facet(each, name, found[name], criteria.facets.get(name, ()), total)
    in_order = tuple(facets[name] for name in FACETS)
    return Facets(total, in_order, count_skill_months(snapshot, criteria, filter))


@dataclass(frozen=True, slots=True)
class _Pass:
    snapshot: Snapshot
    query: Query
    names: tuple[str, ...]
    whole: bool  # counts on the result itself, not on a larger set

    def count(self) -> dict[str, dict[str, Any]]:
        terms = {"size": MOST_VALUES, "segment_size": _ALL_VALUES}
        asked = {name: {"terms": {"field": name} | terms} for name in self.names}
        return dict(self.snapshot.searcher.aggregate(self.query, asked))

    def having(self, name: str, value: str) -> int:
        return self.snapshot.count(
            conjunction([self.query, Query.term_query(self.snapshot.schema, name, value)])
        )


def _passes(snapshot: Snapshot, criteria: Criteria, filter: Filter) -> list[_Pass]:
    """Skills go alone: of many values per resume, they take longer than all the rest together."""
    own = [] if criteria.strict_counts else [name for name in FACETS if criteria.facets.get(name)]
    whole = filter.query()
    alone = [_Pass(snapshot, filter.query(without=name), (name,), False) for name in own]
    together = tuple(name for name in FACETS if name not in own and name != "skill")
    skill = [] if "skill" in own else [_Pass(snapshot, whole, ("skill",), True)]
    return [*skill, *alone, *([_Pass(snapshot, whole, together, True)] if together else [])]


def _total(passes: list[_Pass], counted: list[dict[str, dict[str, Any]]]) -> int | None:
    """The size of the result, where a facet with one value each was counted on it."""
    for each, found in zip(passes, counted, strict=True):
        if each.whole and each.names[0] != "skill":
            return _mentions(found[each.names[0]])
    return None


def _mentions(counted: dict[str, Any]) -> int:
    return int(sum(bucket["doc_count"] for bucket in counted["buckets"]) + counted["sum_other_doc_count"])


def _facet(each: _Pass, name: str, counted: dict[str, Any], chosen: Iterable[str], total: int) -> Facet:
    mentions = _mentions(counted)
    # tantivy orders by count and, where equal, by value, also where the equal ones are cut off.
    counts = {bucket["key"]: int(bucket["doc_count"]) for bucket in counted["buckets"]}
    if name in _YEARS:
        counts = {band: counts.get(band, 0) for band in _BANDS}
    ticked = sorted({facet_value(value) for value in chosen})
    for value in ticked:  # what is ticked stays visible, however few have it
        if value not in counts:
            counts[value] = each.having(name, value)
    if not each.whole:
        total = each.snapshot.count(each.query) if name == "skill" else mentions
    values = tuple(FacetValue(value, count, value in ticked) for value, count in counts.items())
    return Facet(name, values, mentions - sum(counts.values()), total)
