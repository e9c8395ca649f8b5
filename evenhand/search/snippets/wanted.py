"""What a reader of the result looks for in a resume: the job's demands and terms and her own words, weighed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from evenhand.search.analysis import terms
from evenhand.search.rankers.query import Query
from evenhand.search.statistics import Statistics

MOST_TERMS = 40
_DEMAND_WEIGHT = 3.0
_TYPED_WEIGHT = 4.0
_COMMON_WEIGHT = 0.1
_COMMON_SHARE = 1 / 3
_COMMON_FROM = 30  # resumes; in a smaller pool a share says little


@dataclass(frozen=True, slots=True)
class Sought:
    """Terms that have to stand together. What shares a `key` is one wish: any of it fulfils it."""

    key: str
    terms: tuple[str, ...]
    weight: float
    common: bool = False  # found in so many resumes that showing it helps little


@dataclass(frozen=True, slots=True)
class Wanted:
    """`skills` names the wish that a canonical skill fulfils; `by_first` finds what is sought by its first term.

    `terms` are all of them, and `starts` how they begin: a word that begins otherwise need not be analyzed. `known`
    remembers what was found in a chunk of text, over all resumes of a page.
    """

    by_first: Mapping[str, tuple[Sought, ...]]
    skills: Mapping[str, Sought]
    terms: frozenset[str]
    starts: frozenset[str]
    known: dict[str, tuple[tuple[str, int, int], ...]] = field(
        default_factory=dict, compare=False, repr=False
    )


def start_of(word: str) -> str:
    """The letters that stemming keeps; it may turn a y into an i ("lying": "lie")."""
    return word[:2].replace("y", "i")


def make_wanted(query: Query, statistics: Statistics) -> Wanted:
    """Made once per search, for all its results."""
    sought: dict[tuple[str, ...], Sought] = {}
    skills: dict[str, Sought] = {}
    for typed in query.search_terms:
        sought[typed.terms] = Sought(typed.text, typed.terms, _TYPED_WEIGHT * _idf(typed.terms, statistics))
    for number, demand in enumerate(query.job.demands):
        for name in demand.skills:
            named = tuple(terms(name))
            skills[name] = Sought(f"demand {number}", named, _DEMAND_WEIGHT * _idf(named, statistics))
            if named:
                sought.setdefault(named, skills[name])
    for plain in _plain(query, statistics):
        sought.setdefault(plain.terms, plain)
    named_terms = frozenset(term for phrase in sought for term in phrase)
    return Wanted(_by_first(sought), skills, named_terms, frozenset(map(start_of, named_terms)))


def _plain(query: Query, statistics: Statistics) -> list[Sought]:
    """The strongest of the job's own terms, of those that any resume mentions."""
    found = []
    for asked in query.terms:
        if statistics.document_frequency(asked.term):
            single, common = (asked.term,), _common(asked.term, statistics)
            weight = _idf(single, statistics) * (_COMMON_WEIGHT if common else 1.0)
            found.append(Sought(asked.term, single, weight, common))
    return sorted(found, key=lambda sought: -sought.weight)[:MOST_TERMS]


def _idf(wanted: tuple[str, ...], statistics: Statistics) -> float:
    """Of the rarest term: a phrase is at least as rare as any of its words."""
    frequency = min((statistics.document_frequency(term) for term in wanted), default=0)
    return math.log1p(statistics.number / (frequency + 1))


def _common(term: str, statistics: Statistics) -> bool:
    number = statistics.number
    return number >= _COMMON_FROM and statistics.document_frequency(term) > number * _COMMON_SHARE


def _by_first(sought: Mapping[tuple[str, ...], Sought]) -> dict[str, tuple[Sought, ...]]:
    grouped: dict[str, list[Sought]] = {}
    for phrase, each in sought.items():
        grouped.setdefault(phrase[0], []).append(each)
    return {first: tuple(group) for first, group in grouped.items()}
