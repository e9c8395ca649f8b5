"""Counts for every facet: one pass over the index for all that are not in use, one more for each that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from math import log
from typing import Any, Literal

from tantivy import Query

from evenhand.records.conversion import JsonRecord
from evenhand.records.job import Job
from evenhand.search.analysis import terms
from evenhand.search.criteria import FACETS, NOT_STATED, Criteria, SkillCondition
from evenhand.search.index.reader import Snapshot
from evenhand.search.index.schema import BANDS, STATED_FIELDS, Filter, conjunction, facet_value, stated_field

# Facets as a screener sees them: values with counts.


@dataclass(frozen=True, slots=True)
class FacetValue(JsonRecord):
    value: str
    count: int
    chosen: bool = False
    stated: int = 0  # of them, from what the applicant stated in a form: their resumes do not say


@dataclass(frozen=True, slots=True)
class Facet(JsonRecord):
    """`others` is the sum of the counts not shown; `total` the candidates counted on."""

    name: str
    values: tuple[FacetValue, ...]
    others: int
    total: int


@dataclass(frozen=True, slots=True)
class SkillMonths(JsonRecord):
    """How long those who have a skill used it, for the skills of the criteria."""

    skill: str
    bands: tuple[FacetValue, ...]


@dataclass(frozen=True, slots=True)
class Facets(JsonRecord):
    total: int  # candidates that fulfil all criteria
    facets: tuple[Facet, ...]
    skill_months: tuple[SkillMonths, ...] = ()


# How many applicants have each skill, for suggestions.

MAX_SKILLS = 65_000


def count_skills(snapshot: Snapshot, job: str | None = None) -> tuple[dict[str, int], int]:
    """By skill, those who have it, and how many applicants there are; of one job, or of all."""
    query = Query.term_query(snapshot.schema, "job", job) if job else Query.all_query()
    asked = {"skill": {"terms": {"field": "skill", "size": MAX_SKILLS, "segment_size": MAX_SKILLS}}}
    buckets = snapshot.searcher.aggregate(query, asked)["skill"]["buckets"]
    counts = {bucket["key"]: int(bucket["doc_count"]) for bucket in buckets if bucket["key"] != NOT_STATED}
    return counts, snapshot.count(query)


def _skill_months(snapshot: Snapshot, condition: SkillCondition, criteria: Criteria, filter: Filter) -> SkillMonths:
    """Counted with every other condition; a skill's own bounds do not limit its counts, unless strict."""
    others = filter.query(without=None if criteria.strict_counts else condition)

    def count(first: int | None, last: int | None) -> int:
        within = snapshot.conditions.skill(SkillCondition(condition.name, first, last))
        return snapshot.count(conjunction([others, within]))

    def fulfils(first: int, last: int | None) -> bool:
        """Whether the whole band does."""
        if condition.at_least is not None and first < condition.at_least:
            return False
        return condition.at_most is None or (last is not None and last <= condition.at_most)

    dated = [FacetValue(name, count(first, last), fulfils(first, last)) for name, first, last in BANDS]
    undated = count(None, None) - sum(band.count for band in dated)
    unbounded = condition.at_least is None and condition.at_most is None
    return SkillMonths(condition.name, (*dated, FacetValue(NOT_STATED, undated, unbounded)))


MAX_VALUES = 50
_ALL_VALUES = 65_000  # of a segment; if it kept fewer, counts over several segments would not be exact
_YEARS = ("total_years", "relevant_years")
_BANDS = (*(name for name, _, _ in BANDS), NOT_STATED)


def count_facets(snapshot: Snapshot, criteria: Criteria, filter: Filter, *, executor: Executor | None = None) -> Facets:
    """A facet's own choice does not limit its counts, unless the criteria ask for strict ones.

    Skill conditions with months limit all counts: they are joined by "and", so that the number beside another
    skill says how many would remain. tantivy counts without Python's lock: with an executor passes run side by side.
    """
    key = ("facets", filter.key, criteria.strict_counts)
    return snapshot.remember(key, lambda: _count(snapshot, criteria, filter, executor))


def _count(snapshot: Snapshot, criteria: Criteria, filter: Filter, executor: Executor | None) -> Facets:
    # Skills go alone: of many values per resume, they take longer than all the rest together.
    own = [] if criteria.strict_counts else [name for name in FACETS if criteria.facets.get(name)]
    whole = filter.query()
    together = tuple(name for name in FACETS if name not in own and name != "skill")
    passes = [] if "skill" in own else [_Pass(snapshot, whole, ("skill",), True)]
    passes += [_Pass(snapshot, filter.query(without=name), (name,), False) for name in own]
    passes += [_Pass(snapshot, whole, together, True)] if together else []
    counts = list((executor.map if executor else map)(_Pass.count, passes))
    # The size of the result is known where a facet with one value each was counted on it: those in the last pass.
    total = _mentions(counts[-1][together[0]]) if together else snapshot.count(whole)
    facets = {
        name: _facet(one, name, count, criteria.facets.get(name, ()), total)
        for one, count in zip(passes, counts, strict=True)
        for name in one.names
    }
    skill_months = tuple(_skill_months(snapshot, condition, criteria, filter) for condition in criteria.skills)
    return Facets(total, tuple(facets[name] for name in FACETS), skill_months)


