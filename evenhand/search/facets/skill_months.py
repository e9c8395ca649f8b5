"""How long the candidates used each skill that the criteria name."""

from __future__ import annotations

from evenhand.search.criteria import NOT_STATED, Criteria, SkillCondition
from evenhand.search.facets.values import FacetValue, SkillMonths
from evenhand.search.index.conditions import Filter, conjunction
from evenhand.search.index.reader import Snapshot
from evenhand.search.index.schema import BANDS


def count_skill_months(snapshot: Snapshot, criteria: Criteria, filter: Filter) -> tuple[SkillMonths, ...]:
    """Counted with every other condition; a skill's own bounds do not limit its counts, unless strict."""
    return tuple(_bands(snapshot, condition, criteria, filter) for condition in criteria.skills)


def _bands(snapshot: Snapshot, condition: SkillCondition, criteria: Criteria, filter: Filter) -> SkillMonths:
    kept = filter.query(without=None if criteria.strict_counts else condition)

    def count(first: int | None, last: int | None) -> int:
        within = snapshot.conditions.skill(SkillCondition(condition.name, first, last))
        return snapshot.count(conjunction([kept, within]))

    dated = [
        FacetValue(name, count(first, last), _fulfils(condition, first, last)) for name, first, last in BANDS
    ]
    undated = count(None, None) - sum(band.count for band in dated)
    unbounded = condition.at_least is None and condition.at_most is None
    return SkillMonths(condition.name, (*dated, FacetValue(NOT_STATED, undated, unbounded)))


def _fulfils(condition: SkillCondition, first: int, last: int | None) -> bool:
    """Whether the whole band does."""
    if condition.at_least is not None and first < condition.at_least:
        return False
    return condition.at_most is None or (last is not None and last <= condition.at_most)