@dataclass(frozen=True, slots=True)
class _Pass:
    snapshot: Snapshot
    query: Query
    names: tuple[str, ...]
    whole: bool  # counts on the result itself, not on a larger set

    def count(self) -> dict[str, dict[str, Any]]:
        terms = {"size": MAX_VALUES, "segment_size": _ALL_VALUES}
        fields = (*self.names, *(stated_field(name) for name in self.names if name in STATED_FIELDS))
        asked = {name: {"terms": {"field": name} | terms} for name in fields}
        return dict(self.snapshot.searcher.aggregate(self.query, asked))

    def having(self, name: str, value: str) -> int:
        return self.snapshot.count(conjunction([self.query, Query.term_query(self.snapshot.schema, name, value)]))


def _mentions(counted: dict[str, Any]) -> int:
    return int(sum(bucket["doc_count"] for bucket in counted["buckets"]) + counted["sum_other_doc_count"])


def _facet(one: _Pass, name: str, all_counts: dict[str, Any], chosen: Iterable[str], total: int) -> Facet:
    counted, stated = all_counts[name], all_counts.get(stated_field(name), {"buckets": ()})
    forms = {bucket["key"]: int(bucket["doc_count"]) for bucket in stated["buckets"]}
    mentions = _mentions(counted)
    # tantivy orders by count and, where equal, by value, also where the equal ones are cut off.
    counts = {bucket["key"]: int(bucket["doc_count"]) for bucket in counted["buckets"]}
    if name in _YEARS:
        counts = {band: counts.get(band, 0) for band in _BANDS}
    ticked = sorted({facet_value(value) for value in chosen})
    for value in ticked:  # what is ticked stays visible, however few have it
        if value not in counts:
            counts[value] = one.having(name, value)
    if not one.whole:
        total = one.snapshot.count(one.query) if name == "skill" else mentions
    values = tuple(FacetValue(value, count, value in ticked, forms.get(value, 0)) for value, count in counts.items())
    return Facet(name, values, mentions - sum(counts.values()), total)


# Which skills to ask for next: those the job's applicants have and the job does not mention yet.

Mode = Literal["count", "kl"]

LIMIT = 20


@dataclass(frozen=True, slots=True)
class SkillSuggestion(JsonRecord):
    """A skill, how many of the job's applicants have it, and what it was ordered by."""

    skill: str
    applicants: int
    score: float


def suggest(
    job: Job,
    counts: Mapping[str, int],
    *,
    applicants: int,
    all_counts: Mapping[str, int] | None = None,
    all_applicants: int = 0,
    mode: Mode = "count",
    limit: int = LIMIT,
) -> list[SkillSuggestion]:
    """Skills by how many of the job's `applicants` have them (`counts`), or by how much they set the job apart.

    In mode "kl" the score is p(s|job) log(p(s|job) / p(s|all)), p being shares of applicants, of this job and of all
    jobs (`all_counts`, `all_applicants`; this job's among them). What is no more common here than anywhere is left out.
    """

    def score(skill: str, count: int) -> float:
        if mode == "count":
            return float(count)
        here = count / applicants
        # All jobs include this one, whatever the counts say that were taken a moment earlier.
        anywhere = max((all_counts or {}).get(skill, 0), count) / max(all_applicants, applicants)
        return here * log(here / anywhere)

    known = _mentioned(job, counts)
    new = {skill: count for skill, count in counts.items() if count > 0 and skill not in known}
    suggestions = [SkillSuggestion(skill, count, score(skill, count)) for skill, count in new.items()]
    telling = [suggestion for suggestion in suggestions if suggestion.score > 0]
    return sorted(telling, key=lambda one: (-one.score, -one.applicants, one.skill))[: max(0, limit)]


def _mentioned(job: Job, skills: Mapping[str, int]) -> set[str]:
    """Skills the job asks for, by any name its understanding knows, and those whose own name its text has."""
    demanded = {skill for demand in job.demands for skill in demand.skills}
    text = f" {' '.join(terms(job.text))} "  # so that a sequence of whole terms is found, and no part of a term
    return demanded | {skill for skill in skills if (name := terms(skill)) and f" {' '.join(name)} " in text}
